/** Surfaces of solids about their own centre, in local axes: flat for the plane, solid for space. */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Path,
  PlaneGeometry,
  Quaternion,
  Shape,
  ShapeGeometry,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three';
import { cross, length, subtract } from './vec.js';

const FACING = 1e-4; // of the normal, towards the reader: what has less is seen from its side
const FOLD = 0.06; // of the size of a net
const CREASED = Math.cos((25 * Math.PI) / 180);

/** Turns z into an axis. */
function towards(geometry, axis) {
  return geometry.applyQuaternion(
    new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...axis).normalize()),
  );
}

/** A form's surface. @param {import('./forms.js').Form} form */
export function surfaceOf(form, flat) {
  const { kind, size, radius, axis, length } = form;
  let geometry;
  if (kind === 'mesh') return meshOf(form);
  if (kind === 'box') geometry = flat ? new PlaneGeometry(size[0], size[1]) : new BoxGeometry(...size);
  else if (flat) geometry = new CircleGeometry(radius, 96);
  else if (kind === 'sphere') geometry = new SphereGeometry(radius, 48, 32);
  else geometry = towards(new CylinderGeometry(radius, radius, length, 64).rotateX(Math.PI / 2), axis);
  if (form.turned) geometry.rotateZ(form.turned);
  return geometry.translate(...form.centre);
}

/** A stripe that shows how a round thing turns: across a disc, around a ball. */
export function stripeOf(form, flat) {
  const { kind, radius, axis, length } = form;
  if (kind === 'box' || kind === 'mesh') return null;
  if (flat)
    return new PlaneGeometry(0.86 * radius, 0.09 * radius).translate(0.43 * radius, 0, 0).translate(...form.centre);
  if (kind === 'sphere')
    return new CylinderGeometry(1.004 * radius, 1.004 * radius, 0.1 * radius, 64, 1, true).translate(...form.centre);
  return towards(new BoxGeometry(2.006 * radius, 0.1 * radius, 1.006 * length + 0.002 * radius), axis).translate(
    ...form.centre,
  );
}

/** The outline of a toothed wheel with z teeth about the origin; a tooth points along `phase`. */
export function toothed(radius, teeth, phase) {
  const half = 0.95 * (radius / teeth);
  const out = [];
  for (let k = 0; k < teeth; k++) {
    for (const [share, height] of [
      [-0.3, -1.15],
      [-0.13, 1],
      [0.13, 1],
      [0.3, -1.15],
    ]) {
      const angle = phase + ((k + share) * 2 * Math.PI) / teeth;
      const r = radius + 2 * half * height;
      out.push(new Vector2(r * Math.cos(angle), r * Math.sin(angle)));
    }
  }
  return out;
}

/** What lies inside an outline, or between it and a circle around it; thick in space. */
export function plateOf(outline, { around = 0, thick = 0, hole = 0 } = {}) {
  const shape = around > 0 ? new Shape().absarc(0, 0, around, 0, 2 * Math.PI, false) : new Shape(outline);
  if (around > 0) shape.holes.push(new Path(outline));
  else if (hole > 0) shape.holes.push(new Path().absarc(0, 0, hole, 0, 2 * Math.PI, true));
  if (!(thick > 0)) return new ShapeGeometry(shape, 48);
  return new ExtrudeGeometry(shape, { depth: thick, bevelEnabled: false, curveSegments: 48 }).translate(
    0,
    0,
    -thick / 2,
  );
}

/** A bar with teeth along x, from `low` to `high`: the pitch line is y = 0, the teeth point to +y. */
export function rackOf(low, high, pitch, deep) {
  const h = pitch / Math.PI;
  const points = [new Vector2(low, -deep)];
  const first = Math.ceil(low / pitch);
  const last = Math.floor(high / pitch);
  points.push(new Vector2(low, -1.15 * h));
  for (let k = first; k < last; k++) {
    const x = (k + 0.5) * pitch;
    points.push(
      new Vector2(x - 0.3 * pitch, -1.15 * h),
      new Vector2(x - 0.13 * pitch, h),
      new Vector2(x + 0.13 * pitch, h),
      new Vector2(x + 0.3 * pitch, -1.15 * h),
    );
  }
  points.push(new Vector2(high, -1.15 * h), new Vector2(high, -deep));
  return points;
}

/** Edges that hang together over some length: what is shorter are folds, which a net has where it was reduced. */
function longOnes(edges, at, least) {
  const parent = new Map();
  const rootOf = (i) => {
    let root = i;
    while (parent.has(root)) root = parent.get(root);
    for (let k = i; k !== root;) {
      const next = parent.get(k);
      parent.set(k, root);
      k = next;
    }
    return root;
  };
  for (const { ends } of edges) {
    const [a, b] = ends.map(rootOf);
    if (a !== b) parent.set(a, b);
  }
  const boxes = new Map();
  for (const { ends } of edges)
    for (const i of ends) {
      const root = rootOf(i);
      if (!boxes.has(root)) boxes.set(root, { low: [Infinity, Infinity], high: [-Infinity, -Infinity] });
      const { low, high } = boxes.get(root);
      const p = at(i);
      [0, 1].forEach((k) => ([low[k], high[k]] = [Math.min(low[k], p[k]), Math.max(high[k], p[k])]));
    }
  return edges.filter(({ ends }) => {
    const { low, high } = boxes.get(rootOf(ends[0]));
    return Math.hypot(high[0] - low[0], high[1] - low[1]) > least;
  });
}

/** Where two triangles of a net meet: what is an edge of it as it is seen from the front? */
function isSeen([first, second], whole) {
  const [a, b] = [first[2] > FACING, second !== undefined && second[2] > FACING];
  if (a !== b) return true; // the outline
  return whole && a && first[0] * second[0] + first[1] * second[1] + first[2] * second[2] < CREASED;
}

/**
 * The outline of a net in the plane, and the creases of what is in front where they are those of the file: a reduced net
 * has others. Pairs of places, in local coordinates.
 */
export function outlineOf({ net, scale, origin, radius }) {
  const { corners, indices } = net;
  const whole = !(net.original > indices.length / 3);
  const at = (i) => [0, 1, 2].map((k) => origin[k] + scale * corners[3 * i + k]);
  const edges = new Map();
  for (let t = 0; t + 2 < indices.length; t += 3) {
    const three = [0, 1, 2].map((k) => indices[t + k]);
    const [p, q, r] = three.map(at);
    const normal = cross(subtract(q, p), subtract(r, p));
    const size = length(normal);
    if (!(size > 0)) continue;
    const unit = normal.map((x) => x / size);
    three.forEach((a, k) => {
      const b = three[(k + 1) % 3];
      const key = Math.min(a, b) * (corners.length / 3) + Math.max(a, b);
      if (edges.has(key)) edges.get(key).normals.push(unit);
      else edges.set(key, { ends: [a, b], normals: [unit] });
    });
  }
  const seen = [...edges.values()].filter(({ normals }) => isSeen(normals, whole));
  if (!whole) return new Float32Array(longOnes(seen, at, FOLD * 2 * radius).flatMap(({ ends }) => ends.flatMap(at)));
  return new Float32Array(seen.flatMap(({ ends }) => ends.flatMap(at)));
}

/** A net from a file, in local coordinates; flat triangles, so that edges are seen. */
function meshOf({ net, scale, origin }) {
  const positions = new Float32Array(3 * net.indices.length);
  net.indices.forEach((corner, i) => {
    for (let k = 0; k < 3; k++) positions[3 * i + k] = origin[k] + scale * net.corners[3 * corner + k];
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.computeVertexNormals();
  return geometry;
}
