/**
 * What is driven, and which way it goes now: an arc about the axis of an angle, an arrow along a distance or a coordinate
 * of a point, each with its value. Drivers between two points are legs (legs.js).
 */
import { Arc, Arrow, largest } from './arrows.js';
import { across } from './batch.js';
import { slideOf } from './joints.js';
import { add } from './vec.js';
import { readingOf } from '../reading.js';
import { number } from '../ui/format.js';

const CHORDS = 30;
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
  const {
    tied,
    columns: [column],
  } = load;
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
        size: largest(model.table, [item.column]),
        sign:
          item.place.kind === 'arc'
            ? new Arc(kit, kit.colours.driver, CHORDS)
            : new Arrow(kit, kit.colours.driver, true),
      }));
  }

  /** The way it goes now: 1 or -1; 0 where it stands. */
  wayOf(column) {
    const { model, motion } = this.kit;
    const { columns } = model.table;
    const hasRate = columns[column + 1]?.name === `${columns[column].name}'`;
    return Math.sign(hasRate ? readingOf(model, column + 1, motion.time) : 1);
  }

  update() {
    const { kit } = this;
    for (const item of this.items) {
      const { place, sign, column } = item;
      const p = kit.point(place.at);
      const turns = kit.flat && place.kind === 'arc'; // about the normal of the plane
      const along = place.along ?? (turns ? [0, 0, 1] : place.axis >= 0 ? kit.vector(place.axis) : null);
      const way = this.visible && along && p.every(Number.isFinite) ? this.wayOf(column) : NaN;
      sign.hide();
      if (!Number.isFinite(way)) continue;
      if (place.kind === 'arc') this.placeArc(sign, p, along, way);
      else if (way !== 0) sign.place(add(p, along, 2.4 * way * kit.unit), add(p, along, 8 * way * kit.unit), 0.4);
    }
  }

  /** Three quarters of a turn about the axis, with a tip where it goes on; without one while it stands. */
  placeArc(arc, p, along, way) {
    const { kit } = this;
    const radius = (kit.flat ? 3.3 : 4) * kit.unit;
    const [u, v] = kit.flat
      ? [
          [1, 0, 0],
          [0, 1, 0],
        ]
      : across(...along);
    const at = (share) => {
      const angle = Math.PI / 4 + (way || 1) * SWEEP * (share - 0.5);
      return add(add(p, u, radius * Math.cos(angle)), v, radius * Math.sin(angle));
    };
    arc.place(at, 0.3, way !== 0);
  }

  /** Names with values, below where they drive. */
  labels() {
    const { model, motion } = this.kit;
    return this.items.slice(0, 40).map(({ column, place, size }) => ({
      kind: 'driver',
      text: () => {
        if (!this.visible) return '';
        const { name, unit } = model.table.columns[column];
        const value = readingOf(model, column, motion.time);
        const shown = number(Math.abs(value) < 1e-9 * size ? 0 : value, 3); // what is left of rounding is nothing
        return `${name.slice(0, 18)} = ${shown}${unit && unit !== '1' ? ` ${unit}` : ''}`;
      },
      at: () => this.kit.point(place.at),
      radius: 3 * this.kit.unit,
      below: true,
    }));
  }
}
