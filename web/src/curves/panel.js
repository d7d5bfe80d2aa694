/** One diagram: curves over time, or over each other, with a mark that is the time of the page. */
import uPlot from 'uplot';
import { button, el } from '../ui/dom.js';
import { number, power, steady } from '../ui/format.js';
import { save } from '../save/file.js';
import { diagramAsSvg } from '../save/diagram.js';
import { dashOf } from './dashes.js';
import { logRange, padded, powersOfTen, strokeThrough } from './scales.js';

/**
 * @typedef {{label: string, unit: string, x: ArrayLike<number>, y: ArrayLike<number>, t?: ArrayLike<number>, column?: number,
 *            colour?: number, ghost?: boolean}} Series  x: what runs across; t: the times of its rows
 * @typedef {{series: Series[], title?: string, log?: boolean, logX?: boolean, steps?: boolean, digits?: number,
 *            over?: {label: string, unit: string}|null}} Content  over: what runs across, if it is not time
 */

/** Numbers that can be drawn: gaps where there is none. */
function drawable(values, log) {
  return Array.from(values, (v) => (Number.isFinite(v) && (!log || v > 0) ? v : null));
}

const NAME = 12; // pixels a line
const NAMED_TWICE = 12; // events: from more on, their names have one line

/** What a mark is called in a diagram: events have names. */
const nameOf = ({ kind, text }) =>
  kind === 'event'
    ? String(text ?? '')
        .replace(/^event /, '')
        .slice(0, 16)
    : '';

/** A name with its unit. */
const named = (label, unit) => (unit && unit !== '1' ? `${label} in ${unit}` : label);

export class Panel {
  /**
   * @param {Content} content
   * @param {{clock: import('../clock.js').Clock, theme: import('../theme.js').Theme, marks: import('../data.js').Mark[],
   *          zoom: (min: number|null, max: number|null) => void}} page
   * @param {{edit?: () => void, axes?: () => void, remove?: () => void}} actions
   */
  constructor(content, page, actions = {}) {
    this.content = content;
    this.page = page;
    this.actions = actions;
    this.cursor = el('div.time-cursor');
    this.dots = content.over ? content.series.map(() => el('div.time-dot')) : [];
    this.legend = el('div.legend');
    this.plotBox = el('div.plot', { role: 'img', 'aria-label': this.describe() });
    this.values = [];
    const tools = el(
      'div.panel-tools',
      {},
      actions.edit ? button('plus', 'Choose columns', () => actions.edit(), { 'data-id': 'choose' }) : null,
      actions.axes ? button('axes', 'Axes of this diagram', () => actions.axes(), { 'data-id': 'axes' }) : null,
      button('save', 'Save this diagram (SVG)', () => this.saveDiagram(), { 'data-id': 'save-diagram' }),
      actions.remove ? button('close', 'Remove this diagram', () => actions.remove()) : null,
    );
    this.element = el(
      'section.panel',
      { 'aria-label': this.describe() },
      el('header.panel-head', {}, this.legend, tools),
      this.plotBox,
    );
    this.writeLegend();
  }

  /** The diagram in words. */
  describe() {
    const { series, over, title } = this.content;
    const names = series
      .slice(0, 8)
      .map((s) => s.label)
      .join(', ');
    return `Diagram${title ? ` (${title})` : ''}: ${names || 'no curves yet'} over ${over?.label ?? 'time'}`;
  }

  get colours() {
    return this.page.theme.colours.curves;
  }

  colourOf(k) {
    return this.colours[(this.content.series[k].colour ?? k) % this.colours.length];
  }

  /** Curves of another run have short dashes; of the others, the ninth starts with long ones. */
  dashOf(k) {
    const { ghost, colour } = this.content.series[k];
    return ghost ? [3, 3] : dashOf(colour ?? k, this.colours.length);
  }

