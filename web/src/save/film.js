/** A film of the scene: pictures at 30 a second, recorded as they are drawn. */
import { paint } from './picture.js';

const RATE = 30;

/** What the browser can record; null: nothing. */
export function filmType() {
  const types = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
  return (globalThis.MediaRecorder && types.find((type) => MediaRecorder.isTypeSupported(type))) ?? null;
}

const until = (time) => new Promise((done) => setTimeout(done, Math.max(0, time - performance.now())));

/**
 * Records the motion from one time to another. Pictures that take too long are left out, so that the film keeps its
 * speed.
 * @param {{from: number, to: number, speed: number, size: [number, number]|null, progress: (share: number) => boolean}} how
 *        progress: false stops it
 * @returns {Promise<Blob>}
 */
export async function filmOf(stage, clock, { from, to, speed, size, progress }) {
  const before = clock.time;
  clock.pause();
  if (size) stage.resizeTo(...size);
  clock.moveTo(from);
  const canvas = paint(stage);
  const stream = canvas.captureStream(0);
  const [track] = stream.getVideoTracks();
  const recorder = new MediaRecorder(stream, { mimeType: filmType(), videoBitsPerSecond: 8e6 });
  const pieces = [];
  recorder.ondataavailable = (event) => pieces.push(event.data);
  const stopped = new Promise((done) => {
    recorder.onstop = done;
  });
  const started = new Promise((done) => {
    recorder.onstart = done;
  });
  recorder.start();
  track.requestFrame();
  await started;
  const show = (t) => {
    clock.moveTo(t);
    paint(stage, canvas);
    track.requestFrame();
  };
  const begin = performance.now();
  const length = Math.abs(to - from) / speed; // seconds of film
  for (let seconds = 0; seconds < length; ) {
    show(from + Math.sign(to - from) * seconds * speed);
    if (!progress(seconds / length)) break;
    const next = Math.max(seconds + 1 / RATE, (performance.now() - begin) / 1000);
    await until(begin + 1000 * next);
    seconds = next;
  }
  show(to);
  await until(performance.now() + 2000 / RATE); // the last picture shall be seen
  recorder.stop();
  await stopped;
  track.stop();
  if (size) stage.resize();
  clock.moveTo(before);
  return new Blob(pieces, { type: 'video/webm' });
}
