/**
 * What the parts of the drawing share: sizes that suit the mechanism, colours of the theme, and one batch for each
 * unit shape. A kit lives as long as one drawing; another theme gets another kit.
 */
import { Group, MeshBasicMaterial, MeshLambertMaterial } from 'three';
import { Batch } from './batch.js';
import { ballShape, boxShape, coneShape, shaftShape } from './shapes.js';
import { distance } from './vec.js';
import { diagonalOf } from '../motion.js';

/** From here on, a drawing has so many parts that details are left out. */
export const MANY = 400;

const WIDE = 2.5; // diagonals of the mechanism: beyond that it is its way, not its shape

export class Kit {
  constructor(model, motion, colours) {
    this.model = model;
    this.motion = motion;
    this.colours = colours;
    this.flat = model.dimension === 2;
    this.many = model.points.length > MANY;
    this.group = new Group();
    this.size = sizeOf(motion.bounds);
    /** What arrows and joints are in proportion to: the mechanism, where it goes far. */
    this.span = motion.core ? Math.min(this.size, WIDE * motion.core.extent) : this.size;
    this.neighbours = neighbourDistances(model, motion, this.size);
    this.unit = thickness(model, this.neighbours, this.span);
    this.up = upward(model);
    this.heaviest = Math.max(0, ...model.points.map((p) => p.particle ?? 0).filter(Number.isFinite));
    const edge = this.flat
      ? 0.16 * this.unit
      : Math.min(0.16 * this.unit, Math.max(0.07 * this.unit, 0.0012 * this.span));
    const style = {
      ink: colours.ink,
      edge: this.many || (colours.name === 'dark' && !this.flat) ? 0 : edge,
      shadow: !this.flat,
      flat: this.flat,
    };
    this.shafts = new Batch(shaftShape(this.flat), this.material(), style);
    this.balls = new Batch(ballShape(this.flat, this.many), this.material(), style);
    this.boxes = new Batch(boxShape(this.flat), this.material(), style);
    this.cones = new Batch(coneShape(this.flat), this.material(), style);
    this.lines = new Batch(shaftShape(this.flat), new MeshBasicMaterial(), { flat: this.flat }); // thin, no outline
    this.dots = new Batch(ballShape(this.flat, this.many), new MeshBasicMaterial(), { flat: this.flat });
    this.tips = new Batch(coneShape(this.flat), new MeshBasicMaterial(), { flat: this.flat });
    this.arrowLines = new Batch(shaftShape(this.flat), this.inFront(), { flat: this.flat, order: 10 });
    this.arrowTips = new Batch(coneShape(this.flat), this.inFront(), { flat: this.flat, order: 10 });
    this.batches = [
      this.shafts,
      this.balls,
      this.boxes,
      this.cones,
      this.lines,
      this.dots,
      this.tips,
      this.arrowLines,
      this.arrowTips,
    ];
  }

  /** Plain colour that nothing hides: arrows are seen in front of bodies. */
  inFront() {
    return this.flat ? new MeshBasicMaterial() : new MeshBasicMaterial({ depthTest: false, transparent: true });
  }

  /** Paint: matte in light, plain in the plane. */
  material(options = {}) {
    return this.flat ? new MeshBasicMaterial(options) : new MeshLambertMaterial(options);
  }

  /** The size of a particle: it grows with its mass. */
  massRadius(i) {
    const mass = this.model.points[i].particle ?? 0;
    const most = Math.min(3.3 * this.unit, Math.max(1.5 * this.unit, 0.28 * (this.neighbours.get(i) ?? Infinity)));
    return mass > 0 ? most * (0.4 + 0.6 * Math.cbrt(mass / this.heaviest)) : 0;
  }

  massColour(i) {
    return this.bodyColour(i + 4);
  }

  bodyColour(i) {
    return this.colours.bodies[i % this.colours.bodies.length];
  }

  /** Heights in the plane, for what lies above what; in space everything is where it is. */
  layer(kind, i = 0) {
    if (!this.flat) return 0;
    const base = {
      guide: -600,
      ground: -550,
      trail: -520,
      spring: -510,
      solid: -505,
      body: 0,
      joint: 600,
      dot: 620,
      arrow: 640,
    }[kind];
    return (base + (i % 500)) * this.unit * 0.05;
  }

  /** Where a point is now. */
  point(i) {
    const p = this.motion.points;
    return [p[3 * i], p[3 * i + 1], p[3 * i + 2]];
  }

  /** A direction now, or nothing. */
  vector(i) {
    const v = this.motion.vectors;
    const d = [v[3 * i], v[3 * i + 1], v[3 * i + 2]];
    const n = Math.hypot(...d);
    return n > 0 && Number.isFinite(n) ? d.map((c) => c / n) : null;
  }

  finish() {
    for (const batch of this.batches) batch.finish(this.group);
  }

  commit() {
    for (const batch of this.batches) batch.commit();
  }

  dispose() {
    for (const batch of this.batches) batch.dispose();
    this.group.removeFromParent();
  }
}

/** The diagonal of the box around the motion. */
function sizeOf(bounds) {
  const size = diagonalOf(bounds);
  return size > 0 ? size : 1;
}

/** For every point the distance to the nearest other one of the same body or link, at the start. */
function neighbourDistances(model, motion, size) {
  motion.moveTo(model.table.start);
  const nearest = new Map();
  const measure = (i, j) => {
    const d = distance([...motion.points.subarray(3 * i, 3 * i + 3)], [...motion.points.subarray(3 * j, 3 * j + 3)]);
    if (!(d > 1e-9 * size)) return;
    for (const k of [i, j]) nearest.set(k, Math.min(d, nearest.get(k) ?? Infinity));
  };
  for (const { points } of model.bodies) {
    const some = points.slice(0, 20);
    some.forEach((p, k) => some.slice(0, k).forEach((q) => measure(p, q)));
  }
  for (const { a, b } of model.links) measure(a, b);
  return nearest;
}

/** Radius of a rod: a share of the whole, but slim beside short distances (one in four may be shorter). */
function thickness(model, neighbours, size) {
  const lengths = [...neighbours.values()].sort((a, b) => a - b);
  const short = lengths[Math.floor(lengths.length / 4)] ?? 0.1 * size;
  const least = (model.points.length > MANY ? 0.0004 : 0.0085) * size;
  return Math.min(0.016 * size, Math.max(0.14 * short, least));
}

/** The direction that shows up: against gravity where that is along an axis, else y in the plane and z in space. */
function upward(model) {
  const g = model.gravity ?? [0, 0, 0];
  const n = Math.hypot(...g);
  if (model.dimension === 3 && n > 0) {
    const k = [0, 1, 2].find((i) => Math.abs(g[i]) > 0.999 * n);
    if (k !== undefined) return [0, 1, 2].map((i) => (i === k ? -Math.sign(g[k]) : 0));
  }
  return model.dimension === 3 ? [0, 0, 1] : [0, 1, 0];
}
