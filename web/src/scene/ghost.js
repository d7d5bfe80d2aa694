/**
 * What is behind the mechanism: the shape at rest of a mode, or the run before something was changed: `motion.rest`. The
 * outlines of bodies and links, in pale lines.
 */
import { Color } from 'three';
import { outlineOf } from './hull.js';

export class Ghost {
  /** @param {import('./kit.js').Kit} kit */
  constructor(kit) {
    this.kit = kit;
    const colour = new Color(kit.colours.soft).lerp(new Color(kit.colours.paper), 0.35).getHex();
    const edges = [
      ...kit.model.bodies.flatMap((body) => this.edgesOf(body)),
      ...kit.model.links.map((l) => [l.a, l.b]),
    ];
    this.lines = edges.map(([a, b]) => ({ a, b, line: kit.lines.add(colour) }));
  }

  /** The edges of a body at rest, as pairs of points. */
  edgesOf(body) {
    if (body.kind === 'ground' || body.kind === 'particle') return [];
    return outlineOf(body.points.map((p) => this.at(p))).edges.map(([a, b]) => [body.points[a], body.points[b]]);
  }

  at(i) {
    return [...this.kit.motion.rest.points.subarray(3 * i, 3 * i + 3)];
  }

  update() {
    const { kit } = this;
    const layer = kit.layer('trail');
    for (const { a, b, line } of this.lines)
      kit.lines.segment(line, this.at(a), this.at(b), 0.22 * kit.unit, { layer });
  }
}
