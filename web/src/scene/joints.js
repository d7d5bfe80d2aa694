/** Joints by kind, with their axes and guides; open ones with their gap. */
import { add, dot, subtract } from './vec.js';

/** Kinds that slide along their axis and get a guide. */
export const SLIDING = new Set(['prismatic', 'cylindrical', 'screw', 'point-on-line']);

/** What slides and where its line starts: of a joint's two points, the one that moves is the slider. */
export function slideOf({ at, other }, points) {
  const [a, b] = at >= 0 && other >= 0 ? [at, other] : [Math.max(at, other), Math.max(at, other)];
  return points[a]?.fixed && !points[b].fixed ? { slider: b, start: a } : { slider: a, start: b };
}

/** Symbols: pieces as makePiece takes them. Kinds that only tie two motions together have none. */
const NONE = { parallel: [], gear: [], rack: [], distance: [] };
const SLIDERS = {
  prismatic: [['boxes', 'joint', 2.4, 1.5]],
  'point-on-line': [['boxes', 'joint', 1.9, 1.25]],
  weld: [['boxes', 'metal', 0.9, 0.9]],
};
const FLAT = { ...NONE, ...SLIDERS };
const SOLID = {
  ...NONE,
  ...SLIDERS,
  revolute: [
    ['shafts', 'joint', 1.45, 1.22],
    ['shafts', 'metal', 2.2, 0.45],
  ],
  universal: [
    ['balls', 'joint', 0, 1.35],
    ['shafts', 'metal', 2.6, 0.5],
  ],
  cylindrical: [['shafts', 'joint', 2.4, 1.6]],
  screw: [
    ['shafts', 'joint', 1.6, 1.6],
    ['shafts', 'metal', 3, 0.7],
  ],
  planar: [['shafts', 'joint', 0.3, 2.8]],
  'point-on-plane': [
    ['shafts', 'joint', 0.2, 2.2],
    ['balls', 'metal', 0, 0.7],
  ],
};
const DEFAULT = { flat: [['balls', 'joint', 0, 0.72]], solid: [['balls', 'joint', 0, 1.5]] };

export class Joints {
  constructor(kit) {
    this.kit = kit;
    const drawn = new Set();
    this.parts = [];
    for (const joint of kit.model.joints) {
      const point = slideOf(joint, kit.model.points).slider;
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
    if (joint.kind === 'distance' && joint.other >= 0) part.bar = kit.lines.add(kit.colours.guide);
    if (joint.gap > 0 && joint.other >= 0) {
      part.gap = {
        line: kit.lines.add(kit.colours.gap),
        ends: [kit.dots.add(kit.colours.gap), kit.dots.add(kit.colours.gap)],
      };
    }
    return part;
  }

  /** The symbol of a kind: a function that places it at p along the axis x (null if there is none). */
  makeSymbol({ kind, axis }, point) {
    const { kit } = this;
    const mass = kit.massRadius(point) / kit.unit;
    const pieces =
      mass > 0 && SLIDING.has(kind) && axis >= 0
        ? [['boxes', kit.massColour(point), mass, 0.8 * mass]] // a mass that slides is a block
        : ((kit.flat ? FLAT : SOLID)[kind] ?? DEFAULT[kit.flat ? 'flat' : 'solid']);
    const cam = this.camUnder(point);
    if (cam >= 0 && SLIDING.has(kind) && axis >= 0) return this.makeFollower(cam, pieces[0]);
    const places = pieces.map((piece) => this.makePiece(piece));
    return (p, x) => places.forEach((place) => place(p, x));
  }

  /** The point from which the closed curve of a body goes out on which a point runs, or -1. */
  camUnder(point) {
    const { model } = this.kit;
    const cam = model.joints.find((j) => j.curve?.closed && j.other === point && j.bodies[0] >= 0);
    return cam ? cam.at : -1;
  }

  /** What slides and runs on a cam: a block that has its tip where it touches. */
  makeFollower(cam, [, colour, half, radius]) {
    const { kit } = this;
    const layer = kit.layer('joint');
    const [block, tip] = [kit.boxes, kit.cones].map((batch) => batch.add(kit.colours[colour] ?? colour));
    return (p, x) => {
      if (!x) return [kit.boxes.hide(block), kit.cones.hide(tip)];
      const away = dot(subtract(p, kit.point(cam)), x) < 0 ? -1 : 1;
      const base = add(p, x, away * radius * kit.unit);
      kit.cones.segment(tip, base, p, 0.85 * radius * kit.unit, { layer, pointed: true });
      const end = add(base, x, away * 2 * half * kit.unit);
      return kit.boxes.segment(block, base, end, radius * kit.unit, { layer, closed: true });
    };
  }

  /** A ball, or a stub along the axis: [batch, colour, half its length, radius], in units. */
  makePiece([batchName, colour, half, radius]) {
    const { kit } = this;
    const batch = kit[batchName];
    const layer = kit.layer('joint');
    const shape = batch.add(kit.colours[colour] ?? colour);
    if (batchName === 'balls') return (p) => batch.ball(shape, p, radius * kit.unit, layer);
    return (p, x) => {
      const along = x ?? (kit.flat ? [1, 0, 0] : null);
      if (!along) return batch.hide(shape);
      const reach = half * kit.unit;
      batch.segment(shape, add(p, along, -reach), add(p, along, reach), radius * kit.unit, { layer, closed: true });
    };
  }

  /** The line that something slides on: as long as the run needs it. */
  makeGuide(joint) {
    const { kit } = this;
    const { slider, start } = slideOf(joint, kit.model.points);
    return { start, line: kit.lines.add(kit.colours.guide), reach: this.reachOf(start, slider, joint.axis) };
  }

  /** How far the slider goes from its line's start along the axis, over a sample of rows. */
  reachOf(start, slider, axis) {
    const { kit } = this;
    const { table } = kit.model;
    let low = 0;
    let high = 0;
    const stride = Math.max(1, Math.floor(table.rows / 60));
    for (let row = 0; row < table.rows; row += stride) {
      kit.motion.moveTo(table.times[row]);
      const x = kit.vector(axis);
      const s = x ? dot(subtract(kit.point(slider), kit.point(start)), x) : NaN;
      if (Number.isFinite(s)) [low, high] = [Math.min(low, s), Math.max(high, s)];
    }
    kit.motion.moveTo(table.start);
    return [low - 5 * kit.unit, high + 5 * kit.unit];
  }

  update() {
    const { kit } = this;
    for (const { joint, point, symbol, guide, bar, gap } of this.parts) {
      const x = joint.axis >= 0 ? kit.vector(joint.axis) : null;
      symbol(kit.point(point), x);
      if (guide && x) {
        const p = kit.point(guide.start);
        kit.lines.segment(guide.line, add(p, x, guide.reach[0]), add(p, x, guide.reach[1]), 0.16 * kit.unit, {
          layer: kit.layer('guide'),
        });
      }
      if (bar !== undefined)
        kit.lines.segment(bar, kit.point(joint.at), kit.point(joint.other), 0.25 * kit.unit, {
          layer: kit.layer('guide'),
        });
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

  /** The open joints, as labels: where, and how wide. */
  gaps() {
    return this.parts
      .filter((p) => p.gap)
      .map(({ joint }) => ({
        kind: 'gap',
        text: `gap ${Number(joint.gap.toPrecision(3))}`,
        at: () => add(this.kit.point(joint.at), subtract(this.kit.point(joint.other), this.kit.point(joint.at)), 0.5),
      }));
  }
}
