/** A mode as a motion: the shape at rest, and small displacements that swing, decay or grow about it. */
import { decodeFloats } from '../data.js';
import { Motion } from '../motion.js';

const CYCLES = 4; // that are shown of a swinging mode
const TIMES = 4; // time constants of one that only decays or grows
const ROWS = 240; // for stepping through it
const REACH = 0.12; // how far the busiest point goes, of the size of the mechanism

/** The time of a mode, as the clock wants it. */
class Span {
  constructor(length) {
    this.start = 0;
    this.end = length;
    this.backwards = false;
    this.rows = ROWS + 1;
    this.times = Float64Array.from({ length: ROWS + 1 }, (_, i) => (length * i) / ROWS);
  }

  nearestRow(t) {
    return Math.round((ROWS * t) / this.end);
  }
}

/** How long a mode is shown, in its own seconds. */
function lengthOf({ re, im }) {
  if (im > Math.abs(re)) return (CYCLES * 2 * Math.PI) / im;
  return re === 0 ? CYCLES : TIMES / Math.abs(re);
}

/** A shape with its largest component real: it begins where it goes farthest. */
function turned(shape) {
  let [re, im] = [0, 0];
  for (let i = 0; i + 1 < shape.length; i += 2)
    if (Math.hypot(shape[i], shape[i + 1]) > 1.0001 * Math.hypot(re, im)) [re, im] = [shape[i], shape[i + 1]];
  const size = Math.hypot(re, im);
  if (!(size > 0)) return shape;
  const out = Float64Array.from(shape);
  for (let i = 0; i + 1 < shape.length; i += 2) {
    out[i] = (shape[i] * re + shape[i + 1] * im) / size;
    out[i + 1] = (shape[i + 1] * re - shape[i] * im) / size;
  }
  return out;
}

export class ModeMotion extends Motion {
  constructor(model) {
    super(model);
    this.row = this.lastRow;
    this.place = { row: this.row, s: 0 };
    super.moveTo(model.table.times[this.row] ?? 0);
    this.rest = { points: this.points.slice(), vectors: this.vectors.slice() };
    const place = new Map(model.modes.columns.map((column, i) => [column, i]));
    this.of = {
      points: model.points.map((p) => (p.columns ?? []).map((c) => place.get(c) ?? -1)),
      vectors: model.vectors.map((v) => (v.columns ?? []).map((c) => place.get(c) ?? -1)),
    };
    this.amplitude = 1;
    this.decays = true;
    this.select(
      Math.max(
        0,
        model.modes.list.findIndex((m) => m.re !== 0 || m.im !== 0),
      ),
    ); // free ones are dull
  }

  get mode() {
    return this.model.modes.list[this.number];
  }

  /** Shows another mode. */
  select(number) {
    this.number = number;
    this.shape = turned(decodeFloats(this.mode?.shape ?? ''));
    this.span = new Span(this.mode ? lengthOf(this.mode) : 1);
    let most = 0;
    this.of.points.forEach((parts) => {
      most = Math.max(most, Math.hypot(...parts.flatMap((i) => this.component(i))));
    });
    const { low, high } = this.bounds;
    const size = Math.hypot(...high.map((x, k) => x - low[k]));
    this.unit = most > 0 ? (REACH * size) / most : 0;
  }

  /** Real and imaginary part of a component of the shape. */
  component(i) {
    return i < 0 ? [0, 0] : [this.shape[2 * i] ?? 0, this.shape[2 * i + 1] ?? 0];
  }

  /** Cosine and sine of the mode at a time, with its growth or decay. */
  swing(t) {
    const { re, im } = this.mode;
    if (re === 0 && im === 0) return [Math.sin((2 * Math.PI * t) / this.span.end), 0];
    const size = this.decays ? Math.exp(re > 0 ? re * (t - this.span.end) : re * t) : 1;
    return [size * Math.cos(im * t), size * Math.sin(im * t)];
  }

  moveTo(t) {
    this.time = t;
    if (!this.of) return super.moveTo(t); // while it is being made
    const [c, s] = this.mode ? this.swing(t) : [0, 0];
    const factor = this.amplitude * this.unit;
    for (const what of ['points', 'vectors']) {
      this.of[what].forEach((parts, i) => {
        parts.forEach((part, k) => {
          const [re, im] = this.component(part);
          this[what][3 * i + k] = this.rest[what][3 * i + k] + factor * (c * re - s * im);
        });
      });
    }
    this.placeCentroids();
  }

  /** The row of the shape at rest. */
  get lastRow() {
    return Math.max(0, this.model.table.rows - 1);
  }

  findCore() {
    return super.findCore([this.lastRow]);
  }

  /** The box around the shape at rest, with room to swing. */
  findBounds() {
    const all = super.findBounds([this.lastRow]);
    const air = 1.2 * REACH * Math.hypot(...all.high.map((x, k) => x - all.low[k]));
    const flat = all.high.map((x, k) => this.model.dimension === 2 && k === 2);
    return {
      low: all.low.map((x, k) => x - (flat[k] ? 0 : air)),
      high: all.high.map((x, k) => x + (flat[k] ? 0 : air)),
    };
  }
}
