/** The mark of fixed points: a foot on a hatched line. */
import { across } from './batch.js';
import { add, cross, dot, length, scale, subtract } from './vec.js';
import { MANY } from './kit.js';

const STROKES = 5; // of the hatching

export class Ground {
  constructor(kit) {
    this.kit = kit;
    const fixed = kit.model.points.flatMap((p, i) => (p.fixed ? [i] : []));
    this.feet =
      fixed.length > MANY
        ? []
        : fixed.map((point) => ({
            point,
            down: scale(kit.up, this.hangs(point) ? 1 : -1),
            foot: kit.cones.add(kit.colours.joint),
            plate: (kit.flat ? kit.lines : kit.shafts).add(kit.colours.ground),
            strokes: Array.from({ length: STROKES }, () => kit.lines.add(kit.colours.ground)),
          }));
  }

  /** True if what is held by a point hangs from it, most of the time. */
  hangs(point) {
    const { kit } = this;
    const { model, motion } = kit;
    const others = [
      ...model.bodies.filter((b) => b.points.includes(point)).flatMap((b) => b.points.filter((p) => p !== point)),
      ...model.links.flatMap((l) => (l.a === point ? [l.b] : l.b === point ? [l.a] : [])),
    ];
    let sum = 0;
    let count = 0;
    for (let k = 0; k < 8 && others.length > 0; k++) {
      const row = Math.floor((k / 8) * motion.run.rows);
      const p = motion.pointAtRow(point, row, [0, 0, 0]);
      for (const other of others) {
        const d = subtract(motion.pointAtRow(other, row, [0, 0, 0]), p);
        const share = dot(d, kit.up) / length(d);
        if (Number.isFinite(share)) [sum, count] = [sum + share, count + 1];
      }
    }
    return sum < -0.6 * count;
  }

  /** Fixed points stay where they are: once is enough. */
  place() {
    const { kit } = this;
    const [u, v] = across(...kit.up);
    const side = kit.flat ? [1, 0, 0] : add(scale(u, 0.8), v, 0.6);
    const layer = kit.layer('ground');
    const { unit } = kit;
    for (const { point, down, foot, plate, strokes } of this.feet) {
      const p = kit.point(point);
      const base = add(p, down, 3.2 * unit);
      kit.cones.segment(foot, base, p, (kit.flat ? 1.9 : 1.5) * unit, { layer, pointed: true });
      this.placePlate(plate, base, side, down, layer);
      strokes.forEach((stroke, k) => {
        const reach = kit.flat ? 2.9 : 2.3;
        const along = (2 * (k + 0.75)) / STROKES - 1;
        const start = add(base, kit.flat ? side : this.around(side, k), kit.flat ? along * reach * unit : reach * unit);
        const end = add(
          add(start, down, 1.1 * unit),
          kit.flat ? scale(side, -1) : cross(down, this.around(side, k)),
          1.1 * unit,
        );
        kit.lines.segment(stroke, start, end, (kit.flat ? 0.13 : 0.16) * unit, { layer });
      });
    }
  }

  placePlate(plate, base, side, down, layer) {
    const { kit } = this;
    const { unit } = kit;
    if (kit.flat)
      kit.lines.segment(plate, add(base, side, -3 * unit), add(base, side, 3 * unit), 0.17 * unit, { layer });
    else kit.shafts.segment(plate, base, add(base, down, 0.45 * unit), 2.5 * unit, { closed: true });
  }

  /** In space the strokes stand around the plate. */
  around(side, k) {
    const angle = (2 * Math.PI * k) / STROKES;
    return add(scale(side, Math.cos(angle)), cross(this.kit.up, side), Math.sin(angle));
  }
}
