/** Toothed wheels and racks, from the joints that tie angles and distances. */
import { Matrix4, Vector2, Vector3 } from 'three';
import { across } from './batch.js';
import { plateOf, rackOf, toothed } from './nets.js';
import { Pose } from './pose.js';
import { add, cross, distance, dot, length, scale, subtract } from './vec.js';

const SAMPLES = 7; // of the run, to see what stays
const TEETH = 15; // at least, on the smaller wheel, where the ratio leaves a choice

/** Times at which to look whether something stays. */
function* moments(kit) {
  const { table } = kit.model;
  for (let k = 0; k < SAMPLES; k++) {
    kit.motion.moveTo(table.times[Math.floor((k * (table.rows - 1)) / (SAMPLES - 1))] ?? table.start);
    yield k;
  }
  kit.motion.moveTo(table.start);
}

/** Points that may be the middle of a wheel: those of the body; of the ground, what is fixed. */
function candidates(kit, body) {
  const { bodies, points } = kit.model;
  if (body >= 0) return bodies[body].points;
  return points.flatMap((p, i) => (p.fixed ? [i] : [])).slice(0, 50);
}

/** The middles of two wheels: points whose distance stays; on an axle of their bodies if there are several. */
function findCentres(kit, a, b) {
  const pairs = candidates(kit, a).flatMap((p) => candidates(kit, b).map((q) => ({ p, q, low: Infinity, high: 0 })));
  for (const _ of moments(kit))
    for (const pair of pairs) {
      const d = distance(kit.point(pair.p), kit.point(pair.q));
      pair.low = Math.min(pair.low, d);
      pair.high = Math.max(pair.high, d);
    }
  const hinged = new Set(kit.model.joints.filter((j) => j.kind === 'revolute').flatMap((j) => [j.at, j.other]));
  const rank = ({ p, q }) => (hinged.has(p) ? 0 : 1) + (hinged.has(q) ? 0 : 1);
  const good = pairs.filter((x) => x.p !== x.q && x.low > 0 && x.high - x.low < 1e-4 * x.high);
  return good.sort((x, y) => rank(x) - rank(y))[0] ?? null;
}

/** Numbers of teeth for a ratio: whole ones that fit it, or nearly so. */
export function teethFor(ratio) {
  let best = [TEETH, Math.round(TEETH * ratio)];
  let error = Infinity;
  for (let small = TEETH; small < 60; small++) {
    const off = Math.abs(small * ratio - Math.round(small * ratio));
    if (off < error - 1e-9) [best, error] = [[small, Math.round(small * ratio)], off];
  }
  return best;
}

/** The axis of a wheel in space: that of the hinge at its middle. */
function axisAt(kit, point, body) {
  if (kit.flat) return [0, 0, 1];
  const joint = kit.model.joints.find(
    (j) => j.axis >= 0 && (j.at === point || j.other === point) && (j.bodies.includes(body) || body < 0),
  );
  return joint ? kit.vector(joint.axis) : null;
}

/** The angle of a direction in the plane across an axis. */
function angleIn(d, axis) {
  const [u, v] =
    axis[2] > 0.999
      ? [
          [1, 0, 0],
          [0, 1, 0],
        ]
      : across(...axis);
  return Math.atan2(dot(d, v), dot(d, u));
}

/** From the plate's own axes (z: the axle) to those of a body; what is now in the world. */
function placeOf(kit, body, centre, axis) {
  const [u, v] =
    axis[2] > 0.999
      ? [
          [1, 0, 0],
          [0, 1, 0],
        ]
      : across(...axis);
  const world = new Matrix4().makeBasis(new Vector3(...u), new Vector3(...v), new Vector3(...axis));
  world.setPosition(...centre);
  if (body < 0) return world;
  const pose = new Pose(kit, kit.model.bodies[body]).now();
  return pose ? pose.clone().invert().multiply(world) : null;
}

/** The outline of a mark on a wheel. */
function circle(radius) {
  return Array.from({ length: 32 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 32;
    return new Vector2(radius * Math.cos(angle), radius * Math.sin(angle));
  });
}

/** A wheel that is drawn once, whatever number of others it meets. */
class Wheels {
  constructor(kit) {
    this.kit = kit;
    this.known = new Map();
  }

  /** The wheel of a body about a point, or a new one. */
  get(body, point, make) {
    const key = `${body} ${point}`;
    if (!this.known.has(key)) this.known.set(key, { body, point, ...make() });
    return this.known.get(key);
  }

  parts() {
    const { kit } = this;
    return [...this.known.values()].flatMap(({ body, point, radius, teeth, phase, ring, axis }) => {
      const outline = toothed(radius, teeth, phase);
      const thick = kit.flat ? 0 : Math.max(0.3 * radius, 2 * kit.unit);
      const around = ring ? radius * (1 + 5 / teeth) : 0;
      const place = placeOf(kit, body, kit.point(point), axis);
      if (!place) return [];
      const surface = plateOf(outline, { around, thick, hole: 0.16 * radius });
      const stripe = ring ? null : plateOf(circle(0.07 * radius), { thick: thick ? 1.04 * thick : 0 });
      stripe?.translate(0.7 * radius * Math.cos(phase), 0.7 * radius * Math.sin(phase), 0);
      return [{ body, surface, stripe, place, replaces: !ring || body >= 0 }];
    });
  }
}

