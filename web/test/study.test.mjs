/** Pages of sweeps and fits in a real browser: what they draw, how runs are chosen and opened, hostile names. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DESKTOP, PHONE, launch, open } from './browser.mjs';
import { FOLDER } from './pages.mjs';

const TAUT = process.env.TAUT;
const MODEL = join(FOLDER, 'swing.yaml');
const TEXT = `Title: "<img src=x onerror=alert(1)> swing"
PhysicalParams: {l: 1, c: 0.2}
DAE: {Variables: [a], Equations: [a'' + c*a' + 9.81/l*sin(a)]}
ProblemData: {t0: 0, tend: 3, positions: {a: 0.5}, velocities: {a: 0}, fixedpositions: {a}, fixedvelocities: {a}}
Study: {Variables: {l: [0.5, 2], c: [0, 1]}, Weights: {a: 0.01}}
`;

let browser;
before(async () => {
  browser = await launch();
  writeFileSync(MODEL, TEXT);
});
after(() => browser.close());

const taut = (...args) => execFileSync(TAUT, args, { cwd: FOLDER, stdio: ['ignore', 'pipe', 'pipe'] });

async function inside(path, options, checks) {
  const { page, faults, close } = await open(browser, path, options);
  await page.waitForFunction(() => [...document.querySelectorAll('canvas')].every((c) => c.dataset.drawn));
  await checks(page);
  await close();
  assert.deepEqual(faults, [], 'no message on the console, no request, no exception');
}

/** Is anything drawn in this colour, or in any other than the paper's? */
const inked = (page, index) =>
  page.evaluate((i) => {
    const canvas = document.querySelectorAll('canvas')[i];
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let k = 3; k < data.length; k += 4) if (data[k] > 0) count++;
    return count;
  }, index);

test('a sweep: all runs are drawn, a range keeps some, a click opens one', async () => {
  const path = join(FOLDER, 'sweep.html');
  taut(
    'sweep',
    'swing.yaml',
    '--vary',
    'l=0.5..2:8',
    '--vary',
    'a=0.1,0.5',
    '--report',
    "v=max(a')",
    '--report',
    'end(a)',
    '--trace',
    'a',
    '-o',
    path,
    '--quiet',
  );
  for (const viewport of [DESKTOP, PHONE])
    await inside(path, { viewport }, async (page) => {
      assert.equal(await page.title(), '<img src=x onerror=alert(1)> swing - taut');
      assert.equal(await page.evaluate(() => window.taut.chosen().length), 16);
      for (let i = 0; i < 3; i++) assert.ok((await inked(page, i)) > 500, `canvas ${i} shows something`);
      // the run that a click on its point in the scatter opens has the values of the table
      const box = await page.locator('canvas').nth(1).boundingBox();
      await page.evaluate(() => window.taut.open(5));
      assert.match(await page.locator('#run').innerText(), /Run 5/);
      const command = await page.locator('#run code').innerText();
      assert.match(command, /^taut view swing\.yaml --set l=0\.92857142/);
      assert.match(await page.locator('#run').innerText(), /initial values in the file: a = 0\.5/);
      assert.ok(box.width > 200);
      // the same by the keyboard
      await page.getByLabel('number of a run').fill('3');
      await page.keyboard.press('Enter');
      assert.match(await page.locator('#run').innerText(), /Run 3/);
      assert.deepEqual(await page.locator('canvas:not([aria-label])').count(), 0, 'every diagram has a name');
      // dragging along the first axis keeps its upper half
      const parallel = page.locator('canvas').first();
      await parallel.scrollIntoViewIfNeeded();
      const at = await parallel.boundingBox();
      await page.mouse.move(at.x + 40, at.y + 30);
      await page.mouse.down();
      await page.mouse.move(at.x + 40, at.y + 156, { steps: 4 });
      await page.mouse.up();
      assert.equal(await page.evaluate(() => window.taut.chosen().length), 8);
      assert.match(await page.locator('.note').first().innerText(), /8 of 16 runs, 0 failed/);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth + 1);
      assert.ok(wide, 'nothing sticks out');
    });
});

test('a sweep without curves and with a run that fails', async () => {
  const path = join(FOLDER, 'failed.html');
  taut('sweep', 'swing.yaml', '--vary', 'l=0,1', '--report', 'end(a)', '-o', path, '--quiet');
  await inside(path, { viewport: DESKTOP }, async (page) => {
    assert.equal(await page.locator('canvas').count(), 2);
    await page.evaluate(() => window.taut.open(0));
    assert.doesNotMatch(await page.locator('#run').innerText(), /It is ok/);
  });
});

test('a fit: estimates, curves and residuals', async () => {
  taut('run', 'swing.yaml', '--every', '0.05', '--derivatives', '0', '-o', 'swing.csv', '--quiet');
  const [, ...lines] = readFileSync(join(FOLDER, 'swing.csv'), 'utf8').trim().split('\n');
  const noisy = lines
    .map((row, i) => row.split(',').slice(0, 2))
    .map(([t, a], i) => `${t},${Number(a) + 0.01 * Math.sin(37 * i)}`);
  writeFileSync(join(FOLDER, 'measured.csv'), ['t,a', ...noisy].join('\n'));
  const path = join(FOLDER, 'fit.html');
  taut('fit', 'swing.yaml', '--data', 'measured.csv', '--set', 'l=1.3', '-o', path, '--quiet');
  await inside(path, { viewport: DESKTOP, colorScheme: 'dark' }, async (page) => {
    const [l, c] = await page.evaluate(() => window.taut.data.estimates);
    assert.ok(Math.abs(l.value - 1) < 3 * l.sd && Math.abs(c.value - 0.2) < 3 * c.sd, `${l.value} ${c.value}`);
    assert.equal(await page.locator('table tr').count(), 3);
    for (let i = 0; i < 2; i++) assert.ok((await inked(page, i)) > 200);
  });
});
