/**
 * What bodies look like, from the data alone: their Shape; without one, a disc, cylinder, ball or box with the same
 * mass properties where a body has no other extent. All in local coordinates.
 *
 * @typedef {{kind: 'box'|'cylinder'|'sphere'|'mesh', centre: number[], size?: number[], radius?: number,
 *            length?: number, axis?: number[], net?: object}} Form
 */
import { add, cross, length, scale, subtract } from './vec.js';

const Z = [0, 0, 1];
const full = (v) => [v?.[0] ?? 0, v?.[1] ?? 0, v?.[2] ?? 0];

/** The centroid in local coordinates, or nothing. */
export function localCentroid(body) {
  if (!body.centroid) return null;
  const at = (d) =>
    d.vector === undefined
      ? full(body.local[body.points.indexOf(d.point)])
      : full(body.local[body.points.length + body.vectors.indexOf(d.vector)]);
  const [a, b = Z] = body.centroid.along.map(at);
  const [u, v, w] = body.centroid.factor;
  return add(add(scale(a, u), b, v), cross(a, b), w);
}

/** The form that a Shape gives. */
function given(shape, flat) {
  const centre = full(shape.centre);
  const { radius, length: long } = shape;
  if (shape.type === 'sphere' && radius > 0) return { kind: 'sphere', centre, radius };
  if (shape.type === 'box' && shape.size?.[0] > 0) {
    const [a, b, c] = shape.size;
    return { kind: 'box', centre, size: [a, b, c > 0 ? c : 0.1 * Math.min(a, b)] };
  }
  if (shape.type === 'cylinder' && radius > 0) {
    const axis = shape.axis ? full(shape.axis) : flat ? Z : [1, 0, 0];
    if (flat && Math.abs(axis[2]) < 0.5) return barOf(centre, axis, long, 2 * radius);
    return { kind: 'cylinder', centre, radius, length: long > 0 ? long : 0.2 * radius, axis };
  }
  return null;
}

/** A cylinder that lies in the plane: a box along its axis. */
function barOf(centre, axis, long, wide) {
  return { kind: 'box', centre, size: [long, wide, wide], turned: Math.atan2(axis[1], axis[0]) };
}

/** A disc about its centroid, where that is the first point: no rod is like this. */
function discOf(body, centre) {
  const radius = Math.sqrt((2 * body.inertia[0]) / body.mass);
  if (body.points.length > 2 || length(centre) > 1e-9 * length(full(body.local[1]))) return null;
  return { kind: 'cylinder', centre, radius, length: 0.2 * radius, axis: Z };
}

/** A cylinder, ball or box with these moments, for a body with one point. */
function solidOf({ mass, inertia, points }, centre) {
  if (points.length > 1 || inertia.length < 3 || !inertia.every((x) => x > 0)) return null;
  const equal = (i, j) => Math.abs(inertia[i] - inertia[j]) < 1e-6 * inertia[i];
  if (equal(0, 1) && equal(1, 2)) return { kind: 'sphere', centre, radius: Math.sqrt((2.5 * inertia[0]) / mass) };
  const k = [0, 1, 2].find((i) => equal((i + 1) % 3, (i + 2) % 3));
  if (k !== undefined) {
    const radius = Math.sqrt((2 * inertia[k]) / mass);
    const square = (12 * inertia[(k + 1) % 3]) / mass - 3 * radius * radius;
    const axis = [0, 1, 2].map((i) => (i === k ? 1 : 0));
    return { kind: 'cylinder', centre, radius, length: Math.max(Math.sqrt(Math.max(square, 0)), 0.06 * radius), axis };
  }
  const [x, y, z] = inertia;
  const edges = [y + z - x, z + x - y, x + y - z].map((s) => Math.sqrt(Math.max((6 * s) / mass, 0)));
  const least = 0.05 * Math.max(...edges);
  return { kind: 'box', centre, size: edges.map((e) => Math.max(e, least)) };
}

function formOf(body, flat, meshes, slides) {
  if (!body.local?.length) return null;
  const net = meshes[body.mesh?.number];
  if (net) return { kind: 'mesh', net, scale: body.mesh.scale, ...aroundNet(net, body.mesh) };
  if (body.shape) return given(body.shape, flat);
  const centre = localCentroid(body);
  if (!centre?.every(Number.isFinite) || !(body.mass > 0) || !(body.inertia?.[0] > 0)) return null;
  if (flat) return slides ? null : discOf(body, centre); // a slider does not turn on the ground, and is drawn as one
  return solidOf(body, centre);
}

/** The middle and the reach of a net in local coordinates. */
function aroundNet({ corners }, { scale: factor, origin }) {
  const low = [Infinity, Infinity, Infinity];
  const high = low.map((x) => -x);
  for (let i = 0; i < corners.length; i++) {
    low[i % 3] = Math.min(low[i % 3], corners[i]);
    high[i % 3] = Math.max(high[i % 3], corners[i]);
  }
  const centre = low.map((x, k) => full(origin)[k] + (factor * (x + high[k])) / 2);
  return { centre, origin: full(origin), radius: (factor * length(subtract(high, low))) / 2 };
}

/** How far a form goes from its centre. */
export function reachOf(form) {
  if (form.kind === 'box') return length(form.size) / 2;
  if (form.kind === 'cylinder') return Math.hypot(form.radius, form.length / 2);
  return form.radius;
}

/** Is a local point inside a form, or nearly so? */
export function isInside(form, p) {
  const d = subtract(p, form.centre);
  if (form.kind !== 'box') return length(d) <= 1.02 * reachOf(form);
  const [c, s] = [Math.cos(form.turned ?? 0), Math.sin(form.turned ?? 0)];
  const r = [c * d[0] + s * d[1], c * d[1] - s * d[0], d[2]];
  return r.every((x, k) => Math.abs(x) <= 0.51 * form.size[k] + 1e-12);
}

/** The forms of all bodies; null where there is none. @returns {(Form|null)[]} */
export function formsOf({ bodies, dimension, meshes, joints }) {
  const sliders = new Set(
    joints.filter((j) => j.kind === 'prismatic' && j.bodies.includes(-1)).flatMap((j) => j.bodies),
  );
  return bodies.map((body, i) => {
    const form = formOf(body, dimension === 2, meshes, sliders.has(i));
    return form && Number.isFinite(reachOf(form)) && reachOf(form) > 0 ? form : null;
  });
}
