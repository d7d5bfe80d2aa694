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

export function launch() {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--use-gl=angle',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
    ],
  });
}

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/**
 * Opens a page from disk and notes what must not happen: messages on the console, requests beyond the file.
 * @param {import('playwright-core').Browser} browser @param {string} path absolute
 */
export async function open(browser, path, { viewport = DESKTOP, colorScheme = 'light', scale = 1 } = {}) {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    deviceScaleFactor: scale,
    hasTouch: viewport.width < 600,
  });
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
  await page.goto(`file://${path}`);
  await page.waitForFunction(() => window.taut && (window.taut.stage === null || window.taut.stage.frames > 0), null, {
    timeout: 30000,
  });
  return { page, faults, close: () => context.close() };
}

/** Opens a page, runs the checks, and then asks that nothing went wrong on the way. */
export async function inside(browser, path, options, checks) {
  const { page, faults, close } = await open(browser, path, options);
  await checks(page);
  await close();
  assert.deepEqual(faults, [], 'no message on the console, no request, no exception');
}
