/** The page of a sweep: parallel coordinates, scatter, curves of all runs, and one run in full. */
import { el } from '../ui/dom.js';
import { board, frame, line, place, rangeOf, short } from './draw.js';

const MOST_LINES = 2000;

export function sweepPage(data) {
  const names = data.columns;
  const column = (c) => data.rows.map((row) => row[c]);
  const ranges = names.map((_, c) => rangeOf(column(c)));
  const state = { run: null, brush: names.map(() => null), x: 1, y: Math.min(names.length - 1, data.varied + 1) };
  const boards = [];
  const redraw = () => boards.forEach((b) => b.draw());
  const isIn = (row) => state.brush.every((b, c) => !b || (row[c] !== null && row[c] >= b[0] && row[c] <= b[1]));
  const chosen = () => data.rows.map((row, i) => i).filter((i) => isIn(data.rows[i]));
  const thin = (list) => {
    const step = Math.max(1, Math.ceil(list.length / MOST_LINES));
    return list.filter((_, i) => i % step === 0);
  };

  // ---- parallel coordinates; dragging along an axis keeps what is between ----
  const axisX = (c, width) => 40 + (c - 1) * ((width - 80) / Math.max(1, names.length - 2));
  const yOf = (c, v, height) => height - 26 - ((v - ranges[c][0]) / (ranges[c][1] - ranges[c][0])) * (height - 64);
  const valueAt = (c, y, height) => ranges[c][0] + ((height - 26 - y) / (height - 64)) * (ranges[c][1] - ranges[c][0]);
  const pathOf = (row, width, height) =>
    names.slice(1).map((_, k) => [axisX(k + 1, width), row[k + 1] === null ? NaN : yOf(k + 1, row[k + 1], height)]);
  const parallel = board('All runs in parallel coordinates', 300, (pen, width, height, color) => {
    pen.strokeStyle = color('--accent');
    pen.globalAlpha = Math.max(0.06, Math.min(0.8, 60 / data.rows.length));
    for (const i of thin(chosen())) line(pen, pathOf(data.rows[i], width, height));
    pen.globalAlpha = 1;
    names.slice(1).forEach((name, k) => {
      const c = k + 1;
      const x = axisX(c, width);
      pen.strokeStyle = color('--muted');
      line(pen, [
        [x, 38],
        [x, height - 26],
      ]);
      pen.fillStyle = color('--ink');
      pen.textAlign = 'center';
      pen.fillText(name.length > 18 ? `${name.slice(0, 17)}…` : name, x, 14);
      pen.fillStyle = color('--muted');
      pen.fillText(short(ranges[c][1]), x, 30);
      pen.fillText(short(ranges[c][0]), x, height - 10);
      if (!state.brush[c]) return;
      pen.fillStyle = color('--second');
      pen.globalAlpha = 0.35;
      const a = yOf(c, state.brush[c][0], height);
      const b = yOf(c, state.brush[c][1], height);
      pen.fillRect(x - 6, b, 12, a - b);
      pen.globalAlpha = 1;
    });
    if (state.run !== null) {
      pen.strokeStyle = color('--second');
      pen.lineWidth = 2.5;
      line(pen, pathOf(data.rows[state.run], width, height));
    }
  });
  let drag = null;
  parallel.canvas.addEventListener('pointerdown', (event) => {
    const [x, y] = place(parallel.canvas, event);
    const width = parallel.canvas.clientWidth;
    const c = 1 + names.slice(1).findIndex((_, k) => Math.abs(axisX(k + 1, width) - x) < 10);
    drag = { c, y, moved: false };
  });
  parallel.canvas.addEventListener('pointermove', (event) => {
    if (!drag || drag.c < 1) return;
    const y = place(parallel.canvas, event)[1];
    if (Math.abs(y - drag.y) < 4) return;
    drag.moved = true;
    const ends = [valueAt(drag.c, drag.y, 300), valueAt(drag.c, y, 300)].sort((a, b) => a - b);
    state.brush[drag.c] = ends;
    redraw();
    tell();
  });
  parallel.canvas.addEventListener('pointerup', (event) => {
    const [x, y] = place(parallel.canvas, event);
    if (drag && !drag.moved && drag.c >= 1 && state.brush[drag.c]) {
      state.brush[drag.c] = null;
      redraw();
      tell();
    } else if (drag && !drag.moved) open(nearestLine(x, y));
    drag = null;
  });
  function nearestLine(x, y) {
    const width = parallel.canvas.clientWidth;
    let best = null;
    let least = 20;
    for (const i of chosen()) {
      const path = pathOf(data.rows[i], width, 300);
      for (let k = 0; k + 1 < path.length; k++) {
        const [[xa, ya], [xb, yb]] = [path[k], path[k + 1]];
        if (x < xa || x > xb) continue;
        const away = Math.abs(ya + ((x - xa) / (xb - xa)) * (yb - ya) - y);
        if (away < least) [least, best] = [away, i];
      }
    }
    return best;
  }

  // ---- scatter ----
  let spots = [];
  const scatter = board('Two columns of all runs', 300, (pen, width, height, color) => {
    const [toX, toY] = frame(pen, width, height, color, ranges[state.x], ranges[state.y], [
      names[state.x],
      names[state.y],
    ]);
    spots = [];
    pen.fillStyle = color('--accent');
    for (const i of chosen()) {
      const [vx, vy] = [data.rows[i][state.x], data.rows[i][state.y]];
      if (vx === null || vy === null) continue;
      spots.push([toX(vx), toY(vy), i]);
      pen.fillRect(toX(vx) - 1.5, toY(vy) - 1.5, 3, 3);
    }
    const at = spots.find((s) => s[2] === state.run);
    if (!at) return;
    pen.fillStyle = color('--second');
    pen.beginPath();
    pen.arc(at[0], at[1], 5, 0, 7);
    pen.fill();
  });
  scatter.canvas.addEventListener('click', (event) => {
    const [x, y] = place(scatter.canvas, event);
    let best = null;
    let least = 400;
    for (const [sx, sy, i] of spots) {
      const away = (sx - x) ** 2 + (sy - y) ** 2;
      if (away < least) [least, best] = [away, i];
    }
    open(best);
  });
  const choose = (key) =>
    el(
      'select',
      {
        'aria-label': key,
        onchange: (event) => {
          state[key] = Number(event.target.value);
          scatter.draw();
        },
      },
      ...names.slice(1).map((name, k) => el('option', { value: k + 1, text: name, selected: state[key] === k + 1 })),
    );

  // ---- curves of all runs ----
  const curves = data.traces ? data.traces.columns.map((name, c) => curve(name, c)) : [];
  function curve(name, c) {
    const t = data.traces.t;
    const range = rangeOf(data.traces.values.flatMap((v) => (v ? v[c] : [])));
    return board(`${name} over time in all runs`, 240, (pen, width, height, color) => {
      const [toX, toY] = frame(pen, width, height, color, rangeOf(t), range, ['t', name]);
      const path = (i) => data.traces.values[i][c].map((y, k) => [toX(t[k]), y === null ? NaN : toY(y)]);
      pen.strokeStyle = color('--accent');
      pen.globalAlpha = Math.max(0.06, Math.min(0.8, 40 / data.rows.length));
      for (const i of thin(chosen())) if (data.traces.values[i]) line(pen, path(i));
      pen.globalAlpha = 1;
      if (state.run === null || !data.traces.values[state.run]) return;
      pen.strokeStyle = color('--second');
      pen.lineWidth = 2.5;
      line(pen, path(state.run));
    });
  }

  // ---- one run ----
  const count = el('p.note');
  const which = el('input', {
    type: 'number',
    min: 0,
    'aria-label': 'number of a run',
    onchange: () => open(data.rows.findIndex((row) => row[0] === which.valueAsNumber)),
  });
  const panel = el(
    'div',
    { id: 'run' },
    el('p.note', { text: 'Click a line or a point to open a run, or give its number.' }),
  );
  function open(i) {
    if (!data.rows[i]) return;
    state.run = i;
    which.value = data.rows[i][0];
    const row = data.rows[i];
    const varied = names.slice(1, 1 + data.varied).map((name, k) => [name, row[k + 1], data.initial[k]]);
    const set = varied.filter((v) => !v[2]).map(([name, value]) => `--set ${name}=${value}`);
    const begin = varied.filter((v) => v[2]).map(([name, value]) => `${name} = ${value}`);
    const command = ['taut view', data.file, ...set].join(' ');
    panel.replaceChildren(
      ...[
        el('h2', { text: `Run ${row[0]}` }),
        el('p.note', { text: data.status[i] === 'ok' ? 'It is ok.' : data.status[i] }),
        el(
          'div.table',
          { tabindex: 0, 'aria-label': `run ${row[0]}` },
          el(
            'table',
            {},
            ...names
              .slice(1)
              .map((name, k) => el('tr', {}, el('td', { text: name }), el('td', { text: short(row[k + 1]) }))),
          ),
        ),
        el('p.note', { text: 'Its motion, as a page of its own:' }),
        el('code', { text: command }),
        begin.length ? el('p.note', { text: `with these initial values in the file: ${begin.join(', ')}` }) : null,
        el('button', { text: 'Copy', onclick: () => navigator.clipboard?.writeText(command) }),
      ].filter(Boolean),
    );
    redraw();
  }
  function tell() {
    const failed = data.status.filter((s) => s !== 'ok').length;
    count.textContent = `${chosen().length} of ${data.rows.length} runs, ${failed} failed. Drag along an axis to keep a range, click it to let go.`;
  }

  boards.push(parallel, scatter, ...curves);
  tell();
  window.taut = { stage: null, data, state, open, chosen, redraw };
  return el(
    'main',
    {},
    el('section.wide', {}, el('h2', { text: 'All runs' }), parallel.canvas, count),
    el('section', {}, el('label', {}, 'x ', choose('x')), el('label', {}, 'y ', choose('y')), scatter.canvas),
    el('section', {}, el('label', {}, 'run ', which), panel),
    ...curves.map((b) => el('section', {}, b.canvas)),
    el('section.wide', {}, el('h2', { text: 'Statistics' }), statistics(data)),
  );
}

/** Mean, deviation and extremes of each column, and how results go with what was varied. */
function statistics(data) {
  const varied = data.columns.slice(1, 1 + data.varied);
  const head = ['', 'mean', 'sd', 'min', 'max', ...varied.map((v) => `r(${v})`)];
  const cell = (x) => el('td', { text: short(x) });
  return el(
    'div.table',
    { tabindex: 0, 'aria-label': 'statistics' },
    el(
      'table',
      {},
      el('tr', {}, ...head.map((h) => el('th', { text: h }))),
      ...data.columns
        .slice(1)
        .map((name, k) =>
          el('tr', {}, el('td', { text: name }), ...data.spread[k].map(cell), ...data.correlation[k].map(cell)),
        ),
    ),
  );
}
