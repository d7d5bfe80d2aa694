/**
 * Builds the pages: HTML files with style and script inside, and a place for the data.
 * Use: node build.mjs [OUTPUT], by default dist/view.html; the page of studies is study.html beside it.
 */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, 'dist', 'view.html');

/** `import text from 'text:live/worker.js'`: an entry file of its own, bundled, as text. */
const asText = {
  name: 'text',
  setup(build) {
    build.onResolve({ filter: /^text:/ }, ({ path }) => ({ path: path.slice(5), namespace: 'text' }));
    build.onLoad({ filter: /.*/, namespace: 'text' }, async ({ path }) => ({
      contents: await bundle(path),
      loader: 'text',
    }));
  },
};

/** Bundles one entry file into text. */
async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, 'src', entry)],
    plugins: [asText],
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

/** A page from its template, style and script; what else it needs is in `more`; `marks` are left for the program. */
async function make(path, files, more, marks) {
  const [template, style, script] = await Promise.all([
    readFile(join(here, 'src', files.page), 'utf8'),
    bundle(files.style),
    bundle(files.script),
  ]);
  let page = put(template, '/*style*/', inline(style));
  page = put(page, '/*script*/', inline(script));
  for (const [mark, text] of Object.entries(more)) page = put(page, mark, text);
  // the policy allows this script and no other
  page = put(page, '@SCRIPT_HASH@', `sha256-${createHash('sha256').update(inline(script)).digest('base64')}`);
  for (const mark of marks) put(page, mark, '');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, page);
  console.log(`${path}: ${(page.length / 1000).toFixed(0)} kB`);
}

await make(
  output,
  { page: 'page.html', style: 'style/main.css', script: 'main.js' },
  { '/*licences*/': await notices() },
  ['@TAUT_POLICY@', '@TAUT_DATA@', '@TAUT_ENGINE@'],
);
await make(
  join(dirname(output), 'study.html'),
  { page: 'study/page.html', style: 'study/style.css', script: 'study/main.js' },
  {},
  ['@TAUT_DATA@'],
);
