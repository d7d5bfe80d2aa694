/** Vectors of three numbers. */
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const distance = (a, b) => length(subtract(a, b));
export const direction = (a, b) => scale(subtract(b, a), 1 / distance(a, b));
/** The distance of two points, or the angle at the middle one of three, in degrees. */
export function measured(p, q, r) {
  if (!r) return distance(p, q);
  const [a, b] = [subtract(p, q), subtract(r, q)];
  return (Math.acos(Math.min(1, Math.max(-1, dot(a, b) / (length(a) * length(b))))) * 180) / Math.PI;
}
/** What is left of a across the unit vector u. */
export const reject = (a, u) => add(a, u, -dot(a, u));
