/** Where the local axes of a body are now, from what is known of its points and vectors. */
import { Matrix4 } from 'three';
import { across } from './batch.js';
import { add, cross, dot, length, scale, subtract } from './vec.js';

const full = (v) => [v?.[0] ?? 0, v?.[1] ?? 0, v?.[2] ?? 0];

/** Unit vectors at right angles: the first along a, the second in the plane of a and b. */
function basis(a, b) {
  const x = scale(a, 1 / length(a));
  const off = add(b, x, -dot(b, x));
  const y = scale(off, 1 / length(off));
  return [x, y, cross(x, y)];
}

/** Which elements of a body span its frame; made once. */
function frameOf(body, flat) {
  const known = [
    ...body.points.slice(1).map((p, k) => ({ point: p, local: full(body.local[k + 1]) })),
    ...body.vectors.map((v, k) => ({ vector: v, local: full(body.local[body.points.length + k]) })),
  ].filter((d) => length(d.local) > 0);
  const first = known[0];
  if (!first) return null;
  const second = flat
    ? null
    : known.find((d) => length(cross(first.local, d.local)) > 1e-6 * length(first.local) * length(d.local));
  const partner = second?.local ?? (flat ? [-first.local[1], first.local[0], 0] : across(...unit(first.local))[0]);
  return { first, second, local: basis(first.local, partner) };
}

const unit = (v) => scale(v, 1 / length(v));

export class Pose {
  /** @param {import('./kit.js').Kit} kit @param {object} body */
  constructor(kit, body) {
    this.kit = kit;
    this.origin = body.points[0];
    this.frame = frameOf(body, kit.flat);
    this.matrix = new Matrix4();
  }

  /** Local to world now; null where the body has no place. */
  now() {
    const { kit, frame } = this;
    if (!frame || this.origin === undefined) return null;
    const o = kit.point(this.origin);
    const seen = (d) => (d.vector === undefined ? subtract(kit.point(d.point), o) : kit.vector(d.vector));
    const a = seen(frame.first);
    if (!a || !(length(a) > 0)) return null;
    const b = frame.second ? seen(frame.second) : kit.flat ? [-a[1], a[0], 0] : across(...unit(a))[0];
    if (!b) return null;
    const world = basis(a, b);
    const r = [0, 1, 2].map((i) =>
      [0, 1, 2].map((j) => [0, 1, 2].reduce((s, k) => s + world[k][i] * frame.local[k][j], 0)),
    );
    if (!r.flat().every(Number.isFinite) || !o.every(Number.isFinite)) return null;
    this.matrix.set(...r[0], o[0], ...r[1], o[1], ...r[2], o[2], 0, 0, 0, 1);
    return this.matrix;
  }
}
