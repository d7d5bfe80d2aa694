/** The page in a real browser: loads, plays, scrubs, shows curves, obeys keys, fits the screen, bears hostile data. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { COMPACT, DESKTOP, PHONE, launch, open } from './browser.mjs';
import { readWebm } from './webm.mjs';
import { csvAt, dataOf, encode, exampleOf, FOLDER, modesOf, pageOf, pageWith, ROOT } from './pages.mjs';

const EXAMPLES = ['mechanism0', 'bricard', 'flyball-governor'];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Opens a page, runs the checks, and then asks that nothing went wrong on the way. */
async function inside(path, options, checks) {
  const { page, faults, close } = await open(browser, path, options);
  await checks(page);
  await close();
  assert.deepEqual(faults, [], 'no message on the console, no request, no exception');
}

/** Sets the scrubber as a reader would. */
const scrubTo = (page, share) =>
  page.locator('.scrubber').evaluate((slider, s) => {
    slider.value = Math.round(s * Number(slider.max));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, share);

const timeOf = (page) => page.evaluate(() => window.taut.clock.time);

/** All values of a run at some times, as `taut run` writes them, beside what the page has drawn. */
async function compare(page, name, points, times, check) {
  const csv = csvAt(name, times);
  let compared = 0;
  for (const [row, t] of times.entries()) {
    const seen = await page.evaluate(
      ([time, names]) => {
        window.taut.clock.seek(time);
        return names.map((n) => window.taut.position(n));
      },
      [t, points.map((p) => p.name)],
    );
    points.forEach((point, i) =>
      [...'xyz'].forEach((axis, k) => {
        const column = csv.names.indexOf(point.name + axis);
        if (column < 0) return;
        check(Math.abs(seen[i][k] - csv.rows[row][column]), `${point.name}${axis} at t = ${t}`);
        compared++;
      }),
    );
  }
  assert.ok(compared >= 4 * times.length, `${compared} values compared`);
}

for (const name of EXAMPLES) {
  test(`${name}: the scrubber moves the mechanism to where the CSV says`, async () => {
    const path = exampleOf(name);
    const { points } = dataOf(path);
    await inside(path, {}, async (page) => {
      const times = [];
      const moved = new Set();
      for (const share of [0, 0.13, 0.5, 0.77, 1]) {
        await scrubTo(page, share);
        times.push(
          await page.evaluate(
            () => window.taut.clock.table.times[window.taut.clock.table.nearestRow(window.taut.clock.time)],
          ),
        );
        moved.add(
          String(
            await page.evaluate(
              (names) => names.flatMap((n) => window.taut.position(n)),
              points.map((p) => p.name),
            ),
          ),
        );
      }
      assert.equal(moved.size, times.length, 'every place of the scrubber is another position');
      await compare(page, name, points, times, (off, what) => assert.ok(off < 1e-6, `${what}: off by ${off}`));

      const between = await page.evaluate(() =>
        [0.1, 0.35, 0.8].map((share) => {
          const { times: t, rows } = window.taut.clock.table;
          const row = Math.floor(share * rows);
          return (t[row] + t[row + 1]) / 2;
        }),
      );
      const size = await page.evaluate(() => window.taut.stage.kit.size);
      await compare(page, name, points, between, (off, what) =>
        assert.ok(off < 1e-4 * size, `between rows, ${what}: off by ${off}`),
      );
    });
  });

  test(`${name}: playing advances, pausing stops`, async () => {
    await inside(exampleOf(name), {}, async (page) => {
      assert.equal(await timeOf(page), 0);
      await page.click('[data-id=play]');
      await page.waitForFunction(() => window.taut.clock.time > 0.02 * window.taut.clock.length);
      await page.click('[data-id=play]');
      const stopped = await timeOf(page);
      await page.waitForTimeout(150);
      assert.equal(await timeOf(page), stopped);
    });
  });

  for (const [size, viewport] of [
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ]) {
    test(`${name}: the ${size} layout holds, in light and dark`, () =>
      inside(exampleOf(name), { viewport }, async (page) => {
        for (const colorScheme of ['light', 'dark']) {
          await page.emulateMedia({ colorScheme });
          await checkLayout(page, viewport, colorScheme);
        }
      }));
  }
}

test('a phone held sideways has scene and curves side by side', async () => {
  await inside(exampleOf('bricard'), { viewport: { width: 844, height: 390 } }, async (page) => {
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 844);
    const stage = await page.locator('.stage').boundingBox();
    const side = await page.locator('.side').boundingBox();
    const timeline = await page.locator('.timeline').boundingBox();
    assert.ok(stage.width > 400 && stage.height > 200);
    assert.ok(side.x >= stage.x + stage.width && side.x + side.width <= 844);
    assert.ok(timeline.y + timeline.height <= 390);
  });
});

