/** Paths of chosen points: the whole run thin, what has passed bold. */
import { Color } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

const PIECES = 6000; // of a path with few rows: a step may be a whole flight
const MOST = 64; // from row to row, ...
const LEAST = 2; // ... where rows are many
const BLOCK = 4000; // pieces; of longer paths only those around the present are shown

export class Trails {
  /** @param {import('./kit.js').Kit} kit @param {Set<number>} chosen points with a trail; shared with other drawings */
  constructor(kit, chosen) {
    this.kit = kit;
    this.chosen = chosen;
    this.lines = new Map();
    for (const i of chosen) this.show(i);
  }

  toggle(i) {
    if (this.chosen.delete(i)) this.hide(i);
    else if (!this.kit.model.points[i].fixed) {
      this.chosen.add(i);
      this.show(i);
    }
  }

  show(i) {
    const { segments, passed, between } = this.pathOf(i);
    if (segments.length === 0) return;
    const colour =
      this.lines.size === 0
        ? new Color(this.kit.colours.trail)
        : new Color(this.kit.bodyColour(this.lines.size)).multiplyScalar(0.8);
    const pale = colour.clone().lerp(new Color(this.kit.colours.paper), this.kit.colours.pale);
    const make = (width, color, order, depthWrite) => {
      const geometry = new LineSegmentsGeometry().setPositions(segments.slice(0, 12 * BLOCK));
      const material = new LineMaterial({ color, linewidth: width, depthWrite });
      const line = new LineSegments2(geometry, material);
      line.frustumCulled = false;
      line.renderOrder = order;
      this.kit.group.add(line);
      return line;
    };
    this.lines.set(i, {
      whole: make(1.2, pale, -2, false),
      past: make(2, colour, -1, true),
      segments,
      passed,
      between,
      from: 0,
    });
  }

  /** Of a long path, shows the pieces around the one that passes. */
  showAround(entry, piece) {
    const last = Math.max(0, Math.ceil(entry.segments.length / 6 / BLOCK) - 2);
    const from = BLOCK * Math.min(last, Math.max(0, Math.floor(piece / BLOCK) - 1));
    if (from !== entry.from) {
      const positions = entry.segments.slice(6 * from, 6 * from + 12 * BLOCK);
      for (const line of [entry.whole, entry.past]) line.geometry.setPositions(positions);
      entry.from = from;
    }
    entry.past.geometry.instanceCount = Math.max(0, piece - from);
  }

  hide(i) {
    const entry = this.lines.get(i);
    if (!entry) return;
    for (const line of [entry.whole, entry.past]) {
      line.removeFromParent();
      line.geometry.dispose();
      line.material.dispose();
    }
    this.lines.delete(i);
  }

  /** Pieces of the path between rows where the point is known, and how many of them have passed at each end. */
  pathOf(i) {
    const { motion } = this.kit;
    const { rows } = motion.run;
    const layer = this.kit.layer('trail');
    const segments = [];
    let last = null;
    const between = Math.min(MOST, Math.max(LEAST, Math.ceil(PIECES / rows))); // from row to row
    const passed = new Uint32Array(between * (rows - 1) + 1);
    for (let k = 0; k <= between * (rows - 1); k++) {
      const place = { row: Math.floor(k / between), s: (k % between) / between };
      const p = motion.pointAt(i, place, [0, 0, 0]);
      const known = p.every(Number.isFinite) && !motion.run.isBeyond?.(motion.run.times[place.row]);
      if (known && last) segments.push(last[0], last[1], last[2] + layer, p[0], p[1], p[2] + layer);
      passed[k] = segments.length / 6;
      last = known ? p : null;
    }
    return { segments, passed, between };
  }

  update() {
    const { row, s } = this.kit.motion.runPlace;
    for (const entry of this.lines.values())
      this.showAround(entry, entry.passed[Math.floor(entry.between * (row + s))] ?? 0);
  }

  dispose() {
    for (const i of [...this.lines.keys()]) this.hide(i);
  }
}

/** The point to follow at first: of those that move, the one that goes farthest. */
export function firstTrail(model, motion) {
  if (model.dimension === 0 || model.table.rows < 2) return -1;
  const used = new Set([
    ...model.bodies.flatMap((b) => b.points),
    ...model.points.flatMap((p, i) => (p.particle ? [i] : [])),
  ]);
  let best = -1;
  let most = 0;
  const stride = Math.max(1, Math.floor(motion.run.rows / 50));
  for (const i of used) {
    if (model.points[i].fixed || used.size > 2000) continue;
    const low = [Infinity, Infinity, Infinity];
    const high = low.map((x) => -x);
    for (let row = 0; row < motion.run.rows; row += stride) {
      motion.pointAtRow(i, row, [0, 0, 0]).forEach((x, k) => {
        low[k] = Math.min(low[k], x);
        high[k] = Math.max(high[k], x);
      });
    }
    const reach = Math.hypot(...high.map((x, k) => x - low[k]));
    if (reach > most * 1.001) [best, most] = [i, reach];
  }
  return best;
}
