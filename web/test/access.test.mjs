/** The page for everyone: axe-core finds no serious violation, every control is reached by the keyboard, print, small screens. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DESKTOP, PHONE, inside, launch } from './browser.mjs';
import { FOLDER, ROOT, TAUT, engineIsMissing, exampleOf, pageOf } from './pages.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** What axe-core calls serious or critical. */
async function violations(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const found = await window.axe.run(document, { resultTypes: ['violations'] });
    return found.violations
      .filter((v) => ['serious', 'critical'].includes(v.impact))
      .map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target} ${n.any[0]?.message ?? ''}`).slice(0, 4)}`);
  });
}

for (const [name, options] of [
  ['cam', {}],
  ['cam', { colorScheme: 'dark' }],
  ['flyball-governor', {}],
  ['flyball-governor', { colorScheme: 'dark', viewport: PHONE }],
  ['lorenz', {}],
])
  test(`${name}: axe-core finds nothing serious (${JSON.stringify(options)})`, () =>
    inside(browser, exampleOf(name), options, async (page) => {
      for (const tab of ['curves', 'numerics', 'report']) {
        if ((await page.locator(`#tab-${tab}`).count()) === 0) continue;
        await page.click(`#tab-${tab}`);
        if (tab === 'curves') await page.click('.values summary');
        assert.deepEqual(await violations(page), [], tab);
      }
      await page.keyboard.press('?');
      assert.deepEqual(await violations(page), [], 'help');
      await page.keyboard.press('Escape');
      await page.click('#tab-curves');
      await page.locator('[data-id=choose]').first().click();
      assert.deepEqual(await violations(page), [], 'choice of columns');
      await page.keyboard.press('Escape');
      await page.locator('[data-id=axes]').first().click();
      assert.deepEqual(await violations(page), [], 'axes');
    }));

const NO_ENGINE = { skip: engineIsMissing() };

/** The live page where there is an engine, else the other one. */
const liveOr = (name) => (engineIsMissing() ? exampleOf(name) : exampleOf(name, '--live'));

for (const colorScheme of ['light', 'dark'])
  test(`a live page: axe-core finds nothing serious (${colorScheme})`, NO_ENGINE, () =>
    inside(browser, exampleOf('slider-crank', '--live'), { colorScheme }, async (page) => {
      await page.click('#tab-live');
      await page.evaluate(async () => {
        const { live } = window.taut;
        live.parameters[0].set(0.45);
        await live.change(true);
        live.tell('something is wrong', true);
      });
      await page.click('[data-id=live-copy]');
      await page.click('.licences summary');
      assert.deepEqual(await violations(page), [], 'live');
      await page.click('#tab-model');
      await page.fill('[data-id=editor]', 'Dimenson: 2');
      await page.waitForSelector('.editor-faults li');
      assert.deepEqual(await violations(page), [], 'model');
    }),
  );