/** Two angles: wheels that meet outside (they turn against each other) or inside a ring. */
function addGear(kit, joint, wheels) {
  const [x, y] = joint.geared;
  const ratio = joint.number;
  const [a, b] = [x?.bodies[1], y?.bodies[1]];
  if (!x || !y || !(Math.abs(ratio) > 0) || a < -1 || b < -1 || a === b) return;
  const centres = findCentres(kit, a, b);
  if (!centres) return;
  const [p, q] = [kit.point(centres.p), kit.point(centres.q)];
  const axis = axisAt(kit, centres.p, a) ?? axisAt(kit, centres.q, b);
  const apart = distance(p, q);
  if (!axis || Math.abs(dot(subtract(q, p), axis)) > 0.02 * apart) return;
  const k = Math.abs(ratio); // radius of x over that of y
  const inside = ratio > 0;
  if (inside && Math.abs(k - 1) < 0.02) return;
  const small = inside ? apart / Math.abs(k - 1) : apart / (k + 1);
  const [zs, zl] = teethFor(Math.max(k, 1 / k));
  const facing = angleIn(subtract(q, p), axis);
  const ringIsX = inside && k > 1;
  const first = wheels.get(a, centres.p, () => ({
    radius: k * small,
    teeth: k > 1 ? zl : zs,
    phase: 0,
    ring: ringIsX,
    axis,
  }));
  const u = first.teeth * (facing + (inside && !ringIsX ? Math.PI : 0) - first.phase);
  wheels.get(b, centres.q, () => {
    const teeth = Math.max(5, Math.round(first.teeth / k));
    const seen = inside ? facing + (ringIsX ? 0 : Math.PI) : facing + Math.PI;
    const wanted = inside ? u : Math.PI - u; // a tooth meets a gap
    return { radius: small, teeth, phase: seen - wanted / teeth, ring: inside && k < 1, axis };
  });
}

/** An angle and a distance: a wheel on a toothed bar, which goes as far as the run needs it. */
function addRack(kit, joint, wheels) {
  const [turn, slide] = joint.geared;
  const radius = Math.abs(joint.number);
  const guide = kit.model.joints[slide?.joint];
  if (!turn || !guide || guide.axis < 0 || !(radius > 0)) return [];
  const [wheel, bar] = [turn.bodies[1], slide.bodies.find((b) => b >= 0) ?? -1];
  const middle = kit.model.bodies[wheel]?.points[0];
  const along = kit.vector(guide.axis);
  const axis = middle === undefined ? null : axisAt(kit, middle, wheel);
  if (!along || !axis || bar === wheel) return [];
  const teeth = 20;
  const out = scale(cross(along, axis), Math.sign(joint.number)); // from the wheel's middle to the bar
  const phase = angleIn(out, axis);
  wheels.get(wheel, middle, () => ({ radius, teeth, phase, ring: false, axis }));
  const c = add(kit.point(middle), out, radius);
  let [low, high] = [0, 0];
  for (const _ of moments(kit)) {
    const start = bar >= 0 ? kit.point(kit.model.bodies[bar].points[0]) : c;
    const s = dot(subtract(add(kit.point(middle), out, radius), start), along);
    [low, high] = [Math.min(low, s), Math.max(high, s)];
  }
  for (const q of bar >= 0 ? kit.model.bodies[bar].points : []) {
    const s = dot(subtract(kit.point(q), kit.point(kit.model.bodies[bar].points[0])), along);
    [low, high] = [Math.min(low, s), Math.max(high, s)];
  }
  const pitch = (2 * Math.PI * radius) / teeth;
  const origin = bar >= 0 ? kit.point(kit.model.bodies[bar].points[0]) : c;
  const offset = dot(subtract(c, origin), along);
  const outline = rackOf(low - offset - 3 * pitch, high - offset + 3 * pitch, pitch, 0.5 * radius);
  const world = new Matrix4().makeBasis(
    new Vector3(...along),
    new Vector3(...scale(out, -1)),
    new Vector3(...cross(along, scale(out, -1))),
  );
  world.setPosition(...c);
  const pose = bar >= 0 ? new Pose(kit, kit.model.bodies[bar]).now() : null;
  const place = pose ? pose.clone().invert().multiply(world) : bar < 0 ? world : null;
  const thick = kit.flat ? 0 : Math.max(0.3 * radius, 2 * kit.unit);
  return place && length(out) > 0
    ? [{ body: bar, surface: plateOf(outline, { thick }), place, replaces: bar >= 0 }]
    : [];
}

/** All toothed parts: surfaces with the bodies that carry them. */
export function gears(kit) {
  const tied = kit.model.joints.filter((j) => j.geared?.length === 2 && Number.isFinite(j.number));
  if (tied.length === 0 || kit.model.table.rows < 1) return [];
  const wheels = new Wheels(kit);
  for (const joint of tied) if (joint.kind === 'gear') addGear(kit, joint, wheels);
  const racks = tied.filter((j) => j.kind === 'rack').flatMap((joint) => addRack(kit, joint, wheels));
  return [...wheels.parts(), ...racks];
}
