/** Paths of chosen points: the whole run thin, what has passed bold. */
import { Color } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

const FEW_ROWS = 3000;

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
    const { segments, passed } = this.pathOf(i);
    if (segments.length === 0) return;
    const colour =
      this.lines.size === 0
        ? new Color(this.kit.colours.trail)
        : new Color(this.kit.bodyColour(this.lines.size)).multiplyScalar(0.8);
    const pale = colour.clone().lerp(new Color(this.kit.colours.paper), this.kit.colours.pale);
    const make = (width, color, order, depthWrite) => {
      const geometry = new LineSegmentsGeometry().setPositions(segments);
      const material = new LineMaterial({ color, linewidth: width, depthWrite });
      const line = new LineSegments2(geometry, material);
      line.frustumCulled = false;
      line.renderOrder = order;
      this.kit.group.add(line);
      return line;
    };
    this.lines.set(i, { whole: make(1.2, pale, -2, false), past: make(2, colour, -1, true), passed });
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

  /** Pieces of the path between rows where the point is known, and how many of them have passed at each row. */
  pathOf(i) {
    const { motion, model } = this.kit;
    const layer = this.kit.layer('trail');
    const segments = [];
    const passed = new Uint32Array(model.table.rows);
    let last = null;
    const between = model.table.rows < FEW_ROWS ? 4 : 1; // pieces from row to row: round where rows are far apart
    for (let k = 0; k <= between * (model.table.rows - 1); k++) {
      const place = { row: Math.floor(k / between), s: (k % between) / between };
      const p = motion.pointAt(i, place, [0, 0, 0]);
      const known = p.every(Number.isFinite);
      if (known && last) segments.push(last[0], last[1], last[2] + layer, p[0], p[1], p[2] + layer);
      if (place.s === 0) passed[place.row] = segments.length / 6;
      last = known ? p : null;
    }
    return { segments, passed };
  }

  update() {
    const { row } = this.kit.motion.place;
    for (const { past, passed } of this.lines.values()) past.geometry.instanceCount = passed[row] ?? 0;
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
  const stride = Math.max(1, Math.floor(model.table.rows / 50));
  for (const i of used) {
    if (model.points[i].fixed || used.size > 2000) continue;
    const low = [Infinity, Infinity, Infinity];
    const high = low.map((x) => -x);
    for (let row = 0; row < model.table.rows; row += stride) {
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
