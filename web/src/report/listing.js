/** The model file with line numbers, its keys and comments told apart. */
import { el } from '../ui/dom.js';

const MOST = 5000; // lines

/** @param {string} text */
export function listing(text) {
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, MOST).map((line) => el('li', {}, el('code', {}, ...pieces(line))));
  const list = el('ol.listing', {}, ...shown);
  return lines.length > MOST
    ? el('div', {}, list, el('p.note', { text: `and ${lines.length - MOST} more lines` }))
    : list;
}

/** A line as comment, keys and the rest: for the eye only, so a simple rule is enough. */
function pieces(line) {
  const [, body, comment] = /^((?:"[^"]*"|'[^']*'|[^#"']|["'](?![^"']*$)|(?<=\S)#)*)(.*)$/s.exec(line) ?? [
    null,
    line,
    '',
  ];
  const out = [];
  let last = 0;
  for (const match of body.matchAll(/(^\s*(?:- )?|[{,]\s*)([\w'.-]+)(?=:(?:\s|$))/g)) {
    const start = match.index + match[1].length;
    out.push(body.slice(last, start), el('span.key', { text: match[2] }));
    last = start + match[2].length;
  }
  out.push(body.slice(last));
  if (comment) out.push(el('span.comment', { text: comment }));
  return out.length ? out : [' '];
}
