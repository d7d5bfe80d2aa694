/** Encoded pictures as a WebM file (EBML: every element is an identifier, a size and its content). */

const ID = {
  header: [0x1a, 0x45, 0xdf, 0xa3],
  version: [0x42, 0x86],
  readVersion: [0x42, 0xf7],
  longestId: [0x42, 0xf2],
  longestSize: [0x42, 0xf3],
  docType: [0x42, 0x82],
  docVersion: [0x42, 0x87],
  docReadVersion: [0x42, 0x85],
  segment: [0x18, 0x53, 0x80, 0x67],
  info: [0x15, 0x49, 0xa9, 0x66],
  scale: [0x2a, 0xd7, 0xb1],
  duration: [0x44, 0x89],
  muxer: [0x4d, 0x80],
  writer: [0x57, 0x41],
  tracks: [0x16, 0x54, 0xae, 0x6b],
  track: [0xae],
  number: [0xd7],
  uid: [0x73, 0xc5],
  kind: [0x83],
  codec: [0x86],
  video: [0xe0],
  width: [0xb0],
  height: [0xba],
  cluster: [0x1f, 0x43, 0xb6, 0x75],
  time: [0xe7],
  block: [0xa3],
};

const KEY = 0x80; // flag of a picture that needs no other

const lengthOf = (parts) => parts.reduce((sum, part) => sum + part.length, 0);

function join(parts) {
  const all = new Uint8Array(lengthOf(parts));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}

/** An element; sizes always have eight bytes, which is simple and allowed. */
function element(id, ...content) {
  const size = lengthOf(content);
  const head = new Uint8Array(8);
  new DataView(head.buffer).setBigUint64(0, BigInt(size) | (1n << 56n));
  return join([Uint8Array.from(id), head, ...content]);
}

/** Whole numbers, the largest byte first, as short as they are. */
function whole(id, value) {
  const bytes = [];
  for (let v = value; v > 0 || bytes.length === 0; v = Math.floor(v / 256)) bytes.unshift(v % 256);
  return element(id, Uint8Array.from(bytes));
}

const text = (id, value) => element(id, new TextEncoder().encode(value));

function real(id, value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, bytes);
}

/** Pictures up to the next one that needs no other; times within are relative, in two bytes. */
function cluster(pictures) {
  const [{ time }] = pictures;
  const blocks = pictures.map(({ time: t, key, data }) =>
    element(ID.block, Uint8Array.from([0x81, ((t - time) >> 8) & 255, (t - time) & 255, key ? KEY : 0]), data),
  );
  return element(ID.cluster, whole(ID.time, time), ...blocks);
}

/**
 * @param {{time: number, key: boolean, data: Uint8Array}[]} pictures time in whole ms; the first is a key, and there is one
 *        at least every 30 s @param {{width: number, height: number, codec: string, length: number}} film length in ms
 * @returns {Uint8Array}
 */
export function webmOf(pictures, { width, height, codec, length }) {
  const groups = [];
  for (const picture of pictures) {
    if (picture.key) groups.push([]);
    groups.at(-1).push(picture);
  }
  return join([
    element(
      ID.header,
      whole(ID.version, 1),
      whole(ID.readVersion, 1),
      whole(ID.longestId, 4),
      whole(ID.longestSize, 8),
      text(ID.docType, 'webm'),
      whole(ID.docVersion, 4),
      whole(ID.docReadVersion, 2),
    ),
    element(
      ID.segment,
      element(
        ID.info,
        whole(ID.scale, 1e6),
        text(ID.muxer, 'taut'),
        text(ID.writer, 'taut'),
        real(ID.duration, length),
      ),
      element(
        ID.tracks,
        element(
          ID.track,
          whole(ID.number, 1),
          whole(ID.uid, 1),
          whole(ID.kind, 1),
          text(ID.codec, codec),
          element(ID.video, whole(ID.width, width), whole(ID.height, height)),
        ),
      ),
      ...groups.map(cluster),
    ),
  ]);
}
