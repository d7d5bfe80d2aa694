/** The pictures and the film of the README, from the current build: node web/screenshots.mjs (or make screenshots). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
const browser = await launch();
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

/** One turn of Jansen's leg, frame by frame, as a GIF; ffmpeg (Debian package) puts the frames together. */
async function film() {
  const [frames, size, path] = [50, { width: 760, height: 430 }, join(folder, 'film.gif')];
  const shots = mkdtempSync(join(tmpdir(), 'taut-film-'));
  const { page, faults, close } = await open(browser, exampleOf('machines/jansen-leg'), { viewport: size });
  for (let k = 0; k < frames; k++) {
    await page.evaluate(
      (share) => window.taut.clock.seek(window.taut.clock.start + share * window.taut.clock.length),
      k / frames,
    );
    await page.waitForTimeout(40);
    await page.screenshot({ path: join(shots, `${String(k).padStart(3, '0')}.png`) });
  }
  await close();
  if (faults.length) throw new Error(`film: ${faults.join('; ')}`);
  const palette = 'split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none';
  const quiet = ['-loglevel', 'error', '-y', '-framerate', '20'];
  execFileSync('ffmpeg', [...quiet, '-i', join(shots, '%03d.png'), '-vf', palette, path]);
  rmSync(shots, { recursive: true });
  console.log(`docs/images/film.gif: ${Math.round(statSync(path).size / 1000)} kB`);
}
await film();
await browser.close();
