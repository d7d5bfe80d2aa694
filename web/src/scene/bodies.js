/** Rods, plates and other rigid bodies: the hull of their points, with round corners. */
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh } from 'three';
import { isInside } from './forms.js';
import { outlineOf } from './hull.js';
import { localOf } from './local.js';

export class Bodies {
  /** @param {import('./kit.js').Kit} kit @param {Set<number>} replaced bodies that are drawn otherwise */
  constructor(kit, replaced) {
    this.kit = kit;
    this.replaced = replaced;
    this.parts = kit.model.bodies.map((body, i) => this.makePart(body, i)).filter(Boolean);
  }

  /** Reserves the shapes of a body; its outline is that of the first row where all of it is known. */
  makePart(body, i) {
    const { kit } = this;
    if (body.kind === 'ground' || body.kind === 'particle' || this.isHidden(body, i)) return null;
    const outline = outlineOf(body.points.map((p) => kit.point(p)));
    if (outline.kind === 'none') return null;
    const colour = kit.bodyColour(i);
    const id = (k) => body.points[k];
    const radius = kit.unit * { point: 2, line: 1, polygon: 0.75, solid: 0.45 }[outline.kind];
    return {
      body: i,
      radius,
      edges: outline.edges.map(([a, b]) => ({ a: id(a), b: id(b), shaft: kit.shafts.add(colour) })),
      corners: outline.corners.map((c) => ({ point: id(c), ball: kit.balls.add(colour) })),
      faces: outline.faces.length
        ? this.makeFaces(
            outline.faces.map((f) => f.map(id)),
            colour,
          )
        : null,
    };
  }

  /** Is all of a body inside its form? */
  isHidden(body, i) {
    const form = this.kit.model.forms[i];
    return this.replaced.has(i) || (form && body.points.every((p) => isInside(form, localOf(this.kit, i, p))));
  }

  /** A net of triangles whose corners follow the points. */
  makeFaces(triangles, colour) {
    const { kit } = this;
    const geometry = new BufferGeometry();
    const positions = new BufferAttribute(new Float32Array(9 * triangles.length), 3);
    geometry.setAttribute('position', positions);
    const tint = new Color(colour).lerp(new Color(kit.colours.paper), kit.flat ? 0.42 : 0.25);
    const material = kit.material({ color: tint, side: DoubleSide, ...(kit.flat ? {} : { flatShading: true }) });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.castShadow = !kit.flat;
    kit.group.add(mesh);
    return { mesh, positions, corners: triangles.flat() };
  }

  update() {
    const { kit } = this;
    for (const part of this.parts) {
      const layer = kit.layer('body', part.body);
      for (const { a, b, shaft } of part.edges)
        kit.shafts.segment(shaft, kit.point(a), kit.point(b), part.radius, { layer });
      for (const { point, ball } of part.corners) kit.balls.ball(ball, kit.point(point), part.radius, layer);
      if (part.faces) this.updateFaces(part.faces, layer);
    }
  }

  updateFaces({ mesh, positions, corners }, layer) {
    const { kit } = this;
    mesh.visible = corners.every((c) => kit.motion.isFinite(c));
    if (!mesh.visible) return;
    const lift = kit.flat ? layer - 0.004 * kit.unit : 0; // above the outline, below the rim
    corners.forEach((c, k) => {
      const p = kit.point(c);
      positions.setXYZ(k, p[0], p[1], p[2] + lift);
    });
    positions.needsUpdate = true;
  }

  dispose() {
    for (const { faces } of this.parts) {
      faces?.mesh.geometry.dispose();
      faces?.mesh.material.dispose();
    }
  }
}