test('pages of comparisons and of sweeps: axe-core finds nothing serious, light and dark, wide and narrow', async () => {
  const model = join(ROOT, 'examples', 'pendulum.yaml');
  const sweep = ['--vary', 'm=1..2:3', '--report', 'max(Ax)', '--report', 'end(energy)', '--trace', 'Ax'];
  for (const [command, args] of [
    ['compare', []],
    ['sweep', sweep],
  ]) {
    const path = join(FOLDER, `access-${command}.html`);
    execFileSync(TAUT, [command, model, ...args, '-o', path, '--quiet'], { stdio: 'pipe' });
    for (const colorScheme of ['light', 'dark'])
      for (const viewport of [{ width: 1280, height: 800 }, PHONE]) {
        const context = await browser.newContext({ viewport, colorScheme });
        const page = await context.newPage();
        await page.goto(`file://${path}`);
        assert.deepEqual(await violations(page), [], `${command}, ${colorScheme}, ${viewport.width}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1));
        await context.close();
      }
  }
});

test('menus, dialogs, pages of modes, of fits, of faults and without WebGL: axe-core finds nothing serious', async () => {
  const places = [
    ['measure', '[data-id=measure]'],
    ['layers', '[popovertarget=layers]'],
    ['save', '[data-id=save]'],
    ['film', '[data-id=save-film]'],
  ];
  const crank = readFileSync(join(ROOT, 'examples', 'slider-crank.yaml'), 'utf8');
  const [rods, table] = ['model.yaml', 'measured.csv'].map((name) => join(FOLDER, `access-${name}`));
  writeFileSync(rods, `${crank}Study: {Variables: {m1: [0.5, 2]}, Weights: {Ax: 0.01}}\n`);
  execFileSync(TAUT, ['run', rods, '--every', '0.1', '--tend', '3', '-o', table, '--quiet'], { stdio: 'pipe' });
  const made = (command, ...args) => {
    const path = join(FOLDER, `access-${command}.html`);
    execFileSync(TAUT, [command, ...args, '-o', path, '--quiet'], { cwd: FOLDER, stdio: 'pipe' }); // a fit writes more
    return path;
  };
  const modes = made('modes', join(ROOT, 'examples', 'machines', 'vibrating-rod.yaml'));
  const fit = made('fit', rods, '--data', table, '--tend', '3', '--set', 'm1=1.1');
  const open = pageOf(`${ROOT}/tests/models/cannot-close.yaml`, { status: 2 });
  for (const colorScheme of ['light', 'dark']) {
    await inside(browser, exampleOf('slider-crank'), { colorScheme }, async (page) => {
      for (const [name, selector] of places) {
        await page.locator(selector).first().click();
        assert.deepEqual(await violations(page), [], name);
        if (name !== 'save') await page.keyboard.press('Escape');
      }
    });
    for (const path of [modes, fit, open])
      for (const viewport of [DESKTOP, PHONE])
        await inside(browser, path, { colorScheme, viewport }, async (page) => {
          assert.deepEqual(await violations(page), [], `${path}, ${colorScheme}, ${viewport.width}`);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1));
        });
    const context = await browser.newContext({ colorScheme });
    await context.addInitScript(() => {
      const original = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function getContext(kind, ...rest) {
        return kind.startsWith('webgl') ? null : original.call(this, kind, ...rest);
      };
    });
    const page = await context.newPage();
    await page.goto(`file://${exampleOf('slider-crank')}`);
    await page.waitForFunction(() => window.taut);
    assert.deepEqual(await violations(page), [], `without WebGL, ${colorScheme}`);
    await context.close();
  }
});

test('modes are chosen by the keyboard', async () => {
  const path = join(FOLDER, 'access-keys.html');
  execFileSync(TAUT, ['modes', join(ROOT, 'examples', 'machines', 'vibrating-rod.yaml'), '-o', path, '--quiet']);
  await inside(browser, path, {}, async (page) => {
    const number = () => page.evaluate(() => window.taut.modes.motion.number);
    const isRow = () => page.evaluate(() => document.activeElement.closest('tr.mode') !== null);
    for (let k = 0; k < 40 && !(await isRow()); k++) await page.keyboard.press('Tab');
    const first = await number();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.notEqual(await number(), first);
  });
});

test('modes do not move by themselves where the reader wants things to stand still', async () => {
  const path = join(FOLDER, 'access-still.html');
  execFileSync(TAUT, ['modes', join(ROOT, 'examples', 'machines', 'vibrating-rod.yaml'), '-o', path, '--quiet']);
  for (const [reducedMotion, plays] of [
    ['reduce', false],
    ['no-preference', true],
  ]) {
    const context = await browser.newContext({ reducedMotion });
    const page = await context.newPage();
    await page.goto(`file://${path}`);
    await page.waitForFunction(() => window.taut?.stage.frames > 0);
    assert.equal(await page.evaluate(() => window.taut.clock.playing), plays, reducedMotion);
    await context.close();
  }
});

test('sliders, fields and the editor are used by the keyboard alone', NO_ENGINE, () =>
  inside(browser, exampleOf('slider-crank', '--live'), {}, async (page) => {
    await page.focus('[role=tab][tabindex="0"]');
    for (let k = 0; k < 3; k++) await page.keyboard.press('ArrowRight');
    const ran = () =>
      page.evaluate(() => {
        window.ran = new Promise((go) => window.taut.live.addEventListener('ran', go, { once: true }));
      });
    await page.locator('[data-name=l1]').focus();
    await ran();
    await page.keyboard.press('ArrowRight');
    await page.evaluate(() => window.ran);
    assert.ok((await page.evaluate(() => window.taut.live.how.set.l1)) > 0.4);
    await page.keyboard.press('Tab'); // to the field beside it
    await ran();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('0.5');
    await page.keyboard.press('Enter');
    await page.evaluate(() => window.ran);
    assert.equal(await page.evaluate(() => window.taut.live.how.set.l1), 0.5);
    await page.locator('[data-id=live-reset]').focus();
    await ran();
    await page.keyboard.press('Enter');
    await page.evaluate(() => window.ran);
    assert.deepEqual(await page.evaluate(() => window.taut.live.how.set), {});
  }),
);

test('every control that is seen has a name and is reached by the tab key', () =>
  inside(browser, liveOr('flyball-governor'), {}, async (page) => {
    const wanted = await page.evaluate(() => {
      const seen = [...document.querySelectorAll('button, input, select, summary, [role=tab][tabindex="0"]')].filter(
        (e) => e.checkVisibility() && !e.disabled && e.tabIndex >= 0,
      );
      seen.forEach((e, i) => (e.dataset.reach = i));
      const nameless = seen.filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length));
      return { count: seen.length, nameless: nameless.map((e) => e.outerHTML.slice(0, 80)) };
    });
    assert.deepEqual(wanted.nameless, []);
    const reached = new Set();
    for (let k = 0; k < wanted.count + 20; k++) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate(() => document.activeElement?.dataset?.reach));
    }
    reached.delete(undefined);
    assert.equal(reached.size, wanted.count, `${reached.size} of ${wanted.count} controls reached`);
  }));

