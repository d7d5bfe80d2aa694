/** Solid shapes that move with bodies: forms with a stripe, toothed wheels and racks, cams, screws. */
import { Color, DoubleSide, EdgesGeometry, LineBasicMaterial, LineSegments, Matrix4, Mesh, Sphere } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { cams } from './cams.js';
import { gears } from './gears.js';
import { outlineOf, surfaceOf, stripeOf } from './nets.js';
import { Pose } from './pose.js';
import { screws } from './screws.js';

/** More solids than this are drawn without outlines. */
const OUTLINED = 150;

export class Solids {
  /** @param {import('./kit.js').Kit} kit */
  constructor(kit) {
    this.kit = kit;
    this.parts = [];
    this.poses = new Map();
    const special = [...gears(kit), ...cams(kit), ...screws(kit)];
    /** Bodies whose own form is replaced by one that says more. */
    this.replaced = new Set(special.filter((s) => s.replaces).map((s) => s.body));
    kit.model.forms.forEach((form, i) => {
      if (form && !this.replaced.has(i)) this.addForm(form, i);
    });
    for (const { body, surface, stripe, place, outlined, dark } of special) {
      const colour = body >= 0 ? kit.bodyColour(body) : kit.colours.ground;
      this.add({ body, geometry: surface, colour, place, outlined, dark });
      if (stripe) this.add({ body, geometry: stripe, colour: kit.colours.ink, lift: 1, place, outlined: false });
    }
    if (special.length) this.widenBounds();
  }

  addForm(form, body) {
    const { kit } = this;
    const net = form.kind === 'mesh';
    const edges = net && kit.flat ? outlineOf(form) : null;
    this.add({ body, geometry: surfaceOf(form, kit.flat), colour: kit.bodyColour(body), outlined: !net, edges });
    const stripe = stripeOf(form, kit.flat);
    if (stripe) this.add({ body, geometry: stripe, colour: kit.colours.ink, lift: 1, outlined: false });
  }

  poseOf(body) {
    if (!this.poses.has(body)) this.poses.set(body, new Pose(this.kit, this.kit.model.bodies[body]));
    return this.poses.get(body);
  }

  /** @param {{body: number, geometry: object, colour: number, lift?: number, place?: Matrix4, outlined?: boolean,
   *  edges?: Float32Array}} part
   *  place: where it is in the body's axes, or in the world for body -1 */
  add({ body, geometry, colour, lift = 0, place = null, outlined = true, edges = null, dark = false }) {
    const { kit } = this;
    const tint = new Color(colour);
    if (!dark) tint.lerp(new Color(kit.colours.paper), lift ? 0.45 : kit.flat ? 0.5 : 0.15);
    const material = kit.material({ color: tint, side: DoubleSide });
    const mesh = new Mesh(geometry, material);
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.castShadow = !kit.flat;
    mesh.userData.body = body;
    const objects = [mesh];
    if (edges?.length) objects.push(this.thickLine(edges));
    else if (outlined && this.parts.length < OUTLINED) objects.push(this.outline(geometry));
    kit.group.add(...objects);
    this.parts.push({ body, objects, lift, place });
  }

  /** Makes room in the bounds of the motion for what is larger than its points, over a few moments. */
  widenBounds() {
    const { motion, model } = this.kit;
    const { low, high } = motion.bounds;
    const sphere = new Sphere();
    for (let k = 0; k < 5; k++) {
      motion.moveTo(model.table.start + (k / 4) * (model.table.end - model.table.start));
      this.update();
      for (const { objects } of this.parts) {
        objects[0].geometry.computeBoundingSphere();
        sphere.copy(objects[0].geometry.boundingSphere).applyMatrix4(objects[0].matrix);
        if (!objects[0].visible || !Number.isFinite(sphere.radius)) continue;
        for (let c = 0; c < model.dimension; c++) {
          low[c] = Math.min(low[c], sphere.center.getComponent(c) - sphere.radius);
          high[c] = Math.max(high[c], sphere.center.getComponent(c) + sphere.radius);
        }
      }
    }
    motion.moveTo(model.table.start);
  }

  /** Lines in ink, for the plane. */
  thickLine(positions) {
    const thick = new LineSegmentsGeometry().setPositions(positions);
    const line = new LineSegments2(thick, new LineMaterial({ color: this.kit.colours.ink, linewidth: 1.4 }));
    line.matrixAutoUpdate = false;
    line.frustumCulled = false;
    return line;
  }

  /** Edges in ink. */
  outline(geometry) {
    const { kit } = this;
    const edges = new EdgesGeometry(geometry, 25);
    const dark = kit.colours.name === 'dark' && !kit.flat;
    let line;
    if (kit.flat) {
      line = this.thickLine(edges.attributes.position.array);
      edges.dispose();
    } else {
      const material = new LineBasicMaterial({ color: kit.colours.ink, transparent: true, opacity: dark ? 0.45 : 0.8 });
      line = new LineSegments(edges, material);
    }
    line.matrixAutoUpdate = false;
    line.frustumCulled = false;
    return line;
  }

  update() {
    const { kit } = this;
    const known = new Map();
    for (const { body, objects, lift, place } of this.parts) {
      if (!known.has(body)) known.set(body, body < 0 ? new Matrix4() : this.poseOf(body).now());
      const pose = known.get(body);
      for (const [k, object] of objects.entries()) {
        object.visible = pose !== null;
        if (!pose) continue;
        object.matrix.copy(pose);
        if (place) object.matrix.multiply(place);
        object.matrix.elements[14] += kit.layer('solid', body + 1) + (kit.flat ? (lift + k) * 0.01 * kit.unit : 0);
      }
    }
  }

  dispose() {
    for (const { objects } of this.parts)
      for (const { geometry, material } of objects) {
        geometry.dispose();
        material.dispose();
      }
  }
}
