/** The pictures of the README, from the current build: node web/screenshots.mjs (or make screenshots). */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PHONE, launch, open } from './test/browser.mjs';
import { ROOT, exampleOf } from './test/pages.mjs';

const DESKTOP = { width: 1280, height: 800 };

/** Which example, when (a share of the run), on what screen, in what light; and what else to do before. */
const PICTURES = [
  { file: 'view-plane.png', example: 'andrews', at: 0.36, viewport: DESKTOP, colorScheme: 'light' },
  { file: 'view-space.png', example: 'flyball-governor', at: 0.23, viewport: DESKTOP, colorScheme: 'dark' },
  { file: 'view-report.png', example: 'bricard', at: 0.08, viewport: DESKTOP, colorScheme: 'light', tab: 'report' },
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
await browser.close();
