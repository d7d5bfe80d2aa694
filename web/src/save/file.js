/** Files that the reader keeps: everything is made here, nothing is fetched. */
import { el } from '../ui/dom.js';

/** Hands a file to the browser. */
export function save(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = el('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** The name of the model's file with another ending. */
export function nameFor(model, ending) {
  const stem = (model.file || model.title || 'taut').replace(/\.ya?ml$/i, '').replace(/[^\w.-]+/g, '-');
  return `${stem || 'taut'}.${ending}`;
}
