/**
 * The data of the page: docs/scene.md describes the format. Here it is decoded and made safe: every list is
 * there, every index is valid, so that the rest of the viewer need not ask.
 */

import { formsOf } from './scene/forms.js';

/** @typedef {{name: string, unit: string, base: number, kind: string}} Column */
/** @typedef {{name: string, fixed?: number[], columns?: number[], particle?: number}} Point */
/** @typedef {{name: string, fixed?: number[], columns?: number[], at: number}} Vector */
/** @typedef {{name: string, kind: string, points: number[], vectors: number[], mass?: number,
 *             centroid: {along: {point?: number, vector?: number}[], factor: number[]}|null}} Body */
/** @typedef {{name: string, kind: string, a: number, b: number, rest: number|null, force: number|null}} Link */
/** @typedef {{name: string, kind: string, bodies: number[], at: number, other: number, axis: number, gap: number,
 *             force: number[]|null, torque: number[]|null}} Joint */
/** @typedef {{t: number, kind: string, text: string}} Mark */

const EMPTY = {
  title: '',
  file: '',
  model: '',
  version: '',
  message: null,
  dimension: 0,
  gravity: null,
  points: [],
  vectors: [],
  bodies: [],
  links: [],
  joints: [],
  loads: [],
  contacts: [],
  holds: [],
  angles: [],
  columns: [],
  rows: 0,
  data: '',
  motion: null,
  first_panels: [],
  ledger: {},
  steps: null,
  marks: [],
  more_events: 0,
  report: null,
  certificate: null,
  modes: null,
  with: null,
};

/** Reads the page's data element. */
export function readData() {
  const text = document.getElementById('taut-data')?.textContent ?? '';
  let raw = {};
  let fault = null;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    fault = { level: 'error', text: `The data of this page cannot be read: ${error.message}` };
  }
  return makeModel({ ...EMPTY, ...raw, message: fault ?? raw.message ?? null });
}

/** The same from data at hand. */
export function modelFrom(raw) {
  return makeModel({ ...EMPTY, ...raw });
}

/** Decodes base64 to bytes. */
function decodeBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** 64-bit floats in base64. */
function decodeDoubles(text) {
  const bytes = decodeBase64(text);
  return new Float64Array(bytes.buffer, 0, bytes.length >> 3);
}

/** 32-bit floats in base64. */
export function decodeFloats(text) {
  const bytes = decodeBase64(text);
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
}

/** Triangles that have an area and are not there yet: thousands of the same one would be drawn over each other. */
function distinct(indices) {
  const seen = new Set();
  const kept = [];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    const key = [a, b, c].sort((x, y) => x - y).join();
    if (a === b || b === c || a === c || seen.has(key)) continue;
    seen.add(key);
    kept.push(a, b, c);
  }
  return Uint32Array.from(kept);
}

/** Surfaces whose indices are all of corners; what is not is left out. */
function decodeMeshes(list) {
  return (list ?? []).map((raw) => {
    try {
      const corners = decodeFloats(raw.corners);
      const bytes = decodeBase64(raw.indices);
      const indices = new Uint32Array(bytes.buffer, 0, bytes.length >> 2);
      const most = Math.floor(corners.length / 3);
      if (indices.length % 3 !== 0 || !corners.every(Number.isFinite)) return null;
      if (!indices.every((i) => i < most)) return null;
      const kept = distinct(indices);
      return kept.length > 0 ? { corners, indices: kept, original: raw.original } : null;
    } catch {
      return null;
    }
  });
}

