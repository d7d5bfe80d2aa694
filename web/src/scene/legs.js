/** Drivers between two points: a leg that gets longer and shorter, drawn as a cylinder with its rod. */
import { add, direction, distance } from './vec.js';

export class Legs {
  constructor(kit) {
    this.kit = kit;
    const { loads, bodies } = kit.model;
    const held = (a, b) => bodies.some((body) => body.points.includes(a) && body.points.includes(b));
    this.parts = loads
      .filter((l) => l.kind === 'driver' && l.a >= 0 && l.b >= 0 && !held(l.a, l.b))
      .map(({ a, b }) => ({
        a,
        b,
        sleeve: kit.shafts.add(kit.colours.damper),
        rod: kit.shafts.add(kit.colours.metal),
        length: 0.55 * this.shortest(a, b),
      }));
  }

  /** The least length over the run: the sleeve is never longer than that. */
  shortest(a, b) {
    const { motion, unit } = this.kit;
    let least = Infinity;
    const stride = Math.max(1, Math.floor(motion.run.rows / 100));
    for (let row = 0; row < motion.run.rows; row += stride) {
      const d = distance(motion.pointAtRow(a, row, [0, 0, 0]), motion.pointAtRow(b, row, [0, 0, 0]));
      if (Number.isFinite(d)) least = Math.min(least, d);
    }
    return Number.isFinite(least) && least > 0 ? least : 4 * unit;
  }

  update() {
    const { kit } = this;
    for (const { a, b, sleeve, rod, length } of this.parts) {
      const [p, q] = [kit.point(a), kit.point(b)];
      const layer = kit.layer('spring', 1);
      if (!(distance(p, q) > 0)) {
        kit.shafts.hide(sleeve);
        kit.shafts.hide(rod);
        continue;
      }
      kit.shafts.segment(rod, p, q, 0.5 * kit.unit, { layer, closed: true });
      kit.shafts.segment(sleeve, p, add(p, direction(p, q), length), kit.unit, {
        layer: layer + (kit.flat ? 0.05 * kit.unit : 0),
        closed: true,
      });
    }
  }
}
