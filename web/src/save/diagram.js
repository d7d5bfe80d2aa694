/** A diagram as SVG: the curves of a panel over the span that it shows. */
import { number } from '../ui/format.js';

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [720, 300, 74, 34, 30, 14];

/** Text that is safe in XML. */
const escape = (text) =>
  String(text)
    .replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?');

/** Round numbers from low to high. */
function ticksOf(low, high) {
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= raw) ?? 10);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k * step);
  return ticks;
}

/** @param {{series: object[], log?: boolean}} content @param {[number, number]} span @param {string[]} colours */
export function diagramAsSvg({ series, log }, [from, to], colours) {
  const place = (v) => (log ? Math.log10(v) : v);
  const inside = series.map(({ x, y }) => {
    const points = [];
    for (let i = 0; i < x.length; i++)
      if (x[i] >= from && x[i] <= to) points.push([x[i], Number.isFinite(place(y[i])) ? place(y[i]) : NaN]);
    return points;
  });
  const values = inside
    .flat()
    .map((p) => p[1])
    .filter(Number.isFinite);
  let low = values.reduce((a, b) => Math.min(a, b), Infinity);
  let high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(low <= high)) [low, high] = [-1, 1];
  const air = high > low ? 0.05 * (high - low) : Math.abs(high) * 0.1 || 1;
  [low, high] = [low - air, high + air];
  const px = (t) => LEFT + ((t - from) / (to - from || 1)) * (WIDTH - LEFT - RIGHT);
  const py = (v) => HEIGHT - BOTTOM - ((v - low) / (high - low)) * (HEIGHT - BOTTOM - TOP);
  const line = (points) => {
    let pen = false;
    return points
      .map(([t, v]) => {
        const command = Number.isFinite(v) ? `${pen ? 'L' : 'M'}${px(t).toFixed(2)} ${py(v).toFixed(2)}` : '';
        pen = Number.isFinite(v);
        return command;
      })
      .join('');
  };
  const grid = '#d8dde3';
  const rows = ticksOf(low, high).map(
    (v) =>
      `<path d="M${LEFT} ${py(v).toFixed(2)}H${WIDTH - RIGHT}" stroke="${grid}"/>` +
      `<text x="${LEFT - 8}" y="${(py(v) + 4).toFixed(2)}" text-anchor="end">${escape(log ? `1e${number(v, 4)}` : number(v, 6))}</text>`,
  );
  const columns = ticksOf(from, to).map(
    (t) =>
      `<path d="M${px(t).toFixed(2)} ${TOP}V${HEIGHT - BOTTOM}" stroke="${grid}"/>` +
      `<text x="${px(t).toFixed(2)}" y="${HEIGHT - BOTTOM + 17}" text-anchor="middle">${escape(number(t, 6))}</text>`,
  );
  let at = LEFT;
  const names = series.map(({ label, unit }, k) => {
    const text = unit && unit !== '1' ? `${label} in ${unit}` : label;
    const x = at;
    at += 30 + 7.2 * text.length;
    return (
      `<path d="M${x} 16h14" stroke="${colours[k % colours.length]}" stroke-width="3"/>` +
      `<text x="${x + 19}" y="20">${escape(text)}</text>`
    );
  });
  const curves = inside.map(
    (points, k) =>
      `<path d="${line(points)}" fill="none" stroke="${colours[k % colours.length]}" stroke-width="1.6" stroke-linejoin="round"/>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#333">` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>${rows.join('')}${columns.join('')}${curves.join('')}${names.join('')}` +
    `<text x="${WIDTH - RIGHT}" y="${HEIGHT - 4}" text-anchor="end">t in s</text></svg>\n`
  );
}
