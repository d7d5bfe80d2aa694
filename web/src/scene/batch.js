/**
 * Many equal shapes in one draw call. A shape is reserved with `add`, and then placed anew whenever it moves. Behind
 * every shape lies a slightly larger one in the colour of ink: its outline.
 */
import { BackSide, Color, DynamicDrawUsage, InstancedMesh, Matrix4, MeshBasicMaterial } from 'three';

const HIDDEN = new Matrix4().makeScale(0, 0, 0);

/** Two unit vectors at right angles to a unit vector and to each other; in the plane, the second points to z. */
export function across(x, y, z) {
  if (Math.abs(z) < 0.9) {
    const n = Math.hypot(x, y);
    const u = [-y / n, x / n, 0];
    return [u, [-z * u[1], z * u[0], x * u[1] - y * u[0]]];
  }
  const n = Math.hypot(x, z);
  const u = [z / n, 0, -x / n];
  return [u, [y * u[2], z * u[0] - x * u[2], -y * u[0]]];
}

export class Batch {
  /**
   * @param {import('three').BufferGeometry} geometry  unit shape: x from 0 to 1 for segments, radius 1
   * @param {import('three').Material} material
   * @param {{ink?: number, edge?: number, shadow?: boolean, flat?: boolean}} style  edge: width of the outline
   */
  constructor(geometry, material, style = {}) {
    this.geometry = geometry;
    this.material = material;
    this.style = style;
    this.colours = [];
    this.meshes = [];
    this.matrix = new Matrix4();
  }

  /** Reserves a shape. @returns {number} its index */
  add(colour) {
    this.colours.push(colour);
    return this.colours.length - 1;
  }

  /** Makes the meshes once all shapes are known. */
  finish(parent) {
    const n = this.colours.length;
    if (n === 0) return;
    this.fill = this.makeMesh(this.material, n);
    this.fill.castShadow = Boolean(this.style.shadow);
    const colour = new Color();
    this.colours.forEach((c, i) => this.fill.setColorAt(i, colour.set(c)));
    this.meshes = [this.fill];
    if (this.style.edge) {
      const ink = new MeshBasicMaterial({ color: this.style.ink });
      if (!this.style.flat) ink.side = BackSide;
      this.edge = this.makeMesh(ink, n);
      this.meshes.push(this.edge);
    }
    for (let i = 0; i < n; i++) this.hide(i);
    parent.add(...this.meshes);
  }

  makeMesh(material, n) {
    const mesh = new InstancedMesh(this.geometry, material, n);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.renderOrder = this.style.order ?? 0;
    return mesh;
  }

  /** Tells the graphics card. */
  commit() {
    for (const mesh of this.meshes) mesh.instanceMatrix.needsUpdate = true;
  }

  hide(i) {
    for (const mesh of this.meshes) mesh.setMatrixAt(i, HIDDEN);
  }

  /** A round thing at p. In the plane `layer` says what lies above what. */
  ball(i, p, radius, layer = 0) {
    if (!(radius > 0) || !Number.isFinite(p[0] + p[1] + p[2])) return this.hide(i);
    this.setBall(this.fill, i, p, radius, layer);
    if (this.edge) this.setBall(this.edge, i, p, radius + this.style.edge, layer - this.step);
  }

  setBall(mesh, i, p, r, layer) {
    this.matrix.makeScale(r, r, r).setPosition(p[0], p[1], p[2] + layer);
    mesh.setMatrixAt(i, this.matrix);
  }

  /** How far below its shape an outline lies, in the plane. */
  get step() {
    return this.style.flat ? this.style.edge * 0.05 : 0;
  }

  /**
   * A long thing from a to b. Closed ones have their outline around the ends, too; pointed ones are cones.
   * @param {number[]} a @param {number[]} b @param {number} radius
   */
  segment(i, a, b, radius, { layer = 0, closed = false, pointed = false } = {}) {
    const d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const length = Math.hypot(...d);
    if (!(length > 0) || !Number.isFinite(length + a[0] + a[1] + a[2])) return this.hide(i);
    const x = d.map((c) => c / length);
    const [y, z] = across(...x);
    this.setSegment(this.fill, i, a, x, y, z, length, radius, layer);
    if (!this.edge) return;
    const w = this.style.edge;
    const before = closed || pointed ? w : 0;
    const after = pointed ? (w * Math.hypot(length, radius)) / radius : before;
    const whole = length + before + after;
    const wide = pointed ? (radius * whole) / length : radius + w;
    this.setSegment(
      this.edge,
      i,
      a.map((c, k) => c - before * x[k]),
      x,
      y,
      z,
      whole,
      wide,
      layer - this.step,
    );
  }

  setSegment(mesh, i, a, x, y, z, length, radius, layer) {
    this.matrix.set(
      x[0] * length,
      y[0] * radius,
      z[0] * radius,
      a[0],
      x[1] * length,
      y[1] * radius,
      z[1] * radius,
      a[1],
      x[2] * length,
      y[2] * radius,
      z[2] * radius,
      a[2] + layer,
      0,
      0,
      0,
      1,
    );
    mesh.setMatrixAt(i, this.matrix);
  }

  /** Where shape i has been drawn. */
  positionOf(i) {
    this.fill.getMatrixAt(i, this.matrix);
    return [this.matrix.elements[12], this.matrix.elements[13], this.matrix.elements[14]];
  }

  dispose() {
    for (const mesh of this.meshes) {
      mesh.removeFromParent();
      mesh.material.dispose();
      mesh.dispose();
    }
    this.geometry.dispose();
  }
}
