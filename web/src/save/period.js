/** The period of a motion, from what is drawn: when all points are again where they were, and go the same way. */

const NEAR = 0.15; // of the size: worth a closer look ...
const SAME = 0.01; // ... and the same place
const LATER = [0.1, 0.25, 0.5, 0.75]; // shares of a period behind it that must be the same, too

/** Where everything is at a time: points, and directions as long as the whole is large. */
function stateAt(motion, t, size) {
  motion.moveTo(t);
  return Float64Array.from([...motion.points, ...Array.from(motion.vectors, (x) => size * x)]);
}

/** The largest difference of two places, as a share of the size; what has no value is left aside. */
function apart(a, b, size) {
  let most = 0;
  for (let i = 0; i < a.length; i++) {
    const d = Math.abs(a[i] - b[i]);
    if (d > most) most = d;
  }
  return most / size;
}

/** The least of a function between two places, by golden sections. */
function leastOf(f, low, high) {
  const share = (Math.sqrt(5) - 1) / 2;
  let [a, b] = [low, high];
  for (let k = 0; k < 50; k++) {
    const [c, d] = [b - share * (b - a), a + share * (b - a)];
    if (f(c) < f(d)) b = d;
    else a = c;
  }
  return (a + b) / 2;
}

/**
 * @param {import('../motion.js').Motion} motion it is left at another time
 * @param {number} from @param {number} end of the run @returns {number} NaN: none is found
 */
export function periodOf(motion, from, end) {
  const times = new Set([...motion.model.table.times, ...motion.run.times]);
  const { low, high } = motion.bounds;
  const size = Math.hypot(...high.map((x, k) => x - low[k])) || 1;
  const first = stateAt(motion, from, size);
  const off = (t) => apart(first, stateAt(motion, t, size), size);
  const later = [...times].filter((t) => (end > from ? t > from && t <= end : t < from && t >= end));
  later.sort((a, b) => Math.abs(a - from) - Math.abs(b - from));
  const same = (period) =>
    LATER.map((s) => [from + s * period, from + (1 + s) * period])
      .filter(([, t]) => Math.abs(t - from) <= Math.abs(end - from))
      .every(([s, t]) => apart(stateAt(motion, s, size), stateAt(motion, t, size), size) < 2 * SAME);
  const sameWay = (period) => {
    const step = 1e-3 * period;
    const ahead = stateAt(motion, from + step, size);
    const [before, now] = [stateAt(motion, from + period - step, size), stateAt(motion, from + period, size)];
    const moved = ahead.map((x, i) => x - first[i]);
    const arrived = now.map((x, i) => x - before[i]);
    return apart(moved, arrived, size) < 0.3 * apart(ahead, first, size) + 1e-5;
  };
  let [left, before, last] = [false, from, Infinity];
  for (let k = 0; k < later.length; k++) {
    const d = off(later[k]);
    left ||= d > NEAR;
    const next = later[Math.min(k + 1, later.length - 1)];
    if (left && d < NEAR && d <= last && d <= off(next)) {
      const t = leastOf(off, before, next);
      if (off(t) < SAME && same(t - from) && sameWay(t - from)) return t - from;
    }
    [before, last] = [later[k], d];
  }
  return NaN;
}
