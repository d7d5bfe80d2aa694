/** One diagram: curves over time with a cursor that is the time of the page. */
import uPlot from 'uplot';
import { button, el } from '../ui/dom.js';
import { number, power, steady } from '../ui/format.js';
import { save } from '../save/file.js';
import { diagramAsSvg } from '../save/diagram.js';

/**
 * @typedef {{label: string, unit: string, x: ArrayLike<number>, y: ArrayLike<number>, column?: number}} Series
 * @typedef {{series: Series[], title?: string, log?: boolean, steps?: boolean, digits?: number}} Content
 */

/** Numbers that can be drawn: gaps where there is none. */
function drawable(values, log) {
  return Array.from(values, (v) => (Number.isFinite(v) && (!log || v > 0) ? v : null));
}

export class Panel {
  /**
   * @param {Content} content
   * @param {{clock: import('../clock.js').Clock, theme: import('../theme.js').Theme, marks: import('../data.js').Mark[],
   *          zoom: (min: number|null, max: number|null) => void}} page
   * @param {{edit?: () => void, remove?: () => void, removeSeries?: (k: number) => void}} actions
   */
  constructor(content, page, actions = {}) {
    this.content = content;
    this.page = page;
    this.actions = actions;
    this.cursor = el('div.time-cursor');
    this.legend = el('div.legend');
    this.plotBox = el('div.plot');
    this.values = [];
    const tools = el(
      'div.panel-tools',
      {},
      actions.edit ? button('plus', 'Choose columns', () => actions.edit(), { 'data-id': 'choose' }) : null,
      button('save', 'Save this diagram (SVG)', () => this.saveDiagram(), { 'data-id': 'save-diagram' }),
      actions.remove ? button('close', 'Remove this diagram', () => actions.remove()) : null,
    );
    this.element = el('section.panel', {}, el('header.panel-head', {}, this.legend, tools), this.plotBox);
    this.writeLegend();
  }

