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
  const select = (name) => {
    parts.forEach((part, i) => {
      buttons[i].setAttribute('aria-selected', part.name === name);
      panes[i].hidden = part.name !== name;
    });
  };
  select(parts[0]?.name);
  return { element: el('div.side', {}, el('div.tabs', { role: 'tablist' }, ...buttons), ...panes), select };
}
