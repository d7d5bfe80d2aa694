/**
 * Builds the page: one HTML file with style and script inside, and a place for the data.
 * Use: node build.mjs [OUTPUT], by default dist/view.html.
 */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, 'dist', 'view.html');

/** Bundles one entry file into text. */
async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
}

/** Text that may stand inside a script or style element: nothing in it ends the element. */
function inline(text) {
  return text.replace(/<\/(?=script|style)/gi, '<\\/').replace(/<!--/g, '<\\!--');
}

/** Replaces a mark that must be there exactly once. */
function put(page, mark, text) {
  const parts = page.split(mark);
  if (parts.length !== 2) throw new Error(`${mark} must be in the page once, not ${parts.length - 1} times`);
  return parts.join(text);
}

/** The notices that the licences of what is bundled ask for. */
async function notices() {
  const texts = await Promise.all(
    ['three', 'uplot'].map(async (name) => {
      const text = await readFile(join(here, 'node_modules', name, 'LICENSE'), 'utf8');
      return `${name}\n\n${text.trim()}`;
    }),
  );
  return `This page contains:\n\n${texts.join('\n\n')}\n`.replace(/--+/g, '-');
}

const [template, licences, style, script] = await Promise.all([
  readFile(join(here, 'src', 'page.html'), 'utf8'),
  notices(),
  bundle('style/main.css'),
  bundle('main.js'),
]);
let page = put(template, '/*licences*/', licences);
page = put(page, '/*style*/', inline(style));
page = put(page, '/*script*/', inline(script));
// the policy allows this script and no other
page = put(page, '@SCRIPT_HASH@', `sha256-${createHash('sha256').update(inline(script)).digest('base64')}`);
put(page, '@TAUT_DATA@', '');

await mkdir(dirname(output), { recursive: true });
await writeFile(output, page);
console.log(`${output}: ${(page.length / 1000).toFixed(0)} kB`);
