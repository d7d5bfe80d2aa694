/**
 * A film of the scene, 30 pictures a second. Where the browser can encode pictures one by one, every picture is in it,
 * however long it takes; elsewhere pictures are recorded as they are drawn.
 */
import { paint } from './picture.js';
import { webmOf } from './webm.js';

const RATE = 30;
const BITS = 8e6; // a second
const KEYS = 2 * RATE; // pictures from one that needs no other to the next
const WAITING = 4; // pictures that may wait for the encoder

const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const CODECS = [
  { codec: 'vp09.00.40.08', name: 'V_VP9' },
  { codec: 'vp8', name: 'V_VP8' },
];

const recordedType = () =>
  (globalThis.MediaRecorder && TYPES.find((type) => MediaRecorder.isTypeSupported(type))) ?? null;

/** Can this browser make films? */
export const makesFilms = () => Boolean(globalThis.VideoEncoder || recordedType());

const until = (time) => new Promise((done) => setTimeout(done, Math.max(0, time - performance.now())));

/** What encodes pictures of this size; null: nothing does. */
async function encoderFor(width, height) {
  for (const { codec, name } of globalThis.VideoEncoder ? CODECS : []) {
    const config = { codec, width, height, bitrate: BITS, framerate: RATE };
    try {
      if ((await VideoEncoder.isConfigSupported(config)).supported) return { config, name };
    } catch {
      /* the next one */
    }
  }
  return null;
}

/** Every picture, with the time that it has in the film. @param {(seconds: number) => HTMLCanvasElement} paintAt */
async function encodeAll({ config, name }, length, paintAt, progress) {
  const pictures = [];
  let fault = null;
  const encoder = new VideoEncoder({
    output(chunk) {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      pictures.push({ time: Math.round(chunk.timestamp / 1000), key: chunk.type === 'key', data });
    },
    error(error) {
      fault = error;
    },
  });
  encoder.configure(config);
  const count = Math.max(2, Math.round(length * RATE) + 1);
  for (let k = 0; k < count && !fault && progress(k / count); k++) {
    const frame = new VideoFrame(paintAt((length * k) / (count - 1)), { timestamp: Math.round((1e6 * k) / RATE) });
    encoder.encode(frame, { keyFrame: k % KEYS === 0 });
    frame.close();
    do await until(0);
    while (encoder.encodeQueueSize > WAITING && !fault); // the page stays awake
  }
  if (!fault) await encoder.flush();
  if (fault) throw fault;
  encoder.close();
  const { width, height } = config;
  return new Blob([webmOf(pictures, { width, height, codec: name, length: (1000 * count) / RATE })], {
    type: 'video/webm',
  });
}

/** Pictures as they come, at the speed of the clock; those that take too long are left out. */
async function recordAll(canvas, length, paintAt, progress) {
  const stream = canvas.captureStream(0);
  const [track] = stream.getVideoTracks();
  const recorder = new MediaRecorder(stream, { mimeType: recordedType(), videoBitsPerSecond: BITS });
  const pieces = [];
  recorder.ondataavailable = (event) => pieces.push(event.data);
  const [started, stopped] = ['onstart', 'onstop'].map(
    (what) =>
      new Promise((done) => {
        recorder[what] = done;
      }),
  );
  recorder.start();
  track.requestFrame();
  await started;
  const show = (seconds) => {
    paintAt(seconds);
    track.requestFrame();
  };
  const begin = performance.now();
  for (let seconds = 0; seconds < length;) {
    show(seconds);
    if (!progress(seconds / length)) break;
    const next = Math.max(seconds + 1 / RATE, (performance.now() - begin) / 1000);
    await until(begin + 1000 * next);
    seconds = next;
  }
  show(length);
  await until(performance.now() + 2000 / RATE); // the last picture shall be seen
  recorder.stop();
  await stopped;
  track.stop();
  return new Blob(pieces, { type: 'video/webm' });
}

/**
 * Films the motion from one time to another.
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
  const length = Math.abs(to - from) / speed; // seconds of film
  const paintAt = (seconds) => {
    clock.moveTo(seconds >= length ? to : from + Math.sign(to - from) * seconds * speed);
    return paint(stage, canvas);
  };
  try {
    const encoder = await encoderFor(canvas.width, canvas.height);
    if (encoder) return await encodeAll(encoder, length, paintAt, progress);
    return await recordAll(canvas, length, paintAt, progress);
  } finally {
    if (size) stage.resize();
    clock.moveTo(before);
  }
}
