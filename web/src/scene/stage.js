/** The drawing as a whole: renderer, light, all parts, and when they are drawn again. */
import { Color, DirectionalLight, HemisphereLight, PCFSoftShadowMap, Scene, WebGLRenderer } from 'three';
import { Centroids, Forces, Frames, Vectors, forceLabels } from './arrows.js';
import { Bodies } from './bodies.js';
import { Contacts } from './contacts.js';
import { Drivers } from './drivers.js';
import { Ghost } from './ghost.js';
import { Gizmo } from './gizmo.js';
import { FloorGrid, PaperGrid } from './grid.js';
import { Ground } from './ground.js';
import { Joints } from './joints.js';
import { Kit } from './kit.js';
import { Labels } from './labels.js';
import { Legs } from './legs.js';
import { Loads } from './loads.js';
import { Measures, addColumn } from './measure.js';
import { bodyAt } from './pickbody.js';
import { Points } from './points.js';
import { Rolling } from './rolling.js';
import { Solids } from './solids.js';
import { Springs } from './springs.js';
import { Trails, firstTrail } from './trails.js';
import { View } from './view.js';
import { across } from './batch.js';
import { add } from './vec.js';
import { el } from '../ui/dom.js';

const PICK = 14; // pixels around a point where a click means it

export class Stage {
  /** @param {import('../motion.js').Motion} motion @param {import('../theme.js').Theme} theme */
  constructor(model, motion, theme) {
    this.model = model;
    this.motion = motion;
    this.theme = theme;
    this.canvas = el('canvas', { role: 'img', 'aria-label': `The mechanism: ${model.title}` });
    this.labelLayer = el('div.labels');
    this.gizmo = new Gizmo(model);
    this.bar = el('div.scalebar', { hidden: true });
    this.key = el('div.force-key', { hidden: true });
    this.element = el('div.stage', {}, this.canvas, this.labelLayer, this.gizmo.element, this.bar, this.key);
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true });
    this.renderer.debug.checkShaderErrors = false; // asking makes the first picture wait
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.shadowMap.enabled = model.dimension === 3;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    this.scene = new Scene();
    this.shown = {};
    this.time = model.table.backwards ? model.table.end : model.table.start;
    this.frames = 0;
    this.drawn = null; // the kit of the last picture, ...
    this.retire = null; // ... and what becomes of it when another one is drawn
    const first = model.modes ? -1 : firstTrail(model, motion);
    this.chosen = new Set(first >= 0 ? [first] : []);
    this.measures = [];
    this.picked = []; // points, while something is measured
    this.measuring = false;
    this.build();
    this.view = new View(this.canvas, model, motion, { up: this.kit.up, air: 4.5 * this.kit.unit }, () =>
      this.invalidate(),
    );
    theme.addEventListener('change', () => this.rebuild());
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.watchPointer();
  }

  /** Makes all parts in the colours of the theme. */
  build() {
    const kit = new Kit(this.model, this.motion, this.theme.colours);
    this.kit = kit;
    this.ground = new Ground(kit);
    this.solids = new Solids(kit);
    this.rolling = new Rolling(kit);
    this.points = new Points(kit);
    this.joints = new Joints(kit);
    const loads = new Loads(kit);
    const drivers = new Drivers(kit);
    const measures = new Measures(kit, this.measures);
    const forces = new Forces(kit, 'links');
    const reactions = new Forces(kit, 'joints');
    this.layers = {
      labels: new Labels(
        this.labelLayer,
        kit,
        [
          ...this.joints.gaps(),
          ...measures.labels(),
          ...loads.labels(),
          ...drivers.labels(),
          ...this.loadNames(),
          ...forceLabels(forces, reactions),
        ],
        this.model.points.map((_, i) => this.points.roomAt(i)),
      ),
      trails: new Trails(kit, this.chosen),
      vectors: new Vectors(kit),
      frames: new Frames(kit),
      centroids: new Centroids(kit),
      forces,
      reactions,
      loads,
      drivers,
      measures,
      grid: kit.flat ? new PaperGrid(kit) : new FloorGrid(kit),
    };
    for (const [name, visible] of Object.entries(this.shown)) this.layers[name].visible = visible;
    this.legs = new Legs(kit);
    this.bodies = new Bodies(kit, this.solids.replaced);
    this.moving = [
      this.solids,
      this.bodies,
      this.legs,
      this.points,
      this.joints,
      new Springs(kit),
      new Contacts(kit),
      this.layers.vectors,
      this.layers.frames,
      this.layers.centroids,
      this.layers.forces,
      this.layers.reactions,
      loads,
      drivers,
      measures,
      this.layers.trails,
      ...(this.motion.rest ? [new Ghost(kit)] : []),
    ];
    kit.finish();
    this.ground.place();
    this.rolling.place();
    this.scene.background = new Color(this.theme.colours.paper);
    this.scene.add(kit.group);
    if (!kit.flat) this.light();
    this.motion.moveTo(this.time); // the parts were made as they are at the start
    this.update();
  }

  /** Forces and torques of the model, as names below where they act. */
  loadNames() {
    const { loads } = this.model;
    return loads
      .filter((l) => l.at >= 0 && l.columns.length === 0)
      .slice(0, 40)
      .map(({ kind, name, at }) => ({
        kind: 'load',
        text: `${kind === 'torque' ? '↻' : '→'} ${name}`.slice(0, 24),
        at: () => this.kit.point(at),
        radius: this.kit.unit,
        below: true,
      }));
  }

  /** Soft light from the sky, and a sun from behind the reader's left shoulder. */
  light() {
    const { kit } = this;
    const { colours, size, up } = kit;
    const { low, high } = this.motion.bounds;
    const middle = low.map((x, k) => (x + high[k]) / 2);
    const [u, v] = across(...up);
    const sun = new DirectionalLight(0xffffff, colours.sun);
    const from = add(add(add(middle, up, 1.7 * size), u, -0.5 * size), v, 0.75 * size);
    sun.position.set(...from);
    sun.target.position.set(...middle);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.radius = 5;
    sun.shadow.bias = -0.0006;
    sun.shadow.normalBias = 0.3 * kit.unit;
    Object.assign(sun.shadow.camera, {
      left: -size,
      right: size,
      top: size,
      bottom: -size,
      near: 0.01 * size,
      far: 5 * size,
    });
    kit.group.add(sun, sun.target, new HemisphereLight(colours.sky, colours.floor, colours.fill));
    kit.group.children.at(-1).position.set(...up);
    this.sun = sun;
  }

  /**
   * Makes all parts anew. What is drawn now goes after the next picture: as long as it is there, the graphics card keeps
   * its programs, and they need not be made again for every run.
   */
  rebuild() {
    const { bodies, solids, sun, kit } = this;
    const { labels, ...layers } = this.layers;
    const retire = () => {
      for (const part of [bodies, solids, ...Object.values(layers)]) part.dispose?.();
      sun?.shadow.dispose();
      kit.dispose();
    };
    labels.dispose();
    kit.group.removeFromParent();
    if (this.drawn === kit) this.retire = retire;
    else retire(); // no picture has it
    this.build();
    this.invalidate();
  }

  /** Draws the mechanism as it is at a time. */
  moveTo(t) {
    this.time = t;
    this.motion.moveTo(t);
    this.update();
    this.view.update();
    this.invalidate();
  }

  update() {
    for (const part of this.moving) part.update();
    this.kit.commit();
  }

  /** Forgets what was chosen by numbers of points: they are other ones now. */
  forget() {
    this.chosen.clear();
    this.measures.splice(0);
    this.picked = [];
  }

  /** Shows or hides a layer. */
  show(name, visible) {
    this.shown[name] = visible;
    this.layers[name].visible = visible;
    this.update();
    this.invalidate();
  }

  toggleTrail(i) {
    if (this.model.modes) return; // nothing goes anywhere
    this.layers.trails.toggle(i);
    this.update();
    this.invalidate();
  }

  /** Asks for one picture, soon. */
  invalidate() {
    this.stale = true;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.stale) this.draw(); // a film has drawn it already
    });
  }

  draw() {
    this.stale = false;
    const { width, height } = this;
    if (!(width > 0 && height > 0)) return;
    this.layers.grid.update(this.view, height);
    this.renderer.render(this.scene, this.view.camera);
    this.drawn = this.kit;
    this.retire?.();
    this.retire = null;
    this.layers.labels.update(this.view.camera, width, height);
    this.gizmo.update(this.view.camera);
    this.drawBar();
    this.drawKey();
    if (this.frames++ === 0) this.firstFrame = performance.now();
  }

  /** A measure for the plane. */
  drawBar() {
    const { perPixel, visible } = this.layers.grid;
    this.bar.hidden = !(perPixel > 0 && visible);
    if (this.bar.hidden) return;
    const step = 10 ** Math.floor(Math.log10(130 * perPixel));
    const long = step * ([5, 2, 1].find((m) => m * step <= 130 * perPixel) ?? 1);
    this.bar.style.width = `${long / perPixel}px`;
    this.bar.textContent = `${Number(long.toPrecision(1))} m`;
  }

  /** How long an arrow is for how large a force. */
  drawKey() {
    const { kit, layers } = this;
    const shown = [layers.loads, layers.reactions, layers.forces].find((l) => l.visible && l.key);
    this.key.hidden = !shown;
    if (!shown) return;
    const middle = kit.motion.bounds.low.map((x, k) => (x + kit.motion.bounds.high[k]) / 2);
    const pixels = shown.key.length * layers.labels.scaleAt(middle, this.view.camera, this.height);
    this.key.style.width = `${Math.round(Math.min(pixels, 0.4 * this.width))}px`;
    this.key.textContent = `${Number(shown.key.size.toPrecision(3))} N`;
    this.key.dataset.kind = shown.key.kind;
  }

  resize() {
    this.resizeTo(this.element.clientWidth, this.element.clientHeight);
  }

  /** Draws so many pixels, whatever the page has room for. */
  resizeTo(width, height) {
    this.width = width;
    this.height = height;
    if (!(this.width > 0 && this.height > 0)) return;
    this.renderer.setSize(this.width, this.height, false);
    if (!this.kit.flat) this.view.camera.aspect = this.width / this.height;
    this.view.resize(this.width, this.height);
    this.draw();
  }

  /** The point at a place of the screen, or -1. */
  pick(x, y, wanted = () => true) {
    let best = -1;
    let nearest = PICK;
    for (let i = 0; i < this.model.points.length; i++) {
      if (!wanted(this.model.points[i])) continue;
      const at = this.layers.labels.project(this.kit.point(i), this.view.camera, this.width, this.height);
      const d = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
      if (d < nearest) [best, nearest] = [i, d];
    }
    return best;
  }

  /** One more point of a measure: two are a distance, a third one makes an angle of it. */
  measurePoint(i) {
    if (this.picked.at(-1) === i) return;
    this.picked.push(i);
    if (this.picked.length > 1) this.addMeasure([...this.picked]);
    if (this.picked.length === 3) this.picked = [];
  }

  /** Draws a distance or an angle, and adds its column. @returns {number} the column */
  addMeasure(points) {
    const column = addColumn(this.model, points);
    this.measures.push(points);
    if (this.measures.length > 20) this.measures.shift();
    this.update();
    this.invalidate();
    this.measured?.(column);
    return column;
  }

  /** Hovering names a point, clicking it draws its path. */
  watchPointer() {
    let down = null;
    const place = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.canvas.addEventListener('pointerdown', (event) => {
      down = place(event);
    });
    this.canvas.addEventListener('pointerup', (event) => {
      const at = place(event);
      if (!down || Math.hypot(at[0] - down[0], at[1] - down[1]) > 4) return;
      const i = this.pick(...at);
      if (i >= 0 && this.measuring) return this.measurePoint(i);
      if (i >= 0) return this.toggleTrail(i);
      this.chooseBody?.(bodyAt(this, ...at));
    });
    this.canvas.addEventListener('pointermove', (event) => {
      if (event.buttons) return this.hover?.(-1);
      const at = place(event);
      const i = this.pick(...at);
      const body = i < 0 ? bodyAt(this, ...at) : -1;
      this.canvas.style.cursor = i >= 0 || body >= 0 ? 'pointer' : '';
      this.hover?.(i, at, body);
    });
    this.canvas.addEventListener('pointerleave', () => this.hover?.(-1));
  }
}
