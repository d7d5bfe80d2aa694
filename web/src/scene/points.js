/** Points: particles as balls that grow with their mass, all others as small dots. */
import { SLIDING, slideOf } from './joints.js';

export class Points {
  constructor(kit) {
    this.kit = kit;
    const { points, joints, bodies } = kit.model;
    const jointed = new Set(joints.flatMap((j) => [j.at, j.other]));
    const slides = joints.filter((j) => SLIDING.has(j.kind) && j.axis >= 0);
    this.sliding = new Set(slides.map((j) => slideOf(j, points).slider)); // drawn as blocks
    const held = new Set([...bodies.flatMap((b) => b.points), ...jointed]); // on something: dark; alone: not
    this.entries = points.map((point, i) => {
      const heavy = point.particle > 0 && !this.sliding.has(i);
      const batch = heavy ? kit.balls : kit.dots;
      const radius = heavy ? kit.massRadius(i) : kit.unit * (jointed.has(i) ? 0.3 : 0.42);
      return {
        batch,
        radius,
        heavy,
        shape: batch.add(heavy ? kit.massColour(i) : held.has(i) ? kit.colours.ink : kit.colours.free),
      };
    });
  }

  update() {
    const { kit } = this;
    this.entries.forEach(({ batch, radius, heavy, shape }, i) => {
      batch.ball(shape, kit.point(i), radius, heavy ? kit.layer('body', 499) : kit.layer('dot'));
    });
  }

  /** How much room is taken around a point, for its name. */
  roomAt(i) {
    return Math.max(this.entries[i].radius, this.kit.massRadius(i), (this.sliding.has(i) ? 2.2 : 1) * this.kit.unit);
  }

  /** Where a point has been drawn, read from what the graphics card gets. */
  positionOf(i) {
    const { batch, shape } = this.entries[i];
    const p = batch.positionOf(shape);
    if (this.kit.flat) p[2] = 0;
    return p;
  }
}