  get colours() {
    return this.page.theme.colours.curves;
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
          { title: s.unit ? `${s.label} in ${s.unit}` : s.label },
          el('i'),
          el('span.name', { text: s.label }),
          el(
            'span.reading',
            {},
            this.values[k],
            s.unit && s.unit !== '1' ? el('span.unit', { text: ` ${s.unit}` }) : null,
          ),
        );
        chip.style.setProperty('--colour', this.colours[k % this.colours.length]);
        return chip;
      }),
    );
    this.showTime();
  }

  saveDiagram() {
    const { clock, name } = this.page;
    const [from, to] = this.range?.[0] == null ? [clock.start, clock.end] : this.range;
    const text = diagramAsSvg(this.content, [from, to], this.colours);
    save(
      `${name}-${this.content.series[0]?.label ?? 'diagram'}.svg`.replace(/[^\w.-]+/g, '_'),
      new Blob([text], { type: 'image/svg+xml' }),
    );
  }

  /** Makes the plot; called when the size is known, and again for another theme. */
  draw() {
    const width = this.plotBox.clientWidth;
    if (width < 60) return;
    this.plot?.destroy();
    this.plotBox.replaceChildren();
    const { series, log } = this.content;
    const data = [Array.from(series[0]?.x ?? []), ...series.map((s) => drawable(s.y, log))];
    this.plot = new uPlot(this.options(width), data, this.plotBox);
    this.plot.over.append(this.cursor);
    this.listen();
    this.zoom(...(this.range ?? [null, null]));
  }

  options(width) {
    const { series, log, steps } = this.content;
    const style = getComputedStyle(this.plotBox);
    const ink = style.getPropertyValue('--muted').trim();
    const lines = style.getPropertyValue('--line').trim();
    const font = `11px ${style.fontFamily}`;
    const axis = {
      stroke: ink,
      font,
      grid: { stroke: lines, width: 1 },
      ticks: { show: false },
      border: { show: false },
    };
    return {
      width,
      height: this.plotBox.clientHeight,
      padding: [8, 10, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 7 }, drag: { x: true, y: false, setScale: false } },
      scales: {
        x: { time: false, range: (u, min, max) => [min, max > min ? max : min + 1] },
        y: log ? { distr: 3, range: logRange } : { range: padded },
      },
      axes: [
        { ...axis, size: 26, gap: 4, values: (u, ticks) => ticks.map((v) => number(v, 6)) },
        {
          ...axis,
          size: 62,
          gap: 6,
          ...(log ? { splits: powersOfTen } : {}),
          values: (u, ticks) => ticks.map((v) => (v === null ? '' : log ? power(v, 1) : number(v, 6))),
        },
      ],
      series: [
        {},
        ...series.map((s, k) => ({
          stroke: this.colours[k % this.colours.length],
          width: 1.6,
          pxAlign: 0,
          points: { show: false },
          paths: steps ? uPlot.paths.stepped({ align: -1 }) : undefined,
          spanGaps: false,
        })),
      ],
      hooks: { draw: [(u) => this.drawMarks(u)] },
    };
  }

  /** Lines where the run met something. */
  drawMarks(u) {
    const style = getComputedStyle(this.plotBox);
    const { ctx, bbox } = u;
    ctx.save();
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const mark of this.page.marks.slice(0, 400)) {
      const x = u.valToPos(mark.t, 'x', true);
      if (!(x >= bbox.left && x <= bbox.left + bbox.width)) continue;
      ctx.strokeStyle = style.getPropertyValue(mark.kind === 'singular' ? '--singular' : '--muted').trim();
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  /** Click: go there. Drag: zoom all diagrams. Double click: everything. */
  listen() {
    const { over } = this.plot;
    let down = null;
    over.addEventListener('pointerdown', (e) => {
      down = [e.offsetX, e.offsetY];
    });
    over.addEventListener('click', (e) => {
      if (down && Math.abs(e.offsetX - down[0]) > 3) return;
      this.page.clock.seek(this.plot.posToVal(e.offsetX, 'x'));
    });
    over.addEventListener('dblclick', () => this.page.zoom(null, null));
    this.plot.hooks.setSelect = [
      (u) => {
        if (u.select.width < 4) return;
        this.page.zoom(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      },
    ];
  }

  /** Shows a span of time; null: all. */
  zoom(min, max) {
    const { clock } = this.page;
    this.range = min === null ? null : [min, max];
    this.plot?.setScale('x', { min: min ?? clock.start, max: max ?? clock.end });
    this.showTime();
  }

  /** Moves the cursor, and the values beside the names. */
  showTime() {
    const { clock } = this.page;
    this.content.series.forEach((s, k) => {
      const exact = s.reading?.(clock.time) ?? null;
      const { value, at } = exact === null ? nearest(s, clock.time) : { value: exact, at: clock.time };
      this.values[k].textContent = steady(this.snap(k, value), this.content.digits);
      this.values[k].title = at === clock.time ? '' : `at t = ${steady(at)}, the nearest row`;
    });
    if (!this.plot) return;
    const x = this.plot.valToPos(clock.time, 'x');
    this.cursor.hidden = !(x > -1 && x < this.plot.over.clientWidth + 1);
    this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
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
function nearest({ x, y }, t) {
  let low = 0;
  let high = x.length - 1;
  if (high < 0) return { value: NaN, at: t };
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (x[middle] <= t) low = middle;
    else high = middle - 1;
  }
  if (low + 1 < x.length && x[low + 1] - t < t - x[low]) low++;
  return { value: y[low], at: x[low] };
}

/** A range with some room; flat curves in the middle. */
function padded(u, min, max) {
  if (!(min <= max)) return [-1, 1];
  const room = max > min ? 0.07 * (max - min) : Math.max(Math.abs(max) * 0.1, 1e-12);
  return [min - room, max + room];
}

/** A few whole powers of ten between two. */
function powersOfTen(u, axis, min, max) {
  const low = Math.ceil(Math.log10(min) - 1e-9);
  const high = Math.floor(Math.log10(max) + 1e-9);
  const stride = Math.ceil((high - low + 1) / 6);
  return Array.from({ length: Math.floor((high - low) / stride) + 1 }, (_, i) => 10 ** (low + i * stride));
}

/** From a power of ten to a power of ten. */
function logRange(u, min, max) {
  if (!(min > 0)) return [1e-17, 1];
  const low = Math.floor(Math.log10(min));
  const high = Math.ceil(Math.log10(Math.max(max, min)));
  return [10 ** low, 10 ** Math.max(high, low + 1)];
}
