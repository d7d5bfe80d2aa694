/** The diagrams of a page: those that the reader chooses, and those that tell how the run went. */
import { Panel } from './panel.js';
import { chooseAxes } from './axes.js';
import { chooseColumns } from './chooser.js';
import { contentOf, settingsOf } from './content.js';
import { otherFromFile, otherOf } from './other.js';
import { Values } from './values.js';
import { button, el } from '../ui/dom.js';
import { nameFor } from '../save/file.js';

/** What diagrams have in common: one zoom, one time, one theme. */
class Board {
  constructor(model, clock, theme, zoomGroup) {
    this.model = model;
    this.panels = [];
    this.list = el('div.panels');
    this.page = {
      clock,
      theme,
      name: nameFor(model, 'x').slice(0, -2),
      marks: model.marks,
      zoom: (min, max) => zoomGroup.forEach((b) => b.zoom(min, max)),
    };
    zoomGroup.push(this);
    clock.addEventListener('time', () => this.showTime());
    theme.addEventListener('change', () =>
      this.panels.forEach((p) => {
        p.writeLegend();
        p.draw();
      }),
    );
    new ResizeObserver(() => this.resize()).observe(this.list);
  }

  zoom(min, max) {
    this.panels.forEach((p) => p.zoom(min, max));
  }

  showTime() {
    if (this.list.offsetParent) this.panels.forEach((p) => p.showTime());
  }

  /** Plots have pixels: they are made anew for another width, and where something else has changed while nobody saw them. */
  resize() {
    const width = this.list.clientWidth;
    if (width === 0) return;
    const isOther = width !== this.width;
    this.width = width;
    for (const panel of this.panels) if (isOther || panel.isStale) panel.draw();
  }
}

/** Columns of the result, as the reader likes. */
export class Curves extends Board {
  constructor(model, clock, theme, zoomGroup) {
    super(model, clock, theme, zoomGroup);
    this.other = otherOf(model.with);
    this.note = el('p.note', { role: 'status' });
    this.values = new Values(model, clock);
    const file = el('input', { type: 'file', accept: '.csv,text/csv', hidden: true, 'data-id': 'other-file' });
    file.addEventListener('change', () => file.files[0] && this.compareWith(file.files[0]));
    this.forget = button('close', 'Take the other run away', () => this.setOther(null), { hidden: true });
    this.element = el(
      'div.curves',
      {},
      this.list,
      el(
        'div.curve-tools',
        {},
        el(
          'button.button.text.add',
          { type: 'button', onclick: () => this.addPanel(), 'data-id': 'add' },
          'Add a diagram',
        ),
        el(
          'button.button.text.add',
          {
            type: 'button',
            onclick: () => file.click(),
            'data-id': 'compare',
            title: 'Or drop a CSV file on the page',
          },
          'Compare with a CSV file',
        ),
        this.forget,
        file,
      ),
      this.note,
      this.values.element,
    );
    for (const columns of model.first_panels) this.makePanel(settingsOf(columns));
    this.sayOther();
    this.listenToDrops();
  }

  /** A diagram at the end, or in the place of another. @param {import('./content.js').Settings} settings */
  makePanel(settings, old = null) {
    const panel = new Panel(contentOf(this.model, this.other, settings), this.page, {
      edit: () => this.edit(panel),
      axes: () => this.chooseAxes(panel),
      remove: () => this.remove(panel),
    });
    panel.settings = settings;
    panel.range = old?.range ?? this.panels[0]?.range;
    if (old) {
      this.panels[this.panels.indexOf(old)] = panel;
      old.element.replaceWith(panel.element);
      old.dispose();
    } else {
      this.panels.push(panel);
      this.list.append(panel.element);
    }
    panel.draw();
    return panel;
  }

  /** Another run: the same columns, or (not `alike`) a new choice. */
  renew(alike) {
    this.page.marks = this.model.marks;
    if (alike) {
      for (const panel of [...this.panels]) this.makePanel(panel.settings, panel);
      return;
    }
    for (const panel of [...this.panels]) this.remove(panel);
    for (const columns of this.model.first_panels) this.makePanel(settingsOf(columns));
  }

  edit(panel) {
    let current = panel;
    chooseColumns(this.model.columns, panel.settings.columns, (columns) => {
      current = this.makePanel({ ...current.settings, columns }, current);
    });
  }

