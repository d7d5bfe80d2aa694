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
