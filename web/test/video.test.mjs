/** `taut view --video`: films from the command line, and what is said where none can be made. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FOLDER, ROOT, TAUT } from './pages.mjs';
import { readWebm } from './webm.mjs';

const PENDULUM = join(ROOT, 'examples', 'pendulum.yaml');
const place = join(FOLDER, 'with # ? 100% and spaces');
const temporary = join(FOLDER, 'temporary');
for (const folder of [place, temporary]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

const SECONDS = 1.5; // a run so short that it is shown as fast as it is

/** Films the pendulum, its output through pipes. */
function film(output, env = {}) {
  return spawnSync(
    TAUT,
    ['view', PENDULUM, '--no-certify', '--tend', String(SECONDS), '-o', join(place, 'page.html'), '--video', output],
    {
      encoding: 'utf8',
      env: { ...process.env, TMPDIR: temporary, ...env },
    },
  );
}

/** The pictures of a GIF: blocks are walked through, so that bytes of pictures are not taken for marks. */
function picturesOf(bytes) {
  const blocks = (at) => {
    while (bytes[at] !== 0) at += bytes[at] + 1;
    return at + 1;
  };
  const colours = (flags) => (flags & 128 ? 3 << ((flags & 7) + 1) : 0);
  let [count, at] = [0, 13 + colours(bytes[10])];
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) at = blocks(at + 2);
    else {
      assert.equal(bytes[at], 0x2c, 'a picture or an extension');
      count++;
      at = blocks(at + 10 + colours(bytes[at + 9]) + 1);
    }
  }
  return count;
}

test('a GIF has its pictures, the summary is printed once, and nothing is left behind', () => {
  const output = join(place, 'film.gif');
  const { status, stdout, stderr } = film(output);
  assert.equal(status, 0, stderr);
  assert.equal(stdout.split('page in ').length, 2, stdout);
  assert.equal(stdout.split('film in ').length, 2, stdout);
  const bytes = readFileSync(output);
  assert.equal(bytes.subarray(0, 6).toString('latin1'), 'GIF89a');
  assert.deepEqual([bytes.readUInt16LE(6), bytes.readUInt16LE(8)], [960, 600]);
  assert.ok(picturesOf(bytes) >= 12, `${picturesOf(bytes)} pictures`);
  assert.deepEqual(readdirSync(temporary), []);
});

test('a WebM has its size, its length and pictures that move on', () => {
  const output = join(place, 'film.webm');
  const { status, stdout, stderr } = film(output);
  assert.equal(status, 0, stderr);
  assert.equal(stdout.split('film in ').length, 2, stdout);
  const { width, height, codec, times } = readWebm(readFileSync(output));
  assert.deepEqual([width, height], [960, 600]);
  assert.match(codec, /^V_VP[89]$/);
  assert.deepEqual(
    times,
    Array.from({ length: 30 * SECONDS + 1 }, (_, k) => Math.round((1000 * k) / 30)),
  ); // none is left out
  assert.deepEqual(readdirSync(temporary), []);
});

test('single pictures are numbered, and each is a PNG of the size that was asked for', () => {
  const folder = join(place, 'frames');
  const { status, stderr } = film(`${folder}/`);
  assert.equal(status, 0, stderr);
  const names = readdirSync(folder).sort();
  assert.ok(names.length >= 30, `${names.length} pictures`);
  names.forEach((name, k) => {
    const bytes = readFileSync(join(folder, name));
    assert.equal(name, `${String(k).padStart(5, '0')}.png`);
    assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG');
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [960, 600]);
  });
  const [first, last] = [names[0], names.at(-1)].map((name) => readFileSync(join(folder, name)));
  assert.notDeepEqual(first, last, 'it moves');
});

test('without a Chromium nothing is begun, and the message says what to install', () => {
  const { status, stdout, stderr } = film(join(place, 'none.gif'), { PATH: '/nonexistent', CHROMIUM: '' });
  assert.equal(status, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /none is installed \(Debian: chromium; or set CHROMIUM to the program\)/);
});

test('a Chromium that does not start, and a place that cannot be written, are told; the page stays', () => {
  rmSync(join(place, 'page.html'), { force: true });
  const broken = film(join(place, 'none.gif'), { CHROMIUM: '/bin/false' });
  assert.equal(broken.status, 1);
  assert.match(broken.stderr, /Chromium could not be started/);
  assert.ok(existsSync(join(place, 'page.html')));
  assert.ok(!existsSync(join(place, 'none.gif')));
  const nowhere = film(join(place, 'missing', 'film.gif'));
  assert.equal(nowhere.status, 1);
  assert.match(nowhere.stderr, /missing.film\.gif.*No such file/s);
  assert.deepEqual(readdirSync(temporary), []);
});

test('other names are refused', () => {
  const { status, stderr } = film(join(place, 'film.mp4'));
  assert.equal(status, 2);
  assert.match(stderr, /ends in \.webm or \.gif, or a folder/);
});