  chooseAxes(panel) {
    let current = panel;
    chooseAxes(this.model.columns, panel.settings, this.other?.name ?? null, (settings) => {
      current = this.makePanel(settings, current);
    });
  }

  addPanel() {
    const panel = this.makePanel(settingsOf([]));
    this.edit(panel);
    panel.element.scrollIntoView({ block: 'nearest' });
  }

  /** A diagram of one column that came later: a measured distance, for instance. */
  show(column) {
    const panel = this.makePanel(settingsOf([column]));
    panel.element.scrollIntoView({ block: 'nearest' });
  }

  /** Diagrams with any of these columns stand out. */
  highlight(columns) {
    for (const panel of this.panels)
      panel.element.classList.toggle(
        'chosen',
        panel.settings.columns.some((c) => columns.has(c)),
      );
  }

  remove(panel) {
    this.panels.splice(this.panels.indexOf(panel), 1);
    panel.element.remove();
    panel.dispose();
  }

  /** Puts another run beside this one, or takes it away. */
  setOther(other) {
    this.other = other;
    for (const panel of [...this.panels]) this.makePanel(panel.settings, panel);
    this.sayOther();
  }

  sayOther(fault = '') {
    const { other, model } = this;
    const shared = other ? model.columns.filter((c, i) => i > 0 && other.column(c.name)).length : 0;
    this.forget.hidden = !other;
    this.note.textContent =
      fault ||
      (other
        ? `Dashed: ${other.name}, ${other.times.length} rows; ${shared} of its columns ${shared === 1 ? 'has a name' : 'have names'} of this run.`
        : '');
  }

  async compareWith(file) {
    try {
      this.setOther(await otherFromFile(file));
    } catch (error) {
      this.sayOther(`${file.name} cannot be compared: ${error.message}.`);
    }
  }

  listenToDrops() {
    const files = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
    document.addEventListener('dragover', (event) => {
      if (files(event)) event.preventDefault();
    });
    document.addEventListener('drop', (event) => {
      if (!files(event)) return;
      event.preventDefault();
      if (event.dataTransfer.files[0]) this.compareWith(event.dataTransfer.files[0]);
    });
  }
}

/** How the run went: the energy ledger, the constraints, the steps. */
export class Numerics extends Board {
  constructor(model, clock, theme, zoomGroup) {
    super(model, clock, theme, zoomGroup);
    this.element = el('div.curves', {}, this.list);
    for (const content of this.contents()) this.add(content);
  }

  /** Another run. */
  renew() {
    this.page.marks = this.model.marks;
    for (const panel of this.panels.splice(0)) {
      panel.element.remove();
      panel.dispose();
    }
    for (const content of this.contents()) {
      this.add(content);
      this.panels.at(-1).draw();
    }
  }

  add(content) {
    const panel = new Panel(content, this.page);
    this.panels.push(panel);
    this.list.append(panel.element);
  }

  contents() {
    const { table, ledger, steps } = this.model;
    const curve = (name, label) =>
      name in ledger
        ? [{ label, unit: table.columns[ledger[name]].unit, x: table.times, y: table.values[ledger[name]] }]
        : [];
    const list = [
      {
        title: 'Energy',
        series: [
          ...curve('kinetic', 'kinetic'),
          ...curve('potential', 'potential'),
          ...curve('work', 'work'),
          ...curve('total', 'total'),
        ],
      },
      {
        title: 'Energy drift',
        series: curve('drift', 'relative').map((s) => ({ ...s, label: 'relative to kinetic' })),
      },
    ];
    if (steps?.t?.length) {
      const of = (y, label, unit) => ({ label, unit, x: steps.t, y });
      list.push({ title: 'Constraint residual', log: true, series: [of(steps.residual, 'largest', '')] });
      list.push({ title: 'Step size', log: true, steps: true, series: [of(steps.h.map(Math.abs), 'h', 's')] });
      list.push({ title: 'Order', steps: true, digits: 2, series: [of(steps.order, 'p', '')] });
    }
    return list.filter((c) =>
      c.series.some((s) => Array.from(s.y).some((v) => Number.isFinite(v) && (!c.log || v > 0))),
    );
  }
}
