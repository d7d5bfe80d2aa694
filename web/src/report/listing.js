/** The model file with line numbers, its keys and comments told apart. */
import { el } from '../ui/dom.js';

const MOST = 5000; // lines

/** @param {string} text */
export function listing(text) {
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, MOST).map((line) => el('li', {}, el('code', {}, ...pieces(line))));
  const list = el('ol.listing', { tabindex: 0, 'aria-label': 'the model file' }, ...shown);
  return lines.length > MOST
    ? el('div', {}, list, el('p.note', { text: `and ${lines.length - MOST} more lines` }))
    : list;
}

/** Where a comment begins: at a # after a blank that is not in quotes; an apostrophe in a word opens none. */
function splitComment(line) {
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const before = i === 0 ? ' ' : line[i - 1];
    if (quote) quote = line[i] === quote ? '' : quote;
    else if (/["']/.test(line[i]) && /[\s[{,(]/.test(before)) quote = line[i];
    else if (line[i] === '#' && /\s/.test(before)) return [line.slice(0, i), line.slice(i)];
  }
  return [line, ''];
}

/** A line as comment, keys and the rest: for the eye only, so a simple rule is enough. */
function pieces(line) {
  const [body, comment] = splitComment(line);
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

/** Lines where a name is a key stand out, the first of them in view; null: none. */
export function highlightLines(name) {
  let first = null;
  for (const line of document.querySelectorAll('.listing li')) {
    const chosen = name !== null && [...line.querySelectorAll('.key')].some((key) => key.textContent === name);
    line.classList.toggle('chosen', chosen);
    if (chosen) first ??= line;
  }
  first?.scrollIntoView({ block: 'nearest' });
}
