/** Shapes in the page: forms of bodies, toothed wheels and racks, cams, screws, the ground under wheels, legs. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { inside, launch } from './browser.mjs';
import { FOLDER, dataOf, exampleOf, pageWith, textOf } from './pages.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const near = (value, expected, off, what) =>
  assert.ok(Math.abs(value - expected) <= off, `${what}: ${value}, not ${expected}`);

/** The corners of every solid of the page in the world at a share of the run. */
const solidsAt = (page, share) =>
  page.evaluate((s) => {
    const { stage, clock, model } = window.taut;
    clock.seek(clock.start + s * clock.length);
    return stage.solids.parts.map(({ body, objects, lift }) => {
      const { array } = objects[0].geometry.attributes.position;
      const e = objects[0].matrix.elements;
      const corners = [];
      for (let i = 0; i < array.length; i += 3)
        corners.push(
          [0, 1, 2].map((c) => e[c] * array[i] + e[4 + c] * array[i + 1] + e[8 + c] * array[i + 2] + e[12 + c]),
        );
      return { name: model.bodies[body]?.name ?? 'ground', lift, corners };
    });
  }, share);

const radii = (corners, [x, y]) => corners.map((p) => Math.hypot(p[0] - x, p[1] - y));

const MIXER = `Title: disc, plate and ball
Dimension: 2
PartData:
  Fixed: {O: [0, 0]}
  Rigids:
    OA: {Geom: [[80 mm]], Shape: {Type: cylinder, Radius: 0.1 m, Centre: [0, 0], Mass: 1}}
    BC: {Elements: [A, B], Geom: [[0.2]], Shape: {Type: box, Size: [0.2, 0.1], Mass: 1 kg}}
    CD: {Elements: [B, C], Geom: [[0.1]], Shape: {Type: sphere, Radius: 50 mm, Mass: 4 kg}}
AppliedForces: {Gravity: 9.81 m/s^2, Forces: {C: [20*sin(5*t), 10]}}
ProblemData:
  tend: 1
  positions: {A: [0.08, 0], B: [0.28, 0], C: [0.38, 0]}
`;

test('bodies have the sizes of their shapes, and turn with their points', () =>
  inside(browser, textOf('mixer', MIXER), {}, async (page) => {
    for (const share of [0, 0.4, 1]) {
      const solids = await solidsAt(page, share);
      const [a, b] = await page.evaluate(() => ['A', 'B'].map((n) => window.taut.position(n)));
      const disc = solids.find((s) => s.name === 'OA' && s.lift === 0);
      near(Math.max(...radii(disc.corners, [0, 0])), 0.1, 1e-6, 'radius of the disc');
      const stripe = solids.find((s) => s.name === 'OA' && s.lift === 1);
      const tip = stripe.corners.reduce((best, p) =>
        Math.hypot(p[0], p[1]) > Math.hypot(best[0], best[1]) ? p : best,
      );
      near(Math.atan2(tip[1], tip[0]), Math.atan2(a[1], a[0]), 0.06, 'the stripe points to A');
      const box = solids.find((s) => s.name === 'BC');
      const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      for (const r of radii(box.corners, middle)) near(r, Math.hypot(0.1, 0.05), 1e-6, 'corner of the box');
    }
  }));

test('a slider with a moment of inertia is a block and no disc, which would cover its guide', () =>
  inside(browser, exampleOf('contact/incline'), {}, async (page) =>
    assert.deepEqual(await page.evaluate(() => [window.taut.model.bodies[0].inertia.length, window.taut.model.forms]), [
      1,
      [null],
    ]),
  ));

test('applied forces have columns in the page', () => {
  const data = dataOf(textOf('mixer', MIXER));
  const [x, y] = data.loads[0].columns.map((c) => data.columns[c]);
  assert.deepEqual([x.name, y.name, x.unit], ['force on C.x', 'force on C.y', 'N']);
  const floats = new Float32Array(Buffer.from(data.data, 'base64').buffer.slice(0));
  const bytes = Buffer.from(data.data, 'base64');
  const value = (c, r) => data.columns[c].base + bytes.readFloatLE(4 * (c * data.rows + r));
  assert.ok(floats.length > 0);
  for (const r of [0, 100, data.rows - 1])
    near(value(data.loads[0].columns[0], r), 20 * Math.sin(5 * value(0, r)), 1e-4, `force in row ${r}`);
});

