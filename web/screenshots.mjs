/** The pictures and the film of the README, from the current build: node web/screenshots.mjs (or make screenshots). */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PHONE, launch, open } from './test/browser.mjs';
import { ROOT, exampleOf } from './test/pages.mjs';

const DESKTOP = { width: 1280, height: 800 };

/** Which example, when (a share of the run), on what screen, in what light; and what else to do before. */
const PICTURES = [
  { file: 'view-plane.png', example: 'andrews', at: 0.36, viewport: DESKTOP, colorScheme: 'light' },
  { file: 'view-space.png', example: 'flyball-governor', at: 0.23, viewport: DESKTOP, colorScheme: 'dark' },
  { file: 'view-report.png', example: 'bricard', at: 0.08, viewport: DESKTOP, colorScheme: 'light', tab: 'report' },
  { file: 'view-shapes.png', example: 'epicyclic', at: 0.5, viewport: DESKTOP, colorScheme: 'light' },
  { file: 'view-phone.png', example: 'copy-machine', at: 0.03, viewport: PHONE, colorScheme: 'light' },
];

const folder = join(ROOT, 'docs', 'images');
mkdirSync(folder, { recursive: true });
const browser = await launch({ pictures: true });
for (const { file, example, at, viewport, colorScheme, tab } of PICTURES) {
  const { page, faults, close } = await open(browser, exampleOf(example), { viewport, colorScheme });
  if (tab) await page.click(`#tab-${tab}`);
  await page.evaluate(
    (share) => window.taut.clock.seek(window.taut.clock.start + share * window.taut.clock.length),
    at,
  );
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, file) });
  await close();
  if (faults.length) throw new Error(`${example}: ${faults.join('; ')}`);
  console.log(`docs/images/${file}: ${Math.round(statSync(join(folder, file)).size / 1000)} kB`);
}

/** One turn of Jansen's leg, picture by picture, as a GIF by the page's own writer. */
async function film() {
  const [frames, size, path] = [50, { width: 760, height: 430 }, join(folder, 'film.gif')];
  const { page, faults, close } = await open(browser, exampleOf('machines/jansen-leg'), { viewport: size });
  const shots = [];
  for (let k = 0; k < frames; k++) {
    await page.evaluate(
      (share) => window.taut.clock.seek(window.taut.clock.start + share * window.taut.clock.length),
      k / frames,
    );
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
    shots.push((await page.screenshot()).toString('base64'));
  }
  await close();
  if (faults.length) throw new Error(`film: ${faults.join('; ')}`);
  const blank = await browser.newPage();
  const writer = readFileSync(join(ROOT, 'web', 'src', 'save', 'gif.js')).toString('base64');
  const bytes = await blank.evaluate(
    async ([module, pictures]) => {
      const { gifOf } = await import(`data:text/javascript;base64,${module}`);
      const list = [];
      for (const data of pictures) {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context.drawImage(image, 0, 0);
        list.push(context.getImageData(0, 0, image.width, image.height));
      }
      return Array.from(gifOf(list, 5)); // 1/20 s each
    },
    [writer, shots],
  );
  writeFileSync(path, Uint8Array.from(bytes));
  console.log(`docs/images/film.gif: ${Math.round(statSync(path).size / 1000)} kB`);
}
await film();
await browser.close();
