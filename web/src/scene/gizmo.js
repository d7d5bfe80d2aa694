/** A small sign in the corner: the axes as the camera sees them, and which way gravity pulls. */
import { Vector3 } from 'three';
import { svg } from '../ui/dom.js';

const REACH = 26;

export class Gizmo {
  constructor(model) {
    const axes = [
      ['x', [1, 0, 0]],
      ['y', [0, 1, 0]],
      ['z', [0, 0, 1]],
    ].slice(0, model.dimension === 2 ? 2 : 3);
    const g = model.gravity && Math.hypot(...model.gravity) > 0 ? new Vector3(...model.gravity).normalize() : null;
    this.element = svg('svg', { class: 'gizmo', viewBox: '-46 -46 92 92', 'aria-hidden': 'true' });
    this.items = axes.map(([name, d]) => this.makeItem(name, new Vector3(...d), `axis ${name}`));
    if (g) this.items.push(this.makeItem('g', g, 'gravity'));
  }

  makeItem(name, d, kind) {
    const line = svg('line', { x1: 0, y1: 0, class: kind });
    const tip = svg('path', { d: 'M0 0L-6 2.6L-6 -2.6Z', class: kind });
    const text = svg('text', { class: kind });
    text.textContent = name;
    const group = svg('g', {}, line, tip, text);
    this.element.append(group);
    return { d, line, tip, text, group, reach: kind === 'gravity' ? 0.82 * REACH : REACH, gravity: kind === 'gravity' };
  }

  update(camera) {
    const seen = this.items.map((item) => ({
      ...item,
      v: item.d.clone().transformDirection(camera.matrixWorldInverse),
    }));
    seen.sort((a, b) => a.v.z - b.v.z);
    for (const { line, tip, text, group, v, reach } of seen) {
      const [x, y] = [v.x * reach, -v.y * reach];
      const angle = (Math.atan2(y, x) * 180) / Math.PI;
      const short = Math.hypot(x, y) / reach;
      line.setAttribute('x2', x * 0.9);
      line.setAttribute('y2', y * 0.9);
      tip.setAttribute('transform', `translate(${x} ${y}) rotate(${angle}) scale(${Math.min(1, short * 1.6)})`);
      text.setAttribute('x', x * 1.38);
      text.setAttribute('y', y * 1.38 + 3.5);
      group.style.opacity = short < 0.12 ? 0 : 1;
      this.element.append(group);
    }
  }
}
