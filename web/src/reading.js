/** What a column is at a time: at a row its very value, between rows what the rows or the knots of the motion tell. */
import { measured } from './scene/vec.js';

const NOTHING = 1e-5; // of the largest value of a column: the knots between rows have no more digits

/** Where a point is. */
function placeOf(model, i, t) {
  const { fixed, columns } = model.points[i];
  return [0, 1, 2].map((k) => {
    if (fixed) return fixed[k] ?? 0;
    return Number.isInteger(columns?.[k]) ? between(model, columns[k], t) : 0;
  });
}

function between({ track, table }, column, t) {
  return track ? track.reading(column, t) : table.at(column, table.locate(t));
}

/** The largest value of a column; found once. */
const largest = new WeakMap();
function largestOf(values) {
  if (!largest.has(values))
    largest.set(
      values,
      values.reduce((most, v) => (Math.abs(v) > most ? Math.abs(v) : most), 0),
    );
  return largest.get(values);
}

/** The value of a column at a time. */
export function readingOf(model, column, t) {
  const { table } = model;
  const row = table.nearestRow(t);
  if (table.times[row] === t) return table.values[column]?.[row] ?? NaN;
  const { points } = model.columns[column];
  if (points) return measured(...points.map((i) => placeOf(model, i, t)));
  if (model.track?.isSparse(column)) return table.values[column]?.[row] ?? NaN; // of the nearest row
  const value = between(model, column, t);
  return Math.abs(value) < NOTHING * largestOf(table.values[column]) ? 0 : value;
}
