/** The engine of live pages against the program: the same digits in all examples. Needs no browser. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Engine } from '../src/live/engine.js';
import { ENGINE, engineIsMissing, FOLDER, ROOT, TAUT } from './pages.mjs';

const skip = engineIsMissing();
const module = skip ? null : new WebAssembly.Module(gunzipSync(readFileSync(ENGINE)));

/** All examples that are models by themselves. */
function examples(folder = join(ROOT, 'examples')) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['parts', 'studies', 'c'].includes(entry.name) ? [] : examples(path);
    return entry.name.endsWith('.yaml') ? [path] : [];
  });
}

/** A model as a live page holds it, from the page itself. */
function sourceOf(path) {
  const page = join(FOLDER, 'engine.html');
  execFileSync(TAUT, ['view', path, '--live', '--no-certify', '--quiet', '-o', page], { stdio: 'pipe' });
  const data = JSON.parse(readFileSync(page, 'utf8').match(/id="taut-data">([^<]*)</)[1]);
  return { name: data.file, text: data.model, files: data.files };
}

/** Runs natively at given times; columns by name. */
function native(path, times, args = []) {
  const [list, table] = [join(FOLDER, 'engine-times.txt'), join(FOLDER, 'engine.csv')];
  writeFileSync(list, times.map((t) => `${t}\n`).join(''));
  execFileSync(TAUT, ['run', path, '--at', `@${list}`, '-o', table, '--quiet', ...args], { stdio: 'pipe' });
  const [head, ...lines] = readFileSync(table, 'utf8').trim().split('\n');
  const rows = lines.map((line) => line.split(',').map(Number));
  return { names: head.split(','), rows };
}

/** Rows of a run at equidistant times: at ends of steps there may be an event, with a value before it and one behind. */
function rowsOf({ table, rows, columns }) {
  const list = [];
  const grid = Math.min(1001, Math.max(26, Math.floor(100000 / columns))); // src/task/screen.c
  const [begin, end] = [table[0], table[(rows - 1) * columns]];
  const times = Array.from({ length: grid }, (_, i) => begin + (end - begin) * (i / (grid - 1)));
  const wanted = new Set(times.filter((_, i) => i % 7 === 0));
  for (let i = 0; i < rows; i++) {
    const row = table.subarray(i * columns, (i + 1) * columns);
    if (wanted.delete(row[0])) list.push(row);
  }
  return list;
}

/** The largest difference, relative to the largest value of the column or its primes. */
export function difference(engine, program) {
  let worst = { error: 0, name: '' };
  const scale = program.names.map((_, c) => Math.max(...program.rows.map((row) => Math.abs(row[c]))));
  program.rows.forEach((row, r) =>
    row.forEach((value, c) => {
      const error = Math.abs(engine[r][c] - value) / (scale[c] > 1e-9 ? scale[c] : 1);
      if (error > worst.error) worst = { error, name: program.names[c] };
    }),
  );
  return worst;
}

mkdirSync(FOLDER, { recursive: true });
for (const path of examples())
  test(`${relative(ROOT, path)}: the engine gives the numbers of the program`, { skip }, async () => {
    // at 1e-9 rounding decides on 1e-10 of the gyroscope, and on as much between any two tolerances that are neighbours
    const tolerance = path.endsWith('gyroscope.yaml') ? 1e-10 : 1e-9;
    const engine = await Engine.create(module);
    assert.equal(engine.read(sourceOf(path)), 0, 'it reads the model');
    const run = engine.run({ tolerance });
    assert.equal(run.status, 0, JSON.parse(run.data).message?.text);
    const rows = rowsOf(run);
    assert.ok(rows.length > 3, `${rows.length} rows`);
    const program = native(
      path,
      rows.map((row) => row[0]),
      ['--tol', `${tolerance}`],
    );
    const worst = difference(rows, program);
    console.log(`${relative(ROOT, path)}: ${worst.error.toExponential(1)} ${worst.name}`);
    assert.ok(worst.error < 1e-10, `${worst.name} differs by ${worst.error}`);
  });
