/** The unit shapes that everything is drawn with, solid for space and flat for the plane. */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  ConeGeometry,
  CylinderGeometry,
  PlaneGeometry,
  SphereGeometry,
} from 'three';

/** From x = 0 to 1, radius 1. */
export function shaftShape(flat) {
  if (flat) return new PlaneGeometry(1, 2).translate(0.5, 0, 0);
  return new CylinderGeometry(1, 1, 1, 24, 1).rotateZ(-Math.PI / 2).translate(0.5, 0, 0);
}

/** Radius 1 about the origin; few corners where there are many. */
export function ballShape(flat, many) {
  if (flat) return new CircleGeometry(1, many ? 16 : 48);
  return many ? new SphereGeometry(1, 10, 7) : new SphereGeometry(1, 28, 18);
}

/** From x = 0 to 1, sides from -1 to 1. */
export function boxShape(flat) {
  if (flat) return new PlaneGeometry(1, 2).translate(0.5, 0, 0);
  return new BoxGeometry(1, 2, 2).translate(0.5, 0, 0);
}

/** Base of radius 1 at x = 0, tip at x = 1. */
export function coneShape(flat) {
  if (!flat) return new ConeGeometry(1, 1, 24).rotateZ(-Math.PI / 2).translate(0.5, 0, 0);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array([0, 1, 0, 0, -1, 0, 1, 0, 0]), 3));
  return geometry;
}

const TURN_POINTS = 18; // corners a turn of a coil
const WIRE_POINTS = 7; // corners around the wire

/**
 * A coil's wire as a net: position = (share of the wire's length, angle around the wire, 0). The vertex shader of
 * springs.js puts it into space.
 */
export function coilShape(turns) {
  const n = Math.round(turns * TURN_POINTS) + 12;
  const positions = new Float32Array(3 * (n + 1) * WIRE_POINTS);
  const indices = [];
  for (let i = 0, k = 0; i <= n; i++) {
    for (let j = 0; j < WIRE_POINTS; j++, k += 3) {
      positions[k] = i / n;
      positions[k + 1] = (2 * Math.PI * j) / WIRE_POINTS;
    }
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < WIRE_POINTS; j++) {
      const a = i * WIRE_POINTS + j;
      const b = i * WIRE_POINTS + ((j + 1) % WIRE_POINTS);
      indices.push(a, a + WIRE_POINTS, b, b, a + WIRE_POINTS, b + WIRE_POINTS);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float32Array(positions.length), 3));
  geometry.setIndex(indices);
  return geometry;
}
