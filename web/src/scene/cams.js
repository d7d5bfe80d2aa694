/** Cams and guides: the curves that points are on, in the axes of the body that has them. */
import { CatmullRomCurve3, Matrix4, TubeGeometry, Vector2, Vector3 } from 'three';
import { localOf } from './local.js';
import { plateOf } from './nets.js';

/** A line of some width in the plane, from left and right of it; a tube in space. */
function wireOf(kit, points, closed) {
  const width = 0.28 * kit.unit;
  if (!kit.flat) {
    const path = new CatmullRomCurve3(
      points.map((p) => new Vector3(p[0], p[1], p[2] ?? 0)),
      closed,
    );
    return new TubeGeometry(path, 2 * points.length, width, 8, closed);
  }
  const side = (k, sign) => {
    const [a, b] = [points[Math.max(0, k - 1)], points[Math.min(points.length - 1, k + 1)]];
    const n = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    return new Vector2(
      points[k][0] - (sign * width * (b[1] - a[1])) / n,
      points[k][1] + (sign * width * (b[0] - a[0])) / n,
    );
  };
  const all = points.map((_, k) => k);
  return plateOf([...all.map((k) => side(k, 1)), ...all.toReversed().map((k) => side(k, -1))]);
}

/** The surfaces of all curves. */
export function cams(kit) {
  return kit.model.joints.flatMap((joint) => {
    const { points, closed } = joint.curve ?? {};
    const good = points?.length > 2 && points.every((p) => p.every(Number.isFinite));
    if (!good || joint.at < 0) return [];
    const body = joint.bodies[0] ?? -1;
    const at = localOf(kit, body, joint.at);
    if (!at) return [];
    const place = new Matrix4().setPosition(...at);
    if (kit.flat && closed && body >= 0)
      return [{ body, surface: plateOf(points.map((p) => new Vector2(p[0], p[1]))), place, replaces: true }];
    return [
      {
        body,
        surface: wireOf(kit, closed ? [...points, points[0]] : points, false),
        place,
        outlined: false,
        dark: true,
      },
    ];
  });
}
