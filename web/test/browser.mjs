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

/** A browser; `pictures`: its scenes are smooth at their edges, which takes a processor much longer. */
export function launch({ pictures = false } = {}) {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      ...(pictures ? [] : ['--webgl-antialiasing-mode=none']),
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
    ],
  });
}

/** How long anything may take: only what never comes fails by it, not a machine that has other things to do. */
const PATIENCE = 180_000; // ms

/** Scenes are drawn by the processor: a small window is enough where the size does not matter. */
export const COMPACT = { width: 960, height: 600 };
export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/**
 * Opens a page from disk and notes what must not happen: messages on the console, requests beyond the file.
 * @param {import('playwright-core').Browser} browser @param {string} path absolute
 */
export async function open(browser, path, { viewport = COMPACT, colorScheme = 'light', scale = 1 } = {}) {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    deviceScaleFactor: scale,
    hasTouch: viewport.width < 600,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const faults = [];
  page.on('console', (m) => {
    if (['error', 'warning'].includes(m.type())) faults.push(`console: ${m.text()}`);
  });
  page.on('pageerror', (e) => faults.push(`exception: ${e.message}`));
  page.on('request', (r) => {
    if (!/^(file:\/\/|data:|blob:)/.test(r.url())) faults.push(`request: ${r.url()}`);
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
  return { page, faults, close: () => context.close() };
}

/** Opens a page, runs the checks, and then asks that nothing went wrong on the way. */
export async function inside(browser, path, options, checks) {
  const { page, faults, close } = await open(browser, path, options);
  await checks(page);
  await close();
  assert.deepEqual(faults, [], 'no message on the console, no request, no exception');
}
