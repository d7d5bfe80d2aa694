/**
 * What a diagram shows, from its settings: columns over time or over another column, another run beside them, or the
 * difference of both.
 *
 * @typedef {{columns: number[], x: number, logX: boolean, logY: boolean, difference: boolean}} Settings
 */

import { readingOf } from '../reading.js';

/** Settings of a new diagram. @returns {Settings} */
export const settingsOf = (columns) => ({ columns, x: 0, logX: false, logY: false, difference: false });

/** A curve between its samples, at other times: straight from one to the next; NaN outside. */
export function sampleAt({ x, y }, times) {
  const out = new Float64Array(times.length).fill(NaN);
  let k = 0;
  for (let i = 0; i < times.length; i++) {
    const t = times[i];
    while (k + 1 < x.length - 1 && x[k + 1] < t) k++;
    if (!(x.length > 0) || t < x[0] || t > x[x.length - 1]) continue;
    const next = Math.min(k + 1, x.length - 1);
    const span = x[next] - x[k];
    out[i] = span > 0 ? y[k] + ((t - x[k]) / span) * (y[next] - y[k]) : y[k];
  }
  return out;
}

/** Curves of another run under the same names, in the colours of ours. */
function others(model, other, { columns, x }) {
  if (!other) return [];
  const { table } = model;
  return columns.flatMap((c, k) => {
    const { name, unit } = table.columns[c];
    const y = other.column(name);
    const across = x > 0 ? other.column(table.columns[x].name) : other.times;
    if (!y || !across) return [];
    return [{ label: `${name} (${other.name})`, unit, x: across, t: other.times, y, colour: k, ghost: true }];
  });
}

/** Our curve less that of the other run, at our rows. */
function differences(model, other, { columns }) {
  const { table } = model;
  return columns.flatMap((c, k) => {
    const { name, unit } = table.columns[c];
    const y = other.column(name);
    if (!y) return [];
    const theirs = sampleAt({ x: other.times, y }, table.times);
    const off = table.values[c].map((v, i) => v - theirs[i]);
    return [{ label: `${name} − ${other.name}`, unit, x: table.times, t: table.times, y: off, colour: k, column: c }];
  });
}

/** The value at a time between rows; null for what may only have the values of its rows, such as the mode of a contact. */
const readingAt = (model, column) => (t) => (onlyRows(model, column) ? null : readingOf(model, column, t));

/** Are the rows of a column too far apart to tell what is between them? */
const isCoarse = (model, column) => !model.columns[column].points && Boolean(model.track?.isSparse(column));
const onlyRows = (model, column) => model.columns[column].kind === 'other' || isCoarse(model, column);

/** A column over another one, or over time (0): at rows, or at knots where there are many more of these. */
function samplesOf({ table, track }, column, across) {
  const y = track?.samples(column);
  const x = across > 0 ? track?.samples(across) : track?.times;
  if (x && y) return { x, y, t: track.times };
  return { x: across > 0 ? table.values[across] : table.times, y: table.values[column], t: table.times };
}

/** @param {import('./other.js').Other|null} other @param {Settings} settings @returns {import('./panel.js').Content} */
export function contentOf(model, other, settings) {
  const { table } = model;
  const there = (c) => c < table.values.length;
  settings = { ...settings, columns: settings.columns.filter(there), x: there(settings.x) ? settings.x : 0 };
  const { columns, x, logX, logY } = settings;
  const over = x > 0 ? { label: table.columns[x].name, unit: table.columns[x].unit } : null;
  const difference = settings.difference && other !== null;
  const own = columns.map((c, k) => ({
    label: table.columns[c].name,
    unit: table.columns[c].unit,
    ...samplesOf(model, c, over ? x : 0),
    column: c,
    colour: k,
    reading: readingAt(model, c),
    dots: !over && isCoarse(model, c),
    ...(over ? { across: readingAt(model, x) } : {}),
  }));
  return {
    series: difference ? differences(model, other, settings) : [...own, ...others(model, other, settings)],
    title: difference ? 'Difference' : undefined,
    over: difference ? null : over,
    log: logY,
    logX: logX && over !== null && !difference,
  };
}
