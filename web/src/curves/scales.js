/** Ranges and ticks of diagrams, and the line through pairs of numbers. */
import uPlot from 'uplot';

/** A range with some room; flat curves in the middle. */
export function padded(u, min, max) {
  if (!(min <= max)) return [-1, 1];
  const room = max > min ? 0.07 * (max - min) : Math.max(Math.abs(max) * 0.1, 1e-12);
  return [min - room, max + room];
}

/** A few whole powers of ten between two. */
export function powersOfTen(u, axis, min, max) {
  const low = Math.ceil(Math.log10(min) - 1e-9);
  const high = Math.floor(Math.log10(max) + 1e-9);
  const stride = Math.ceil((high - low + 1) / 6);
  return Array.from({ length: Math.floor((high - low) / stride) + 1 }, (_, i) => 10 ** (low + i * stride));
}

/** From a power of ten to a power of ten. */
export function logRange(u, min, max) {
  if (!(min > 0)) return [1e-17, 1];
  const low = Math.floor(Math.log10(min));
  const high = Math.ceil(Math.log10(Math.max(max, min)));
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}

/** A line from pair to pair, in the order of the rows. */
export function strokeThrough(u, index) {
  return uPlot.orient(u, index, (series, xs, ys, scaleX, scaleY, atX, atY, left, top, wide, high) => {
    const stroke = new Path2D();
    let pen = false;
    for (let i = 0; i < xs.length; i++) {
      const known = xs[i] !== null && ys[i] !== null;
      if (known) {
        const [x, y] = [atX(xs[i], scaleX, wide, left), atY(ys[i], scaleY, high, top)];
        if (pen) stroke.lineTo(x, y);
        else stroke.moveTo(x, y);
      }
      pen = known;
    }
    return { stroke, fill: null, clip: null, flags: 0 };
  });
}
