/**
 * Dragging a point of a mechanism that stands still: the engine moves everything else along, as far as the joints let it;
 * what is out of reach is drawn as a line to the hand. When it is let go, the run begins from there.
 */
import { Vector3 } from 'three';
import { readingOf } from '../reading.js';
import { svg } from '../ui/dom.js';

const MOVED = 4; // pixels before a press becomes a drag
const REACHED = 3; // pixels between point and hand that count as reached

export class Drag {
  /** @param {object} page the parts of the page @param {import('./live.js').Live} live */
  constructor(page, live) {
    this.page = page;
    this.live = live;
    this.stage = page.scene.stage;
    this.line = svg('line', { class: 'reach-line' });
    this.ring = svg('circle', { class: 'reach-ring', r: 9 });
    this.words = svg('text', { class: 'reach-words' });
    this.overlay = svg('svg', { class: 'reach', 'aria-hidden': 'true' }, this.line, this.ring, this.words);
    this.overlay.style.display = 'none';
    this.stage.element.append(this.overlay);
    const { element } = this.stage;
    element.addEventListener('pointerdown', (event) => this.press(event), true);
    element.addEventListener('pointermove', (event) => this.move(event), true);
    for (const end of ['pointerup', 'pointercancel']) element.addEventListener(end, () => this.release(), true);
  }

  place(event) {
    const box = this.stage.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** A press on a point that moves may become a drag. */
  press(event) {
    const { clock } = this.page;
    if (clock.playing || event.button !== 0 || event.target !== this.stage.canvas) return;
    const at = this.place(event);
    const i = this.stage.pick(...at, (point) => point.columns); // beneath one that is fixed as well
    if (i < 0) return;
    this.held = { i, at, gripped: null };
  }

  move(event) {
    if (!this.held) return;
    event.stopPropagation(); // neither the camera nor the names
    const at = this.place(event);
    if (!this.held.gripped && Math.hypot(at[0] - this.held.at[0], at[1] - this.held.at[1]) < MOVED) return;
    this.held.gripped ??= this.grip(this.held.i);
    this.follow(at);
  }

  /** Takes hold of the point where it is now. */
  async grip(i) {
    const { model, motion } = this.page;
    const moving = this.components(i).map((k) => model.columns[model.points[i].columns[k]].name);
    const place = {};
    model.columns.forEach(({ name, kind }, c) => {
      if (!['position', 'vector', 'angle', 'scalar'].includes(kind) || name.includes("'")) return;
      const value = readingOf(model, c, motion.time);
      if (Number.isFinite(value)) place[name] = value;
    });
    this.stage.canvas.style.cursor = 'grabbing';
    this.stage.hover?.(-1);
    return this.live.client.grip(moving, place, this.live.how);
  }

  /** The components of a point that the engine knows; the others stay. */
  components(i) {
    const { columns, points } = this.page.model;
    return [0, 1, 2].filter((k) => columns[points[i].columns[k]] && columns[points[i].columns[k]].kind !== 'hidden');
  }

  /** The place in the world below a place of the screen, as far away as the point is. */
  worldAt(i, [x, y]) {
    const { view, width, height, kit } = this.stage;
    const depth = new Vector3(...kit.point(i)).project(view.camera).z;
    const p = new Vector3((2 * x) / width - 1, 1 - (2 * y) / height, depth).unproject(view.camera);
    return this.components(i).map((k) => [p.x, p.y, p.z][k]);
  }

  /** Moves the mechanism after the hand. */
  async follow(at) {
    const held = this.held;
    held.hand = at;
    const { status, fault, why } = await held.gripped;
    if (status !== 0) return this.refuse(held, fault || why);
    if (this.held !== held) return;
    held.world = this.worldAt(held.i, held.hand);
    const answer = await this.live.client.drag(held.world);
    if (answer && Number.isFinite(answer.distance)) this.show(held, answer);
  }

  /** Says that a point cannot be dragged. */
  refuse(held, fault) {
    const { name } = this.page.model.points[held.i];
    this.live.tell(`${name} cannot be dragged${fault ? `: ${fault}` : ': nothing here can move it'}.`, true);
  }

  /** Draws where everything is, and the way that is left. */
  show(held, { positions }) {
    const { model, motion } = this.page;
    held.positions = positions;
    motion.pose(model.columns.map(({ name }) => positions[name]));
    this.stage.update();
    this.stage.view.update();
    this.stage.invalidate();
    const { labels } = this.stage.layers;
    const { camera } = this.stage.view;
    const from = labels.project(this.stage.kit.point(held.i), camera, this.stage.width, this.stage.height);
    const [x, y] = held.hand;
    held.far = from ? Math.hypot(from[0] - x, from[1] - y) > REACHED : false;
    this.overlay.style.display = held.far ? '' : 'none';
    this.stage.element.classList.toggle('out-of-reach', held.far);
    if (!held.far) return;
    const put = (element, values) => Object.entries(values).forEach(([k, v]) => element.setAttribute(k, v));
    put(this.line, { x1: from[0], y1: from[1], x2: x, y2: y });
    put(this.ring, { cx: x, cy: y });
    put(this.words, { x: x + 14, y: y - 10 });
    this.words.textContent = 'out of reach';
  }

  /** Lets go: the run begins where the mechanism is now. */
  async release() {
    const held = this.held;
    if (!held) return;
    this.held = null;
    if (!held.gripped) return;
    await held.gripped;
    await this.live.client.dragged;
    this.overlay.style.display = 'none';
    this.stage.element.classList.remove('out-of-reach');
    this.stage.canvas.style.cursor = '';
    if (held.positions) await this.live.startFrom(held.positions);
  }
}
