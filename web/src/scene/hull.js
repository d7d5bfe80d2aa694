/** The outline of a body: which of its points are corners, and which faces they span. */
import { Vector3 } from 'three';
import { ConvexHull } from 'three/examples/jsm/math/ConvexHull.js';
import { cross, direction, distance, dot, length, reject, scale, subtract } from './vec.js';

/**
 * @param {number[][]} points positions
 * @returns {{kind: 'none'|'point'|'line'|'polygon'|'solid', corners: number[], edges: number[][], faces: number[][]}}
 *          indices into points: corners in order (line: the two ends), edges, triangles
 */
export function outlineOf(points) {
  const kept = distinct(points);
  if (kept.length === 0) return shape('none', []);
  if (kept.length === 1) return shape('point', kept);
  const size = Math.max(...kept.map((i) => distance(points[i], points[kept[0]])));
  const ends = farthest(points, kept);
  const u = direction(points[ends[0]], points[ends[1]]);
  const off = kept.map((i) => reject(subtract(points[i], points[ends[0]]), u));
  const widest = off.reduce((best, d, k) => (length(d) > length(off[best]) ? k : best), 0);
  if (length(off[widest]) < 1e-6 * size) return shape('line', ends);
  const v = scale(off[widest], 1 / length(off[widest]));
  const n = cross(u, v);
  const height = kept.map((i) => Math.abs(dot(subtract(points[i], points[ends[0]]), n)));
  if (Math.max(...height) < 1e-6 * size) return polygon(points, kept, u, v);
  return solid(points, kept);
}

/** A polygon's corners by Andrew's chain, in the plane of u and v. */
function polygon(points, kept, u, v) {
  const flat = kept.map((i) => ({ i, x: dot(points[i], u), y: dot(points[i], v) }));
  flat.sort((a, b) => a.x - b.x || a.y - b.y);
  const turn = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  const chain = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && turn(out.at(-2), out.at(-1), p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  const corners = [...chain(flat), ...chain(flat.toReversed())].map((p) => p.i);
  const edges = corners.map((c, k) => [c, corners[(k + 1) % corners.length]]);
  const faces = corners.slice(2).map((c, k) => [corners[0], corners[k + 1], c]);
  return { kind: 'polygon', corners, edges, faces };
}

/** Triangles of the convex hull in space; an edge between two faces of one plane is left out. */
function solid(points, kept) {
  const vertices = kept.map((i) => Object.assign(new Vector3(...points[i]), { source: i }));
  const hull = new ConvexHull().setFromPoints(vertices);
  const faces = [];
  const edges = [];
  for (const face of hull.faces) {
    const corners = [];
    let edge = face.edge;
    do {
      corners.push(edge.head().point.source);
      const other = edge.twin?.face;
      if (other && face.normal.dot(other.normal) < 0.9999 && edge.tail().point.source < edge.head().point.source) {
        edges.push([edge.tail().point.source, edge.head().point.source]);
      }
      edge = edge.next;
    } while (edge !== face.edge);
    for (let k = 2; k < corners.length; k++) faces.push([corners[0], corners[k - 1], corners[k]]);
  }
  return { kind: 'solid', corners: [...new Set(faces.flat())], edges, faces };
}

function shape(kind, corners) {
  return { kind, corners, edges: corners.length === 2 ? [corners] : [], faces: [] };
}

/** Indices of the finite points, equal ones once. */
function distinct(points) {
  const out = [];
  points.forEach((p, i) => {
    if (p.every(Number.isFinite) && !out.some((k) => distance(points[k], p) === 0)) out.push(i);
  });
  return out;
}

/** The two ends of what is long: farthest from the first, then farthest from that. */
function farthest(points, kept) {
  const from = (i) =>
    kept.reduce((best, k) => (distance(points[k], points[i]) > distance(points[best], points[i]) ? k : best), i);
  const a = from(kept[0]);
  return [from(a), a];
}
