/**
 * Names beside points, as text over the picture; where they would cover each other, values go down a line and of names
 * only the first is shown.
 */
import { Vector3 } from 'three';
import { el } from '../ui/dom.js';

const MOST = 160; // labels at a time
const HEIGHT = 15; // pixels
const LETTER = 7.4; // pixels, about
const GAP = 5; // pixels between names of one line
const BELOW = 3; // lines that values below a point may take

export class Labels {
  /** @param {HTMLElement} layer @param {import('./kit.js').Kit} kit @param {{text: string, at: () => number[], kind: string, below?: boolean}[]} extra
   *  @param {number[]} radii of what is drawn at each point */
  constructor(layer, kit, extra, radii) {
    this.layer = layer;
    this.kit = kit;
    this.visible = true;
    this.pool = [];
    this.projected = new Vector3();
    const { points, joints } = kit.model;
    const jointed = new Set(joints.flatMap((j) => [j.at, j.other]));
    const rank = (i) => (points[i].particle ? 0 : jointed.has(i) ? 1 : 2);
    const order = points.map((_, i) => i).sort((a, b) => rank(a) - rank(b) || a - b);
    this.entries = [
      ...extra,
      ...order.map((i) => ({ text: shorten(points[i].name), at: () => kit.point(i), kind: 'name', radius: radii[i] })),
    ];
  }

  /** Where a place is on the screen, in pixels; nothing if it is behind the camera. */
  project(p, camera, width, height) {
    const v = this.projected.set(p[0], p[1], p[2]);
    if (!Number.isFinite(v.x + v.y + v.z)) return null;
    v.project(camera);
    if (v.z > 1 || v.z < -1 || Math.abs(v.x) > 1.05 || Math.abs(v.y) > 1.05) return null;
    return [((v.x + 1) * width) / 2, ((1 - v.y) * height) / 2];
  }

  /** Pixels per unit of length at a place. */
  scaleAt(p, camera, height) {
    if (camera.isOrthographicCamera) return (height * camera.zoom) / (camera.top - camera.bottom);
    const away = this.projected.set(p[0], p[1], p[2]).distanceTo(camera.position);
    return height / (2 * away * Math.tan((camera.fov * Math.PI) / 360));
  }

  update(camera, width, height) {
    const taken = [];
    let used = 0;
    if (this.visible) {
      for (const entry of this.entries) {
        if (used >= MOST) break;
        const text = typeof entry.text === 'function' ? entry.text() : entry.text;
        const at = text === '' ? null : this.project(entry.at(), camera, width, height);
        if (!at) continue;
        const off = 5 + 0.75 * (entry.radius ?? 0) * this.scaleAt(entry.at(), camera, height);
        const first = [at[0] + off, entry.below ? at[1] + off : at[1] - off - HEIGHT + 3, text.length * LETTER, HEIGHT];
        const box = placeFor(first, entry.below ? BELOW : 1, taken);
        if (!box) continue;
        taken.push(box);
        this.write(used++, { ...entry, text }, box);
      }
    }
    for (let i = used; i < this.pool.length; i++) this.pool[i].hidden = true;
  }

  write(i, entry, box) {
    const span = this.pool[i] ?? this.layer.appendChild(el('span'));
    this.pool[i] = span;
    span.hidden = false;
    if (span.textContent !== entry.text) span.textContent = entry.text;
    span.className = `label ${entry.kind}`;
    span.style.transform = `translate(${box[0].toFixed(1)}px, ${box[1].toFixed(1)}px)`;
  }

  dispose() {
    this.layer.replaceChildren();
  }
}

/** The first free place for a label, going down line by line; null where all of some are taken. */
function placeFor([x, y, wide, high], lines, taken) {
  for (let line = 0; line < lines; line++) {
    const top = y + line * high;
    const isTaken = taken.some(
      ([a, b, w, h]) => x < a + w + GAP && a < x + wide + GAP && top < b + h && b < top + high,
    );
    if (!isTaken) return [x, top, wide, high];
  }
  return null;
}

function shorten(text) {
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}
