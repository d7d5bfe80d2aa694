/**
 * A page with all examples: node web/gallery.mjs [FOLDER] (or make gallery). FOLDER (build/gallery) gets index.html, and for
 * each example its page, its model and a picture, so that it can be looked at from disk or put on any server.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { launch, open } from './test/browser.mjs';
import { ROOT } from './test/pages.mjs';

const TAUT = process.env.TAUT ?? join(ROOT, 'build', 'taut');
const FOLDER = process.argv[2] ?? join(ROOT, 'build', 'gallery');
const EXAMPLES = join(ROOT, 'examples');

/** Folders below examples, and what is said of them; `parts` has pieces of models, which do not run. */
const SECTIONS = [
  ['', 'Mechanisms and equations'],
  ['machines', 'Machines'],
  ['contact', 'Stops, impacts, friction'],
  ['assemblies', 'From parts'],
  ['studies', 'Studies'],
  ['equations', 'Equations given as such'],
  ['papers', 'From papers'],
  ['stiff', 'Stiff equations'],
];

/** A sentence that is longer ends where it begins to enumerate. */
const LONGEST = 140;

/** The pictures have this size on the page. */
const PICTURE = { width: 420, height: 280 };
const VIEWPORT = { width: 1280, height: 760 };
const NARROW = { width: 520, height: 760 };

const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** With a capital letter, if it begins with a word (and not with a name in a formula or a path). */
const begun = (words) => words.replace(/^(?:a(?= [a-z]{2})|[a-z](?=[a-z]+(?:[ ,;:-]|$)))/, (c) => c.toUpperCase());

/** Title of a model, and the first sentence of the comment above it. */
function describe(file) {
  const text = readFileSync(file, 'utf8');
  const comment =
    text
      .match(/^(?:#.*\n)+/)?.[0]
      .replace(/^# ?/gm, '')
      .replace(/\n/g, ' ') ?? '';
  const title = text.match(/^Title: *(.*)$/m)?.[1].replace(/^(['"])(.*)\1$/, '$2') ?? basename(file, '.yaml');
  const sentence = comment
    .replace(/^Made by [^:]*: /, '')
    .split(/\.(?: |$)/)[0]
    .trim();
  return { title: begun(title.trim()), words: begun(sentence.length > LONGEST ? sentence.split(/: /)[0] : sentence) };
}

/** The first diagram with its key, on a page that is so narrow that its words can be read. */
async function takeDiagram(page, picture) {
  await page.setViewportSize(NARROW);
  const panel = page.locator('section.panel:visible').first();
  await panel.scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  await panel.screenshot({ path: picture, scale: 'device' });
}

/** The scene a third of the way, or the first diagram where there is nothing to be seen; true: a diagram. */
async function takePicture(browser, html, picture) {
  const { page, faults, close } = await open(browser, html, { viewport: VIEWPORT, scale: 0.75 });
  await page.evaluate(() => window.taut.clock.seek(window.taut.clock.start + 0.3 * window.taut.clock.length));
  await page.waitForTimeout(150);
  const stage = page.locator('.stage').first();
  const diagram = !(await stage.isVisible());
  if (diagram) await takeDiagram(page, picture);
  else await stage.screenshot({ path: picture });
  await close();
  if (faults.length) throw new Error(`${html}: ${faults.join('; ')}`);
  return diagram;
}

async function takeExample(browser, folder, name) {
  const [file, stem] = [join(EXAMPLES, folder, `${name}.yaml`), folder ? `${folder}-${name}` : name];
  const html = join(FOLDER, `${stem}.html`);
  execFileSync(TAUT, ['view', file, '-o', html, '--quiet'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const diagram = await takePicture(browser, html, join(FOLDER, `${stem}.png`));
  copyFileSync(file, join(FOLDER, `${stem}.yaml`));
  return { stem, diagram, file: relative(ROOT, file), ...describe(file) };
}

const card = ({ stem, diagram, file, title, words }) => `<article>
<a href="${stem}.html"><img${diagram ? ' class="diagram"' : ''} src="${stem}.png" alt="${escaped(title)}" width="${PICTURE.width}" height="${PICTURE.height}" loading="lazy"></a>
<h3><a href="${stem}.html">${escaped(title)}</a></h3>
<p>${escaped(words)}</p>
<p class="file"><a href="${stem}.yaml">${escaped(file)}</a></p>
</article>`;

const anchor = (title) => title.toLowerCase().replace(/[^a-z]+/g, '-');

const section = ({ title, cards }) => `<section>
<h2 id="${anchor(title)}">${escaped(title)}</h2>
<div class="cards">
${cards.map(card).join('\n')}
</div>
</section>`;

const STYLE = `:root { color-scheme: light dark; --paper: #f6f7f9; --card: #fff; --ink: #1c2530; --muted: #5b6673; --line: #e4e8ed; --accent: #2260c4; }
@media (prefers-color-scheme: dark) { :root { --paper: #12171d; --card: #191f27; --ink: #e4eaf1; --muted: #98a4b1; --line: #29323c; --accent: #6aa5f8; } }
body { margin: 0 auto; max-width: 1360px; padding: 24px; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); gap: 18px; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
article img { display: block; width: 100%; height: auto; aspect-ratio: 3 / 2; object-fit: cover; }
article img.diagram { object-fit: contain; background: #fff; }
h3, article p { margin: 8px 14px; } h3 { font-size: 16px; } article p { color: var(--muted); font-size: 13.5px; }
nav { color: var(--muted); }
.file { font-family: ui-monospace, monospace; font-size: 12px; }`;

mkdirSync(FOLDER, { recursive: true });
const browser = await launch({ pictures: true });
const sections = [];
for (const [folder, title] of SECTIONS) {
  const names = readdirSync(join(EXAMPLES, folder)).filter((name) => name.endsWith('.yaml'));
  const cards = [];
  for (const name of names.sort()) cards.push(await takeExample(browser, folder, basename(name, '.yaml')));
  sections.push({ title, cards });
}
await browser.close();
writeFileSync(
  join(FOLDER, 'index.html'),
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>taut: examples</title>
<style>
${STYLE}
</style>
</head>
<body>
<h1>taut: examples</h1>
<p>Each picture opens the page that <code>taut view</code> writes for the file below it.</p>
<nav>${sections.map(({ title, cards }) => `<a href="#${anchor(title)}">${escaped(title)}</a> ${cards.length}`).join(' · ')}</nav>
${sections.map(section).join('\n')}
</body>
</html>
`,
);
console.log(`${join(FOLDER, 'index.html')}: ${sections.reduce((n, s) => n + s.cards.length, 0)} examples`);
