/** What is shown between the rows of a run: bodies keep their shapes, paths are round, events have marks, far ways are followed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inside, launch } from './browser.mjs';
import { ROOT, csvAt, dataOf, exampleOf, pageOf } from './pages.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Distances between points of one body at random instants, beside those of the body itself: the worst error. */
const stretched = (page, instants) =>
  page.evaluate((count) => {
    const { clock, model, motion } = window.taut;
    const pairs = model.bodies.flatMap((b) =>
      b.points.flatMap((p, i) =>
        b.points.slice(0, i).map((q, k) => ({ p, q, is: Math.hypot(...b.local[i].map((x, c) => x - b.local[k][c])) })),
      ),
    );
    let worst = 0;
    let seed = 1;
    for (let n = 0; n < count; n++) {
      seed = (seed * 16807) % 2147483647;
      motion.moveTo(clock.start + (seed / 2147483647) * clock.length);
      for (const { p, q, is } of pairs) {
        const d = Math.hypot(...[0, 1, 2].map((c) => motion.points[3 * p + c] - motion.points[3 * q + c]));
        if (is > 0) worst = Math.max(worst, Math.abs(d / is - 1));
      }
    }
    return { worst, pairs: pairs.length };
  }, instants);

for (const [name, whole] of [
  ['slider-crank', true],
  ['four-bar-2', true],
  ['bricard', true],
  ['heavy-top', false],
  ['flyball-governor', false],
]) {
  test(`${name}: bodies keep their shape over 1,000 s`, async () => {
    const path = exampleOf(name, '--tend=1000', '--no-certify');
    assert.ok(readFileSync(path).length < 3e6, 'below 3 MB');
    await inside(browser, path, {}, async (page) => {
      const { worst, pairs } = await stretched(page, 500);
      assert.ok(pairs > 0 && worst < 1e-3, `a distance is off by ${worst} of itself`);
      const note = page.locator('.room-note');
      assert.equal(await note.count(), whole ? 0 : 1);
      if (whole) return;
      await page.evaluate(() => window.taut.clock.seek(window.taut.clock.end));
      assert.match(await note.textContent(), /room for the motion up to t = \d/);
      assert.ok(await note.isVisible());
      await page.evaluate(() => window.taut.clock.seek(window.taut.clock.start));
      assert.ok(!(await note.isVisible()));
    });
  });
}

/** What a function of the page gives for times between rows, beside a column of the program at those times. */
async function besideProgram(page, name, column, seen) {
  const times = await page.evaluate(() => {
    const { times: t, rows } = window.taut.model.table;
    const list = [];
    for (let k = 7; k + 1 < rows; k += 17) list.push(t[k] + 0.4 * (t[k + 1] - t[k]));
    return list.filter((x, i) => i === 0 || x > list[i - 1]);
  });
  const values = await page.evaluate(seen, [times, column]);
  const csv = csvAt(name, times);
  const truth = csv.rows.map((row) => row[csv.names.indexOf(column)]);
  const largest = Math.max(...truth.map(Math.abs));
  return Math.max(...values.map((v, i) => Math.abs(v - truth[i]))) / largest;
}

test('a motion that is small beside everything else is drawn as it is', async () => {
  // a mass on oil swings by 2 mm, with no body by it
  await inside(browser, exampleOf('assemblies/cylinder'), {}, async (page) => {
    const off = await besideProgram(page, 'assemblies/cylinder', 'Px', ([times]) =>
      times.map((t) => {
        window.taut.clock.seek(t);
        return window.taut.position('P')[0];
      }),
    );
    assert.ok(off < 2e-3, `off by ${off} of the largest`);
  });
});

