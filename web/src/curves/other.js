/** Another run to compare with: from the page's data (`taut view A --with B`) or from a CSV file that is dropped on it. */
import { decodeFloats } from '../data.js';

const MOST_BYTES = 60e6;
const MOST_CELLS = 8e6;

export class Other {
  /** @param {string} name @param {string[]} names of columns, time first @param {Float64Array[]} values */
  constructor(name, names, values) {
    this.name = name;
    this.index = new Map(names.map((n, i) => [n, i]));
    this.values = values;
    this.times = values[0] ?? new Float64Array(0);
    const last = this.times.length - 1;
    if (last > 0 && this.times[0] > this.times[last]) for (const list of values) list.reverse();
  }

  /** The values under a name, or nothing. */
  column(name) {
    return this.values[this.index.get(name)] ?? null;
  }
}

/** The run in the data of the page, if there is one. */
export function otherOf(raw) {
  if (!raw?.columns?.length) return null;
  const floats = decodeFloats(raw.data);
  const rows = Math.min(raw.rows, Math.floor(floats.length / raw.columns.length));
  const values = raw.columns.map(({ base }, i) =>
    Float64Array.from(floats.subarray(i * raw.rows, i * raw.rows + rows)).map((v) => v + (base || 0)),
  );
  return new Other(
    raw.name,
    raw.columns.map((c) => c.name),
    values,
  );
}

/** Cells of a line of CSV: quoted ones may hold commas and doubled quotes. */
export function cellsOf(line) {
  const cells = [];
  for (const match of line.matchAll(/(?:^|[,;\t])(?:"((?:[^"]|"")*)"|([^,;\t]*))/g))
    cells.push(match[1] === undefined ? match[2].trim() : match[1].replaceAll('""', '"'));
  return cells;
}

/** "Ax [m]" is the column Ax. */
const plain = (name) => name.replace(/\s+\[[^\]]*\]$/, '');

/** Reads a table with a row of names. Throws an Error that says what is wrong. */
export function otherFromCsv(name, text) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length < 2) throw new Error('there is no table in it: a row of names and rows of numbers');
  const names = cellsOf(lines[0]).map(plain);
  const isNumber = (cell) => cell !== '' && Number.isFinite(Number(cell));
  if (names.some(isNumber)) throw new Error('its first row has numbers where the names of columns should be');
  const first = cellsOf(lines[1]).some(isNumber) ? 1 : 2; // a row of units may follow the names
  const rows = lines.length - first;
  if (!(rows > 0)) throw new Error('there are no numbers in it');
  if (rows * names.length > MOST_CELLS)
    throw new Error(`it has ${rows * names.length} numbers, too many for this page`);
  const values = names.map(() => new Float64Array(rows).fill(NaN));
  for (let row = 0; row < rows; row++)
    cellsOf(lines[row + first]).forEach((cell, c) => {
      if (c < names.length && isNumber(cell)) values[c][row] = Number(cell);
    });
  const times = values[0];
  const rising = times.every(
    (t, i) => Number.isFinite(t) && (i === 0 || (times[1] >= times[0] ? t >= times[i - 1] : t <= times[i - 1])),
  );
  if (!rising) throw new Error(`its first column, ${names[0]}, is no time: it neither rises nor falls throughout`);
  return new Other(name, names, values);
}

/** Reads a file that the reader gives. */
export async function otherFromFile(file) {
  if (file.size > MOST_BYTES)
    throw new Error(`it has ${Math.round(file.size / 1e6)} MB; up to ${MOST_BYTES / 1e6} MB can be read`);
  return otherFromCsv(file.name, await file.text());
}
