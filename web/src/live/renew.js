/** Another run in the same page: its data take the place of the old ones, and every part shows them. */
import { modelFrom } from '../data.js';
import { addColumn } from '../scene/measure.js';

/** A run of the engine as a model of the page; its table has all digits. */
export function modelOf({ data, table, rows, columns }) {
  const model = modelFrom(JSON.parse(data));
  if (table && model.table.rows === rows)
    for (let c = 0; c < columns; c++)
      for (let r = 0; r < rows; r++)
        model.table.values[c][model.table.backwards ? rows - 1 - r : r] = table[r * columns + c];
  return model;
}

/** Do two models have the same parts and columns, so that what the reader has chosen still means something? */
export function isAlike(a, b) {
  const names = (list) => list.map((x) => x.name).join('\n');
  return ['columns', 'points', 'vectors', 'bodies', 'links', 'joints'].every((key) => names(a[key]) === names(b[key]));
}

/** What is measured in the old run is measured in the new one, where the points are. */
function measureAgain(old, fresh) {
  const index = new Map(fresh.points.map((p, i) => [p.name, i]));
  for (const { points } of old.columns.filter((c) => c.points)) {
    const same = points.map((i) => index.get(old.points[i].name));
    if (same.every((i) => i !== undefined)) addColumn(fresh, same);
  }
}

/**
 * Puts a fresh model in the place of the page's. @param {object} page the parts, see main.js @param {object} fresh
 * @param {boolean} anew it is another model: the frame is chosen anew (else only where the motion has outgrown it)
 */
export function renew(page, fresh, anew = false) {
  const { model, motion, clock, scene, curves, numerics } = page;
  measureAgain(model, fresh);
  const alike = isAlike(model, fresh);
  const share = clock.length > 0 ? (clock.time - clock.start) / clock.length : 0;
  const sameSpan = clock.start === fresh.table.start && clock.end === fresh.table.end;
  const { time } = clock;
  Object.assign(model, fresh);
  motion.take(model, alike && !anew);
  if (scene.stage) {
    if (!alike) scene.stage.forget();
    scene.stage.rebuild();
    if (anew) scene.stage.view.fit();
    else if (motion.isOutgrown && scene.stage.view.fitted) scene.stage.view.fit(false); // unless the reader looks elsewhere
  }
  clock.renew(model.table);
  clock.moveTo(sameSpan ? time : clock.start + share * clock.length);
  curves.renew(alike);
  numerics.renew();
  page.report.renew();
  page.timeline.renew(model.marks);
}
