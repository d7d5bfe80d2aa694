/** Joints by kind, with their axes and guides; open ones with their gap. */
import { add, distance, dot, subtract } from './vec.js';

/** Kinds that slide along their axis and get a guide. */
export const SLIDING = new Set(['prismatic', 'cylindrical', 'point-on-line']);

export class Joints {
  constructor(kit) {
    this.kit = kit;
    const drawn = new Set();
    this.parts = [];
    for (const joint of kit.model.joints) {
      const point = joint.at >= 0 ? joint.at : joint.other;
      if (point < 0) continue;
      const key = `${joint.kind} ${point} ${joint.axis}`;
      if (!drawn.has(key)) this.parts.push(this.makePart(joint, point));
      drawn.add(key);
    }
  }

  makePart(joint, point) {
    const { kit } = this;
    const part = { joint, point, symbol: this.makeSymbol(joint, point) };
    if (SLIDING.has(joint.kind) && joint.axis >= 0) part.guide = this.makeGuide(joint);
    if (joint.gap > 0 && joint.other >= 0) {
      part.gap = { line: kit.lines.add(kit.colours.gap), ends: [kit.dots.add(kit.colours.gap), kit.dots.add(kit.colours.gap)] };
    }
    return part;
  }

  /** The symbol of a kind: a function that places it at p along the axis x (null if there is none). */
  makeSymbol({ kind, axis }, point) {
    const { kit } = this;
    const { colours, unit } = kit;
    const layer = kit.layer('joint');
    const stub = (batch, colour, half, radius) => {
      const shape = batch.add(colour);
      return (p, x) => batch.segment(shape, add(p, x, -half * unit), add(p, x, half * unit), radius * unit, { layer, closed: true });
    };
    const ball = (colour, radius) => {
      const shape = kit.balls.add(colour);
      return (p) => kit.balls.ball(shape, p, radius * unit, layer);
    };
    const flatAxis = (place) => (p, x) => place(p, x ?? [1, 0, 0]);
    const mass = kit.massRadius(point) / unit;
    if (mass > 0 && SLIDING.has(kind) && axis >= 0) return flatAxis(stub(kit.boxes, kit.massColour(point), mass, 0.8 * mass));
    switch (kind) {
      case 'prismatic': return flatAxis(stub(kit.boxes, colours.joint, 2.4, 1.5));
      case 'point-on-line': return flatAxis(stub(kit.boxes, colours.joint, 1.9, 1.25));
      case 'cylindrical': return flatAxis(stub(kit.shafts, colours.joint, 2.4, 1.6));
      case 'weld': return flatAxis(stub(kit.boxes, colours.metal, 0.9, 0.9));
      case 'parallel': return () => {};
      case 'revolute': {
        if (kit.flat) return ball(colours.joint, 0.72);
        const pin = stub(kit.shafts, colours.joint, 1.45, 1.22);
        const axle = stub(kit.shafts, colours.metal, 2.2, 0.45);
        return (p, x) => { if (x) { pin(p, x); axle(p, x); } };
      }
      case 'universal': {
        const hub = ball(colours.joint, 1.35);
        const axle = stub(kit.shafts, colours.metal, 2.6, 0.5);
        return (p, x) => { hub(p); if (x) axle(p, x); };
      }
      default: return ball(colours.joint, kit.flat ? 0.72 : 1.5);
    }
  }

  /** The line that something slides on: as long as the run needs it. */
  makeGuide({ at, other, axis }) {
    const { kit } = this;
    const from = other >= 0 && other !== at ? other : at;
    return { from, line: kit.lines.add(kit.colours.guide), reach: this.reachOf(from, at, axis) };
  }

  /** How far `at` goes from `from` along the axis, over a sample of rows. */
  reachOf(from, at, axis) {
    const { kit } = this;
    const { table } = kit.model;
    let low = 0;
    let high = 0;
    const stride = Math.max(1, Math.floor(table.rows / 60));
    for (let row = 0; row < table.rows; row += stride) {
      kit.motion.moveTo(table.times[row]);
      const x = kit.vector(axis);
      const s = x ? dot(subtract(kit.point(at), kit.point(from)), x) : NaN;
      if (Number.isFinite(s)) [low, high] = [Math.min(low, s), Math.max(high, s)];
    }
    kit.motion.moveTo(table.start);
    return [low - 5 * kit.unit, high + 5 * kit.unit];
  }

  update() {
    const { kit } = this;
    for (const { joint, point, symbol, guide, gap } of this.parts) {
      const x = joint.axis >= 0 ? kit.vector(joint.axis) : null;
      symbol(kit.point(point), x);
      if (guide && x) {
        const p = kit.point(guide.from);
        kit.lines.segment(guide.line, add(p, x, guide.reach[0]), add(p, x, guide.reach[1]), 0.16 * kit.unit, { layer: kit.layer('guide') });
      }
      if (gap) this.placeGap(gap, kit.point(joint.at), kit.point(joint.other));
    }
  }

  /** Where a loop does not close: a bold line between the two ends. */
  placeGap({ line, ends }, a, b) {
    const { kit } = this;
    const layer = kit.layer('arrow');
    kit.lines.segment(line, a, b, 0.3 * kit.unit, { layer });
    kit.dots.ball(ends[0], a, kit.unit, layer);
    kit.dots.ball(ends[1], b, kit.unit, layer);
  }

  /** The open joints, for labels: where, and how wide. */
  gaps() {
    return this.parts.filter((p) => p.gap).map(({ joint }) => ({
      text: `gap ${Number(joint.gap.toPrecision(3))}`,
      at: () => add(this.kit.point(joint.at), subtract(this.kit.point(joint.other), this.kit.point(joint.at)), 0.5),
      width: distance(this.kit.point(joint.at), this.kit.point(joint.other)),
    }));
  }
}