  /** Names with their colours and the values at the time of the page. */
  writeLegend() {
    const { series, title } = this.content;
    this.values = series.map(() => el('span.value'));
    this.legend.replaceChildren(
      ...(title ? [el('strong.panel-title', { text: title })] : []),
      ...series.map((s, k) => {
        const chip = el(
          'span.chip',
          { title: named(s.label, s.unit) },
          el(this.dashOf(k).length ? 'i.dashed' : 'i'),
          el('span.name', { text: s.label }),
          el(
            'span.reading',
            {},
            this.values[k],
            s.unit && s.unit !== '1' ? el('span.unit', { text: ` ${s.unit}` }) : null,
          ),
        );
        chip.style.setProperty('--colour', this.colourOf(k));
        return chip;
      }),
    );
    this.showTime();
  }

  saveDiagram() {
    const { clock, name } = this.page;
    const [from, to] = this.range?.[0] == null ? [clock.start, clock.end] : this.range;
    const looks = this.content.series.map((_, k) => ({ colour: this.colourOf(k), dash: this.dashOf(k) }));
    const text = diagramAsSvg(this.content, [from, to], looks);
    save(
      `${name}-${this.content.series[0]?.label ?? 'diagram'}.svg`.replace(/[^\w.-]+/g, '_'),
      new Blob([text], { type: 'image/svg+xml' }),
    );
  }

  /** Makes the plot; called when the size is known, and again for another theme. */
  draw() {
    const width = this.plotBox.clientWidth;
    /** Is there something to be drawn as soon as it can be seen? */
    this.isStale = width < 60;
    if (this.isStale) return;
    this.plot?.destroy();
    this.plotBox.replaceChildren();
    this.plot = new uPlot(this.options(width), this.data(), this.plotBox);
    this.plot.over.append(this.cursor, ...this.dots);
    this.listen();
    if (this.content.over) this.showTime();
    else this.zoom(...(this.range ?? [null, null]));
  }

  /** Over time: one list of times, and every curve has values at some of them. Otherwise each curve has its own pairs. */
  data() {
    const { series, log, logX, over } = this.content;
    if (over) return [null, ...series.map((s) => [drawable(s.x, logX), drawable(s.y, log)])];
    const tables = series.map((s) => [Array.from(s.x), drawable(s.y, log)]);
    if (tables.length === 0) return [[]];
    if (series.every((s) => s.x === series[0].x)) return [tables[0][0], ...tables.map((t) => t[1])];
    return uPlot.join(tables);
  }

  options(width) {
    const { series, log, logX, steps, over } = this.content;
    const style = getComputedStyle(this.plotBox);
    const ink = style.getPropertyValue('--muted').trim();
    const lines = style.getPropertyValue('--line').trim();
    const font = `11px ${style.fontFamily}`;
    const axis = {
      stroke: ink,
      font,
      labelFont: font,
      labelSize: 15,
      labelGap: -1,
      grid: { stroke: lines, width: 1 },
      ticks: { show: false },
      border: { show: false },
    };
    const texts = (isLog) => (u, ticks) => ticks.map((v) => (v === null ? '' : isLog ? power(v, 1) : number(v, 6)));
    const units = new Set(series.map((s) => s.unit));
    const unit = units.size === 1 ? [...units][0] : '';
    const time = { time: false, range: (u, min, max) => [min, max > min ? max : min + 1] };
    this.plotBox.style.setProperty('--names', `${NAME * this.nameLines}px`);
    return {
      mode: over ? 2 : 1,
      width,
      height: this.plotBox.clientHeight,
      padding: [8 + NAME * this.nameLines, Math.min(26, 7 + 3 * number(this.page.clock.end, 6).length), 0, 0], // half of the last number
      legend: { show: false },
      cursor: {
        y: Boolean(over),
        points: { size: 7, show: !over },
        drag: { x: true, y: Boolean(over), setScale: Boolean(over) },
      },
      scales: {
        x: over ? { time: false, ...(logX ? { distr: 3, range: logRange } : { range: padded }) } : time,
        y: log ? { distr: 3, range: logRange } : { range: padded },
      },
      axes: [
        {
          ...axis,
          size: 22,
          gap: 3,
          label: over ? named(over.label, over.unit) : 't in s',
          ...(logX ? { splits: powersOfTen } : {}),
          values: texts(logX),
        },
        {
          ...axis,
          size: unit && unit !== '1' ? 56 : 62,
          gap: 6,
          ...(unit && unit !== '1' ? { label: unit } : {}),
          ...(log ? { splits: powersOfTen } : {}),
          values: texts(log),
        },
      ],
      series: [
        {},
        ...series.map((s, k) => ({
          stroke: this.colourOf(k),
          width: s.ghost ? 1.2 : 1.6,
          dash: this.dashOf(k),
          pxAlign: 0,
          // rows that do not tell what is between them are dots, not lines
          points: s.dots ? { show: true, size: 3, width: 0, fill: this.colourOf(k) } : { show: false },
          ...(over
            ? {
                facets: [
                  { scale: 'x', auto: true },
                  { scale: 'y', auto: true },
                ],
                paths: strokeThrough,
              }
            : { paths: s.dots ? () => null : steps ? uPlot.paths.stepped({ align: -1 }) : undefined }),
          spanGaps: false,
        })),
      ],
      hooks: {
        draw: [(u) => (over ? this.plot && this.showTime() : (this.drawMarks(u), this.placeCursor(u)))],
      },
    };
  }