test('gears have radii that meet, and teeth that never cut into each other', () =>
  inside(browser, exampleOf('epicyclic'), {}, async (page) => {
    const distance = 0.036; // a = (zs + zp) M / 2
    for (const share of [0, 0.21, 0.5, 0.83, 1]) {
      const solids = await solidsAt(page, share);
      const [o, c] = await page.evaluate(() => ['O', 'C'].map((n) => window.taut.position(n)));
      const wheel = (name) => solids.find((s) => s.name === name && s.lift === 0).corners;
      const [sun, planet, ring] = [wheel('sun'), wheel('planet'), wheel('ground')];
      near((Math.max(...radii(sun, o)) + Math.min(...radii(sun, o).filter((r) => r > 0.01))) / 2, 0.02, 5e-4, 'sun');
      near(Math.max(...radii(planet, c)), 0.016 * (1 + 1.9 / 16), 1e-6, 'tip of the planet');
      near(Math.min(...radii(ring, o)), 0.052 * (1 - (1.9 * 1.15) / 52), 1e-6, 'tip of the ring');
      // where the wheels meet, angles of tips on one side lie between those on the other
      const tips = (corners, centre, towards, radius, off) =>
        corners
          .filter((p) => Math.abs(Math.hypot(p[0] - centre[0], p[1] - centre[1]) - radius) < 1e-6)
          .map((p) => [p[0] - towards[0], p[1] - towards[1]])
          .filter((d) => Math.hypot(...d) < off);
      const at = [o[0] + ((c[0] - o[0]) * 0.02) / distance, o[1] + ((c[1] - o[1]) * 0.02) / distance];
      const across = ([x, y]) => (-x * (c[1] - o[1]) + y * (c[0] - o[0])) / distance;
      const ours = tips(sun, o, at, Math.max(...radii(sun, o)), 0.004).map(across);
      const theirs = tips(planet, c, at, Math.max(...radii(planet, c)), 0.004).map(across);
      assert.ok(ours.length > 0 && theirs.length > 0, `teeth near the point where the wheels meet, at ${share}`);
      const least = Math.min(...ours.flatMap((u) => theirs.map((v) => Math.abs(u - v))));
      assert.ok(least > 0.0004, `tips ${least} apart at ${share}`); // a quarter of a tooth is 0.0016
    }
  }));

test('a cam is its curve: the follower stays on it', () =>
  inside(browser, exampleOf('cam'), {}, async (page) => {
    for (const share of [0, 0.13, 0.31, 0.77]) {
      const cam = (await solidsAt(page, share)).find((s) => s.name === 'cam');
      const f = await page.evaluate(() => window.taut.position('F'));
      assert.ok(Math.min(...radii(cam.corners, f)) < 1e-3, `the tip is on the rim at ${share}`);
    }
  }));

