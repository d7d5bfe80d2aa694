/** The paper under the drawing: a grid that follows the zoom in the plane, a floor with shadows in space. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  PlaneGeometry,
  Quaternion,
  ShadowMaterial,
  Vector3,
} from 'three';
import { across } from './batch.js';
import { floorLevel } from './rolling.js';
import { add, dot, scale } from './vec.js';

/** 1, 2 or 5 times a power of ten, not below x. */
export function niceStep(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].find((m) => m * power >= x * 0.999);
}

/** Lines over all that can be seen, five squares to a bold one. */
export class PaperGrid {
  constructor(kit) {
    this.kit = kit;
    this.visible = true;
    const make = (colour, opacity) => {
      const lines = new LineSegments(
        new BufferGeometry(),
        new LineBasicMaterial({ color: colour, transparent: true, opacity, depthWrite: false }),
      );
      lines.frustumCulled = false;
      lines.renderOrder = -3;
      kit.group.add(lines);
      return lines;
    };
    this.fine = make(kit.colours.faint, 0.6);
    this.bold = make(kit.colours.faint, 1);
  }

  /** @param {import('./view.js').View} view @param {number} pixels height of the picture */
  update(view, pixels) {
    this.fine.visible = this.bold.visible = this.visible;
    const { camera } = view;
    const height = (camera.top - camera.bottom) / camera.zoom;
    this.perPixel = height / pixels;
    const step = niceStep(26 * this.perPixel);
    const key = [camera.position.x, camera.position.y, height, view.aspect].join();
    if (!this.visible || key === this.key) return;
    this.key = key;
    const fine = [];
    const bold = [];
    const z = this.kit.layer('guide') - this.kit.unit;
    const half = [(height * view.aspect) / 2, height / 2];
    const [cx, cy] = [camera.position.x, camera.position.y];
    const many = Math.round(niceStep(4.5 * step) / step) || 5;
    for (let i = Math.floor((cx - half[0]) / step); i * step < cx + half[0]; i++) {
      (i % many === 0 ? bold : fine).push(i * step, cy - half[1], z, i * step, cy + half[1], z);
    }
    for (let i = Math.floor((cy - half[1]) / step); i * step < cy + half[1]; i++) {
      (i % many === 0 ? bold : fine).push(cx - half[0], i * step, z, cx + half[0], i * step, z);
    }
    this.fine.geometry.setAttribute('position', new BufferAttribute(new Float32Array(fine), 3));
    this.bold.geometry.setAttribute('position', new BufferAttribute(new Float32Array(bold), 3));
  }

  dispose() {
    disposeAll(this.fine, this.bold);
  }
}

/** A floor below the motion: a grid that fades out, and the shadow of the mechanism. */
export class FloorGrid {
  constructor(kit) {
    this.kit = kit;
    this.visible = true;
    const { low, high } = kit.motion.bounds;
    const { up } = kit;
    const middle = low.map((x, k) => (x + high[k]) / 2);
    const half = high.map((x, k) => (x - low[k]) / 2);
    const level = kit.model.table.rows > 1 && !kit.model.modes ? floorLevel(kit) : null;
    const drop = level === null ? Math.abs(dot(half, up)) + 6 * kit.unit : dot(middle, up) - level;
    this.origin = add(middle, up, -drop);
    this.radius = 1.15 * kit.size;
    this.lines = this.makeLines();
    this.floor = this.makeFloor();
    kit.group.add(this.lines, this.floor);
  }

  /** Lines in short pieces whose ends know how far out they are. */
  makeLines() {
    const { kit } = this;
    const [u, v] = across(...kit.up);
    const step = niceStep(this.radius / 9);
    const n = Math.ceil(this.radius / step);
    const positions = [];
    const colours = [];
    const colour = new Color(kit.colours.soft);
    const vertex = (a, b) => {
      const p = add(add(this.origin, u, a), v, b);
      const fade = Math.max(0, 1 - Math.hypot(a, b) / (n * step));
      positions.push(...p);
      colours.push(colour.r, colour.g, colour.b, 0.26 * Math.sqrt(fade));
    };
    for (let i = -n; i <= n; i++) {
      for (let j = -n; j < n; j++) {
        vertex(i * step, j * step);
        vertex(i * step, (j + 1) * step);
        vertex(j * step, i * step);
        vertex((j + 1) * step, i * step);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(colours), 4));
    return new LineSegments(
      geometry,
      new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }),
    );
  }

  makeFloor() {
    const { kit } = this;
    const floor = new Mesh(
      new PlaneGeometry(4 * this.radius, 4 * this.radius),
      new ShadowMaterial({ opacity: kit.colours.shadow, depthWrite: false }),
    );
    floor.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...kit.up)));
    floor.position.set(...add(this.origin, scale(kit.up, -0.02 * kit.unit)));
    floor.receiveShadow = true;
    return floor;
  }

  update() {
    this.lines.visible = this.floor.visible = this.visible;
  }

  dispose() {
    disposeAll(this.lines, this.floor);
  }
}

function disposeAll(...objects) {
  for (const { geometry, material } of objects) {
    geometry.dispose();
    material.dispose();
  }
}
