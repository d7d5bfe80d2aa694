/** Points: particles as balls that grow with their mass, all others as small dots. */

export class Points {
  constructor(kit) {
    this.kit = kit;
    const masses = kit.model.points.map((p) => p.particle ?? 0);
    const heaviest = Math.max(...masses.filter(Number.isFinite), 0);
    const jointed = new Set(kit.model.joints.flatMap((j) => [j.at, j.other]));
    this.entries = kit.model.points.map((point, i) => {
      const heavy = masses[i] > 0;
      const batch = heavy ? kit.balls : kit.dots;
      const radius = heavy ? kit.unit * (1.4 + 1.9 * Math.cbrt(masses[i] / heaviest)) : kit.unit * (jointed.has(i) ? 0.3 : 0.42);
      return { batch, radius, heavy, shape: batch.add(heavy ? kit.colours.bodies[(i + 4) % kit.colours.bodies.length] : kit.colours.ink) };
    });
  }

  update() {
    const { kit } = this;
    this.entries.forEach(({ batch, radius, heavy, shape }, i) => {
      batch.ball(shape, kit.point(i), radius, kit.layer(heavy ? 'body' : 'dot', heavy ? 499 : 0));
    });
  }

  /** Where a point has been drawn, read from what the graphics card gets. */
  positionOf(i) {
    const { batch, shape } = this.entries[i];
    return batch.positionOf(shape);
  }
}