test('a pinion meets its rack, and both move alike', () => {
  const rack = `Dimension: 2
PhysicalParams: {R: 0.05}
PartData:
  Fixed: {O: [0, 0], x: [1, 0], Q: [0, -0.05], W: [-0.3, -0.05]}
  Rigids:
    pinion: {Elements: [O, A], Geom: [[R]], Dyna: [[0], 0.5, 1e-3]}
    bar: {Elements: [B, D, u], Geom: [[0.2], [1, 0]], Dyna: [[0.1], 0.4, 1e-3]}
  Joints:
    guide: {Type: prismatic, Bodies: [ground, bar], Points: [Q, B], Axes: [x, u], Distance: s}
    mesh: {Type: rack, Coordinates: [phi, s], Radius: R}
  Springs: {BW: [30, 0.2]}
Angles: {phi: pinion}
ProblemData: {tend: 2, positions: {A: [R, 0], B: [-0.05, -0.05], D: [0.15, -0.05]}}
`;
  return inside(browser, textOf('rack', rack), {}, async (page) => {
    for (const share of [0, 0.3, 0.7]) {
      const solids = await solidsAt(page, share);
      const [pinion, bar] = ['pinion', 'bar'].map((n) => solids.find((s) => s.name === n && s.lift === 0).corners);
      const low = pinion.filter((p) => p[1] < -0.0515).map((p) => p[0]);
      const top = Math.max(...bar.map((p) => p[1]));
      near(top, -0.05 + (2 * 0.05) / 20, 1e-6, 'tip of the rack');
      const high = bar.filter((p) => p[1] > top - 1e-6 && Math.abs(p[0]) < 0.012).map((p) => p[0]);
      assert.ok(low.length > 0 && high.length > 0);
      const least = Math.min(...low.flatMap((u) => high.map((v) => Math.abs(u - v))));
      assert.ok(least > 0.001, `tips ${least} apart at ${share}`);
    }
  });
});

test('wheels stand on ground that is found from their motion, in the plane and in space', async () => {
  await inside(browser, exampleOf('wheel'), {}, async (page) => {
    const lines = await page.evaluate(() => window.taut.stage.rolling.parts.map(({ at, normal }) => ({ at, normal })));
    assert.equal(lines.length, 1);
    near(lines[0].at[1], 0, 1e-4, 'height of the ground');
    near(lines[0].normal[1], 1, 1e-4, 'its normal');
  });
  await inside(browser, exampleOf('bicycle'), {}, async (page) => {
    const floor = await page.evaluate(() => window.taut.stage.layers.grid.origin);
    near(floor[2], 0, 1e-3, 'height of the floor');
  });
  await inside(browser, exampleOf('slider-crank'), {}, async (page) =>
    assert.equal(await page.evaluate(() => window.taut.stage.rolling.parts.length), 0, 'no wheel, no ground'),
  );
});

test('legs that are only a driver reach from point to point', () =>
  inside(browser, exampleOf('machines/stewart-platform'), {}, async (page) => {
    const legs = await page.evaluate(() => {
      const { stage, clock } = window.taut;
      clock.seek(clock.start + 0.4 * clock.length);
      const { parts, kit } = stage.legs;
      return parts.map(({ a, b, rod }) => {
        kit.shafts.fill.getMatrixAt(rod, kit.shafts.matrix);
        const e = kit.shafts.matrix.elements;
        return {
          from: [e[12], e[13], e[14]],
          to: [e[12] + e[0], e[13] + e[1], e[14] + e[2]],
          a: kit.point(a),
          b: kit.point(b),
        };
      });
    });
    assert.equal(legs.length, 6);
    for (const { from, to, a, b } of legs)
      for (let k = 0; k < 3; k++) {
        near(from[k], a[k], 1e-5, 'foot');
        near(to[k], b[k], 1e-5, 'head');
      }
  }));

/** What is drawn for drivers: the tip of each arrow, where it starts, and the value beside it. */
const driversAt = (page, t) =>
  page.evaluate((time) => {
    const { stage, clock } = window.taut;
    clock.seek(time);
    stage.draw();
    const { items } = stage.layers.drivers;
    const labels = [...document.querySelectorAll('.label.driver:not([hidden])')].map((l) => l.textContent);
    return items.map(({ place, sign }) => {
      const arrow = sign.arrow ?? sign;
      arrow.tips.fill.getMatrixAt(arrow.tip, arrow.tips.matrix);
      const e = arrow.tips.matrix.elements;
      return { at: stage.kit.point(place.at), neck: [e[12], e[13], e[14]], way: [e[0], e[1], e[2]], labels };
    });
  }, t);

