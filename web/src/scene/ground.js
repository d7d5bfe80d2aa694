/** The mark of fixed points: a foot on a hatched line. */
import { across } from './batch.js';
import { add, cross, scale } from './vec.js';
import { MANY } from './kit.js';

const STROKES = 5; // of the hatching

export class Ground {
  constructor(kit) {
    this.kit = kit;
    const fixed = kit.model.points.flatMap((p, i) => (p.fixed ? [i] : []));
    this.feet = fixed.length > MANY ? [] : fixed.map((point) => ({
      point,
      foot: kit.cones.add(kit.colours.joint),
      plate: (kit.flat ? kit.lines : kit.shafts).add(kit.colours.ground),
      strokes: Array.from({ length: STROKES }, () => kit.lines.add(kit.colours.ground)),
    }));
  }

  /** Fixed points stay where they are: once is enough. */
  place() {
    const { kit } = this;
    const down = scale(kit.up, -1);
    const [u, v] = across(...kit.up);
    const side = kit.flat ? [1, 0, 0] : add(scale(u, 0.8), v, 0.6);
    const layer = kit.layer('ground');
    const { unit } = kit;
    for (const { point, foot, plate, strokes } of this.feet) {
      const p = kit.point(point);
      const base = add(p, down, 3.2 * unit);
      kit.cones.segment(foot, base, p, (kit.flat ? 1.9 : 1.5) * unit, { layer, pointed: true });
      this.placePlate(plate, base, side, down, layer);
      strokes.forEach((stroke, k) => {
        const reach = kit.flat ? 2.9 : 2.3;
        const along = (2 * (k + 0.75)) / STROKES - 1;
        const start = add(base, kit.flat ? side : this.around(side, k), kit.flat ? along * reach * unit : reach * unit);
        const end = add(add(start, down, 1.1 * unit), kit.flat ? side : cross(kit.up, this.around(side, k)), -1.1 * unit);
        kit.lines.segment(stroke, start, end, (kit.flat ? 0.13 : 0.16) * unit, { layer });
      });
    }
  }

  placePlate(plate, base, side, down, layer) {
    const { kit } = this;
    const { unit } = kit;
    if (kit.flat) kit.lines.segment(plate, add(base, side, -3 * unit), add(base, side, 3 * unit), 0.17 * unit, { layer });
    else kit.shafts.segment(plate, base, add(base, down, 0.45 * unit), 2.5 * unit, { closed: true });
  }

  /** In space the strokes stand around the plate. */
  around(side, k) {
    const angle = (2 * Math.PI * k) / STROKES;
    return add(scale(side, Math.cos(angle)), cross(this.kit.up, side), Math.sin(angle));
  }
}
