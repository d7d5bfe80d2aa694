/** What is in a WebM file: size, number and times of its pictures. Elements are walked through, not searched for. */
import assert from 'node:assert/strict';

const [HEADER, SEGMENT, CLUSTER, TRACKS, TRACK, VIDEO, GROUP] = [
  0x1a45dfa3, 0x18538067, 0x1f43b675, 0x1654ae6b, 0xae, 0xe0, 0xa0,
];
const INSIDE = new Set([SEGMENT, CLUSTER, TRACKS, TRACK, VIDEO, GROUP]);
const [WIDTH, HEIGHT, TIME, BLOCK, SIMPLE, CODEC] = [0xb0, 0xba, 0xe7, 0xa1, 0xa3, 0x86];

/** A number of one to eight bytes, whose leading zeros tell how many; `keep`: with the bit that ends them. */
function vint(bytes, at, keep) {
  const length = Math.clz32(bytes[at]) - 23;
  let value = keep ? bytes[at] : bytes[at] & ((1 << (8 - length)) - 1);
  let unknown = !keep && value === (1 << (8 - length)) - 1;
  for (let k = 1; k < length; k++) {
    value = value * 256 + bytes[at + k];
    unknown &&= bytes[at + k] === 255;
  }
  return { value, length, unknown };
}

const whole = (bytes) => bytes.reduce((sum, b) => sum * 256 + b, 0);

/** @returns {{width: number, height: number, codec: string, times: number[]}} times of pictures in ms */
export function readWebm(bytes) {
  const film = { width: 0, height: 0, codec: '', times: [] };
  let [cluster, at] = [0, 0];
  assert.equal(vint(bytes, 0, true).value, HEADER, 'it begins as EBML does');
  while (at < bytes.length) {
    const id = vint(bytes, at, true);
    const size = vint(bytes, at + id.length, false);
    const begin = at + id.length + size.length;
    at = begin;
    if (INSIDE.has(id.value)) continue; // what it contains comes next
    assert.ok(!size.unknown && begin + size.value <= bytes.length, 'no element is cut off');
    const content = bytes.subarray(begin, begin + size.value);
    if (id.value === WIDTH) film.width = whole(content);
    if (id.value === HEIGHT) film.height = whole(content);
    if (id.value === CODEC) film.codec = content.toString('latin1');
    if (id.value === TIME) cluster = whole(content);
    if (id.value === SIMPLE || id.value === BLOCK)
      film.times.push(cluster + content.readInt16BE(vint(content, 0).length));
    at = begin + size.value;
  }
  return film;
}
