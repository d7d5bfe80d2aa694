/** Which body is under the pointer: a solid that the ray meets first, or the rod or edge that is nearest. */
import { Raycaster, Vector2 } from 'three';

const NEAR = 9; // pixels around an edge

/** How far a place is from a line between two places of the screen. */
function fromSegment([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const s = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square)) : 0;
  return Math.hypot(x - ax - s * dx, y - ay - s * dy);
}

/** @param {import('./stage.js').Stage} stage @returns {number} the body, or -1 */
export function bodyAt(stage, x, y) {
  const { kit, view, width, height } = stage;
  const seen = (i) => stage.layers.labels.project(kit.point(i), view.camera, width, height);
  let [best, nearest] = [-1, NEAR];
  for (const { body, edges, corners } of stage.bodies.parts) {
    const lines = edges.length ? edges.map(({ a, b }) => [a, b]) : corners.map(({ point }) => [point, point]);
    for (const [a, b] of lines.slice(0, 60)) {
      const [p, q] = [seen(a), seen(b)];
      const d = p && q ? fromSegment([x, y], p, q) : Infinity;
      if (d < nearest) [best, nearest] = [body, d];
    }
  }
  if (best >= 0) return best;
  const ray = new Raycaster();
  ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), view.camera);
  const meshes = [
    ...stage.solids.parts.filter((p) => p.body >= 0).map((p) => p.objects[0]),
    ...stage.bodies.parts
      .filter((p) => p.faces)
      .map((p) => Object.assign(p.faces.mesh, { userData: { body: p.body } })),
  ].filter((m) => m.visible);
  for (const mesh of meshes) {
    if (mesh.matrixAutoUpdate === false) mesh.matrixWorld.copy(mesh.matrix);
    mesh.geometry.boundingSphere = null; // corners move
  }
  return ray.intersectObjects(meshes, false)[0]?.object.userData.body ?? -1;
}
