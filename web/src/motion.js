/** Where every point and direction is at a time, and how far the mechanism reaches over the whole run. */
import { reachOf } from './scene/forms.js';

/** So many times its size, and a motion is a way that is not seen as a whole at first. */
export const FAR = 5;

/** Writes the value of something with `fixed` or `columns` into out[3 i ...]. */
function evaluate(table, source, place, out, i) {
  for (let k = 0; k < 3; k++) {
    const column = source?.columns?.[k];
    if (source?.fixed) out[3 * i + k] = source.fixed[k] ?? 0;
    else if (!source?.columns) out[3 * i + k] = NaN;
    else out[3 * i + k] = column === undefined || column === null ? 0 : table.at(column, place);
  }
}

/** Where the centroid of a body is, from its elements (docs/scene.md, bodies): into out[3 i ...]. */
function placeCentroid(motion, body, out, i) {
  const { along, factor } = body.centroid;
  const at = (list, k) => [0, 1, 2].map((c) => list[3 * k + c]);
  const origin = at(motion.points, body.points[0]);
  const [a, b = [0, 0, 1]] = along.map((d) =>
    d.vector === undefined ? at(motion.points, d.point).map((x, c) => x - origin[c]) : at(motion.vectors, d.vector),
  );
  for (let c = 0; c < 3; c++) {
    const [u, v] = [(c + 1) % 3, (c + 2) % 3];
    out[3 * i + c] = origin[c] + factor[0] * a[c] + factor[1] * b[c] + factor[2] * (a[u] * b[v] - a[v] * b[u]);
  }
}

/** How far the forms of bodies go around their first points. */
function formsAround({ bodies, forms }) {
  const around = new Map();
  bodies.forEach(({ points }, i) => {
    const form = forms[i];
    if (form) around.set(points[0], Math.max(around.get(points[0]) ?? 0, reachOf(form) + Math.hypot(...form.centre)));
  });
  return around;
}

export class Motion {
  constructor(model) {
    this.take(model, false);
  }

  /** Another run of the page: `alike` with the same parts, in the same frame. */
  take(model, alike) {
    this.model = model;
    /** What has the motion: the track, or the rows of the table. */
    this.run = model.track ?? model.table;
    this.time = NaN;
    /** Is everything where a hand holds it, and not where it is at that time? */
    this.inHand = false;
    /** Positions of points, directions of vectors, centroids of bodies: (3 x n). */
    this.points = new Float64Array(3 * model.points.length);
    this.vectors = new Float64Array(3 * model.vectors.length);
    this.centroids = new Float64Array(3 * model.bodies.length);
    this.index = new Map(model.points.map((p, i) => [p.name, i]));
    const bounds = this.findBounds();
    /** Does this run need another frame than the one before? */
    this.isOutgrown = !alike || !suits(this.bounds, bounds);
    if (!this.isOutgrown) return;
    this.bounds = bounds;
    this.core = this.findCore();
  }

  /** Moves everything to a time. */
  moveTo(t) {
    const { model } = this;
    this.time = t;
    this.inHand = false;
    this.rest?.moveTo(t); // what is shown behind it
    /** Where t is in the table, and in what has the motion. */
    this.place = model.table.locate(t);
    this.runPlace = model.track ? this.run.locate(t) : this.place;
    const isRow = this.place.s === 0 && model.table.times[this.place.row] === t; // the very values
    const [run, place] = isRow ? [model.table, this.place] : [this.run, this.runPlace];
    model.points.forEach((p, i) => evaluate(run, p, place, this.points, i));
    model.vectors.forEach((v, i) => evaluate(run, v, place, this.vectors, i));
    this.placeCentroids();
  }

  placeCentroids() {
    this.model.bodies.forEach((b, i) => {
      if (b.centroid) placeCentroid(this, b, this.centroids, i);
      else this.centroids.fill(NaN, 3 * i, 3 * i + 3);
    });
  }

  /** Puts everything where columns have these values; what has none stays. @param {(number|undefined)[]} values */
  pose(values) {
    const put = (list, out) =>
      list.forEach((source, i) =>
        source.columns?.forEach((c, k) => {
          if (values[c] !== undefined) out[3 * i + k] = values[c];
        }),
      );
    this.inHand = true;
    put(this.model.points, this.points);
    put(this.model.vectors, this.vectors);
    this.placeCentroids();
  }