  /** Lines where the run met something. */
  drawMarks(u) {
    const style = getComputedStyle(this.plotBox);
    const { ctx, bbox } = u;
    const r = devicePixelRatio;
    let last = -Infinity; // where the last line is
    ctx.save();
    ctx.lineWidth = r;
    ctx.setLineDash([3 * r, 3 * r]);
    ctx.font = `${10 * r}px ${style.fontFamily}`;
    ctx.textAlign = 'left'; // axes have left another one
    ctx.textBaseline = 'alphabetic';
    const places = this.page.marks.map((mark) => ({ ...mark, x: u.valToPos(mark.t, 'x', true) }));
    const seen = places.filter(({ x }) => x >= bbox.left && x <= bbox.left + bbox.width).slice(0, 500);
    const alpha = Math.min(1, Math.max(0.2, 20 / seen.length)); // many of them must not hide the curves
    for (const { x, ...mark } of seen) {
      if (x < last + 3 * r && mark.kind === 'event') continue; // impacts that come ever faster would be a wall
      last = x;
      const colour = style.getPropertyValue(mark.kind === 'singular' ? '--singular' : '--muted').trim();
      ctx.strokeStyle = ctx.fillStyle = colour;
      ctx.globalAlpha = alpha;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.globalAlpha = 1;
    }
    this.nameMarks(u, seen, style);
    ctx.restore();
  }

  /** How many lines names of marks have above the diagram: two where a few of them are near each other. */
  get nameLines() {
    const events = this.content.over ? [] : this.page.marks.filter(nameOf);
    return events.length > 1 && events.length <= NAMED_TWICE ? 2 : Math.min(1, events.length);
  }

  /** Names of marks where there is room, above the diagram. */
  nameMarks({ ctx, bbox }, marks, style) {
    const r = devicePixelRatio;
    const free = Array(this.nameLines).fill(-Infinity); // where the last name of a line ends
    ctx.fillStyle = style.getPropertyValue('--muted').trim();
    for (const { x, ...mark } of marks) {
      const text = nameOf(mark);
      const wide = ctx.measureText(text).width + 4 * r;
      const line = free.findIndex((end) => end <= x);
      if (!text || line < 0 || x + wide > bbox.left + bbox.width) continue;
      ctx.fillText(text, x, bbox.top - (3 + NAME * (this.nameLines - 1 - line)) * r);
      free[line] = x + wide + 4 * r;
    }
  }

