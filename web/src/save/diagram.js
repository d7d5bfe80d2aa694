/** A diagram as SVG: the curves of a panel over the span that it shows, with names and axes. */
import { number } from '../ui/format.js';

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [720, 320, 84, 44, 30, 14];
const GRID = '#d8dde3';

/** Text that is safe in XML. */
const escape = (text) =>
  String(text)
    .replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`)
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '?');

const named = (label, unit) => (unit && unit !== '1' ? `${label} in ${unit}` : label);

/** Round numbers from low to high. */
function ticksOf(low, high) {
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= raw) ?? 10);
  const ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k * step);
  return ticks;
}

/** The least and the largest number, with some room; something where there are none. */
function rangeOf(values, air) {
  const low = values.reduce((a, b) => (b < a ? b : a), Infinity);
  const high = values.reduce((a, b) => (b > a ? b : a), -Infinity);
  if (!(low <= high)) return [-1, 1];
  const room = high > low ? air * (high - low) : Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

/** An axis: from numbers to places, as text. */
function axisOf([low, high], [from, to], log) {
  const at = (v) => from + ((v - low) / (high - low || 1)) * (to - from);
  return {
    at,
    ticks: ticksOf(low, high).map((v) => ({ place: at(v).toFixed(2), text: log ? `1e${number(v, 4)}` : number(v, 6) })),
  };
}

/** A path through points; it is lifted where there is none. */
function lineThrough(points, x, y) {
  let pen = false;
  return points
    .map(([a, b]) => {
      const known = Number.isFinite(a) && Number.isFinite(b);
      const command = known ? `${pen ? 'L' : 'M'}${x.at(a).toFixed(2)} ${y.at(b).toFixed(2)}` : '';
      pen = known;
      return command;
    })
    .join('');
}

/** @param {import('../curves/panel.js').Content} content @param {[number, number]} span of time
 *  @param {{colour: string, dash: number[]}[]} looks of the curves */
export function diagramAsSvg({ series, log, logX, over }, [from, to], looks) {
  const scaled = (v, isLog) => (isLog ? Math.log10(v) : v);
  const curves = series.map(({ x, y, t = x }) =>
    Array.from(y, (v, i) => [scaled(x[i], logX), scaled(v, log), t[i]]).filter((p) => p[2] >= from && p[2] <= to),
  );
  const all = (k) => curves.flatMap((c) => c.map((p) => p[k]).filter(Number.isFinite));
  const x = axisOf(over ? rangeOf(all(0), 0.05) : [from, to], [LEFT, WIDTH - RIGHT], logX);
  const y = axisOf(rangeOf(all(1), 0.05), [HEIGHT - BOTTOM, TOP], log);
  const grid = [
    ...y.ticks.map(
      ({ place, text }) =>
        `<path d="M${LEFT} ${place}H${WIDTH - RIGHT}" stroke="${GRID}"/>` +
        `<text x="${LEFT - 8}" y="${Number(place) + 4}" text-anchor="end">${escape(text)}</text>`,
    ),
    ...x.ticks.map(
      ({ place, text }) =>
        `<path d="M${place} ${TOP}V${HEIGHT - BOTTOM}" stroke="${GRID}"/>` +
        `<text x="${place}" y="${HEIGHT - BOTTOM + 17}" text-anchor="middle">${escape(text)}</text>`,
    ),
  ];
  const stroke = (k) =>
    `stroke="${escape(looks[k].colour)}"${looks[k].dash.length ? ` stroke-dasharray="${looks[k].dash.join(' ')}"` : ''}`;
  let at = LEFT;
  const names = series.map(({ label, unit }, k) => {
    const text = named(label, unit);
    const left = at;
    at += 34 + 7.2 * text.length;
    return `<path d="M${left} 16h18" ${stroke(k)} stroke-width="3"/><text x="${left + 23}" y="20">${escape(text)}</text>`;
  });
  const lines = curves.map(
    (points, k) =>
      `<path d="${lineThrough(points, x, y)}" fill="none" ${stroke(k)} stroke-width="1.6" stroke-linejoin="round"/>`,
  );
  const units = new Set(series.map((s) => s.unit));
  const unit = units.size === 1 ? [...units][0] : '';
  const middle = (HEIGHT - BOTTOM + TOP) / 2;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#333">` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>${grid.join('')}${lines.join('')}${names.join('')}` +
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escape(over ? named(over.label, over.unit) : 't in s')}</text>` +
    (unit && unit !== '1'
      ? `<text transform="translate(16 ${middle}) rotate(-90)" text-anchor="middle">${escape(unit)}</text>`
      : '') +
    `</svg>\n`
  );
}
