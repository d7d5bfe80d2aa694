/** Tabs: one of several parts is shown. */
import { el } from './dom.js';

/** @param {{name: string, title: string, content: HTMLElement}[]} parts */
export function makeTabs(parts) {
  const buttons = parts.map(({ name, title }) =>
    el('button.tab', {
      type: 'button',
      role: 'tab',
      id: `tab-${name}`,
      'aria-controls': `part-${name}`,
      text: title,
      onclick: () => select(name),
    }),
  );
  const panes = parts.map(({ name, content }) =>
    el('div.pane', { role: 'tabpanel', id: `part-${name}`, 'aria-labelledby': `tab-${name}` }, content),
  );
  let current = parts[0]?.name;
  const select = (name) => {
    current = name;
    parts.forEach((part, i) => {
      buttons[i].setAttribute('aria-selected', part.name === name);
      buttons[i].tabIndex = part.name === name ? 0 : -1;
      panes[i].hidden = part.name !== name;
    });
  };
  select(current);
  const list = el(
    'div.tabs',
    { role: 'tablist', onclick: () => tabs.changed?.(), onkeydown: (e) => rove(e) },
    ...buttons,
  );
  /** Arrows go from tab to tab. */
  const rove = (event) => {
    const at = parts.findIndex((part) => part.name === current);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: parts.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    select(parts[(to + parts.length) % parts.length].name);
    buttons[(to + parts.length) % parts.length].focus();
    tabs.changed?.();
  };
  const tabs = {
    element: el('div.side', {}, list, ...panes),
    select,
    current: () => current,
    names: parts.map((part) => part.name),
  };
  return tabs;
}
