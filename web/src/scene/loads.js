/** Applied forces and torques as arrows, in front of everything: where they act, how large, and which way. */
import { Arc, Arrow, largest, scaleOf } from './arrows.js';
import { add, direction, length, scale } from './vec.js';
import { number } from '../ui/format.js';

const CHORDS = 14; // of the arc of a torque in the plane

export class Loads {
  constructor(kit) {
    this.kit = kit;
    this.visible = true;
    const { loads, table } = kit.model;
    const arcs = new Map(); // how many there are at a point: each goes around those before it
    const place = (at) => arcs.set(at, (arcs.get(at) ?? -1) + 1).get(at);
    this.items = loads
      .filter((l) => l.at >= 0 && l.columns.length > 0 && l.kind !== 'driver')
      .map((load) => ({ load, turns: kit.flat && load.kind === 'torque', size: largest(table, load.columns) }))
      .map((item) => ({
        ...item,
        around: item.turns ? place(item.load.at) : 0,
        sign: item.turns ? new Arc(kit, kit.colours.load, CHORDS) : new Arrow(kit, kit.colours.load, true),
      }));
    const most = (kind) => scaleOf(this.items.filter((i) => i.load.kind === kind).map((i) => i.size));
    const forces = this.items.filter((i) => i.load.kind === 'force');
    this.key = forces.length ? { size: most('force'), length: 0.16 * kit.span, kind: 'load' } : null;
    this.factor = { force: (0.16 * kit.span) / most('force'), torque: (0.16 * kit.span) / most('torque') };
  }

  /** The value now: a vector, a number along a line, or a number about the normal of the plane. */
  valueOf({ load, turns }) {
    const { kit } = this;
    const value = load.columns.map((c) => kit.model.table.at(c, kit.motion.place));
    if (turns) return { turn: value[0], size: Math.abs(value[0]) };
    const p = kit.point(load.at);
    const vector =
      value.length > 1
        ? [value[0], value[1], value[2] ?? 0]
        : load.against >= 0
          ? scale(direction(kit.point(load.against), p), value[0])
          : null;
    return vector ? { vector, size: length(vector) } : { size: NaN };
  }

  update() {
    const { kit } = this;
    for (const item of this.items) {
      const { load, sign } = item;
      const { vector, turn, size } = this.visible ? this.valueOf(item) : { size: NaN };
      const p = kit.point(load.at);
      sign.hide();
      if (!(size > 0)) continue;
      if (vector) sign.place(p, add(p, vector, Math.min(this.factor[load.kind], (0.6 * kit.span) / size)), 0.3);
      else if (turn) this.placeArc(item, p, turn);
    }
  }

  /** Around its point, the way it turns; longer where it is larger. */
  placeArc({ sign, around }, p, turn) {
    const { kit } = this;
    const radius = (4 + 1.3 * around) * kit.unit;
    const sweep = Math.sign(turn) * Math.min(5, 1 + (4 * Math.abs(turn) * this.factor.torque) / (0.16 * kit.span));
    const at = (share) => {
      const angle = Math.PI / 2 + sweep * share;
      return [p[0] + radius * Math.cos(angle), p[1] + radius * Math.sin(angle), p[2]];
    };
    sign.place(at, 0.3, true);
  }

  /** Names with values, below where the loads act. */
  labels() {
    return this.items.slice(0, 40).map((item) => ({
      kind: 'load',
      text: () => {
        const { load } = item;
        const sign = load.kind === 'torque' ? '↻' : '→';
        const { size, turn } = this.visible ? this.valueOf(item) : {};
        if (size === 0) return ''; // nothing acts now
        const value = Number.isFinite(turn ?? size)
          ? ` ${number(turn ?? size, 3)} ${load.kind === 'torque' ? 'N m' : 'N'}`
          : '';
        return `${sign} ${load.name.slice(0, 18)}${value}`;
      },
      at: () => this.kit.point(item.load.at),
      radius: (item.turns ? 5 + 1.3 * item.around : 1) * this.kit.unit, // outside of the arc
      below: true,
    }));
  }
}
