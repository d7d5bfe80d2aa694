/** The dialog that chooses columns: a search field and a list. */
import { button, el } from '../ui/dom.js';

const MOST = 300; // entries shown at a time; searching finds the others

const GROUPS = [
  ['position', 'positions'],
  ['velocity', 'velocities'],
  ['acceleration', 'accelerations'],
  ['vector', 'directions'],
  ['angle', 'angles'],
  ['scalar', 'variables'],
  ['energy', 'energy'],
  ['force', 'forces'],
  ['load', 'applied loads'],
  ['measure', 'measured'],
  ['reaction', 'reactions'],
  ['other', 'others'],
];

/**
 * Opens the dialog.
 * @param {import('../data.js').Column[]} columns
 * @param {number[]} chosen
 * @param {(chosen: number[]) => void} done called at every change
 * @param {{single?: boolean}} options single: one column, and the dialog is done
 */
export function chooseColumns(columns, chosen, done, { single = false } = {}) {
  const selected = new Set(chosen);
  const list = el('div.chooser-list', { role: 'group', 'aria-label': 'columns' });
  const search = el('input.search', {
    type: 'search',
    placeholder: 'Search columns',
    'aria-label': 'search columns',
    spellcheck: 'false',
  });
  const dialog = el(
    'dialog.chooser',
    {
      onclick: (e) => {
        if (e.target === dialog) dialog.close();
      },
    },
    el(
      'div.chooser-body',
      {},
      el(
        'header.chooser-head',
        {},
        search,
        button('close', 'Close', () => dialog.close()),
      ),
      list,
    ),
  );
  const offered = columns
    .map((c, i) => ({ ...c, i }))
    .filter((c) => c.i > 0 && c.kind !== 'hidden' && c.kind !== 'time');
  const changed = (last) => {
    if (single) {
      done(selected.has(last) ? [last] : []);
      dialog.close();
    } else done([...selected]);
  };
  const write = () => list.replaceChildren(...entries(offered, search.value, selected, changed));
  search.addEventListener('input', write);
  search.addEventListener('keydown', (e) => {
    if (e.key !== 'Enter') return;
    e.preventDefault();
    list.querySelector('button')?.click();
  });
  dialog.addEventListener('close', () => dialog.remove());
  write();
  document.body.append(dialog);
  dialog.showModal();
  search.focus();
}

/** The entries that fit the search, by kind. */
function entries(offered, text, selected, changed) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = offered.filter((c) => words.every((w) => c.name.toLowerCase().includes(w) || c.kind.startsWith(w)));
  const known = new Set(GROUPS.map(([kind]) => kind));
  const out = [];
  for (const [kind, title] of GROUPS) {
    const group = fitting.filter((c) => c.kind === kind || (kind === 'other' && !known.has(c.kind)));
    if (group.length === 0 || out.length > MOST) continue;
    out.push(
      el('h3', { text: title }),
      el('div.chooser-group', {}, ...group.slice(0, MOST).map((c) => entry(c, selected, changed))),
    );
    if (group.length > MOST) out.push(el('p.note', { text: `and ${group.length - MOST} more: search for them` }));
  }
  return out.length ? out : [el('p.note', { text: 'No column has such a name.' })];
}

function entry(column, selected, changed) {
  const item = el(
    'button.option',
    {
      type: 'button',
      'aria-pressed': selected.has(column.i),
      title: column.unit,
      onclick: () => {
        if (!selected.delete(column.i)) selected.add(column.i);
        item.setAttribute('aria-pressed', selected.has(column.i));
        changed(column.i);
      },
    },
    el('span', { text: column.name }),
  );
  return item;
}