test('readouts between rows have the digits of rows: positions, velocities, energies', async () => {
  for (const [name, column, most] of [
    ['mechanism0', 'Bx', 1e-6],
    ['mechanism0', "By'", 3e-5],
    ['mechanism0', 'kinetic', 3e-5],
    ['assemblies/cylinder', "Px'", 3e-5],
    ['contact/bouncing-ball', "Cy'", 3e-4], // it jumps between some rows
  ])
    await inside(browser, exampleOf(name), {}, async (page) => {
      const off = await besideProgram(page, name, column, ([times, c]) => {
        const { series } = window.taut.curves.panels
          .map((p) => p.content)
          .find((x) => x.series.some((s) => s.label === c));
        const { reading } = series.find((s) => s.label === c);
        return times.map((t) => reading(t));
      });
      assert.ok(off < most, `${name}: ${column} off by ${off} of the largest`);
    });
});

test('diagrams of long runs are those of the motion, however near one looks', async () => {
  const path = exampleOf('slider-crank', '--tend=1000', '--no-certify');
  await inside(browser, path, {}, async (page) => {
    const { length, rates, count } = await page.evaluate(() => {
      const { curves, model } = window.taut;
      const column = (name) => model.columns.findIndex((c) => c.name === name);
      const settings = { ...curves.panels[0].settings, columns: ['Ax', 'Ay', "Ax'", "Ay'"].map(column) };
      const [t, x, y, u, v] = curves.makePanel(settings, curves.panels[0]).plot.data;
      // between what is drawn: the crank is 0.4 m long, and its end moves across it
      const length = [Infinity, 0];
      let rates = 0;
      let count = 0;
      for (let i = 1; i < t.length; i++) {
        if (t[i] < 500 || t[i] > 510) continue;
        const [a, b, c, d] = [x, y, u, v].map((list) => (list[i] + list[i - 1]) / 2);
        length[0] = Math.min(length[0], Math.hypot(a, b));
        length[1] = Math.max(length[1], Math.hypot(a, b));
        rates = Math.max(rates, Math.abs(a * c + b * d) / (0.4 * Math.hypot(c, d)));
        count++;
      }
      return { length, rates, count };
    });
    assert.ok(count > 100, `${count} pieces in 10 s`);
    assert.ok(length[0] > 0.39 && length[1] < 0.4001, `${length}`); // chords of 25 degrees at most
    assert.ok(rates < 0.03, `${rates}`);
    // what has no motion between rows does not pretend to have one
    const seen = await page.evaluate(() => {
      const { curves, clock, model } = window.taut;
      const { times } = model.table;
      clock.seek(0.7 * times[700] + 0.3 * times[701]);
      const panel = curves.panels.find((p) => p.content.series[0].label === 's');
      const chip = panel.values[0];
      return [
        panel.content.series[0].dots,
        chip.title,
        Number(chip.textContent.split(' ')[0]),
        model.table.values[model.columns.findIndex((c) => c.name === 's')][700],
      ];
    });
    assert.equal(seen[0], true);
    assert.match(seen[1], /the nearest row/);
    assert.ok(Math.abs(seen[2] - seen[3]) < 1e-4, `${seen}`);
  });
});

test('where velocities jump, the motion between rows has a corner', async () => {
  const path = pageOf(join(ROOT, 'examples', 'contact', 'bouncing-ball.yaml'), { args: ['--no-certify'] });
  await inside(browser, path, {}, async (page) => {
    const { low, high, ends } = await page.evaluate(() => {
      const { clock, model, motion } = window.taut;
      const y = model.points.findIndex((p) => !p.fixed);
      let low = Infinity;
      let high = -Infinity;
      for (let k = 0; k <= 3000; k++) {
        motion.moveTo(clock.start + (k / 3000) * clock.length);
        low = Math.min(low, motion.points[3 * y + 1]);
        high = Math.max(high, motion.points[3 * y + 1]);
      }
      const column = model.table.values[model.points[y].columns[1]];
      return { low, high, ends: [Math.min(...column), Math.max(...column)] };
    });
    assert.ok(high > ends[0] + 0.1 && high < ends[1] + 1e-3, `up to ${high}`);
    assert.ok(low > ends[0] - 1e-3, `down to ${low}, ${ends[0]} in the rows`);
  });
});

