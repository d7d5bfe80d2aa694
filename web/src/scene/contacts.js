/**
 * Contacts by shape: lines, planes and circles that are touched, circles and spheres that touch, and a dot where
 * they meet while they do: one colour sticks, the other slides.
 */
import { across } from './batch.js';
import { add, cross, dot, scale, subtract } from './vec.js';

const CHORDS = 48; // of a circle

export class Contacts {
  constructor(kit) {
    this.kit = kit;
    const drawn = new Set();
    const once = (key, make) => (drawn.has(key) ? null : (drawn.add(key), make()));
    this.parts = kit.model.contacts.map((contact) => ({
      contact,
      rim: contact.radius > 0 ? once(`${contact.at} ${contact.radius}`, () => this.makeRim('contact')) : null,
      base: this.makeBase(contact, once),
      sticks: kit.dots.add(kit.colours.stick),
      slides: kit.dots.add(kit.colours.slide),
    }));
  }

  makeRim(colour) {
    const { kit } = this;
    return Array.from({ length: CHORDS }, () => kit.lines.add(kit.colours[colour] ?? kit.colours.guide));
  }

  /** What is touched: a circle, or a line as long as the drawing; in space the edge of a plane. */
  makeBase({ on, on_radius, direction }, once) {
    const { kit } = this;
    if (on < 0) return null;
    if (on_radius > 0) return once(`on ${on} ${on_radius}`, () => ({ rim: this.makeRim('ground') }));
    if (direction < 0) return null;
    return once(`flat ${on} ${direction}`, () => ({
      edge: Array.from({ length: kit.flat ? 1 : 4 }, () => kit.lines.add(kit.colours.ground)),
    }));
  }

  placeRim(rim, centre, radius) {
    const { kit } = this;
    const [u, v] = kit.flat
      ? [
          [1, 0, 0],
          [0, 1, 0],
        ]
      : across(...kit.up);
    const at = (k) => {
      const angle = (2 * Math.PI * k) / CHORDS;
      return add(add(centre, u, radius * Math.cos(angle)), v, radius * Math.sin(angle));
    };
    rim.forEach((chord, k) =>
      kit.lines.segment(chord, at(k), at(k + 1), 0.14 * kit.unit, { layer: kit.layer('guide') }),
    );
  }

  placeEdge(edge, p, x) {
    const { kit } = this;
    const reach = (kit.flat ? 6 : 0.75) * kit.size; // in the plane beyond what is seen
    const options = { layer: kit.layer('guide') };
    if (kit.flat) return kit.lines.segment(edge[0], add(p, x, -reach), add(p, x, reach), 0.2 * kit.unit, options);
    const [u, v] = across(...x);
    const corner = [0, 1, 2, 3].map((k) =>
      add(add(p, u, k === 0 || k === 3 ? -reach : reach), v, k < 2 ? -reach : reach),
    );
    edge.forEach((side, k) => kit.lines.segment(side, corner[k], corner[(k + 1) % 4], 0.16 * kit.unit, options));
  }

  /** Where they meet: from the centre of what touches towards what it touches. */
  meeting({ at, on, direction, radius, on_radius, angle }) {
    const { kit } = this;
    const p = kit.point(at);
    if (angle >= 0) {
      const turned = kit.model.table.at(angle, kit.motion.place);
      return add(p, [Math.cos(turned), Math.sin(turned), 0], radius);
    }
    if (!(radius > 0) || on < 0) return p;
    const d = subtract(p, kit.point(on));
    let normal = null;
    if (on_radius > 0) {
      const length = Math.hypot(...d);
      if (length > 0) normal = scale(d, (length < on_radius ? -1 : 1) / length);
    } else if (direction >= 0) {
      const x = kit.vector(direction);
      normal = x && (kit.flat ? cross([0, 0, 1], x) : x);
      if (normal && dot(normal, d) < 0) normal = scale(normal, -1);
    }
    return normal ? add(p, normal, -radius) : p;
  }

  update() {
    const { kit } = this;
    for (const { contact, rim, base, sticks, slides } of this.parts) {
      if (rim) this.placeRim(rim, kit.point(contact.at), contact.radius);
      if (base?.rim) this.placeRim(base.rim, kit.point(contact.on), contact.on_radius);
      const x = contact.direction >= 0 ? kit.vector(contact.direction) : null;
      if (base?.edge && x) this.placeEdge(base.edge, kit.point(contact.on), x);
      const mode = Math.round(kit.model.table.values[contact.mode]?.[kit.motion.place.row] ?? 0);
      const place = this.meeting(contact);
      for (const [dot_, shown] of [
        [sticks, mode === 1],
        [slides, mode > 1],
      ]) {
        if (shown) kit.dots.ball(dot_, place, 1.1 * kit.unit, kit.layer('dot'));
        else kit.dots.hide(dot_);
      }
    }
  }
}
