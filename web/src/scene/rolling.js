/** The ground that wheels roll on: where what is round has no velocity, if that is a line or a level floor. */
import { Vector3 } from 'three';
import { Pose } from './pose.js';
import { add, dot, scale } from './vec.js';

const SAMPLES = 12; // of the run
const HATCHES = 36; // strokes below the line

/** Bodies that are round, with the centre and the axis of their form. */
function roundBodies(kit) {
  return kit.model.forms.flatMap((form, i) => {
    const round = form?.kind === 'sphere' || (form?.kind === 'cylinder' && (!kit.flat || Math.abs(form.axis[2]) > 0.5));
    return round ? [{ form, pose: new Pose(kit, kit.model.bodies[i]) }] : [];
  });
}

/** Centre, direction of local x, and axis in the world at a time; null where the body has no place. */
function stateAt(kit, { form, pose }, t) {
  kit.motion.moveTo(t);
  const matrix = pose.now();
  if (!matrix) return null;
  const centre = new Vector3(...form.centre).applyMatrix4(matrix).toArray();
  const x = new Vector3(1, 0, 0).transformDirection(matrix).toArray();
  const axis = form.axis ? new Vector3(...form.axis).transformDirection(matrix).toArray() : null;
  return { centre, x, axis };
}

/** Where in the plane a body has no velocity between two rows; null if it hardly turns. */
function pole(a, b) {
  const turn = Math.atan2(a.x[0] * b.x[1] - a.x[1] * b.x[0], a.x[0] * b.x[0] + a.x[1] * b.x[1]);
  if (!(Math.abs(turn) > 1e-3)) return null;
  const middle = [(a.centre[0] + b.centre[0]) / 2, (a.centre[1] + b.centre[1]) / 2];
  const way = [b.centre[0] - a.centre[0], b.centre[1] - a.centre[1]].map((x) => x / turn);
  return { at: [middle[0] - way[1], middle[1] + way[0], 0], from: [way[1], -way[0], 0] };
}

/** The line that a round body of the plane rolls on: a point of it and the normal; null: it does not. */
function lineOf(kit, round) {
  const { times, rows } = kit.model.table;
  const found = [];
  for (let k = 0; k < 8 * SAMPLES && found.length < SAMPLES; k++) {
    const row = Math.floor(((k * 5 + 1) % (8 * SAMPLES)) * ((rows - 1) / (8 * SAMPLES)));
    const [a, b] = [stateAt(kit, round, times[row]), stateAt(kit, round, times[row + 1])];
    const p = a && b ? pole(a, b) : null;
    if (p && Math.hypot(...p.from) < 100 * round.form.radius) found.push(p);
  }
  if (found.length < SAMPLES / 2) return null;
  const normal = scale(found[0].from, 1 / Math.hypot(...found[0].from));
  const rolls = found.every(
    ({ at, from }) =>
      Math.abs(dot(from, normal) - round.form.radius) < 0.01 * round.form.radius &&
      Math.abs(dot(add(at, found[0].at, -1), normal)) < 0.01 * round.form.radius,
  );
  return rolls ? { at: found[0].at, normal } : null;
}

/** The level that the lowest points of all wheels are at; null where they are at none. */
export function floorLevel(kit) {
  const { table } = kit.model;
  const levels = roundBodies(kit).flatMap((round) => {
    const heights = [];
    for (let k = 0; k < SAMPLES; k++) {
      const s = stateAt(kit, round, table.start + (k / (SAMPLES - 1)) * (table.end - table.start));
      if (!s) continue;
      const flat = s.axis ? add(kit.up, s.axis, -dot(kit.up, s.axis)) : kit.up;
      const n = Math.hypot(...flat);
      heights.push(dot(s.centre, kit.up) - round.form.radius * n);
    }
    const [low, high] = [Math.min(...heights), Math.max(...heights)];
    const moves = round.pose.frame !== null && !kit.model.points[round.pose.origin].fixed;
    return moves && heights.length > 1 && high - low < 2e-3 * round.form.radius ? [low] : [];
  });
  kit.motion.moveTo(table.start);
  return levels.length && Math.max(...levels) - Math.min(...levels) < 0.01 * kit.size ? Math.min(...levels) : null;
}

/** Lines under wheels of the plane, hatched below. */
export class Rolling {
  constructor(kit) {
    this.kit = kit;
    const lines = kit.flat && kit.model.table.rows > 1 && !kit.model.modes ? this.find() : [];
    this.parts = lines.map((line) => ({
      ...line,
      edge: kit.lines.add(kit.colours.ground),
      strokes: Array.from({ length: HATCHES }, () => kit.lines.add(kit.colours.ground)),
    }));
  }

  /** Every line once. */
  find() {
    const { kit } = this;
    const lines = [];
    for (const round of roundBodies(kit).slice(0, 20)) {
      const line = lineOf(kit, round);
      const same = (o) =>
        dot(o.normal, line.normal) > 0.999 && Math.abs(dot(add(o.at, line.at, -1), o.normal)) < 0.01 * kit.size;
      if (line && !lines.some(same)) lines.push(line);
    }
    kit.motion.moveTo(kit.model.table.start);
    return lines;
  }

  /** Lines stay where they are: once is enough. */
  place() {
    const { kit } = this;
    const { low, high } = kit.motion.bounds;
    const middle = low.map((x, k) => (x + high[k]) / 2);
    const options = { layer: kit.layer('ground') };
    for (const { at, normal, edge, strokes } of this.parts) {
      const along = [normal[1], -normal[0], 0];
      const centre = add(at, along, dot(add(middle, at, -1), along));
      const reach = 0.62 * kit.size;
      kit.lines.segment(edge, add(centre, along, -reach), add(centre, along, reach), 0.2 * kit.unit, options);
      strokes.forEach((stroke, k) => {
        const start = add(centre, along, reach * ((2 * (k + 0.9)) / HATCHES - 1));
        const end = add(add(start, normal, -1.6 * kit.unit), along, -1.6 * kit.unit);
        kit.lines.segment(stroke, start, end, 0.12 * kit.unit, options);
      });
    }
  }
}