const BALL = join(ROOT, 'examples', 'contact', 'bouncing-ball.yaml');

test('a path is round between rows: it is the parabola of a ball that falls', async () => {
  await inside(browser, pageOf(BALL, { args: ['--no-certify'] }), {}, async (page) => {
    const { pieces, size } = await page.evaluate(() => {
      const [{ segments }] = window.taut.stage.layers.trails.lines.values();
      return { pieces: Array.from(segments.slice(0, 6 * 200)), size: window.taut.stage.kit.size };
    });
    // C is at (0.3 t, 1.05 - g t^2 / 2) up to the first impact
    const impact = 0.3 * Math.sqrt(2 / 9.81);
    let [worst, count] = [0, 0];
    for (let i = 0; i < pieces.length; i += 6) {
      const [x, y] = [0, 1].map((k) => (pieces[i + k] + pieces[i + 3 + k]) / 2); // where chords are farthest from it
      if (pieces[i + 3] > impact) break;
      worst = Math.max(worst, Math.abs(y - (1.05 - (9.81 / 2) * (x / 0.3) ** 2)));
      count++;
    }
    assert.ok(count > 5 && worst < size / 1500, `${count} chords, off by ${worst} of ${size}`);
  });
});

test('contacts and events are marked at their times, in order, in all diagrams and in the report', async () => {
  const path = pageOf(BALL, { args: ['--no-certify'] });
  const { marks } = dataOf(path);
  assert.ok(marks.length > 50 && marks.every((m, k) => m.kind === 'event' && (k === 0 || m.t >= marks[k - 1].t)));
  assert.ok(Math.abs(marks[0].t - Math.sqrt(2 / 9.81)) < 1e-9, `the first impact is at ${marks[0].t}`);
  assert.equal(marks.at(-1).text, 'accumulation floor');
  await inside(browser, path, {}, async (page) => {
    assert.equal(await page.locator('.tick').count(), marks.length);
    await page.click('#tab-report');
    const first = page.locator('.events li').first();
    assert.match(await first.innerText(), /t = 0\.451524[\s\S]*impact floor/);
    await first.locator('button').click();
    assert.equal(await page.evaluate(() => window.taut.clock.time), marks[0].t);
  });
});

test('a mechanism that goes far is followed, one that throws something is looked at; F shows all', async () => {
  /** Where a point is in the picture, from -1 to 1, and how large a length there is in shares of the picture. */
  const placeOf = (page, name) =>
    page.evaluate((n) => {
      const { stage, motion } = window.taut;
      const at = stage.layers.labels.project(
        stage.kit.point(motion.index.get(n)),
        stage.view.camera,
        stage.width,
        stage.height,
      );
      return at && [(2 * at[0]) / stage.width - 1, 1 - (2 * at[1]) / stage.height];
    }, name);
  const seek = (page, t) => page.evaluate((x) => window.taut.clock.seek(x), t);
  await inside(browser, exampleOf('bicycle'), {}, async (page) => {
    for (const t of [0, 1, 3]) {
      await seek(page, t);
      const [r, f] = [await placeOf(page, 'R'), await placeOf(page, 'F')];
      const apart = Math.hypot(...r.map((x, k) => x - f[k]));
      assert.ok(apart > 0.2 && apart < 1.5 && Math.abs(r[0]) < 1 && Math.abs(f[0]) < 1, `at ${t}: ${r}, ${f}`);
    }
  });
  await inside(browser, exampleOf('contact/trebuchet'), {}, async (page) => {
    const [a, b] = [await placeOf(page, 'A'), await placeOf(page, 'B')];
    assert.ok(Math.hypot(...a.map((x, k) => x - b[k])) > 0.3, 'its beam can be seen');
    await seek(page, 6);
    assert.equal(await placeOf(page, 'T'), null, 'the stone has left the picture');
    await page.keyboard.press('f');
    assert.ok(await placeOf(page, 'T'));
  });
});
