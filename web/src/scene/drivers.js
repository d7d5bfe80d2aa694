/**
 * What is driven, and which way it goes now: an arc about the axis of an angle, an arrow along a distance or a coordinate
 * of a point, each with its value. Drivers between two points are legs (legs.js).
 */
import { Arrow } from './arrows.js';
import { across } from './batch.js';
import { slideOf } from './joints.js';
import { add, scale, subtract } from './vec.js';
import { number } from '../ui/format.js';

const CHORDS = 18;
const SWEEP = 1.5 * Math.PI;
const TURNING = new Set(['revolute', 'cylindrical', 'universal', 'screw', 'planar']);

/** Bodies that an angle is between: by numbers, or those that have the direction (-1: the ground). */
function sidesOf({ bodies, vectors }, { tied, from, to }) {
  const carriers = (v) => [
    ...bodies.flatMap((b, i) => (b.vectors.includes(v) ? [i] : [])),
    ...(vectors[v]?.fixed ? [-1] : []),
  ];
  return [0, 1].map((k) => (tied?.bodies[k] >= -1 ? [tied.bodies[k]] : carriers([from, to][k])));
}

/** Where an angle is: at the joint between its bodies, else at a fixed or common point; and its axis (-1: none is known). */
function hingeOf(model, load) {
  const { joints, bodies, points } = model;
  const sides = sidesOf(model, load);
  const has = (j, side) => side.some((b) => j.bodies.includes(b));
  const turning = joints.filter((j) => j.at >= 0 && TURNING.has(j.kind) && (load.axis < 0 || j.axis === load.axis));
  const hinge =
    (load.tied?.joint >= 0 ? joints[load.tied.joint] : null) ??
    turning.find((j) => j.bodies.length === 2 && has(j, sides[0]) && has(j, sides[1])) ??
    turning.find((j) => has(j, sides[1]));
  const body = bodies[sides[1].find((b) => b >= 0)];
  const shared = body?.points.find((p) => points[p].fixed || bodies[sides[0][0]]?.points.includes(p));
  return { at: hinge?.at ?? shared ?? body?.points[0] ?? -1, axis: load.axis >= 0 ? load.axis : (hinge?.axis ?? -1) };
}

/** How a driver is drawn; null: its place is not known. */
function placeOf(model, load) {
  const { tied, columns: [column] } = load;
  const { points, joints, columns } = model;
  if (column === undefined) return null;
  const k = points.findIndex((p) => p.columns?.includes(column));
  if (k >= 0) return { kind: 'line', at: k, along: [0, 1, 2].map((c) => Number(points[k].columns[c] === column)) };
  if (columns[column].kind === 'angle') return { kind: 'arc', ...hingeOf(model, load) };
  if (load.at >= 0 && load.axis >= 0) return { kind: 'line', at: load.at, axis: load.axis };
  if (!tied) return null;
  const joint = joints[tied.joint];
  return joint ? { kind: 'line', at: slideOf(joint, points).slider, axis: joint.axis } : null;
}

export class Drivers {
  /** @param {import('./kit.js').Kit} kit */
  constructor(kit) {
    this.kit = kit;
    this.visible = true;
    const { model } = kit;
    this.items = (model.modes ? [] : model.loads)
      .filter((l) => l.kind === 'driver' && l.columns.length > 0)
      .map((load) => ({ column: load.columns[0], place: placeOf(model, load) }))
      .filter(({ place }) => place?.at >= 0 && (place.kind === 'line' || kit.flat || place.axis >= 0))
      .slice(0, 100)
      .map((item) => ({
        ...item,
        arrow: new Arrow(kit, kit.colours.driver, true),
        arc:
          item.place.kind === 'arc' ? Array.from({ length: CHORDS }, () => kit.arrowLines.add(kit.colours.driver)) : [],
      }));
  }

  /** The way it goes now: 1 or -1; 0 where it stands. */
  wayOf(column) {
    const { model, motion } = this.kit;
    const { table, track } = model;
    const reading = (c) => track?.reading(c, motion.time) ?? table.at(c, motion.place);
    return Math.sign(table.columns[column + 1]?.name === `${table.columns[column].name}'` ? reading(column + 1) : 1);
  }

  update() {
    const { kit } = this;
    for (const item of this.items) {
      const { place, arrow, arc, column } = item;
      const p = kit.point(place.at);
      const turns = kit.flat && place.kind === 'arc'; // about the normal of the plane
      const along = place.along ?? (turns ? [0, 0, 1] : place.axis >= 0 ? kit.vector(place.axis) : null);
      const way = this.visible && along && p.every(Number.isFinite) ? this.wayOf(column) : NaN;
      arrow.hide();
      for (const chord of arc) kit.arrowLines.hide(chord);
      if (!Number.isFinite(way)) continue;
      if (place.kind === 'arc') this.placeArc(item, p, along, way);
      else if (way !== 0) arrow.place(add(p, along, 2.4 * way * kit.unit), add(p, along, 8 * way * kit.unit), 0.4);
    }
  }

  /** Three quarters of a turn about the axis, with a tip where it goes on; without one while it stands. */
  placeArc({ arrow, arc }, p, along, way) {
    const { kit } = this;
    const radius = (kit.flat ? 3.3 : 4) * kit.unit;
    const [u, v] = kit.flat ? [[1, 0, 0], [0, 1, 0]] : across(...along);
    const at = (k) => {
      const angle = Math.PI / 4 + (way || 1) * SWEEP * (k / CHORDS - 0.5);
      return add(add(p, u, radius * Math.cos(angle)), v, radius * Math.sin(angle));
    };
    const layer = kit.layer('arrow');
    arc.forEach((chord, k) => kit.arrowLines.segment(chord, at(k), at(k + 1), 0.4 * kit.unit, { layer }));
    if (way === 0) return;
    const last = at(CHORDS);
    const step = subtract(last, at(CHORDS - 1));
    arrow.place(at(CHORDS - 1), add(last, scale(step, 1.2)), 0.4);
  }

  /** Names with values, below where they drive. */
  labels() {
    const { table } = this.kit.model;
    return this.items.slice(0, 40).map(({ column, place }) => ({
      kind: 'driver',
      text: () => {
        if (!this.visible) return '';
        const { name, unit } = table.columns[column];
        const value = number(table.at(column, this.kit.motion.place), 3);
        return `${name.slice(0, 18)} = ${value}${unit && unit !== '1' ? ` ${unit}` : ''}`;
      },
      at: () => this.kit.point(place.at),
      radius: 3 * this.kit.unit,
      below: true,
    }));
  }
}
