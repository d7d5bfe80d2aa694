/** Arrows: directions of the model, frames of bodies, forces of springs and joints. Each kind can be shown or not. */
import { number } from '../ui/format.js';
import { add, direction, length, scale, subtract } from './vec.js';

/** An arrow of one colour in the kit's batches. */
export class Arrow {
  /** front: nothing hides it. */
  constructor(kit, colour, front = false) {
    this.kit = kit;
    this.lines = front ? kit.arrowLines : kit.lines;
    this.tips = front ? kit.arrowTips : kit.tips;
    this.shaft = this.lines.add(colour);
    this.tip = this.tips.add(colour);
  }

  /** From a to b. */
  place(a, b, width = 0.22) {
    const { kit } = this;
    const d = subtract(b, a);
    const n = length(d);
    const head = Math.min(1.9 * kit.unit, 0.6 * n);
    if (!(n > 0.05 * kit.unit)) return this.hide();
    const neck = add(b, d, -head / n);
    this.lines.segment(this.shaft, a, neck, width * kit.unit, { layer: kit.layer('arrow') });
    this.tips.segment(this.tip, neck, b, 0.75 * kit.unit * Math.min(1, head / kit.unit), { layer: kit.layer('arrow') });
  }

  hide() {
    this.lines.hide(this.shaft);
    this.tips.hide(this.tip);
  }
}

/** An arc of chords in front of everything, with a tip where it goes on. */
export class Arc {
  constructor(kit, colour, chords) {
    this.kit = kit;
    this.chords = Array.from({ length: chords }, () => kit.arrowLines.add(colour));
    this.arrow = new Arrow(kit, colour, true);
  }

  /** @param {(share: number) => number[]} at where it is from 0 to 1 @param {boolean} tipped */
  place(at, width, tipped) {
    const { kit, chords, arrow } = this;
    const n = chords.length;
    const layer = kit.layer('arrow');
    chords.forEach((chord, k) => {
      const [a, b] = [at(k / n), at((k + 1) / n)];
      const over = scale(subtract(b, a), 0.12); // they overlap, or the bend shows gaps
      kit.arrowLines.segment(chord, subtract(a, over), add(b, over), width * kit.unit, { layer });
    });
    if (!tipped) return arrow.hide();
    const [before, last] = [at(1 - 1 / n), at(1)];
    arrow.place(last, add(last, direction(before, last), 2.2 * kit.unit), width);
  }

  hide() {
    for (const chord of this.chords) this.kit.arrowLines.hide(chord);
    this.arrow.hide();
  }
}

/** Largest size of a vector-valued (or scalar) list of columns over the run. */
export function largest(table, columns) {
  let most = 0;
  for (let row = 0; row < table.rows; row++) {
    const n = Math.hypot(...columns.map((c) => table.values[c]?.[row] ?? 0));
    if (Number.isFinite(n)) most = Math.max(most, n);
  }
  return most;
}

/** The size that the longest arrow stands for: of all forces, the largest outliers aside. */
export function scaleOf(sizes) {
  const sorted = sizes.filter((s) => s > 0).sort((a, b) => a - b);
  return sorted.length ? sorted[Math.floor(0.8 * (sorted.length - 1))] : 1;
}

/** The unit vectors of the model, at the points where they are attached. */
export class Vectors {
  constructor(kit) {
    this.kit = kit;
    this.visible = kit.model.bodies.some(
      (b, i) => b.points.length === 1 && b.vectors.length > 0 && !kit.model.forms[i], // nothing else shows how it turns
    );
    this.items = kit.model.vectors.flatMap((v, i) =>
      v.at >= 0 ? [{ i, at: v.at, arrow: new Arrow(kit, kit.colours.vector) }] : [],
    );
  }

  update() {
    for (const { i, at, arrow } of this.items) {
      const x = this.visible ? this.kit.vector(i) : null;
      const p = this.kit.point(at);
      if (x) arrow.place(p, add(p, x, 0.11 * this.kit.span));
      else arrow.hide();
    }
  }
}

/** Forces of springs and dampers at both ends, and reactions of joints. */
export class Forces {
  constructor(kit, kind) {
    this.kit = kit;
    this.visible = false;
    const { links, joints, table } = kit.model;
    const isColumn = (c) => Number.isInteger(c) && c >= 0 && c < table.values.length;
    this.items =
      kind === 'links'
        ? links
            .filter((l) => isColumn(l.force))
            .flatMap((l) => [this.linkItem(l.a, l.b, l.force), this.linkItem(l.b, l.a, l.force)])
        : joints.filter((j) => j.force?.every(isColumn) && j.at >= 0).map((j) => this.jointItem(j));
    const most = scaleOf(this.items.map((item) => largest(table, item.columns)));
    this.key = this.items.length ? { size: most, length: 0.16 * kit.span, kind } : null;
    this.factor = (0.16 * kit.span) / most;
  }

