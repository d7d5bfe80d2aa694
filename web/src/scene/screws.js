/** Screws: a thread on the body that turns, as far as the run needs it. */
import { Curve, Matrix4, TubeGeometry, Vector3 } from 'three';
import { across } from './batch.js';
import { slideOf } from './joints.js';
import { Pose } from './pose.js';
import { dot, subtract } from './vec.js';

const MOST_TURNS = 60;

/** A helix along z. */
class Helix extends Curve {
  constructor(radius, pitch, low, high) {
    super();
    Object.assign(this, { radius, pitch, low, high });
  }

  getPoint(share, target = new Vector3()) {
    const z = this.low + share * (this.high - this.low);
    const angle = (2 * Math.PI * z) / this.pitch;
    return target.set(this.radius * Math.cos(angle), this.radius * Math.sin(angle), z);
  }
}

/** How far the nut goes along the axis, seen from the body that turns. */
function travel(kit, from, to, axis) {
  const { table } = kit.model;
  let [low, high] = [0, 0];
  for (let k = 0; k < 40; k++) {
    kit.motion.moveTo(table.times[Math.floor((k * (table.rows - 1)) / 39)] ?? table.start);
    const x = kit.vector(axis);
    const s = x ? dot(subtract(kit.point(to), kit.point(from)), x) : 0;
    if (Number.isFinite(s)) [low, high] = [Math.min(low, s), Math.max(high, s)];
  }
  kit.motion.moveTo(table.start);
  return [low, high];
}

export function screws(kit) {
  return kit.model.joints.flatMap((joint) => {
    const pitch = joint.number;
    const { slider, start } = slideOf(joint, kit.model.points);
    const body = joint.bodies[1] >= 0 ? joint.bodies[1] : joint.bodies[0];
    if (joint.kind !== 'screw' || !(Math.abs(pitch) > 0) || joint.axis < 0 || body < 0 || slider < 0) return [];
    const axis = kit.vector(joint.axis);
    const [low, high] = travel(kit, slider, start, joint.axis);
    const pose = new Pose(kit, kit.model.bodies[body]).now();
    const reach = 6 * kit.unit;
    const turns = (high - low + 2 * reach) / Math.abs(pitch);
    if (!axis || !pose || !(turns < MOST_TURNS)) return [];
    const [u, v] = across(...axis);
    const world = new Matrix4().makeBasis(new Vector3(...u), new Vector3(...v), new Vector3(...axis));
    world.setPosition(...kit.point(slider));
    const place = pose.clone().invert().multiply(world);
    const path = new Helix(1.15 * kit.unit, pitch, low - reach, high + reach);
    const surface = new TubeGeometry(path, Math.ceil(24 * turns), 0.3 * kit.unit, 6);
    return [{ body, surface, place, outlined: false, dark: true }];
  });
}
