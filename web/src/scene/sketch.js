/** The mechanism in plain lines, where there is no WebGL: outlines, springs, points and names on a flat canvas. */
import { outlineOf } from './hull.js';
import { add, cross, dot, length, scale } from './vec.js';
import { el } from '../ui/dom.js';

const MOST_NAMES = 60;

export class Sketch {
  /** @param {import('../motion.js').Motion} motion @param {import('../theme.js').Theme} theme */
  constructor(model, motion, theme, clock, why) {
    Object.assign(this, { model, motion, theme, clock });
    this.canvas = el('canvas', { role: 'img', 'aria-label': `The mechanism in plain lines: ${model.title}` });
    this.element = el('div.stage', {}, this.canvas, el('p.room-note', { text: why, role: 'status' }));
    this.axes = this.viewAxes();
    motion.moveTo(model.table.start);
    this.edges = model.bodies.map((body) =>
      outlineOf(body.points.map((i) => this.point(i))).edges.map(([a, b]) => [body.points[a], body.points[b]]),
    );
    clock.addEventListener('time', () => this.draw());
    theme.addEventListener('change', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  point(i) {
    return [...this.motion.points.subarray(3 * i, 3 * i + 3)];
  }

  /** Right and up of the picture: x and y in the plane, from a corner in space. */
  viewAxes() {
    if (this.model.dimension === 2)
      return [
        [1, 0, 0],
        [0, 1, 0],
      ];
    const back = scale([0.62, -1, 0.52], 1 / length([0.62, -1, 0.52]));
    const right = cross([0, 0, 1], back);
    const unit = scale(right, 1 / length(right));
    return [unit, cross(back, unit)];
  }

  /** From the model to pixels: all of the motion in the picture. */
  fit(width, height) {
    const { low, high } = this.motion.bounds;
    const corners = Array.from({ length: 8 }, (_, k) => [0, 1, 2].map((c) => (k & (1 << c) ? high[c] : low[c])));
    const range = this.axes.map((u) => corners.map((p) => dot(p, u)));
    const [x, y] = range.map((list) => ({ low: Math.min(...list), high: Math.max(...list) }));
    const margin = 34;
    const per = Math.max(
      (x.high - x.low) / Math.max(40, width - 2 * margin),
      (y.high - y.low) / Math.max(40, height - 2 * margin),
      1e-12,
    );
    return (p) => [
      width / 2 + (dot(p, this.axes[0]) - (x.low + x.high) / 2) / per,
      height / 2 - (dot(p, this.axes[1]) - (y.low + y.high) / 2) / per,
    ];
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!(width > 0 && height > 0)) return;
    const ratio = Math.min(2, devicePixelRatio);
    Object.assign(this.canvas, { width: width * ratio, height: height * ratio });
    const ctx = this.canvas.getContext('2d');
    ctx.scale(ratio, ratio);
    ctx.lineCap = ctx.lineJoin = 'round';
    this.motion.moveTo(this.clock.time);
    const at = this.fit(width, height);
    const { colours } = this.theme;
    const css = (colour) => `#${colour.toString(16).padStart(6, '0')}`;
    const line = (a, b, colour, wide) => {
      const [p, q] = [at(a), at(b)];
      if (!Number.isFinite(p[0] + p[1] + q[0] + q[1])) return;
      ctx.strokeStyle = css(colour);
      ctx.lineWidth = wide;
      ctx.beginPath();
      ctx.moveTo(...p);
      ctx.lineTo(...q);
      ctx.stroke();
    };
    this.edges.forEach((edges, i) => {
      for (const [a, b] of edges) line(this.point(a), this.point(b), colours.bodies[i % colours.bodies.length], 7);
    });
    for (const { a, b } of this.model.links)
      this.zigzag(this.point(a), this.point(b), (p, q) => line(p, q, colours.spring, 1.5));
    this.drawPoints(ctx, at, css(colours.free));
  }

  /** A spring as it is drawn on paper. */
  zigzag(a, b, line) {
    const d = add(b, a, -1);
    const side = scale(add(scale(this.axes[1], dot(d, this.axes[0])), this.axes[0], -dot(d, this.axes[1])), 0.06);
    const at = (k) => add(add(a, d, k / 12), side, k === 0 || k === 12 ? 0 : k % 2 ? 1 : -1);
    for (let k = 0; k < 12; k++) line(at(k), at(k + 1));
  }

  drawPoints(ctx, at, ink) {
    ctx.fillStyle = ink;
    ctx.font = '12px sans-serif';
    this.model.points.forEach(({ name, fixed, particle }, i) => {
      const [x, y] = at(this.point(i));
      if (!Number.isFinite(x + y)) return;
      ctx.beginPath();
      if (fixed) ctx.rect(x - 4, y - 4, 8, 8);
      else ctx.arc(x, y, particle > 0 ? 7 : 3, 0, 2 * Math.PI);
      ctx.fill();
      if (i < MOST_NAMES) ctx.fillText(name.slice(0, 24), x + 7, y - 7);
    });
  }
}