test('drivers of angles are arcs about their axes, others arrows the way they go, with values', async () => {
  await inside(browser, exampleOf('cam'), {}, async (page) => {
    const [{ at, neck, way, labels }] = await driversAt(page, 0.3);
    const arm = neck.map((x, k) => x - at[k]);
    assert.ok(arm[0] * way[1] - arm[1] * way[0] > 0, 'phi grows, so the arc goes counter-clockwise');
    assert.deepEqual(labels, ['phi = 6 rad']);
    await page.click('[popovertarget=layers]');
    await page.getByLabel('Drivers').uncheck();
    await page.locator('.label.driver').first().waitFor({ state: 'hidden' });
  });
  await inside(browser, exampleOf('machines/scissor-lift'), {}, async (page) => {
    for (const [t, sign] of [
      [1, -1],
      [4, 1],
    ]) {
      const [{ at, way }] = await driversAt(page, t); // s = w0 - 0.1 (1 - cos t): it shrinks up to pi
      near(at[0], Math.cos(Math.PI / 12) - 0.1 * (1 - Math.cos(t)), 1e-4, 'the foot on the ground');
      assert.equal(Math.sign(way[0]), sign, `at ${t}`);
      near(way[1], 0, 1e-6, 'along the ground');
    }
  });
  await inside(browser, exampleOf('machines/arm-6r'), {}, async (page) => {
    const seen = await driversAt(page, 1);
    assert.equal(seen.length, 6);
    // q1 = 0.8 sin t about z through the origin, rising
    const [{ at, neck, way }] = seen;
    assert.ok((neck[0] - at[0]) * way[1] - (neck[1] - at[1]) * way[0] > 0);
    near(way[2], 0, 1e-6, 'about z');
  });
});

test('a screw has a thread with its pitch', () =>
  inside(browser, exampleOf('screw-press'), {}, async (page) => {
    const pitch = await page.evaluate(() => {
      const { path } = window.taut.stage.solids.parts.find((p) => p.objects[0].geometry.parameters?.path).objects[0]
        .geometry.parameters;
      const [a, b] = [path.getPoint(0), path.getPoint(0.25)];
      return { pitch: path.pitch, rise: b.z - a.z };
    });
    assert.equal(pitch.pitch, 0.12);
    assert.ok(pitch.rise > 0);
  }));

/** A box with edges 0.2, 0.1, 0.05 from the origin on, in millimetres, with a hostile name inside. */
const BOX = `# </script><script>window.hacked = 1</script>
${[0, 1, 2, 3, 4, 5, 6, 7].map((k) => `v ${k & 1 ? 200 : 0} ${k & 2 ? 100 : 0} ${k & 4 ? 50 : 0}`).join('\n')}
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
`;

const MESHED = `Dimension: 3
PartData:
  Fixed: {O: [0, 0, 0], y: [0, 1, 0]}
  Rigids:
    link: {Elements: [O, A, y], Geom: [[0.2], [0, 1]], Mesh: {File: box.obj, Scale: 0.001, Origin: [0, -0.05]}, Shape: {Type: mesh, Density: 7850}}
AppliedForces: {Gravity: [0, 0, -9.81]}
ProblemData: {tend: 1, positions: {A: [0.2, 0, 0]}}
`;