test('print is in light colours and has all parts', () =>
  inside(browser, exampleOf('cam'), { colorScheme: 'dark' }, async (page) => {
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.pane')].every((p) => p.scrollHeight <= p.clientHeight + 2),
    );
    const seen = await page.evaluate(() => ({
      theme: document.documentElement.dataset.theme,
      panes: [...document.querySelectorAll('.pane')].map((p) => p.checkVisibility() && p.clientHeight > 50),
      plots: [...document.querySelectorAll('.plot canvas')].length,
      lines: [...document.querySelectorAll('.listing li')].every((line) => line.scrollWidth <= line.clientWidth),
      cut: [...document.querySelectorAll('.pane')].some((p) => p.scrollHeight > p.clientHeight + 2),
      tools: [...document.querySelectorAll('.timeline, .panel-tools, .tabs')].some((e) => e.checkVisibility()),
      wide: Math.max(...[...document.querySelectorAll('canvas')].map((c) => c.getBoundingClientRect().right + scrollX)),
      squeezed: [...document.querySelectorAll('canvas')].some(
        (c) => Math.abs(c.width / c.clientWidth / (c.height / c.clientHeight) - 1) > 0.02,
      ),
    }));
    assert.ok(seen.wide <= 688, `paper has 182 mm between its margins, diagrams ${seen.wide} pixels`);
    assert.deepEqual(seen, {
      theme: 'light',
      panes: [true, true, true],
      plots: seen.plots,
      wide: seen.wide,
      squeezed: false,
      lines: true,
      cut: false,
      tools: false,
    });
    assert.ok(seen.plots >= 5, `${seen.plots} diagrams`);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  }));

test('700 x 500 cuts no control; a phone without a scene has its curves', async () => {
  await inside(browser, liveOr('flyball-governor'), { viewport: { width: 700, height: 500 } }, async (page) => {
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.head button, .tools button, .timeline button, .timeline select, .tab')]
        .filter((e) => e.checkVisibility())
        .filter((e) => {
          const b = e.getBoundingClientRect();
          const room = e.closest('.timeline, .head, .tools, .tabs').getBoundingClientRect();
          return (
            b.left < room.left - 1 ||
            b.right > room.right + 1 ||
            b.right > innerWidth + 1 ||
            b.top < -1 ||
            b.bottom > innerHeight + 1
          );
        })
        .map((e) => e.outerHTML.slice(0, 100)),
    );
    assert.deepEqual(cut, []);
  });
  await inside(browser, exampleOf('lorenz'), { viewport: PHONE }, async (page) => {
    const seen = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      head: document.querySelector('.head').getBoundingClientRect().bottom,
      tabs: document.querySelector('.tabs').getBoundingClientRect().top,
      plots: [...document.querySelectorAll('.plot canvas')].filter((c) => c.clientWidth > 200).length,
      play: document.querySelector('[data-id=play]').getBoundingClientRect().bottom <= innerHeight,
    }));
    assert.ok(seen.wide <= PHONE.width && seen.plots > 0 && seen.play, JSON.stringify(seen));
    assert.ok(seen.head < 70 && seen.tabs - seen.head < 20, `no gaps: ${JSON.stringify(seen)}`);
  });
});
