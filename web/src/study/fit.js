/** The page of a fit: estimates, measured and computed curves, residuals. */
import { el } from '../ui/dom.js';
import { board, frame, line, rangeOf, short } from './draw.js';

export function fitPage(data) {
  const rows = data.rows;
  const t = rows.map((row) => row[1]);
  const sections = [];
  for (let c = 2; c + 2 < data.columns.length; c += 3)
    sections.push(el('section', {}, el('h2', { text: data.columns[c] }), curve(c).canvas, residuals(c).canvas));
  function curve(c) {
    const range = rangeOf(rows.flatMap((row) => [row[c], row[c + 1]]));
    return board(
      `${data.columns[c]}: measured points and computed curves over time`,
      220,
      (pen, width, height, color) => {
        const [toX, toY] = frame(pen, width, height, color, rangeOf(t), range, ['t', data.columns[c]]);
        pen.fillStyle = color('--accent');
        for (const row of rows) if (row[c] !== null) pen.fillRect(toX(row[1]) - 1.5, toY(row[c]) - 1.5, 3, 3);
        pen.strokeStyle = color('--second');
        pen.lineWidth = 1.5;
        for (let x = 0; x < data.experiments.length; x++)
          line(
            pen,
            rows.filter((row) => row[0] === x && row[c + 1] !== null).map((row) => [toX(row[1]), toY(row[c + 1])]),
          );
      },
    );
  }
  function residuals(c) {
    const range = rangeOf(rows.map((row) => row[c + 2]));
    return board(`${data.columns[c]}: residuals over time`, 130, (pen, width, height, color) => {
      const [toX, toY] = frame(pen, width, height, color, rangeOf(t), range, ['t', 'residual']);
      pen.strokeStyle = color('--muted');
      line(pen, [
        [toX(rangeOf(t)[0]), toY(0)],
        [toX(rangeOf(t)[1]), toY(0)],
      ]);
      pen.fillStyle = color('--accent');
      for (const row of rows) if (row[c + 2] !== null) pen.fillRect(toX(row[1]) - 1.5, toY(row[c + 2]) - 1.5, 3, 3);
    });
  }
  const head = ['', 'value', 'sd', '95 % from', 'to', ''];
  const words = (x) => (!x.identified ? 'the data do not determine it' : x.at_bound ? 'at its bound' : '');
  window.taut = { stage: null, data };
  return el(
    'main',
    {},
    el(
      'section.wide',
      {},
      el('h2', { text: 'Estimates' }),
      el(
        'div.table',
        { tabindex: 0, 'aria-label': 'estimates' },
        el(
          'table',
          {},
          el('tr', {}, ...head.map((h) => el('th', { text: h }))),
          ...data.estimates.map((x) =>
            el(
              'tr',
              {},
              el('td', { text: x.name }),
              ...[x.value, x.sd, x.low, x.high].map((v) => el('td', { text: short(v) })),
              el('td', { text: words(x) }),
            ),
          ),
        ),
      ),
      el('p.note', { text: data.summary }),
      ...data.unidentified.map((names) =>
        el('p.note', { text: `Not identifiable, only a combination counts: ${names}` }),
      ),
    ),
    ...sections,
  );
}
