/** The camera: a flat drawing for the plane, an orbit for space; fitting, presets, following a body. */
import { MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { across } from './batch.js';
import { add, cross, scale } from './vec.js';
import { FAR, diagonalOf } from '../motion.js';

const ANGLE = 28; // of the lens, in degrees: long, so that parallels look so
const MARGIN = 24; // pixels around a flat drawing
const TOOLS = 28; // and more above it

export class View {
  /**
   * @param {HTMLElement} element where the pointer acts
   * @param {{up: number[], air: number}} frame what is up, and how much room things need around their points
   * @param {() => void} changed
   */
  constructor(element, model, motion, { up, air }, changed) {
    this.flat = model.dimension === 2;
    this.up = up;
    this.air = air;
    this.motion = motion;
    this.changed = changed;
    this.aspect = 1;
    this.width = this.pixels = 1; // of the picture
    this.following = -1;
    this.near = false;
    this.camera = this.flat ? new OrthographicCamera() : new PerspectiveCamera(ANGLE, 1, 0.01, 1000);
    this.camera.up.set(...up);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    if (this.flat) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.PAN };
      this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    this.controls.addEventListener('change', changed);
    this.fitted = true;
    this.looking = null; // the preset, until the camera is turned
    this.controls.addEventListener('start', () => {
      this.fitted = false;
      this.looking = null;
    });
    this.direction = this.presets().iso;
    this.begin();
  }

  /** Directions from the target to the camera. */
  presets() {
    if (this.flat) return { iso: [0, 0, 1] };
    const [right, other] =
      this.up[2] !== 0
        ? [
            [1, 0, 0],
            [0, -1, 0],
          ]
        : sides(this.up);
    const front = other;
    return {
      front,
      side: right,
      top: add(this.up, front, 1e-4),
      iso: add(add(scale(front, 1.0), right, 0.62), this.up, 0.52),
    };
  }

  /** Looks from a preset at the whole motion. */
  look(name) {
    this.direction = this.presets()[name] ?? this.direction;
    this.fit();
    this.looking = name;
    this.looked?.();
  }

  /**
   * Where the reader begins: where the mechanism goes much farther than it is large, with its heaviest body; where only
   * something that it throws does, at the mechanism. Otherwise, and by `fit`, all of the motion is seen.
   */
  begin() {
    const { core, bounds, model } = this.motion;
    if (this.goesFar) {
      const masses = model.bodies.map((b) => (b.points.some((p) => model.points[p].columns) ? (b.mass ?? 0) : -1));
      this.following = masses.indexOf(Math.max(...masses));
    } else if (core && diagonalOf(bounds) > FAR * diagonalOf(core)) this.near = true;
  }

  /** Does the mechanism as a whole go much farther than it is large? */
  get goesFar() {
    const { core } = this.motion;
    return core !== null && diagonalOf(core) > FAR * core.extent;
  }

  /** What is to be seen: around the followed body the mechanism, else all of the motion. */
  frame() {
    const { core, bounds } = this.motion;
    if (this.following >= 0 && this.goesFar) {
      const half = [0, 1, 2].map((k) => (k < this.motion.model.dimension ? 0.4 * core.extent + this.air : 0));
      return { middle: [0, 0, 0], half, reach: Math.hypot(...half) };
    }
    const { low, high } = this.near ? core : bounds;
    const middle = low.map((x, k) => (x + high[k]) / 2);
    const half = high.map((x, k) => (x - low[k]) / 2 + this.air);
    return { middle, half, reach: Math.hypot(...half) || 1 };
  }

  fit(whole = true) {
    if (whole) this.near = false;
    const { middle, half, reach } = this.frame();
    if (this.following >= 0) this.last = this.followed();
    const target = this.following >= 0 ? (this.last ?? middle) : middle;
    this.controls.target.set(...target);
    if (this.flat) this.fitFlat(target, half, reach);
    else this.fitSpace(target, half, reach);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.fitted = true;
    this.changed();
  }

  /** All of the motion between the margins: the tools above, some air around. */
  fitFlat(target, half, reach) {
    const wide = Math.max(60, this.width - 2 * MARGIN);
    const high = Math.max(60, this.pixels - 2 * MARGIN - TOOLS);
    const perPixel = Math.max((2 * half[0]) / wide, (2 * half[1]) / high, (0.3 * reach) / Math.min(wide, high));
    this.height = (perPixel * this.pixels) / 2;
    this.camera.zoom = 1;
    this.camera.near = 0;
    this.camera.far = 200 * reach;
    this.controls.target.y += (perPixel * TOOLS) / 2;
    this.camera.position.set(target[0], this.controls.target.y, 100 * reach);
    this.setFrustum();
  }

  /** Far enough back that every corner of the box around the motion is in the picture. */
  fitSpace(target, half, reach) {
    const slope = Math.tan((ANGLE * Math.PI) / 360) * 0.94; // the box is larger than what moves in it
    const back = new Vector3(...this.direction).normalize();
    const right = new Vector3(...this.up).cross(back).normalize();
    const above = back.clone().cross(right);
    let away = 0.6 * reach;
    for (let corner = 0; corner < 8; corner++) {
      const p = new Vector3(...half.map((h, k) => (corner & (1 << k) ? h : -h)));
      away = Math.max(
        away,
        p.dot(back) + Math.abs(p.dot(above)) / slope,
        p.dot(back) + Math.abs(p.dot(right)) / (slope * this.aspect),
      );
    }
    this.camera.position.set(...target).addScaledVector(back, away);
    this.camera.near = away / 200;
    this.camera.far = away * 20;
    this.controls.minDistance = away / 60;
    this.controls.maxDistance = away * 6;
  }

  setFrustum() {
    const h = this.height;
    Object.assign(this.camera, { left: -h * this.aspect, right: h * this.aspect, top: h, bottom: -h });
  }

  resize(width, height) {
    this.width = width;
    this.pixels = height;
    this.aspect = width / Math.max(1, height);
    if (this.fitted) return this.fit(false);
    if (this.flat) this.setFrustum();
    else this.camera.aspect = this.aspect;
    this.camera.updateProjectionMatrix();
  }

  /** Puts a body into the middle and follows it (-1: none). */
  follow(body) {
    this.following = body;
    this.last = this.followed();
    if (this.fitted && this.goesFar) return this.fit(false);
    if (this.last) this.shift(new Vector3(...this.last).sub(this.controls.target));
  }

  /** Where the followed body is: the mean of its points. */
  followed() {
    const body = this.motion.model.bodies[this.following];
    if (!body?.points.length) return null;
    const p = this.motion.points;
    const mean = [0, 1, 2].map((k) => body.points.reduce((sum, i) => sum + p[3 * i + k], 0) / body.points.length);
    return mean.every(Number.isFinite) ? mean : null;
  }

  /** Moves along with the followed body. */
  update() {
    const now = this.following >= 0 ? this.followed() : null;
    if (now && this.last) {
      this.shift(new Vector3(...now).sub(new Vector3(...this.last)));
    }
    this.last = now ?? this.last;
  }

  /** Moves camera and target together. */
  shift(d) {
    this.camera.position.add(d);
    this.controls.target.add(d);
    this.controls.update();
  }
}

/** Right and front for an upward direction that is not z. */
function sides(up) {
  const [u] = across(...up);
  return up[1] !== 0 ? [[1, 0, 0], cross([1, 0, 0], up)] : [u, cross(u, up)];
}