  /** One point's position at a place of the run (see Table.locate), for paths. */
  pointAt(i, place, out) {
    evaluate(this.run, this.model.points[i], place, out, 0);
    return out;
  }

  /** The same at a row. */
  pointAtRow(i, row, out) {
    return this.pointAt(i, { row, s: 0 }, out);
  }

  /** True if a point is where it can be drawn. */
  isFinite(i) {
    const p = this.points;
    return Number.isFinite(p[3 * i] + p[3 * i + 1] + p[3 * i + 2]);
  }

  /** Rows so few that all points can be looked at in each. */
  *someRows(budget) {
    const { rows } = this.run;
    const most = Math.max(2, Math.floor(budget / (this.model.points.length + 1)));
    const stride = Math.max(1, Math.ceil(rows / most));
    for (let row = 0; row < Math.max(1, rows); row += stride) yield row;
  }

  /** The box around all points over a sample of rows; a unit box if there is nothing. */
  findBounds(rows = this.someRows(200000)) {
    const { model } = this;
    const box = new Box(model.dimension);
    const p = [0, 0, 0];
    const around = formsAround(model);
    for (const row of rows)
      for (let i = 0; i < model.points.length; i++) box.add(this.pointAtRow(i, row, p), around.get(i) ?? 0);
    return box.isEmpty ? { low: [-1, -1, -1], high: [1, 1, 1] } : { low: box.low, high: box.high };
  }

  /**
   * The mechanism without what it throws: the box around bodies with more than one point or a form, unless they go FAR
   * times as far as all of them are large at first; and the largest diagonal that they have at one time. null: there are
   * none.
   */
  findCore(rows = [...this.someRows(50000)]) {
    const { model } = this;
    const around = formsAround(model);
    const p = [0, 0, 0];
    const boxes = (count) => Array.from({ length: count }, () => new Box(model.dimension));
    /** The boxes of each body over the run, and of all in each row. */
    const sweep = (list) => {
      const [own, now] = [boxes(list.length), boxes(rows.length)];
      for (const [n, row] of rows.entries())
        for (const [k, { points }] of list.entries())
          for (const i of points) {
            this.pointAtRow(i, row, p);
            for (const box of [own[k], now[n]]) box.add(p, around.get(i) ?? 0);
          }
      return { own, sizes: now.map((box) => box.diagonal) };
    };
    const bodies = model.bodies.filter((b) => b.points.length > 1 || around.has(b.points[0]));
    const all = sweep(bodies);
    const most = FAR * (all.sizes[0] ?? 0);
    const kept = bodies.filter((_, k) => all.own[k].diagonal <= most);
    const isThrown = kept.length > 0 && Math.max(0, ...all.sizes) > most;
    const { own, sizes } = isThrown ? sweep(kept) : all;
    const whole = new Box(model.dimension);
    for (const { low, high } of own) for (const corner of [low, high]) whole.add(corner, 0);
    const extent = Math.max(0, ...sizes);
    return extent > 0 ? { low: whole.low, high: whole.high, extent } : null;
  }
}

const OUT = 0.05; // of a box: so far something may stick out of it
const LOST = 0.4; // and so small what is in it may be

/** Can a box be the frame for what another one holds? */
function suits(frame, { low, high }) {
  const size = diagonalOf(frame);
  const out = Math.max(...[0, 1, 2].map((k) => Math.max(frame.low[k] - low[k], high[k] - frame.high[k])));
  return out <= OUT * size && diagonalOf({ low, high }) >= LOST * size;
}

/** A box around points. */
class Box {
  constructor(dimension) {
    this.dimension = dimension;
    this.low = [Infinity, Infinity, Infinity];
    this.high = [-Infinity, -Infinity, -Infinity];
  }

  /** @param {number} air room around it, in the dimensions that there are */
  add(p, air) {
    if (!Number.isFinite(p[0] + p[1] + p[2])) return;
    for (let k = 0; k < 3; k++) {
      const room = k < this.dimension ? air : 0;
      this.low[k] = Math.min(this.low[k], p[k] - room);
      this.high[k] = Math.max(this.high[k], p[k] + room);
    }
  }

  get isEmpty() {
    return !(this.low[0] <= this.high[0]);
  }

  get diagonal() {
    return this.isEmpty ? 0 : diagonalOf(this);
  }
}

/** From corner to corner. */
export const diagonalOf = ({ low, high }) => Math.hypot(...high.map((x, k) => x - low[k]));
