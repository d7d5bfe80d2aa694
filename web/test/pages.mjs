/** Pages and results for the tests, made by the program itself. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const TAUT = process.env.TAUT ?? join(ROOT, 'build', 'taut');
export const FOLDER = process.env.TAUT_TEST_FOLDER ?? join(ROOT, 'build', 'viewer');
mkdirSync(FOLDER, { recursive: true });

/** The engine of live pages, compressed. */
export const ENGINE = process.env.TAUT_ENGINE ?? join(ROOT, 'build', 'engine.wasm.gz');

/** Why tests that need the engine are left out, or false. */
export const engineIsMissing = () =>
  existsSync(ENGINE) && statSync(ENGINE).size > 0 ? false : 'there is no engine: make wasm';

/** Calls the program; an exit status other than the expected one is a failure. */
function taut(args, status = 0) {
  let got = 0;
  try {
    execFileSync(TAUT, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    got = error.status;
    if (got !== status) throw new Error(`taut ${args.join(' ')}: exit ${got}\n${error.stderr}`);
  }
  if (got !== status) throw new Error(`taut ${args.join(' ')}: exit ${got}, not ${status}`);
}

const made = new Set();

/** A file name for the page of a model: examples of one name in two folders have two. */
function nameOf(model, args) {
  const place = relative(join(ROOT, 'examples'), model);
  const file = place.startsWith('..') ? basename(model) : place.replaceAll('/', '-');
  return [basename(file, '.yaml'), ...args].join('');
}

/** The page of a model file, made once for each set of options. @returns {string} its path */
export function pageOf(model, { args = [], status = 0, name = nameOf(model, args) } = {}) {
  const path = join(FOLDER, `${name}.html`);
  if (!made.has(path)) taut(['view', model, '-o', path, '--quiet', ...args], status);
  made.add(path);
  return path;
}

/** The page of a model given as text. @returns {string} its path */
export function textOf(name, text, options = {}) {
  const model = join(FOLDER, `${name}.yaml`);
  writeFileSync(model, text);
  return pageOf(model, options);
}

/** The page of the modes of a model given as text. @returns {string} its path */
export function modesOf(name, text, args = []) {
  const [model, path] = [join(FOLDER, `${name}.yaml`), join(FOLDER, `${name}-modes.html`)];
  writeFileSync(model, text);
  taut(['modes', model, '-o', path, '--quiet', ...args]);
  return path;
}

/** The page of an example. */
export const exampleOf = (name, ...args) => pageOf(join(ROOT, 'examples', `${name}.yaml`), { args });

/** A run at given times. @returns {{names: string[], rows: number[][]}} */
export function csvAt(name, times) {
  const path = join(FOLDER, `${name.replaceAll('/', '-')}.csv`);
  taut(['run', join(ROOT, 'examples', `${name}.yaml`), '--at', times.join(','), '-o', path, '--quiet']);
  const [head, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  return { names: head.split(','), rows: lines.map((line) => line.split(',').map(Number)) };
}

/** The element with the data of a page. */
const DATA = /<script type="application\/json" id="taut-data">[^<]*<\/script>/;

/** The data in a page. */
export function dataOf(path) {
  return JSON.parse(readFileSync(path, 'utf8').match(DATA)[0].replace(/<.*?>/g, ''));
}

/** A page with other data in it: what the program would not write, a page must bear. */
export function pageWith(name, data) {
  const [head, tail] = readFileSync(exampleOf('mechanism0'), 'utf8').split(DATA);
  const text = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const path = join(FOLDER, `${name}.html`);
  writeFileSync(path, `${head}<script type="application/json" id="taut-data">${text}</script>${tail}`);
  return path;
}

/** Columns of numbers as the data of a page: bases and base64. */
export function encode(columns) {
  const rows = columns[0].values.length;
  const floats = new Float32Array(columns.length * rows);
  columns.forEach(({ values }, i) =>
    values.forEach((v, k) => {
      floats[i * rows + k] = v;
    }),
  );
  return {
    columns: columns.map(({ name, kind }) => ({ name, kind, unit: '', base: 0 })),
    rows,
    data: Buffer.from(floats.buffer).toString('base64'),
  };
}
