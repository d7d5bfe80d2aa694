/** Paths of chosen points: the whole run thin, what has passed bold. */
import { Color } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

const BENT = 1 / 4000; // of what is seen: chords may be so far from the path
const MOST_CHORDS = 32; // from row to row
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
    const { segments, passed } = this.pathOf(i);
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

  /** Pieces of the path where the point is known, and how many of them have passed at each row. */
  pathOf(i) {
    const { motion, span } = this.kit;
    const { rows, times } = motion.run;
    const layer = this.kit.layer('trail');
    const segments = [];
    const passed = new Uint32Array(rows);
    const at = (row, s) => motion.pointAt(i, { row, s }, [0, 0, 0]);
    const isKnown = (p, row) => p.every(Number.isFinite) && !motion.run.isBeyond?.(times[row]);
    let last = rows > 0 ? at(0, 0) : null;
    for (let row = 0; row + 1 < rows; row++) {
      const next = at(row + 1, 0);
      if (isKnown(last, row) && isKnown(next, row + 1)) {
        const count = chordsFor([last, at(row, 1 / 4), at(row, 1 / 2), at(row, 3 / 4), next], BENT * span);
        for (let k = 1; k <= count; k++) {
          const p = k < count ? at(row, k / count) : next;
          segments.push(last[0], last[1], last[2] + layer, p[0], p[1], p[2] + layer);
          last = p;
        }
      }
      last = next;
      passed[row + 1] = segments.length / 6;
    }
    return { segments, passed };
  }

  update() {
    const { row, s } = this.kit.motion.runPlace;
    for (const entry of this.lines.values()) {
      const from = entry.passed[row] ?? 0;
      this.showAround(entry, from + Math.floor(s * ((entry.passed[row + 1] ?? from) - from)));
    }
  }

  dispose() {
    for (const i of [...this.lines.keys()]) this.hide(i);
  }
}

/** How many chords follow a bend: it is seen at its ends and at three places between. */
function chordsFor([a, ...rest], room) {
  const b = rest.at(-1);
  const off = rest.slice(0, 3).map((p, k) => Math.hypot(...p.map((x, c) => x - a[c] - ((k + 1) / 4) * (b[c] - a[c]))));
  return Math.min(MOST_CHORDS, Math.max(1, Math.ceil(Math.sqrt(Math.max(...off) / room)))) || 1;
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