/** The last of rising times at or before t; 0 if all are later. */
function lastBefore(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The cubic over a time h that has values y and rates m at its ends, at a share s of the way. */
function hermite(s, h, y, m) {
  const r = 1 - s;
  return r * r * (1 + 2 * s) * y[0] + s * s * (1 + 2 * r) * y[1] + h * r * s * (r * m[0] - s * m[1]);
}

/** The numbers of the run: columns of equal length; column 0 is time, and rises (`backwards`: it fell in the run). */
export class Table {
  /** @param {Column[]} columns @param {number} rows @param {string} data base64 of Float32, column by column */
  constructor(columns, rows, data) {
    const floats = decodeFloats(data);
    this.columns = columns;
    this.rows = columns.length ? Math.min(rows, Math.floor(floats.length / columns.length)) : 0;
    this.values = columns.map((column, i) => {
      const values = Float64Array.from(floats.subarray(i * rows, i * rows + this.rows));
      const base = Number.isFinite(column.base) ? column.base : 0;
      return base === 0 ? values : values.map((x) => x + base);
    });
    this.times = this.values[0] ?? new Float64Array(0);
    this.backwards = this.rows > 1 && this.times[0] > this.times[this.rows - 1];
    if (this.backwards) for (const values of this.values) values.reverse();
  }

  get start() {
    return this.rows ? this.times[0] : 0;
  }
  get end() {
    return this.rows ? this.times[this.rows - 1] : 0;
  }

  /** The last row at or before a time. */
  rowAt(t) {
    return lastBefore(this.times, t);
  }

  /** The row nearest to a time. */
  nearestRow(t) {
    const row = this.rowAt(t);
    return row + 1 < this.rows && this.times[row + 1] - t < t - this.times[row] ? row + 1 : row;
  }

  /** Where a time lies: its row and the weights of the rows around it, for `at`. */
  locate(t) {
    const row = this.rowAt(t);
    const span = row + 1 < this.rows ? this.times[row + 1] - this.times[row] : 0;
    const s = span > 0 ? Math.min(1, Math.max(0, (t - this.times[row]) / span)) : 0;
    return { row, s };
  }

  /**
   * A column between rows: by a cubic through the four rows around, so that rigid bodies stay so to the eye; at a
   * row, the row's value. `apart` names neighbours that are beyond a jump.
   */
  at(column, { row, s }, apart = {}) {
    const y = this.values[column];
    if (!y) return NaN;
    if (s === 0 || row + 1 >= this.rows) return y[row];
    const y0 = y[row];
    const y1 = y[row + 1];
    const m0 = this.slope(y, row, apart.before ? -1 : row - 1, y1 - y0, row);
    const m1 = this.slope(y, row + 1, apart.after ? -1 : row + 2, y1 - y0, row);
    const cubic = y0 + s * (m0 + s * (3 * (y1 - y0) - 2 * m0 - m1 + s * (2 * (y0 - y1) + m0 + m1)));
    return Number.isFinite(cubic) ? cubic : y0 + s * (y1 - y0);
  }

  /** A column whose rate stands behind it, between rows: the cubic that has the values and rates of both. */
  follow(column, { row, s }) {
    const [y, rate] = [this.values[column], this.values[column + 1]];
    return hermite(s, this.times[row + 1] - this.times[row], [y[row], y[row + 1]], [rate[row], rate[row + 1]]);
  }

  /** How far two rows may be from instants that stand for the same: times are rounded. */
  blur(row) {
    const [a, b] = [this.times[row], this.times[row + 1]];
    return 1e-6 * (b - a) + 1.2e-7 * Math.max(Math.abs(a), Math.abs(b));
  }

  /** The slope at row i, times the interval after `row`: of the parabola that also passes the row beyond. */
  slope(y, i, beyond, rise, row) {
    if (beyond < 0 || beyond >= this.rows) return rise;
    const h = this.times[row + 1] - this.times[row];
    const far = Math.abs(this.times[beyond] - this.times[i]);
    const other = (Math.sign(i - beyond) * (y[i] - y[beyond]) * h) / far;
    return (h * other + far * rise) / (h + far);
  }
}

/**
 * The motion of points and vectors: values and rates at knots, cubics between them. It looks like a table. Where the
 * page had no room for knots, only the table's own rows are shown, each of them true.
 */
export class Track {
  /** @param {Table} table @param {{knots: number, until: number|null, columns: object[], t: string, data: string}} raw */
  constructor(table, raw) {
    const knots = decodeDoubles(raw.t).subarray(0, raw.knots);
    const bytes = new DataView(decodeBase64(raw.data).buffer);
    let at = 0;
    const read = ([low, step]) => {
      const wide = !(step > 0);
      const list = new Float64Array(knots.length);
      for (let i = 0; i < knots.length; i++, at += wide ? 4 : 2)
        list[i] = wide ? bytes.getFloat32(at, true) : low + step * bytes.getUint16(at, true);
      return list;
    };
    this.table = table;
    this.until = raw.until ?? null;
    this.curves = new Map(
      raw.columns.map(({ column, value, rate }) => [column, { value: read(value), rate: read(rate) }]),
    );
    this.knots = knots.length;
    if (table.backwards) {
      knots.reverse();
      for (const { value, rate } of this.curves.values()) {
        value.reverse();
        rate.reverse();
      }
    }
    const beyond = Array.from(table.times).filter((t) => this.until !== null && this.isBeyond(t));
    this.first = table.backwards ? beyond.length : 0; // knot
    this.times = Float64Array.from(table.backwards ? [...beyond, ...knots] : [...knots, ...beyond]);
    this.rows = this.times.length;
    /** Columns at the knots, for diagrams. */
    this.drawn = new Map();
    /** When velocities jump. */
    this.jumps = knots.filter((t, i) => i > 0 && t === knots[i - 1]);
  }

  get start() {
    return this.table.start;
  }
  get end() {
    return this.table.end;
  }

  /** Is there no knot at a time? */
  isBeyond(t) {
    return this.until !== null && (this.table.backwards ? t < this.until : t > this.until);
  }

  /** Where a time lies: the last row at or before it, and how far it is from there to the next. */
  locate(t) {
    const row = lastBefore(this.times, t);
    const span = row + 1 < this.rows ? this.times[row + 1] - this.times[row] : 0;
    const s = span > 0 ? Math.min(1, Math.max(0, (t - this.times[row]) / span)) : 0;
    return { row, s };
  }

  at(column, { row, s }) {
    const curve = this.curves.get(column);
    const k = row - this.first;
    if (!curve) return this.table.at(column, this.table.locate(this.times[row] + s * this.spanAfter(row)));
    if (k < 0 || k >= this.knots) return this.table.values[column][this.table.rowAt(this.times[row])];
    if (s === 0 || k + 1 >= this.knots) return curve.value[k];
    return hermite(s, this.spanAfter(row), [curve.value[k], curve.value[k + 1]], [curve.rate[k], curve.rate[k + 1]]);
  }

  /** Is there a time between two, or one of them, at which velocities jump? */
  jumpsIn(from, to) {
    const last = lastBefore(this.jumps, to);
    return this.jumps.length > 0 && this.jumps[last] >= from && this.jumps[last] <= to;
  }

  /** What the rows around a time have to do with jumps: one between them, or one beyond the row before or after. */
  around(row) {
    const { times, rows } = this.table;
    if (row + 1 >= rows) return { within: true, before: true, after: true };
    const off = this.table.blur(row);
    const [a, b] = [times[row], times[row + 1]];
    return {
      within: this.jumpsIn(a - off, b + off) || 2 * off >= b - a,
      before: row === 0 || this.jumpsIn(times[row - 1] - off, a + off),
      after: row + 2 >= rows || this.jumpsIn(b - off, times[row + 2] + off),
    };
  }

  /**
   * A column at a time between rows. Rows have all digits and are mostly nearer than knots, so they tell where that is
   * so and where there is no jump; elsewhere the knots tell of points and directions and of their rates. The rate of a
   * column stands behind it, with a prime.
   */
  reading(column, t) {
    const { table } = this;
    const names = table.columns;
    const hasRate = (c) => names[c + 1]?.name === `${names[c]?.name}'`;
    const isRate = !this.curves.has(column) && column > 0 && hasRate(column - 1);
    const curve = this.curves.get(isRate ? column - 1 : column);
    const row = table.locate(t);
    const around = this.around(row.row);
    if (!curve || this.isBeyond(t)) return table.at(column, row, around);
    const place = this.locate(t);
    const span = table.times[row.row + 1] - table.times[row.row] - 2 * table.blur(row.row);
    if (!around.within && span <= this.spanAfter(place.row))
      return !isRate && hasRate(column) ? table.follow(column, row) : table.at(column, row, around);
    if (!isRate) return this.at(column, place);
    const [k, h, { s }] = [place.row - this.first, this.spanAfter(place.row), place];
    if (!(h > 0)) return curve.rate[k];
    const slope = (6 * s * (1 - s) * (curve.value[k + 1] - curve.value[k])) / h;
    return slope + (1 - s) * (1 - 3 * s) * curve.rate[k] + s * (3 * s - 2) * curve.rate[k + 1];
  }

  /** Are there so many more knots than rows that nothing can be told between rows where there are no knots? */
  get isFine() {
    return this.knots >= 2 * this.table.rows;
  }

  /** Is a column known at its rows only? */
  isSparse(column) {
    const names = this.table.columns;
    const isRate = column > 0 && names[column]?.name === `${names[column - 1]?.name}'`;
    return column > 0 && this.isFine && !this.curves.has(column) && !(isRate && this.curves.has(column - 1));
  }

  /** A column at all knots, where they are many more than the rows: a diagram needs them. null: rows are enough. */
  samples(column) {
    if (!this.isFine) return null;
    const names = this.table.columns;
    const isRate = !this.curves.has(column) && column > 0 && names[column]?.name === `${names[column - 1]?.name}'`;
    const curve = this.curves.get(isRate ? column - 1 : column);
    if (!curve) return null;
    if (!this.drawn.has(column)) {
      const own = isRate ? curve.rate : curve.value;
      const values = this.table.values[column];
      const at = (t, i) => own[i - this.first] ?? values[this.table.rowAt(t)];
      this.drawn.set(column, this.times.map(at));
    }
    return this.drawn.get(column);
  }

  spanAfter(row) {
    return row + 1 < this.rows ? this.times[row + 1] - this.times[row] : 0;
  }
}

/** The motion between rows, if there is one that can be read. */
function makeTrack(table, raw) {
  if (!raw || table.rows < 2) return null;
  try {
    const track = new Track(table, raw);
    return track.knots > 1 ? track : null;
  } catch {
    return null;
  }
}

/** Keeps what has valid indices; the format says they are, a page must not fail if they are not. */
function makeModel(raw) {
  const table = new Table(raw.columns, raw.rows, raw.data);
  const isPoint = (i) => Number.isInteger(i) && i >= 0 && i < raw.points.length;
  const pointOr = (i) => (isPoint(i) ? i : -1);
  const isColumn = (i) => Number.isInteger(i) && i >= 0 && i < raw.columns.length;
  const vectors = raw.vectors.map((v) => ({ ...v, at: pointOr(v.at) }));
  const model = {
    ...raw,
    table,
    track: raw.modes ? null : makeTrack(table, raw.motion),
    points: raw.points.map((p) => (p.fixed ? { ...p, fixed: [0, 1, 2].map((k) => p.fixed[k] ?? 0) } : p)),
    vectors,
    bodies: raw.bodies.map((b) => ({
      ...b,
      points: (b.points ?? []).filter(isPoint),
      ...(raw.modes ? { centroid: null } : {}), // it has no place in a mode
      vectors: (b.vectors ?? []).filter((v) => v >= 0 && v < vectors.length),
    })),
    links: raw.links.filter((l) => isPoint(l.a) && isPoint(l.b)),
    joints: raw.joints.map((j) => ({
      ...j,
      at: pointOr(j.at),
      other: pointOr(j.other),
      axis: j.axis >= 0 && j.axis < vectors.length ? j.axis : -1,
      bodies: j.bodies ?? [],
    })),
    contacts: (raw.contacts ?? [])
      .filter((c) => isPoint(c.at))
      .map((c) => ({
        ...c,
        on: pointOr(c.on),
        direction: c.direction >= 0 && c.direction < vectors.length ? c.direction : -1,
      })),
    holds: (raw.holds ?? []).filter((h) => isColumn(h.mode)),
    loads: raw.loads.map((l) => ({
      ...l,
      at: pointOr(l.at),
      against: pointOr(l.against),
      a: pointOr(l.a),
      b: pointOr(l.b),
      columns: (l.columns ?? []).filter(isColumn),
      tied: Array.isArray(l.tied?.bodies) ? l.tied : null,
      axis: l.axis >= 0 && l.axis < vectors.length ? l.axis : -1,
    })),
    first_panels: raw.first_panels.map((p) => p.filter(isColumn)).filter((p) => p.length > 0),
    steps:
      table.backwards && raw.steps
        ? Object.fromEntries(Object.entries(raw.steps).map(([k, v]) => [k, v.toReversed()]))
        : raw.steps,
    modes: raw.modes && {
      t: 0,
      zero: 0,
      steady: true,
      contacts: '',
      columns: [],
      ...raw.modes,
      list: (raw.modes.list ?? []).map((m) => ({ re: 0, im: 0, shape: '', states: [], energy: [], joints: [], ...m })),
    },
    ledger: Object.fromEntries(Object.entries(raw.ledger ?? {}).filter(([, i]) => isColumn(i))),
  };
  model.meshes = decodeMeshes(raw.meshes);
  return { ...model, forms: formsOf(model) };
}
