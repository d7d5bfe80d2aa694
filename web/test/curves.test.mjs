/** Diagrams: one column over another, logarithmic axes, another run and the difference to it, hostile CSV files. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inside, launch } from './browser.mjs';
import { FOLDER, ROOT, exampleOf, pageOf } from './pages.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test('a column over another: by the keyboard alone, with the mark where the time is', () =>
  inside(browser, exampleOf('cam'), {}, async (page) => {
    await page.locator('.panel').nth(0).locator('[data-id=axes]').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-id=across]').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Ay');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.evaluate(() => window.taut.clock.seek(0.3));
    const seen = await page.evaluate(() => {
      const [panel] = window.taut.curves.panels;
      const { plot, content, dots } = panel;
      const [, px, py] = dots[0].style.transform.match(/translate\(([-\d.]+)px, ([-\d.]+)px\)/).map(Number);
      return {
        over: content.over.label,
        label: panel.plotBox.getAttribute('aria-label'),
        at: [plot.posToVal(px, 'x'), plot.posToVal(py, 'y')],
        size: plot.over.clientWidth,
        shown: !dots[0].hidden,
      };
    });
    assert.equal(seen.over, 'Ay');
    assert.match(seen.label, /^Diagram: Ax, Ay over Ay/);
    assert.ok(seen.shown);
    // the cam turns by 20 t: A is at 0.04 (cos, sin)
    assert.ok(Math.abs(seen.at[0] - 0.04 * Math.sin(6)) < 5e-4, `x ${seen.at[0]}`);
    assert.ok(Math.abs(seen.at[1] - 0.04 * Math.cos(6)) < 1e-3, `y ${seen.at[1]}`);
  }));

test('a click in such a diagram goes to the time of the point', () =>
  inside(browser, exampleOf('cam'), {}, async (page) => {
    await page.evaluate(() => {
      const { curves, model } = window.taut;
      const c = (n) => model.columns.findIndex((x) => x.name === n);
      curves.makePanel({ ...curves.panels[0].settings, columns: [c('energy')], x: c('phi') }, curves.panels[0]);
    });
    const box = await page.locator('.panel').nth(0).locator('.u-over').boundingBox();
    const [x, y] = await page.evaluate(() => {
      const [{ plot, content }] = window.taut.curves.panels;
      const i = 700;
      return [plot.valToPos(content.series[0].x[i], 'x'), plot.valToPos(content.series[0].y[i], 'y')];
    });
    await page.mouse.click(box.x + x, box.y + y);
    const [t, wanted] = await page.evaluate(() => [window.taut.clock.time, window.taut.model.table.times[700]]);
    assert.ok(Math.abs(t - wanted) < 0.01, `${t}, not ${wanted}`);
  }));

test('logarithmic axes leave out what is not above zero; the ninth curve is dashed', () =>
  inside(browser, exampleOf('cam'), {}, async (page) => {
    const seen = await page.evaluate(() => {
      const { curves } = window.taut;
      const columns = Array.from({ length: 10 }, (_, i) => i + 1);
      const panel = curves.makePanel({ ...curves.panels[0].settings, columns, logY: true }, curves.panels[0]);
      return {
        dashed: columns.map((_, k) => panel.dashOf(k).length > 0),
        chips: [...panel.element.querySelectorAll('.chip i')].map((i) => i.className),
        least: Math.min(...panel.plot.data[1].filter((v) => v !== null)),
        gaps: panel.plot.data[1].filter((v) => v === null).length,
        scale: panel.plot.scales.y.distr,
      };
    });
    assert.deepEqual(seen.dashed, [...Array(8).fill(false), true, true]);
    assert.equal(seen.chips[8], 'dashed');
    assert.ok(seen.least > 0 && seen.gaps > 100 && seen.scale === 3);
  }));

const OTHER = `t,Ax [m],Ay [m],"a ""b"", c"\n${Array.from({ length: 2001 }, (_, i) => {
  const t = i / 2000;
  return [t, 0.03 * Math.cos(20 * t), 0.03 * Math.sin(20 * t), 1].join(',');
}).join('\n')}\n`;

test('another run as CSV: beside ours, in dashes; the difference is what it should be', async () => {
  const path = join(FOLDER, 'other.csv');
  writeFileSync(path, OTHER);
  await inside(browser, exampleOf('cam'), {}, async (page) => {
    await page.setInputFiles('[data-id=other-file]', path);
    await page.waitForFunction(() => window.taut.curves.other !== null);
    const seen = await page.evaluate(() => {
      const { curves, model } = window.taut;
      const labels = curves.panels[0].content.series.map((s) => s.label);
      const settings = { ...curves.panels[0].settings, difference: true };
      const panel = curves.makePanel(settings, curves.panels[0]);
      const [{ x, y }] = panel.content.series;
      const worst = Math.max(...Array.from(y, (v, i) => Math.abs(v - 0.01 * Math.cos(20 * x[i]))));
      return { labels, worst, names: [...curves.other.index.keys()], rows: model.table.rows };
    });
    assert.deepEqual(seen.labels, ['Ax', 'Ay', 'Ax (other.csv)', 'Ay (other.csv)']);
    assert.ok(seen.worst < 1e-5, `difference off by ${seen.worst}`); // straight lines between rows 0.0005 s apart
    assert.equal(seen.names[3], 'a "b", c');
  });
  // the same from the command line
  const page = pageOf(join(ROOT, 'examples', 'cam.yaml'), { args: ['--with', path], name: 'cam-with' });
  await inside(browser, page, {}, async (p) => {
    const seen = await p.evaluate(() => ({
      name: window.taut.curves.other.name,
      rows: window.taut.curves.other.times.length,
      worst: Math.max(
        ...Array.from(window.taut.curves.other.times, (t, i) =>
          Math.abs(window.taut.curves.other.column('Ax')[i] - 0.03 * Math.cos(20 * t)),
        ),
      ),
    }));
    assert.equal(seen.name, 'other.csv');
    assert.equal(seen.rows, 2001);
    assert.ok(seen.worst < 1e-6, `off by ${seen.worst}`);
  });
});

test('CSV files that are no table, or mean harm, are refused or shown as text', () =>
  inside(browser, exampleOf('cam'), {}, async (page) => {
    const evil = '<img src=x onerror="window.hacked=1">';
    const said = await page.evaluate(async (bad) => {
      const { curves } = window.taut;
      const out = [];
      for (const text of [
        '',
        'only names\n',
        '1,2,3\n4,5,6\n',
        't,x\n1,2\n0,3\n5,1\n',
        't,x\na,b\nc,d\n',
        '\u0000\u0001\u0002',
        '"'.repeat(200000),
        `t,${bad},__proto__,constructor\n0,1,2,3\n1,2,3,4\n`,
      ]) {
        await curves.compareWith(new File([text], `${bad}.csv`));
        out.push(curves.note.textContent);
      }
      return out;
    }, evil);
    for (const text of said.slice(0, 7)) assert.match(text, /cannot be compared: /);
    assert.match(said[7], /<img src=x/);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('img').count(), 0);
  }));

test('readouts are values at the very time, between rows as well', () =>
  inside(browser, exampleOf('cam'), {}, async (page) => {
    await page.evaluate(() => window.taut.clock.seek(0.30037)); // rows are 0.001 s apart, and phi is 20 t
    const chip = page.locator('.chip', { hasText: 'phi' }).first();
    assert.match(await chip.innerText(), /6\.0074/);
  }));

test('at a row a readout is the value of the row, and what is nothing reads 0', () =>
  inside(browser, exampleOf('cam'), {}, async (page) => {
    const chip = (name) =>
      page.locator('.chip').filter({ has: page.locator('.name', { hasText: new RegExp(`^${name}$`) }) });
    assert.match(await chip('Ay').first().innerText(), /0\.0000/); // sin 0; the motion between rows has 16 bits
    assert.match(await page.locator('.label.driver').first().innerText(), /^phi = 0 rad$/);
    await page.evaluate(() => window.taut.clock.seek(window.taut.model.table.times[333]));
    const [shown, row] = [
      await chip('Ax').first().innerText(),
      await page.evaluate(
        () => window.taut.model.table.values[window.taut.model.columns.findIndex((c) => c.name === 'Ax')][333],
      ),
    ];
    assert.match(shown.replace('−', '-'), new RegExp(row.toFixed(4).replace('.', '\\.')));
  }));

test('all values at a time are in a table', () =>
  inside(browser, exampleOf('cam'), {}, async (page) => {
    await page.click('.values summary');
    await page.evaluate(() => window.taut.clock.seek(0.5));
    await page.fill('.values input', 'phi');
    const row = page.locator('.values tbody tr').first();
    await row.waitFor();
    assert.deepEqual(await row.locator('th, td').allTextContents(), ['phi', '10.000000', 'rad']);
  }));
