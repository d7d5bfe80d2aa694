/** Where a point is in the axes of a body; on the ground, in the world. */
const full = (v) => [v?.[0] ?? 0, v?.[1] ?? 0, v?.[2] ?? 0];

export function localOf(kit, body, point) {
  if (body < 0) return kit.point(point);
  const { points, local } = kit.model.bodies[body];
  const k = points.indexOf(point);
  return k >= 0 && local[k] ? full(local[k]) : null;
}
