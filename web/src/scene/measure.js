/** Measured distances and angles: lines between points with their value, each of them a column of the table as well. */
import { readingOf } from '../reading.js';
import { steady } from '../ui/format.js';
import { measured } from './vec.js';

/** Adds a column with what is measured in every row. @returns {number} its index */
export function addColumn(model, points) {
  const { table } = model;
  const names = points.map((i) => model.points[i].name);
  const name = points.length === 2 ? `|${names.join(' ')}|` : `∠${names.join(' ')}`;
  const known = model.columns.findIndex((c) => c.name === name && c.kind === 'measure');
  if (known >= 0) return known;
  const at = (i, row) => {
    const { fixed, columns } = model.points[i];
    return [0, 1, 2].map((k) =>
      fixed ? (fixed[k] ?? 0) : columns?.[k] === undefined ? 0 : table.values[columns[k]][row],
    );
  };
  const values = new Float64Array(table.rows);
  for (let row = 0; row < table.rows; row++) values[row] = measured(...points.map((i) => at(i, row)));
  const [low, high] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  if (high - low < 1e-6 * Math.abs(high)) values.fill((low + high) / 2); // the page has floats: the rest is rounding
  model.columns.push({ name, unit: points.length === 2 ? 'm' : '°', base: 0, kind: 'measure', points });
  if (table.columns !== model.columns) table.columns.push(model.columns.at(-1));
  table.values.push(values);
  return model.columns.length - 1;
}

const MOST = 20;

/** The lines of all that is measured. */
export class Measures {
  /** @param {import('./kit.js').Kit} kit @param {number[][]} list points of each; shared with other drawings */
  constructor(kit, list) {
    this.kit = kit;
    this.list = list;
    this.visible = true;
    this.lines = Array.from({ length: 2 * MOST }, () => kit.arrowLines.add(kit.colours.measure));
  }

  update() {
    const { kit } = this;
    this.lines.forEach((line, k) => {
      const points = this.list[k >> 1];
      const [a, b] = [points?.[k & 1], points?.[(k & 1) + 1]];
      if (a === undefined || b === undefined) return kit.arrowLines.hide(line);
      kit.arrowLines.segment(line, kit.point(a), kit.point(b), 0.16 * kit.unit, { layer: kit.layer('arrow') });
    });
  }

  /** The value that readouts of the column have; in the hand, that of the picture. */
  valueOf(points) {
    const { kit } = this;
    const column = kit.model.columns.findLastIndex((c) => String(c.points) === String(points));
    if (column < 0 || kit.motion.inHand) return measured(...points.map((i) => kit.point(i)));
    return readingOf(kit.model, column, kit.motion.time);
  }

  /** Values beside the lines. */
  labels() {
    return Array.from({ length: MOST }, (_, k) => ({
      kind: 'measured',
      text: () => {
        const points = this.list[k];
        return points ? `${steady(this.valueOf(points), 5)}${points.length === 2 ? ' m' : '°'}` : '';
      },
      at: () => {
        const points = this.list[k];
        if (!points) return [NaN, NaN, NaN];
        const [p, q] = points.map((i) => this.kit.point(i));
        return points.length === 2 ? p.map((x, c) => (x + q[c]) / 2) : q;
      },
    }));
  }
}
