/** Lines and points on a canvas, in the colours of the page. */
import { el } from '../ui/dom.js';

export const short = (x) => (x === null || !Number.isFinite(x) ? '–' : Number(x.toPrecision(5)).toString());

/** For margins. */
const brief = (x) => Number(x.toPrecision(3)).toString();

/** Smallest and largest finite value; never an empty range. */
export function rangeOf(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v === null || !Number.isFinite(v)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (low > high) return [0, 1];
  if (low === high) return [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
  return [low, high];
}

/** A canvas that is sharp on any screen and drawn anew when its size or the theme changes. */
export function board(label, height, paint) {
  const canvas = el('canvas', { role: 'img', 'aria-label': label });
  canvas.style.height = `${height}px`;
  const draw = () => {
    const width = canvas.clientWidth;
    if (width === 0) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const pen = canvas.getContext('2d');
    pen.scale(scale, scale);
    pen.font = '12px system-ui, sans-serif';
    const style = getComputedStyle(document.documentElement);
    const color = (name) => resolve(canvas, style.getPropertyValue(name));
    paint(pen, width, height, color);
    canvas.dataset.drawn = 'yes';
  };
  new ResizeObserver(draw).observe(canvas);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  return { canvas, draw };
}

/** light-dark() and the like as a colour that a canvas knows. */
function resolve(canvas, text) {
  canvas.style.color = text;
  const color = getComputedStyle(canvas).color;
  canvas.style.color = '';
  return color;
}

/** Where the mouse or a finger is, in units of the canvas. */
export function place(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** A frame with numbers at its corners; returns the maps from values to the canvas. */
export function frame(pen, width, height, color, [x0, x1], [y0, y1], names) {
  const left = 58;
  const right = width - 10;
  const top = 8;
  const bottom = height - 24;
  pen.strokeStyle = color('--line');
  pen.strokeRect(left, top, right - left, bottom - top);
  pen.fillStyle = color('--muted');
  pen.textAlign = 'right';
  pen.fillText(brief(y1), left - 5, top + 9);
  pen.fillText(brief(y0), left - 5, bottom);
  pen.textAlign = 'left';
  pen.fillText(short(x0), left, bottom + 15);
  pen.textAlign = 'right';
  pen.fillText(short(x1), right, bottom + 15);
  pen.textAlign = 'center';
  pen.fillText(names[0], (left + right) / 2, bottom + 15);
  pen.save();
  pen.translate(12, (top + bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(names[1], 0, 0);
  pen.restore();
  return [
    (x) => left + ((x - x0) / (x1 - x0)) * (right - left),
    (y) => bottom - ((y - y0) / (y1 - y0)) * (bottom - top),
  ];
}

/** A line through points; gaps where a value is missing. */
export function line(pen, points) {
  let down = false;
  pen.beginPath();
  for (const [x, y] of points) {
    if (!Number.isFinite(y) || !Number.isFinite(x)) {
      down = false;
      continue;
    }
    if (down) pen.lineTo(x, y);
    else pen.moveTo(x, y);
    down = true;
  }
  pen.stroke();
}