async function checkLayout(page, viewport, colorScheme) {
  await page.waitForFunction((name) => document.documentElement.dataset.theme === name, colorScheme);
  for (const tab of ['curves', 'numerics', 'report']) {
    await page.click(`#tab-${tab}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= viewport.width, `${tab}: ${width} wide`);
  }
  const box = async (selector) => page.locator(selector).first().boundingBox();
  const stage = await box('.stage');
  const play = await box('[data-id=play]');
  const tabs = await box('.tabs');
  assert.ok(stage.width >= 0.5 * viewport.width && stage.height >= 0.35 * viewport.height, 'the scene has room');
  assert.ok(play.y + play.height <= viewport.height, 'play is on the screen');
  assert.ok(play.width >= 30 && play.height >= 30, 'play can be hit by a finger');
  assert.ok(
    viewport.width < 600 ? tabs.y > stage.y + stage.height : tabs.x >= stage.x + stage.width,
    'nothing overlaps',
  );
}

test('curves show the chosen column, and a click in them goes there', async () => {
  const path = exampleOf('mechanism0');
  const names = dataOf(path).columns.map((c) => c.name);
  await inside(path, {}, async (page) => {
    await page.click('[data-id=add]');
    await page.fill('.search', 'By');
    await page.click('.option >> nth=0');
    await page.keyboard.press('Escape');
    const panel = page.locator('#part-curves .panel').last();
    assert.equal(await panel.locator('.chip .name').innerText(), 'By');
    const [drawn, wanted] = await page.evaluate((column) => {
      const { curves, model } = window.taut;
      return [curves.panels.at(-1).plot.data[1], Array.from(model.table.values[column])];
    }, names.indexOf('By'));
    assert.deepEqual(drawn, wanted);
    const over = panel.locator('.u-over');
    await over.scrollIntoViewIfNeeded();
    const { width } = await over.boundingBox();
    await over.click({ position: { x: width * 0.25, y: 40 } });
    const t = await timeOf(page);
    assert.ok(Math.abs(t - 0.25) < 0.01, `t = ${t}`);
    const cursor = await panel.locator('.time-cursor').boundingBox();
    const box = await over.boundingBox();
    assert.ok(Math.abs(cursor.x - box.x - width * 0.25) < 2, 'the cursor is there');
  });
});

test('dragging in a curve zooms all of them, a double click shows all again', async () => {
  await inside(exampleOf('bricard'), {}, async (page) => {
    const box = await page.locator('.u-over').first().boundingBox();
    await page.mouse.move(box.x + 0.2 * box.width, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.4 * box.width, box.y + 35, { steps: 4 });
    await page.mouse.up();
    const spans = () =>
      page.evaluate(() => window.taut.curves.panels.map((p) => [p.plot.scales.x.min, p.plot.scales.x.max]));
    for (const [min, max] of await spans())
      assert.ok(Math.abs(min - 2) < 0.1 && Math.abs(max - 4) < 0.1, `${min} to ${max}`);
    await page.evaluate(() => window.taut.clock.seek(2.5));
    const before = await page.locator('.time-cursor').first().boundingBox();
    await page.locator('.u-over').first().dblclick(); // shows all again, and goes nowhere
    await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
    const [cursor, t] = [await page.locator('.time-cursor').first().boundingBox(), await timeOf(page)];
    assert.ok(Math.abs(before.x - box.x - box.width * 0.25) < 0.03 * box.width, `in the zoom at ${before.x}`);
    assert.ok(Math.abs(cursor.x - box.x - (box.width * t) / 10) < 2, `at ${cursor.x} for ${t}`);
    for (const [min, max] of await spans()) assert.deepEqual([min, max], [0, 10]);
  });
});

test('the keyboard plays, steps, jumps, changes speed, fits and explains itself', async () => {
  await inside(exampleOf('bricard'), {}, async (page) => {
    const times = await page.evaluate(() => Array.from(window.taut.clock.table.times));
    await page.keyboard.press('ArrowRight');
    assert.equal(await timeOf(page), times[1]);
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await timeOf(page), times[21]);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await timeOf(page), times[20]);
    await page.keyboard.press('End');
    assert.equal(await timeOf(page), times.at(-1));
    await page.keyboard.press('Home');
    assert.equal(await timeOf(page), times[0]);
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate(() => window.taut.clock.speed), 2);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.taut.clock.time > 0.1);
    await page.keyboard.press('Space');
    assert.equal(await page.evaluate(() => window.taut.clock.playing), false);
    await page.keyboard.press('1');
    const z = await page.evaluate(() => window.taut.stage.view.camera.position.z);
    assert.ok(z > 3, 'gravity is along -y, so the front is seen from z');
    await page.keyboard.press('?');
    await page.locator('dialog.help').waitFor({ state: 'visible' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  });
});

test('a click on a point draws its path, a second one takes it away', async () => {
  await inside(exampleOf('mechanism0'), {}, async (page) => {
    const trails = () => page.evaluate(() => [...window.taut.stage.chosen].length);
    const first = await trails();
    const place = await page.evaluate(() => {
      const { stage } = window.taut;
      const at = stage.layers.labels.project(
        window.taut.position('A').concat(0),
        stage.view.camera,
        stage.width,
        stage.height,
      );
      const box = stage.canvas.getBoundingClientRect();
      return [box.left + at[0], box.top + at[1]];
    });
    await page.mouse.click(...place);
    assert.equal(await trails(), first + 1);
    await page.mouse.click(...place);
    assert.equal(await trails(), first);
  });
});

test('the report tells of the run and its accuracy', async () => {
  await inside(exampleOf('bricard'), {}, async (page) => {
    await page.click('#tab-report');
    const text = await page.locator('.report').innerText();
    for (const word of [
      'mobility 1',
      'Taylor series',
      '12 coordinates',
      'Redundant',
      'angle P1,w0',
      'digits',
      'Six hinges',
    ]) {
      assert.ok(text.includes(word), `the report has "${word}"`);
    }
  });
});

test('the camera follows a body', async () => {
  await inside(exampleOf('mechanism0'), {}, async (page) => {
    await page.click('[popovertarget=layers]');
    await page.selectOption('.follow select', { label: 'OA' });
    const offset = () =>
      page.evaluate(() => {
        const { target } = window.taut.stage.view.controls;
        const [x, y] = window.taut.position('A'); // the middle of OA is at A/2
        return Math.hypot(target.x - x / 2, target.y - y / 2);
      });
    for (const t of [0, 0.3, 0.9]) {
      await page.evaluate((time) => window.taut.clock.seek(time), t);
      assert.ok((await offset()) < 1e-6, `at t = ${t}`);
    }
  });
});

test('layers can be shown: vectors, frames, centres of mass, forces', async () => {
  await inside(exampleOf('flyball-governor'), {}, async (page) => {
    await page.click('[popovertarget=layers]');
    for (const box of await page.locator('#layers input').all()) await box.click();
    const shown = await page.evaluate(() =>
      Object.fromEntries(Object.entries(window.taut.stage.layers).map(([name, layer]) => [name, layer.visible])),
    );
    assert.deepEqual([shown.vectors, shown.frames, shown.centroids, shown.forces], [true, true, true, true]);
    assert.deepEqual([shown.labels, shown.grid], [false, false]);
    assert.equal(await page.locator('.label:visible').count(), 0);
    await page.evaluate(() => window.taut.clock.seek(5));
    const before = await page.evaluate(() => window.taut.position('B'));
    await page.keyboard.press('t');
    assert.deepEqual(await page.evaluate(() => window.taut.position('B')), before, 'another theme, the same position');
    assert.equal(await page.evaluate(() => window.taut.stage.layers.vectors.visible), true);
  });
});

test('reactions of joints are arrows along their columns', async () => {
  await inside(exampleOf('slider-crank', '--reactions'), {}, async (page) => {
    await page.click('[popovertarget=layers]');
    await page.getByLabel('Joint reactions').check();
    const angles = await page.evaluate(() => {
      const { stage, clock, model } = window.taut;
      clock.seek(0.45);
      return stage.layers.reactions.items.map(({ at, columns, arrow }) => {
        const [x, y] = columns.map((c) => model.table.at(c, stage.motion.place));
        const p = stage.points.positionOf(at);
        const neck = stage.kit.arrowTips.positionOf(arrow.tip);
        return [Math.atan2(y, x), Math.atan2(neck[1] - p[1], neck[0] - p[0])];
      });
    });
    assert.equal(angles.length, 3);
    for (const [wanted, seen] of angles) assert.ok(Math.abs(wanted - seen) < 1e-3, `${seen}, not ${wanted}`);
  });
});

test('without WebGL the page says so and draws plain lines; curves and report are there', async () => {
  const context = await browser.newContext({ viewport: COMPACT });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function getContext(kind, ...rest) {
      return kind.startsWith('webgl') ? null : original.call(this, kind, ...rest);
    };
  });
  await page.goto(`file://${exampleOf('mechanism0')}`);
  assert.match(await page.locator('.stage').innerText(), /WebGL/);
  const inked = await page.evaluate(() => {
    const canvas = document.querySelector('.stage canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((v, i) => i % 4 === 3 && v > 0).length;
  });
  assert.ok(inked > 1000, `${inked} pixels of the mechanism`);
  await page.locator('.u-over').first().waitFor({ state: 'visible' });
  await context.close();
});

test('equations without a mechanism have curves and report', async () => {
  await inside(exampleOf('lorenz'), {}, async (page) => {
    assert.equal(await page.locator('.stage').count(), 0);
    await page.locator('.u-over').first().waitFor({ state: 'visible' });
  });
});

test('a run with gaps in a column has not stopped early, and does not say so', async () => {
  const path = pageOf(`${ROOT}/tests/models/gaps.yaml`, { status: 1 });
  await inside(path, {}, async (page) => {
    const banner = await page.locator('.banner.warning').innerText();
    assert.match(banner, /reached its end/);
    assert.match(banner, /root has no finite value/);
    assert.doesNotMatch(banner, /stopped early/);
  });
});

test('a mechanism that cannot be assembled is drawn open, with the message on top', async () => {
  const path = pageOf(`${ROOT}/tests/models/cannot-close.yaml`, { status: 2 });
  await inside(path, {}, async (page) => {
    assert.match(
      await page.locator('.banner.error').innerText(),
      /no position closes this loop.*O and C 5 apart.*= 4/s,
    );
    assert.match(await page.locator('.label.gap').innerText(), /^gap 1$/);
  });
});

/** So many points with markup for names, some without a value, in a row that moves. */
function hostileData(n) {
  const bad = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">';
  const times = [0, 0.1, 0.2, 0.3, 0.4, 0.5];
  const columns = [{ name: 't', kind: 'time', values: times }];
  const points = [{ name: bad, fixed: [0, 0, 0] }];
  for (let i = 1; i < n; i++) {
    const y = times.map((t, k) => (i % 50 === 0 && k > 2 ? NaN : Math.sin(0.01 * i + t)));
    columns.push({ name: `${bad}${i}`, kind: 'position', values: y });
    points.push({ name: `${bad}${i}`, columns: [0, columns.length - 1], ...(i % 100 ? {} : { particle: 1 }) });
  }
  return {
    format: 1,
    version: bad,
    title: bad,
    file: bad,
    model: `Title: ${bad}\n# ${bad}`,
    message: { level: 'warning', text: bad },
    dimension: 2,
    gravity: [0, -9.81, 0],
    points,
    vectors: [],
    bodies: points
      .slice(1)
      .map((p, i) => ({ name: `${bad}${i}`, kind: 'rod', points: [i, i + 1], vectors: [], mass: NaN, centroid: null })),
    links: [
      { name: bad, kind: 'spring', a: 50, b: 90, rest: 1, force: null },
      { name: bad, kind: 'spring', a: 0, b: 99999, rest: 1, force: null },
    ],
    joints: [{ name: bad, kind: bad, bodies: [0, 1], at: 1, other: -1, axis: -1, gap: 0 }],
    loads: [{ name: bad, kind: bad, at: 5 }],
    angles: [],
    ...encode(columns),
    first_panels: [[1, 2, 50], [99999]],
    ledger: {},
    steps: { t: [0.1, 0.2], h: [NaN, 0.1], order: [18, 18], residual: [0, 0] },
    marks: [{ t: 0.2, kind: bad, text: bad }],
    report: {
      kind: bad,
      coordinates: [bad],
      constraints: [bad],
      redundant: [bad],
      moves: [bad],
      rtol: 1e-9,
      atol: null,
    },
    certificate: { method: bad, digits: null, error: null, worst: bad, text: bad },
  };
}

test('ten thousand points, markup in every name, no number here and there: safe and usable', async () => {
  for (const [viewport, count] of [
    [DESKTOP, 10000],
    [PHONE, 1000],
  ]) {
    await inside(pageWith(`hostile-${count}`, hostileData(count)), { viewport }, async (page) => {
      for (const t of [0.25, 0.5]) await page.evaluate((time) => window.taut.clock.seek(time), t);
      for (const tab of ['curves', 'report']) await page.click(`#tab-${tab}`);
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      assert.equal(await page.locator('img').count(), 0);
      assert.match(await page.title(), /<script>/);
      assert.match(await page.locator('.banner.warning').innerText(), /<script>/);
      assert.ok((await page.locator('.label:visible').count()) < 200, 'labels are thinned');
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width);
      const frames = await page.evaluate(() => {
        window.taut.clock.play();
        return window.taut.stage.frames;
      });
      await page.waitForFunction((n) => window.taut.stage.frames > n + 2, frames); // it plays
      await page.evaluate(() => window.taut.clock.pause());
    });
  }
});

test("a script that is not the page's own does not run", async () => {
  const source = readFileSync(exampleOf('mechanism0'), 'utf8');
  const path = join(FOLDER, 'foreign.html');
  const foreign = '<script>window.hacked = 3</script><svg onload="window.hacked = 4"></svg>';
  writeFileSync(
    path,
    source.replace('<noscript>', () => `${foreign}<noscript>`),
  );
  const { page, faults, close } = await open(browser, path);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  await close();
  assert.equal(faults.filter((f) => /Content Security Policy/.test(f)).length, 2);
  assert.equal(faults.length, 2);
});

const RODS = `
Dimension: 2
PartData:
  Fixed: {O: [0, 0]}
  Rigids:
    OA: {Geom: [[0.8]], Dyna: [[0.4], 2, 2*0.8^2/12]}
    AB: {Geom: [[0.8]], Dyna: [[0.4], 2, 2*0.8^2/12]}
AppliedForces: {Gravity: 9.81}
Angles: {alpha: OA, beta: AB}
ProblemData: {tend: 1, positions: {alpha: -pi/2, beta: -pi/2}}
`;

test('modes: each moves about the shape at rest with its own time', async () => {
  await inside(modesOf('rods', RODS), {}, async (page) => {
    await page.waitForSelector('.modes');
    assert.equal(await page.locator('tr.mode').count(), 2);
    for (const [k, sign] of [
      [0, 1],
      [1, -1],
    ]) {
      await page.locator(`tr.mode[data-mode="${k}"]`).click();
      const seen = await page.evaluate(() => {
        const { clock, position, model, modes } = window.taut;
        const at = (t) => {
          clock.seek(t);
          return [position('A'), position('B')];
        };
        const { im } = model.modes.list[modes.motion.number];
        return { im, start: at(0), half: at(Math.PI / im), quarter: at(Math.PI / (2 * im)) };
      });
      // omega^2 = 3 g/l (1 -+ 2/sqrt(7)); both rods to one side, or to both
      const omega = Math.sqrt(((3 * 9.81) / 0.8) * (1 - (sign * 2) / Math.sqrt(7)));
      assert.ok(Math.abs(seen.im - omega) < 1e-6 * omega, `${seen.im} ${omega}`);
      assert.ok(Math.abs(seen.start[0][0]) > 0.01 && Math.abs(seen.quarter[0][0]) < 1e-6);
      assert.ok(Math.abs(seen.start[0][0] + seen.half[0][0]) < 1e-6);
      const [a, b] = [seen.start[0][0], seen.start[1][0] - seen.start[0][0]];
      assert.ok(Math.sign(a * b) === sign, `mode ${k}: ${a} ${b}`);
      assert.ok(Math.abs(seen.start[0][1] + 0.8) < 1e-6 && Math.abs(seen.start[1][1] + 1.6) < 1e-6);
    }
    const before = await page.evaluate(() => {
      window.taut.clock.seek(0);
      return window.taut.position('A')[0];
    });
    await page.locator('#amplitude').evaluate((slider) => {
      slider.value = 2;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    const after = await page.evaluate(() => window.taut.position('A')[0]);
    assert.ok(Math.abs(after - 2 * before) < 1e-6, 'twice the amplitude');
    assert.match(await page.locator('.mode-details').innerText(), /Kinetic energy[\s\S]*AB[\s\S]*Motion in joints/);
  });
});

test('modes: one that decays does so, unless asked not to', async () => {
  const text = RODS.replace('Angles', '# Angles')
    .replace('Gravity: 9.81}', 'Gravity: 9.81, Drag: {B: 1.5}}')
    .replace('alpha: -pi/2, beta: -pi/2', 'A: [0, -0.8], B: [0, -1.6]');
  await inside(modesOf('drag', text), { viewport: PHONE, colorScheme: 'dark' }, async (page) => {
    const sizes = () =>
      page.evaluate(() => {
        const { clock, position, model, modes } = window.taut;
        const { re, im } = model.modes.list[modes.motion.number];
        const at = (t) => {
          clock.seek(t);
          return position('B')[0];
        };
        return { ratio: at((2 * Math.PI) / im) / at(0), wanted: Math.exp((2 * Math.PI * re) / im) };
      });
    const own = await sizes();
    assert.ok(own.wanted < 0.98 && Math.abs(own.ratio - own.wanted) < 1e-4, JSON.stringify(own));
    await page.locator('#decay').click();
    assert.ok(Math.abs((await sizes()).ratio - 1) < 1e-5);
  });
});

/** What a click on a button of the page saves. */
async function saved(page, id) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator(`[data-id=${id}]`).first().click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test('picture, table, diagram and model can be saved', async () => {
  await inside(exampleOf('slider-crank'), {}, async (page) => {
    await page.click('[data-id=save]');
    const picture = await saved(page, 'save-picture');
    assert.equal(picture.name, 'slider-crank.png');
    assert.deepEqual([...picture.bytes.subarray(1, 4)], [0x50, 0x4e, 0x47]);
    assert.ok(picture.bytes.length > 10000, 'there is something in it');

    await page.click('[data-id=save]');
    const table = await saved(page, 'save-table');
    const [head, ...lines] = table.bytes.toString().trim().split('\n');
    const names = head.split(',');
    const rows = lines.map((line) => line.split(',').map(Number));
    const times = [rows[3][0], rows.at(-1)[0]];
    const csv = csvAt('slider-crank', times);
    for (const [k, row] of [rows[3], rows.at(-1)].entries())
      for (const name of ['Ax', "Ax'", 's', 'kinetic'])
        assert.ok(Math.abs(row[names.indexOf(name)] - csv.rows[k][csv.names.indexOf(name)]) < 1e-5, name);

    await page.click('[data-id=save]');
    const model = await saved(page, 'save-model');
    assert.equal(model.bytes.toString(), readFileSync(join(ROOT, 'examples', 'slider-crank.yaml'), 'utf8'));

    const diagram = await saved(page, 'save-diagram');
    assert.match(diagram.name, /^slider-crank-Ax\.svg$/);
    assert.match(diagram.bytes.toString(), /^<svg [^]*<path d="M84/);
  });
});

test('a film is recorded: one period, at a chosen speed and size', async () => {
  await inside(exampleOf('cam'), {}, async (page) => {
    const dialog = page.locator('dialog.film');
    await page.click('[data-id=save]');
    await page.click('[data-id=save-film]');
    await dialog.locator('.field').first().fill('0.1');
    await page.click('[data-id=one-period]');
    const to = Number(await dialog.locator('.field').nth(1).inputValue());
    assert.ok(Math.abs(to - 0.1 - Math.PI / 10) < 1e-5, `the cam turns by 20 t: ${to}`);
    const said = Number(/One period is ([\d.]+) s/.exec(await dialog.innerText())?.[1]);
    assert.ok(Math.abs(said - Math.PI / 10) < 1e-5, `one period: ${said}`);
    await dialog.locator('select').first().selectOption('0.5');
    await dialog.locator('select').nth(1).selectOption({ label: '1280 × 720' });
    const film = await saved(page, 'record');
    assert.equal(film.name, 'cam.webm');
    const { width, height, times } = readWebm(film.bytes);
    assert.deepEqual([width, height], [1280, 720]);
    assert.equal(times.length, Math.round((30 * Math.PI) / 5) + 1);
    assert.equal(times.at(-1), Math.round((1000 * (times.length - 1)) / 30));
  });
  await inside(exampleOf('slider-crank'), {}, async (page) => {
    // nobody drives it, so it comes back to where it was; a motion that loses energy does not
    const found = await page.evaluate(() => {
      const { clock, model } = window.taut;
      document.querySelector('[data-id=save-film]').click();
      document.querySelector('[data-id=one-period]').click();
      const period = Number(document.querySelectorAll('dialog.film .field')[1].value) - clock.first;
      const { times, values, columns } = model.table;
      const row = times.findIndex((t) => t >= period);
      return ['Ax', 'Ay', "Ax'"].map((n) => {
        const y = values[columns.findIndex((c) => c.name === n)];
        return [y[0], y[row - 1], y[row]];
      });
    });
    for (const [first, before, after] of found)
      assert.ok(first >= Math.min(before, after) - 0.02 && first <= Math.max(before, after) + 0.02, `${found}`);
  });
});

test('the address keeps time, view and tab over a reload', async () => {
  await inside(`${exampleOf('bricard')}#t=3.25&view=top&tab=report`, {}, async (page) => {
    const state = () =>
      page.evaluate(() => [
        window.taut.clock.time,
        window.taut.stage.view.looking,
        document.querySelector('[role=tab][aria-selected=true]').id,
      ]);
    assert.deepEqual(await state(), [3.25, 'top', 'tab-report']);
    await page.click('#tab-numerics');
    await page.evaluate(() => window.taut.clock.seek(4.5));
    await page.waitForFunction(() => location.hash === '#t=4.5&view=top&tab=numerics');
    await page.reload();
    await page.waitForFunction(() => window.taut?.stage?.frames > 0);
    assert.deepEqual(await state(), [4.5, 'top', 'tab-numerics']);
    await page.focus('#tab-numerics');
    await page.keyboard.press('ArrowRight');
    assert.equal((await state())[2], 'tab-report');
  });
  await inside(`${exampleOf('bricard')}#t=%3Cscript%3E&view=constructor&tab=__proto__`, {}, async (page) => {
    assert.equal(await timeOf(page), 0);
  });
});

test('the clock keeps its speed when pictures come slowly', async () => {
  await inside(exampleOf('slider-crank'), {}, async (page) => {
    const [passed, speed] = await page.evaluate(async () => {
      const { clock } = window.taut;
      clock.setSpeed(0.2);
      clock.play();
      const from = clock.frame; // when it began
      const begin = clock.time;
      while (performance.now() - from < 800) {
        const until = performance.now() + 300; // a slow machine
        while (performance.now() < until);
        await new Promise(requestAnimationFrame);
      }
      await new Promise(requestAnimationFrame);
      const seconds = (clock.frame - from) / 1000;
      return [(clock.time - begin) / seconds, clock.speed];
    });
    assert.ok(Math.abs(passed / speed - 1) < 0.05, `${passed} s a second instead of ${speed}`);
  });
});

/** How many pixels of the page have a colour, as [red, green, blue]. */
async function countPixels(page, colours) {
  await page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))); // it is drawn
  const picture = (await page.screenshot()).toString('base64');
  return page.evaluate(
    async ([data, wanted]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const pixels = context.getImageData(0, 0, image.width, image.height).data;
      return wanted.map((colour) => {
        let count = 0;
        for (let i = 0; i < pixels.length; i += 4)
          if (colour.every((c, k) => Math.abs(c - pixels[i + k]) <= 12)) count++;
        return count;
      });
    },
    [picture, colours],
  );
}

test('contacts are drawn while they are closed: one colour sticks, the other slides', async () => {
  const colours = [
    [0x2f, 0x7d, 0x4f],
    [0xe0, 0x8a, 0x1e],
  ];
  for (const [name, share, sticks, slides] of [
    ['contact/rocking-block', 0, true, false],
    ['contact/trebuchet', 0, false, true],
    ['contact/trebuchet', 0.4, false, false],
  ])
    await inside(exampleOf(name), { viewport: { width: 700, height: 450 } }, async (page) => {
      await scrubTo(page, share);
      const [stuck, slid] = await countPixels(page, colours);
      assert.equal(stuck > 8, sticks, `${name} at ${share}: ${stuck} pixels stick`);
      assert.equal(slid > 8, slides, `${name} at ${share}: ${slid} pixels slide`);
    });
});

test('what touches, sticks and slides is said, also of what has no place in the picture', async () => {
  for (const [name, said] of [
    ['contact/clutch', { 0.5: [], 1.5: ['clutch slips'], 3: ['clutch locked'] }],
    ['contact/belt', { 3: ['belt sticks'], 7: ['belt slides'] }],
    ['contact/pendulum-stop', { 0.5: [], 0.71: ['phi.lower closed'] }],
    ['contact/trebuchet', { 0.2: ['ground slides'], 2: ['release loose'] }],
  ])
    await inside(exampleOf(name), {}, async (page) => {
      for (const [t, words] of Object.entries(said)) {
        await page.evaluate((at) => window.taut.clock.seek(at), Number(t));
        assert.deepEqual(await page.locator('.holds li').allTextContents(), words, `${name} at ${t}`);
      }
    });
});
