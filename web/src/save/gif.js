/** Pictures as an animated GIF: one palette for all of them, what does not change left out, LZW. */

/** Colours with five bits each, as one number. */
const short = (r, g, b) => ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);

/** The most frequent colours of some pictures (at most 255; the last place means "as before"). */
export function paletteOf(pictures) {
  const counts = new Map();
  for (const { data } of pictures)
    for (let i = 0; i < data.length; i += 4) {
      const key = short(data[i], data[i + 1], data[i + 2]);
      const entry = counts.get(key);
      if (entry) entry.n++;
      else counts.set(key, { n: 1, rgb: [data[i], data[i + 1], data[i + 2]] });
    }
  return [...counts.values()]
    .sort((a, b) => b.n - a.n)
    .slice(0, 255)
    .map((entry) => entry.rgb);
}

/** The nearest colour of a palette; asked once for each short colour. */
function finder(palette) {
  const known = new Map();
  return (r, g, b) => {
    const key = short(r, g, b);
    if (!known.has(key)) {
      let [best, least] = [0, Infinity];
      palette.forEach(([x, y, z], k) => {
        const d = 2 * (x - r) ** 2 + 4 * (y - g) ** 2 + 3 * (z - b) ** 2;
        if (d < least) [best, least] = [k, d];
      });
      known.set(key, best);
    }
    return known.get(key);
  };
}

/** LZW with 8 bits, in blocks of at most 255 bytes. */
function compress(indices, out) {
  const block = [];
  let [bits, count] = [0, 0];
  const put = (code, width) => {
    bits |= code << count;
    for (count += width; count >= 8; count -= 8) {
      block.push(bits & 255);
      bits >>>= 8;
      if (block.length === 255) out.push(255, ...block.splice(0));
    }
  };
  const [CLEAR, END] = [256, 257];
  let [next, width] = [258, 9];
  let table = new Map();
  put(CLEAR, width);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; i++) {
    const key = prefix * 256 + indices[i];
    const code = table.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    put(prefix, width);
    if (next === 4096) {
      put(CLEAR, width);
      table = new Map();
      [next, width] = [258, 9];
    } else {
      table.set(key, next);
      if (next === 1 << width) width++;
      next++;
    }
    prefix = indices[i];
  }
  put(prefix, width);
  put(END, width);
  if (count > 0) put(0, 8 - count);
  if (block.length) out.push(block.length, ...block);
  out.push(0);
}

/** The file. @param {ImageData[]} pictures @param {number} delay between two of them, in 1/100 s @returns {Uint8Array} */
export function gifOf(pictures, delay) {
  const { width, height } = pictures[0];
  const palette = paletteOf(pictures.filter((_, i) => i % Math.ceil(pictures.length / 8) === 0));
  const nearest = finder(palette);
  const AS_BEFORE = 255;
  const word = (x) => [x & 255, x >> 8];
  const parts = [];
  const colours = new Uint8Array(768);
  palette.forEach((rgb, k) => colours.set(rgb, 3 * k));
  parts.push(Uint8Array.from([...'GIF89a'].map((c) => c.charCodeAt(0))));
  parts.push(Uint8Array.from([...word(width), ...word(height), 0xf7, 0, 0]), colours);
  parts.push(Uint8Array.from([0x21, 0xff, 11, ...[...'NETSCAPE2.0'].map((c) => c.charCodeAt(0)), 3, 1, 0, 0, 0]));
  let before = null;
  for (const { data } of pictures) {
    const indices = new Uint8Array(width * height);
    for (let i = 0; i < indices.length; i++) indices[i] = nearest(data[4 * i], data[4 * i + 1], data[4 * i + 2]);
    const out = [
      0x21,
      0xf9,
      4,
      0x05,
      ...word(delay),
      AS_BEFORE,
      0,
      0x2c,
      0,
      0,
      0,
      0,
      ...word(width),
      ...word(height),
      0,
      8,
    ];
    compress(before ? indices.map((x, i) => (x === before[i] ? AS_BEFORE : x)) : indices, out);
    before = indices;
    parts.push(Uint8Array.from(out));
  }
  parts.push(Uint8Array.from([0x3b]));
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (file.set(part, at), at + part.length), 0);
  return file;
}
