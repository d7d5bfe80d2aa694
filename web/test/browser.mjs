/** A real Chromium for tests and pictures: no network, software graphics. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';

/** Where the browser is: CHROMIUM, or what the shell finds. */
function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      /* the next name */
    }
  }
  throw new Error('no Chromium: install the Debian package chromium');
}

/** How long anything may take: only what never comes fails by it, not a machine that has other things to do. */
const PATIENCE = 180_000; // ms

/** Browsers that are told to hurry, and what they say of that. */
const hurried = new WeakSet();
const OF_HURRY = /GL Driver Message .* GPU stall due to ReadPixels/;

/** A browser; `pictures`: it draws as readers' browsers do, with smooth edges, which takes a processor much longer. */
export async function launch({ pictures = false } = {}) {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    timeout: PATIENCE,
    args: [
      ...(pictures ? [] : ['--webgl-antialiasing-mode=none', '--disable-gpu-compositing']),
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
    ],
  });
  if (!pictures) hurried.add(browser);
  return browser;
}

/** Scenes are drawn by the processor: a small window is enough where the size does not matter. */
export const COMPACT = { width: 960, height: 600 };
export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** Pages that nobody uses now, by browser and kind: what a page has compiled serves the next file as well. */
const idle = new WeakMap();

/** A page without a file. @returns {Promise<{page: import('playwright-core').Page, keep: () => Promise<void>}>} */
async function blankPage(browser, { viewport, colorScheme, scale }) {
  const kind = `${scale} ${viewport.width < 600}`; // what a context cannot change
  if (!idle.has(browser)) idle.set(browser, new Map());
  const free = idle.get(browser);
  let page = free.get(kind)?.pop();
  if (!page) {
    const context = await browser.newContext({ viewport, deviceScaleFactor: scale, hasTouch: viewport.width < 600 });
    context.setDefaultTimeout(PATIENCE);
    page = await context.newPage();
  }
  await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme });
  return {
    page,
    async keep() {
      await page.goto('about:blank');
      await page.mouse.move(0, 0);
      page.removeAllListeners();
      free.set(kind, [...(free.get(kind) ?? []), page]);
    },
  };
}

/**
 * Opens a page from disk and notes what must not happen: messages on the console, requests beyond the file.
 * @param {import('playwright-core').Browser} browser @param {string} path absolute
 * @returns what `close` frees for the next file; a page whose checks fail is not used again
 */
export async function open(browser, path, { viewport = COMPACT, colorScheme = 'light', scale = 1 } = {}) {
  const { page, keep } = await blankPage(browser, { viewport, colorScheme, scale });
  const faults = [];
  page.on('console', (m) => {
    const expected = hurried.has(browser) && OF_HURRY.test(m.text());
    if (['error', 'warning'].includes(m.type()) && !expected) faults.push(`console: ${m.text()}`);
  });
  page.on('pageerror', (e) => faults.push(`exception: ${e.message}`));
  page.on('request', (r) => {
    if (!/^(file:\/\/|data:|blob:|about:blank)/.test(r.url())) faults.push(`request: ${r.url()}`);
  });
  page.on('dialog', (d) => {
    faults.push(`dialog: ${d.message()}`);
    d.dismiss();
  });
  const broken = new Promise((_, fail) => page.once('pageerror', fail)); // it will not become ready
  broken.catch(() => {});
  await page.goto(`file://${path}`);
  await Promise.race([
    page.waitForFunction(() => window.taut && (window.taut.stage === null || window.taut.stage.frames > 0)),
    broken,
  ]);
  return { page, faults, close: keep };
}

/** Opens a page, runs the checks, and then asks that nothing went wrong on the way. */
export async function inside(browser, path, options, checks) {
  const { page, faults, close } = await open(browser, path, options);
  await checks(page);
  await close();
  assert.deepEqual(faults, [], 'no message on the console, no request, no exception');
}
