/** All columns at the time of the page, as a table that can be searched. */
import { el } from '../ui/dom.js';
import { readingOf } from '../reading.js';
import { steady } from '../ui/format.js';

const MOST = 300; // rows shown at a time

export class Values {
  constructor(model, clock) {
    this.model = model;
    this.clock = clock;
    this.title = el('span');
    this.body = el('tbody');
    this.search = el('input.field.filter', {
      type: 'search',
      placeholder: 'Search columns',
      'aria-label': 'search values',
    });
    this.search.addEventListener('input', () => this.choose());
    this.element = el(
      'details.values',
      { ontoggle: () => this.choose() },
      el('summary', {}, 'All values at t = ', this.title),
      this.search,
      el(
        'table',
        { 'aria-label': 'all values' },
        el('thead', {}, el('tr', {}, ...['column', 'value', 'unit'].map((text) => el('th', { text, scope: 'col' })))),
        this.body,
      ),
    );
    this.rows = [];
    clock.addEventListener('time', () => this.showTime());
    this.showTime();
  }

  /** The rows that fit the search. */
  choose() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = this.model.columns
      .map((c, i) => ({ ...c, i }))
      .filter((c) => c.kind !== 'hidden' && words.every((w) => c.name.toLowerCase().includes(w)))
      .slice(0, MOST);
    this.rows = fitting.map(({ i }) => ({ i, cell: el('td.number') }));
    this.body.replaceChildren(
      ...fitting.map((c, k) =>
        el('tr', {}, el('th', { text: c.name, scope: 'row' }), this.rows[k].cell, el('td', { text: c.unit })),
      ),
    );
    this.showTime();
  }

  showTime() {
    const { time } = this.clock;
    this.title.textContent = steady(time, 6);
    if (!this.element.open) return;
    for (const { i, cell } of this.rows) {
      const value = i === 0 ? time : readingOf(this.model, i, time);
      cell.textContent = steady(value, 8);
    }
  }
}