test('a mesh is drawn with its body, and hostile ones do no harm', async () => {
  writeFileSync(join(FOLDER, 'box.obj'), BOX);
  const path = textOf('meshed', MESHED);
  const { bodies, meshes } = dataOf(path);
  near(bodies[0].mass, 7850 * 0.2 * 0.1 * 0.05, 1e-9, 'mass of the mesh');
  assert.equal(meshes[0].triangles, 12);
  await inside(browser, path, {}, async (page) => {
    for (const share of [0, 0.6]) {
      const [solid] = await solidsAt(page, share);
      const a = await page.evaluate(() => window.taut.position('A'));
      const far = Math.max(...solid.corners.map((p) => Math.hypot(...p)));
      near(far, Math.hypot(0.2, 0.05, 0.05), 1e-6, 'the corner farthest from the origin');
      const along = solid.corners.map((p) => (p[0] * a[0] + p[1] * a[1] + p[2] * a[2]) / Math.hypot(...a));
      near(Math.max(...along), 0.2, 1e-6, 'its length');
    }
    assert.equal(await page.evaluate(() => window.hacked), undefined);
  });
  const data = dataOf(path);
  for (const [k, mesh] of [
    { corners: '!!', indices: '' },
    { corners: data.meshes[0].corners, indices: Buffer.from(new Uint32Array([0, 1, 99]).buffer).toString('base64') },
    { corners: Buffer.from(new Float32Array([NaN, 1, 2]).buffer).toString('base64'), indices: 'AAAAAAAAAAAAAAAA' },
    {
      corners: data.meshes[0].corners, // the same triangle 60,000 times: drawn once, or nobody sees the page
      indices: Buffer.from(new Uint32Array(180000).map((_, i) => (i + Math.floor(i / 3)) % 3).buffer).toString(
        'base64',
      ),
    },
  ].entries())
    await inside(browser, pageWith(`mesh-${k}`, { ...data, meshes: [mesh] }), {}, async (page) =>
      assert.ok(await page.evaluate(() => window.taut.stage.frames > 0)),
    );
});

test('two points are a distance, three an angle: drawn, and as new curves; by pointer and by keyboard', () =>
  inside(browser, exampleOf('cam'), {}, async (page) => {
    const at = (name) =>
      page.evaluate((n) => {
        const { stage, motion } = window.taut;
        const box = stage.canvas.getBoundingClientRect();
        const [x, y] = stage.layers.labels.project(
          stage.kit.point(motion.index.get(n)),
          stage.view.camera,
          stage.width,
          stage.height,
        );
        return [box.left + x, box.top + y];
      }, name);
    await page.click('[data-id=measure]');
    await page.click('[data-id=measuring]');
    await page.keyboard.press('Escape');
    for (const name of ['O', 'F', 'A']) await page.mouse.click(...(await at(name)));
    const seen = await page.evaluate(() => {
      const { model, stage } = window.taut;
      const columns = model.columns.flatMap((c, i) => (c.kind === 'measure' ? [{ ...c, i }] : []));
      const row = 300;
      const value = (name) => model.table.values[model.columns.findIndex((c) => c.name === name)][row];
      return {
        names: columns.map((c) => c.name),
        values: columns.map((c) => model.table.values[c.i][row]),
        fy: value('Fy'),
        a: [value('Ax'), value('Ay')],
        lines: stage.measures.length,
        panels: window.taut.curves.panels.at(-1).content.series[0].label,
      };
    });
    assert.deepEqual(seen.names, ['|O F|', '∠O F A']);
    near(seen.values[0], seen.fy, 1e-9, 'distance from O to F');
    const angle = (Math.acos((seen.fy - seen.a[1]) / Math.hypot(seen.a[0], seen.fy - seen.a[1])) * 180) / Math.PI;
    near(seen.values[1], angle, 1e-6, 'angle at F');
    assert.equal(seen.panels, '∠O F A');
    await page.locator('[data-id=measure]').focus();
    await page.keyboard.press('Enter');
    await page.locator('[aria-label="to point"]').focus();
    await page.keyboard.press('End');
    await page.locator('[data-id=add-measure]').focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => window.taut.stage.measures.length), 3);
  }));

test('a body is named under the pointer, and a click shows its lines and curves', () =>
  inside(browser, exampleOf('epicyclic'), {}, async (page) => {
    const place = await page.evaluate(() => {
      const { stage, motion } = window.taut;
      const box = stage.canvas.getBoundingClientRect();
      const p = stage.kit.point(motion.index.get('O'));
      const [x, y] = stage.layers.labels.project(
        [p[0] - 0.012, p[1] + 0.004, 0],
        stage.view.camera,
        stage.width,
        stage.height,
      );
      return [box.left + x, box.top + y];
    });
    await page.mouse.move(...place);
    assert.match(await page.locator('.hint').innerText(), /sun[\s\S]*0\.5 kg[\s\S]*revolute with ground/);
    await page.mouse.click(...place);
    const seen = await page.evaluate(() => ({
      lines: [...document.querySelectorAll('.listing li.chosen')].map((l) => l.textContent.trim().slice(0, 10)),
      panels: window.taut.curves.panels.map((p) => p.element.classList.contains('chosen')),
      labels: [...document.querySelectorAll('.label.load')].map((l) => l.textContent),
    }));
    assert.match(seen.lines[0], /^sun: /);
    assert.ok(seen.panels.includes(true));
    assert.ok(
      seen.labels.some((l) => /sun 0\.3 N m/.test(l)),
      `the torque on the sun has its value: ${seen.labels}`,
    );
  }));

