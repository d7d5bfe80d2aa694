/** Springs as coils that stretch, dampers as cylinders with a piston. */
import { Batch } from './batch.js';
import { coilShape } from './shapes.js';
import { add, distance, direction } from './vec.js';

const HOOK = 0.1; // share of the length that is straight, at each end

/** Puts a coil's wire into space: the instance's matrix says from where to where, and how wide. */
const COIL = `
  vec3 size = vec3(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz), length(instanceMatrix[2].xyz));
  float along = clamp((position.x - ${HOOK}) / ${(1 - 2 * HOOK).toFixed(3)}, 0.0, 1.0);
  float width = smoothstep(0.0, 0.035, along) * smoothstep(0.0, 0.035, 1.0 - along);
  float turn = along * 6.283185307 * turns;
  vec3 axis = vec3(0.0, sin(turn), cos(turn));
  vec3 tangent = normalize(vec3(size.x * ${(1 - 2 * HOOK).toFixed(3)}, size.y * 6.283185307 * turns * width * vec2(cos(turn), -sin(turn))));
  vec3 normal1 = normalize(axis - dot(axis, tangent) * tangent);
  vec3 normal2 = cross(tangent, normal1);
  vec3 outward = cos(position.y) * normal1 + sin(position.y) * normal2;
  vec3 wirePoint = vec3(position.x * size.x, axis.yz * size.y * width) + wire * outward;`;

export class Springs {
  constructor(kit) {
    this.kit = kit;
    this.turns = kit.many ? 5 : 9;
    this.coils = new Batch(coilShape(this.turns), this.makeMaterial(), { flat: kit.flat });
    kit.batches.push(this.coils);
    this.links = kit.model.links.map((link) => this.makeLink(link));
  }

  makeMaterial() {
    const { kit } = this;
    const material = kit.material();
    const uniforms = { wire: { value: kit.unit * (kit.flat ? 0.19 : 0.24) }, turns: { value: this.turns } };
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, uniforms);
      shader.vertexShader = `uniform float wire;\nuniform float turns;\n${shader.vertexShader}`
        .replace('void main() {', `void main() {${COIL}`)
        .replace('#include <beginnormal_vertex>', 'vec3 objectNormal = outward * size;')
        .replace('#include <begin_vertex>', 'vec3 transformed = wirePoint / size;');
    };
    return material;
  }

  makeLink(link) {
    const { kit } = this;
    const { colours } = kit;
    const coil = link.kind !== 'damper' ? this.coils.add(colours.spring) : -1;
    const reach = distance(kit.point(link.a), kit.point(link.b));
    const radius = Math.min(2.6 * kit.unit, Math.max(1.5 * kit.unit, 0.05 * (reach || 0))); // long ones are wide
    if (link.kind === 'spring') return { link, coil, radius };
    return {
      link,
      coil,
      radius,
      pot: kit.shafts.add(colours.damper),
      rod: kit.shafts.add(colours.metal),
      length: 0.5 * (Number.isFinite(reach) && reach > 0 ? reach : 4 * kit.unit),
    };
  }

  update() {
    for (const part of this.links) {
      const a = this.kit.point(part.link.a);
      const b = this.kit.point(part.link.b);
      this.placeCoil(part, a, b);
      if (part.pot !== undefined) this.placeDamper(part, a, b);
    }
  }

  placeCoil({ coil, radius }, a, b) {
    if (coil >= 0) this.coils.segment(coil, a, b, radius, { layer: this.kit.layer('spring') });
  }

  /** A pot that keeps its length at a, a rod that dives into it from b. */
  placeDamper({ coil, pot, rod, length }, a, b) {
    const { kit } = this;
    const layer = kit.layer('spring', coil >= 0 ? 3 : 1);
    const slim = coil >= 0 ? 0.75 : 1.1;
    const reach = distance(a, b);
    if (!(reach > 0)) {
      kit.shafts.hide(pot);
      kit.shafts.hide(rod);
      return;
    }
    const x = direction(a, b);
    kit.shafts.segment(rod, a, b, 0.3 * kit.unit, { layer, closed: true });
    kit.shafts.segment(
      pot,
      add(a, x, 0.18 * reach),
      add(a, x, Math.min(0.18 * reach + length, 0.86 * reach)),
      slim * kit.unit,
      { layer: layer + (kit.flat ? 0.05 * kit.unit : 0), closed: true },
    );
  }
}