  /** Click: go there. Drag: zoom all diagrams over time, or this one. Double click: everything. */
  listen() {
    const { over } = this.plot;
    let down = null;
    over.addEventListener('pointerdown', (e) => {
      down = [e.offsetX, e.offsetY];
    });
    over.addEventListener('click', (e) => {
      if (down && Math.hypot(e.offsetX - down[0], this.content.over ? e.offsetY - down[1] : 0) > 3) return;
      const t = this.content.over ? this.timeNear(e.offsetX, e.offsetY) : this.plot.posToVal(e.offsetX, 'x');
      if (Number.isFinite(t)) this.page.clock.seek(t);
    });
    if (this.content.over) return;
    over.addEventListener('dblclick', () => this.page.zoom(null, null));
    this.plot.hooks.setSelect = [
      (u) => {
        if (u.select.width < 4) return;
        this.page.zoom(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      },
    ];
  }

  /** The time of the row whose point is nearest to a place of the plot. */
  timeNear(px, py) {
    let [best, nearest] = [NaN, Infinity];
    for (const { x, y, t, ghost } of this.content.series) {
      for (let i = 0; !ghost && i < y.length; i++) {
        const d = Math.hypot(this.plot.valToPos(x[i], 'x') - px, this.plot.valToPos(y[i], 'y') - py);
        if (d < nearest) [best, nearest] = [t[i], d];
      }
    }
    return best;
  }

  /** Shows a span of time; null: all. */
  zoom(min, max) {
    const { clock } = this.page;
    this.range = min === null ? null : [min, max];
    if (!this.content.over) this.plot?.setScale('x', { min: min ?? clock.start, max: max ?? clock.end });
    this.showTime();
  }

  /** Moves the cursor, and the values beside the names. */
  showTime() {
    const { clock } = this.page;
    const { series, over, digits } = this.content;
    series.forEach((s, k) => {
      const exact = s.reading?.(clock.time) ?? null;
      const { value, at, row } = exact === null ? nearest(s, clock.time) : { value: exact, at: clock.time };
      this.values[k].textContent = steady(this.snap(k, value), digits);
      this.values[k].title = at === clock.time ? '' : `at t = ${steady(at)}, the nearest row`;
      if (over && this.plot) this.placeDot(k, s.across?.(clock.time) ?? s.x[row ?? nearest(s, clock.time).row], value);
    });
    this.placeCursor(this.plot);
  }

  /** The line at the time; after a zoom once the diagram is drawn, for its scale is another one only then. */
  placeCursor(plot) {
    this.cursor.hidden = !plot || Boolean(this.content.over);
    if (this.cursor.hidden) return;
    const x = plot.valToPos(this.page.clock.time, 'x');
    this.cursor.hidden = !(x > -1 && x < plot.over.clientWidth + 1);
    this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  /** Where a curve over another column is now. */
  placeDot(k, x, y) {
    const [px, py] = [this.plot.valToPos(x, 'x'), this.plot.valToPos(y, 'y')];
    const { clientWidth, clientHeight } = this.plot.over;
    this.dots[k].hidden = !(px >= 0 && px <= clientWidth && py >= 0 && py <= clientHeight);
    this.dots[k].style.transform = `translate(${px.toFixed(1)}px, ${py.toFixed(1)}px)`;
    this.dots[k].style.setProperty('--colour', this.colourOf(k));
  }

  /** Zero for what is nothing beside the rest of its curve. */
  snap(k, value) {
    this.largest ??= this.content.series.map((s) =>
      s.y.reduce((most, v) => (Math.abs(v) > most ? Math.abs(v) : most), 0),
    );
    return Math.abs(value) < 1e-16 * this.largest[k] || Math.abs(value) < 1e-30 ? 0 : value;
  }

  dispose() {
    this.plot?.destroy();
  }
}

/** The row nearest to a time: its value, and when it is. */
function nearest({ x, y, t: times = x }, t) {
  let low = 0;
  let high = times.length - 1;
  if (high < 0) return { value: NaN, at: t, row: 0 };
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  if (low + 1 < times.length && times[low + 1] - t < t - times[low]) low++;
  return { value: y[low], at: times[low], row: low };
}
