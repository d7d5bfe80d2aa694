/** What `taut view --video` asks a page in a browser without a window: the whole run as a film, by text. */
import { filmOf, makesFilms } from './film.js';
import { gifOf } from './gif.js';
import { paint } from './picture.js';

const MOST = { gif: 300, frames: 3000 }; // pictures

/** Bytes as base64. */
async function encode(blob) {
  const reader = new FileReader();
  const done = new Promise((go) => {
    reader.onload = go;
  });
  reader.readAsDataURL(blob);
  await done;
  return reader.result.slice(reader.result.indexOf(',') + 1);
}

/** @param {import('../scene/stage.js').Stage} stage @param {import('../clock.js').Clock} clock */
export function filmByCommand(stage, clock, size = [960, 600]) {
  const times = (rate, most) => {
    const count = Math.max(2, Math.min(most, Math.round((clock.length / clock.speed) * rate)));
    return Array.from({ length: count }, (_, k) => clock.first + ((clock.last - clock.first) * k) / (count - 1));
  };
  const paintAt = (t) => {
    clock.seek(t);
    return paint(stage);
  };
  stage.renderer.setPixelRatio(1);
  stage.resizeTo(...size);
  return {
    async webm() {
      if (!makesFilms()) throw new Error('this browser records no films');
      const { first: from, last: to, speed } = clock;
      return encode(await filmOf(stage, clock, { from, to, speed, size, progress: () => true }));
    },
    async gif() {
      const list = times(12.5, MOST.gif);
      const seconds = clock.length / clock.speed;
      const pictures = list.map((t) => {
        const canvas = paintAt(t);
        return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      });
      return encode(new Blob([gifOf(pictures, Math.max(2, Math.round((100 * seconds) / list.length)))]));
    },
    count: () => times(30, MOST.frames).length,
    frame: async (k) => {
      const canvas = paintAt(times(30, MOST.frames)[k]);
      return encode(await new Promise((go) => canvas.toBlob(go, 'image/png')));
    },
  };
}
