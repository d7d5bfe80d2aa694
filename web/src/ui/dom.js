/** Elements of the page. Text always goes through textContent: nothing in the data is ever markup. */

/**
 * Makes an element.
 * @param {string} tag   name, optionally with classes: 'div.card.wide'
 * @param {Object} [attributes]  attributes; functions are listeners ('onclick'), `text` is the text
 * @param {...(Node|string|null|undefined)} children
 */
export function el(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.replace(/^on/, ''), value);
    else if (key === 'text') element.textContent = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an SVG element. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The icons: paths in a box of 24. */
const ICONS = {
  play: 'M8 5.5v13l11-6.5z',
  pause: 'M8 5.5v13M16 5.5v13',
  first: 'M6 6v12M18 6l-9 6 9 6z',
  last: 'M18 6v12M6 6l9 6-9 6z',
  back: 'M16 6l-8 6 8 6',
  forward: 'M8 6l8 6-8 6',
  loop: 'M17 3l3 3-3 3M20 6H8a4 4 0 0 0-4 4v1M7 21l-3-3 3-3M4 18h12a4 4 0 0 0 4-4v-1',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  axes: 'M5 4v15h15M8.5 15.5l4-5 3 2.5 4-6',
  ruler: 'M4 16L16 4l4 4L8 20zM8 12l2 2M11 9l2 2M14 6l2 2',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  help: 'M9.2 9a3 3 0 1 1 4.3 2.7c-1 .5-1.5 1.2-1.5 2.3M12 17.5v.1',
  layers: 'M12 3l9 5-9 5-9-5zM3 12.5l9 5 9-5',
  target: 'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 2v5M12 17v5M2 12h5M17 12h5',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM20 20l-4.7-4.7',
  save: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M5 19.5h14',
  zoomout: 'M4 12h16M8 8l-4 4 4 4M16 8l4 4-4 4',
};

/** An icon by name. */
export function icon(name) {
  const filled = name === 'play';
  return svg(
    'svg',
    { viewBox: '0 0 24 24', class: `icon${filled ? ' filled' : ''}`, 'aria-hidden': 'true' },
    svg('path', { d: ICONS[name] }),
  );
}

/** A button with an icon, a text or both. */
export function button(name, label, onclick, attributes = {}) {
  return el(
    'button.button',
    { type: 'button', title: label, 'aria-label': label, onclick, ...attributes },
    name ? icon(name) : null,
  );
}