  /** A spring that pulls (positive force) draws its ends together. */
  linkItem(a, b, column) {
    return { at: a, towards: b, columns: [column], arrow: new Arrow(this.kit, this.kit.colours.force, true) };
  }

  jointItem(joint) {
    return { at: joint.at, columns: joint.force, arrow: new Arrow(this.kit, this.kit.colours.reaction, true) };
  }

  update() {
    const { kit } = this;
    const { table } = kit.model;
    for (const { at, towards, columns, arrow } of this.items) {
      const value = columns.map((c) => (this.visible ? table.at(c, kit.motion.place) : NaN));
      const p = kit.point(at);
      const force =
        towards === undefined ? [value[0], value[1], value[2] ?? 0] : scale(direction(p, kit.point(towards)), value[0]);
      const n = length(force) * this.factor;
      if (n > 0 && Number.isFinite(n))
        arrow.place(p, add(p, force, Math.min(1, (0.6 * kit.span) / n) * this.factor), 0.3);
      else arrow.hide();
    }
  }
}

/** Values of forces beside their arrows, while these are shown. */
export function forceLabels(...layers) {
  return layers.flatMap((layer) =>
    layer.items.slice(0, 60).map(({ at, columns }) => ({
      kind: layer.key.kind === 'links' ? 'force' : 'reaction',
      text: () => {
        const { table } = layer.kit.model;
        const n = layer.visible ? Math.hypot(...columns.map((c) => table.at(c, layer.kit.motion.place))) : 0;
        return n > 0 && Number.isFinite(n) ? `${number(n, 3)} N` : '';
      },
      at: () => layer.kit.point(at),
      radius: 2 * layer.kit.unit,
      below: true,
    })),
  );
}

const AXES = [0xd6453d, 0x3a9a4e, 0x3a6fd8];

/** The axes of a body: x along its first two points, the others from a third direction that it knows. */
export class Frames {
  constructor(kit) {
    this.kit = kit;
    this.visible = false;
    this.items = kit.model.bodies.flatMap((body, i) =>
      body.kind === 'ground' || body.points.length === 0
        ? []
        : [{ body, arrows: AXES.slice(0, kit.flat ? 2 : 3).map((colour) => new Arrow(kit, colour)), i }],
    );
  }

  update() {
    for (const { body, arrows } of this.items) {
      const axes = this.visible ? this.axesOf(body) : null;
      const p = this.kit.point(body.points[0]);
      arrows.forEach((arrow, k) => (axes?.[k] ? arrow.place(p, add(p, axes[k], 0.07 * this.kit.span)) : arrow.hide()));
    }
  }

  /** Orthonormal axes from what is known of the body, by Gram and Schmidt. */
  axesOf(body) {
    const { kit } = this;
    const p = kit.point(body.points[0]);
    const known = [
      ...body.points.slice(1).map((i) => subtract(kit.point(i), p)),
      ...body.vectors.map((v) => kit.vector(v) ?? [0, 0, 0]),
    ];
    const axes = [];
    for (const d of known) {
      let r = d;
      for (const a of axes) r = add(r, a, -(r[0] * a[0] + r[1] * a[1] + r[2] * a[2]));
      if (length(r) > 1e-6 * length(d) && axes.length < 2) axes.push(scale(r, 1 / length(r)));
    }
    const [x, y] = axes;
    if (kit.flat) return x ? [x, [-x[1], x[0], 0]] : null;
    return x && y
      ? [x, y, [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]]
      : x
        ? [x]
        : null;
  }
}

/** Centres of mass. */
export class Centroids {
  constructor(kit) {
    this.kit = kit;
    this.visible = false;
    this.items = kit.model.bodies.flatMap((body, i) =>
      body.centroid ? [{ i, outer: kit.dots.add(kit.colours.ink), inner: kit.dots.add(kit.colours.joint) }] : [],
    );
  }

  update() {
    const { kit } = this;
    for (const { i, outer, inner } of this.items) {
      const p = this.visible ? [0, 1, 2].map((k) => kit.motion.centroids[3 * i + k]) : [NaN, NaN, NaN];
      kit.dots.ball(outer, p, 0.75 * kit.unit, kit.layer('dot', 2));
      kit.dots.ball(inner, p, (kit.flat ? 0.4 : 0) * kit.unit, kit.layer('dot', 4));
    }
  }
}