test('a follower stands on its cam by its tip, on the side away from the axle', () =>
  inside(browser, exampleOf('cam'), {}, async (page) => {
    for (const share of [0, 0.31, 0.77]) {
      const { f, blocks, tips, unit } = await page.evaluate((s) => {
        const { stage, clock, position } = window.taut;
        clock.seek(clock.start + s * clock.length);
        const { boxes, cones, unit } = stage.kit;
        const all = (batch) => batch.colours.map((_, i) => batch.positionOf(i));
        return { f: position('F'), blocks: all(boxes), tips: all(cones), unit };
      }, share);
      const above = tips.filter((p) => p[1] > f[1] && p[1] < f[1] + 4 * unit);
      assert.equal(above.length, 1, 'one tip, which begins above F');
      near(above[0][0], f[0], 1e-9, 'the tip is above F');
      assert.ok(
        blocks.some((p) => Math.abs(p[1] - above[0][1]) < 1e-9),
        'the block begins where the tip ends',
      );
    }
  }));

/** A tile with a hole, 10 by 10 and 1 thick, as OBJ: outline and hole are what is seen of it from above. */
const TILE = (() => {
  const ring = (r, z) => [[-r, -r, z], [r, -r, z], [r, r, z], [-r, r, z]]; // prettier-ignore
  const corners = [ring(5, 1), ring(2, 1), ring(5, 0), ring(2, 0)].flat();
  const faces = [0, 1, 2, 3].flatMap((k) => {
    const [a, b] = [k + 1, ((k + 1) % 4) + 1];
    return [[a, b, b + 4, a + 4], [b + 8, a + 8, a + 12, b + 12], [b, a, a + 8, b + 8], [a + 4, b + 4, b + 12, a + 12]]; // prettier-ignore
  });
  return [...corners.map((p) => `v ${p.join(' ')}`), ...faces.map((f) => `f ${f.join(' ')}`)].join('\n');
})();

test('a mesh of the plane has its outline, holes included, and no other lines', () => {
  writeFileSync(join(FOLDER, 'tile.obj'), TILE);
  const model = `Dimension: 2
PartData:
  Fixed: {O: [0, 0]}
  Rigids:
    OA: {Geom: [[10]], Mesh: {File: tile.obj}, Shape: {Type: mesh, Density: 1}}
ProblemData: {tend: 1, velocities: {A: [0, 1]}, positions: {A: [10, 0]}}
`;
  return inside(browser, textOf('tile', model), {}, async (page) => {
    const lines = await page.evaluate(() => {
      const [, edges] = window.taut.stage.solids.parts.find((p) => p.body === 0).objects;
      const { instanceStart: a, instanceEnd: b } = edges.geometry.attributes;
      return Array.from({ length: a.count }, (_, i) => [a, b].map((e) => [e.getX(i), e.getY(i), e.getZ(i)]));
    });
    const total = lines.reduce((sum, [p, q]) => sum + Math.hypot(...p.map((x, k) => x - q[k])), 0);
    near(total, 4 * 10 + 4 * 4, 1e-4, 'length of all lines');
    assert.equal(lines.length, 8);
    for (const [p] of lines) near(Math.max(Math.abs(p[0]), Math.abs(p[1])), p[0] ** 2 > 9 ? 5 : 2, 1e-6, 'a corner');
  });
});
