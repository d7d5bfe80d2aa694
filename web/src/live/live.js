/** The tab where the model is turned: parameters, initial values, end and tolerance; every change is run at once. */
import { Client } from './client.js';
import { modelOf, renew } from './renew.js';
import { Slider } from './slider.js';
import { Motion } from '../motion.js';
import { el } from '../ui/dom.js';
import { duration, power } from '../ui/format.js';

const ROUGH = 1e-6; // the tolerance while something is dragged, ...
const PATIENCE = 0.5; // ... and how long a run may take then, s
const PAUSE = 400; // ms without a change, before the certificate is asked for
const USUAL = 1e-9; // the tolerance of the program
const TOLERANCES = [1e-4, 1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-13];

/** Can this page run its model? (The engine itself stands behind the script: it must not keep the first picture waiting.) */
export function isLive(model) {
  return Boolean(model.settings);
}

/** What the licences of parts of the engine ask for. */
function licences() {
  return el(
    'details.licences',
    {},
    el('summary', { text: 'Licences of the engine' }),
    el('p.note', {
      text:
        'The engine in this page is taut (MIT) with KLU and BTF (SuiteSparse, Timothy A. Davis and Ekanathan Palamadai; LGPL-2.1 or ' +
        'later), AMD and COLAMD (BSD-3-Clause), libyaml (MIT), wasi-libc (MIT, Apache-2.0 with LLVM exceptions) and parts of ' +
        'compiler-rt (Apache-2.0 with LLVM exceptions). You may replace KLU and BTF by another version: the engine is one element of this file (id taut-engine, WebAssembly, ' +
        'compressed by gzip, as base64), and `make wasm` builds it from the source of taut and theirs ' +
        '(https://github.com/DrTimothyAldenDavis/SuiteSparse). `taut --version --licences` prints all notices.',
    }),
  );
}

/** Parameters that are numbers of parts: they stand in the bounds of a Repeat, and are whole. */
function countsOf({ model, files }) {
  const texts = [model, ...(files ?? []).map(({ text }) => text)];
  const bounds = texts.flatMap((text) =>
    [...text.matchAll(/\bRepeat:\s*\{\s*\w+:([^,}]*\.\.[^,}]*)/g)].map((match) => match[1]),
  );
  return new Set(bounds.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []));
}

/** A word of a command. */
const quote = (text) => (/^[\w.=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Why there is nothing to show. */
const whyNot = ({ report }) =>
  report ? `Nothing passes: the run ends where it begins, at t = ${report.t0}.` : 'It cannot be run.';

export class Live extends EventTarget {
  /** @param {object} page the parts of the page, see main.js */
  constructor(page) {
    super();
    this.page = page;
    const { model } = page;
    this.source = { name: model.file, text: model.model, files: model.files ?? [] };
    /** What the page was made with, beside the file. */
    this.given = { ...model.settings.given };
    if (model.columns.some(({ kind }) => kind === 'reaction')) this.given.reactions = true;
    this.client = new Client(this.source, this.given);
    this.original = { ...model };
    this.tolerance = model.report?.rtol ?? 1e-9;
    this.fileTolerance = this.tolerance;
    /** Initial values that somebody has put elsewhere by dragging a point. */
    this.placed = {};
    /** Are velocities that the file fixes only guesses? They may not fit where a point was dragged to. */
    this.loose = false;
    /** What else there is to say about how a run began. */
    this.remark = '';
    this.status = el('p.live-status', { role: 'status', 'data-id': 'live-status' });
    this.lists = el('div.live-lists');
    this.tools = el(
      'div.live-tools',
      {},
      this.button('Reset', 'live-reset', () => this.reset()),
      this.button('Copy as --set', 'live-copy', () => this.copy()),
    );
    this.copied = el('code.live-copied', { hidden: true, 'data-id': 'live-copied' });
    const called = this.options({}, undefined);
    const note = called.length ? el('p.note.live-given', { text: `As the page was made: ${called.join(' ')}` }) : null;
    this.element = el('div.live', {}, this.tools, this.copied, this.status, note, this.lists, licences());
    this.makeSliders();
    this.tell('Turn a slider, or drag a point of the mechanism while it is paused.');
  }

  button(text, id, onclick) {
    return el('button.button.text.outlined', { type: 'button', 'data-id': id, text, onclick });
  }

  /** Sliders for what the model has. */
  makeSliders() {
    const { settings, report } = this.page.model;
    const changed = (done) => this.change(done);
    const sizes = new Map(); // of initial values by unit: a velocity that is 0 may become as large as others
    for (const { unit, value } of settings.initial) sizes.set(unit, Math.max(sizes.get(unit) ?? 0, Math.abs(value)));
    const counts = countsOf({ model: this.source.text, files: this.source.files });
    const isCount = ({ name, value }) => counts.has(name) && Number.isInteger(value) && value > 0;
    this.parameters = settings.parameters.map((p) => new Slider({ ...p, whole: isCount(p) }, changed));
    this.initial = settings.initial.map(
      (v) => new Slider({ ...v, around: Math.max(Math.abs(v.value), sizes.get(v.unit)) || 1 }, changed),
    );
    this.tend = new Slider(
      { name: 'tend', value: report?.tend ?? 1, unit: 's', powers: (report?.tend ?? 1) > 0 },
      changed,
    );
    this.choice = el(
      'select.select',
      { 'aria-label': 'tolerance', 'data-id': 'live-tolerance', onchange: () => this.change(true) },
      ...[...new Set([...TOLERANCES, this.fileTolerance])]
        .sort((a, b) => b - a)
        .map((t) => el('option', { value: t, text: power(t), selected: t === this.tolerance })),
    );
    this.lists.replaceChildren(
      ...this.section('Parameters', this.parameters),
      ...this.section('Initial values', this.initial),
      el('h2', { text: 'Run' }),
      this.tend.element,
      el('div.setting', {}, el('code.setting-name', { text: 'tolerance' }), this.choice),
    );
  }

  section(title, sliders) {
    return sliders.length ? [el('h2', { text: title }), ...sliders.map((s) => s.element)] : [];
  }

  /** What differs from the file, for the engine. */
  get how() {
    const values = (list) => Object.fromEntries(list.filter((s) => s.isChanged).map((s) => [s.name, s.value]));
    return {
      set: values(this.parameters),
      initial: { ...this.placed, ...values(this.initial) },
      ...(this.tend.isChanged ? { tend: this.tend.value } : {}),
      ...(this.loose ? { loose: true } : {}),
    };
  }

  get isChanged() {
    const { set, initial, tend } = this.how;
    return Object.keys(set).length + Object.keys(initial).length > 0 || tend !== undefined;
  }

  tell(text, isWrong = false) {
    this.status.textContent = text;
    this.status.classList.toggle('wrong', isWrong);
  }

  /**
   * Runs what is set: roughly while something is dragged; then as the file wants it, and once more for the certificate,
   * which may take longer. @returns {Promise<boolean>} false: another change came after it
   */
  async change(done) {
    clearTimeout(this.timer);
    this.tolerance = Number(this.choice.value);
    const begin = performance.now();
    const { how } = this;
    const answer = await this.client.run({
      ...how,
      ...(done ? { tolerance: this.tolerance } : { tolerance: ROUGH, patience: PATIENCE }),
    });
    if (!answer) return false;
    const seconds = (performance.now() - begin) / 1000;
    this.show(answer, done, seconds);
    this.dispatchEvent(new Event('ran'));
    if (done && answer.status === 0) this.timer = setTimeout(() => this.certify(how, seconds), PAUSE);
    return true;
  }

  /** The certificate of the run that is shown. */
  async certify(how, seconds) {
    const answer = await this.client.run({ ...how, tolerance: this.tolerance, certify: true });
    if (!answer || answer.fault || answer.status !== 0) return;
    const { certificate } = modelOf(answer);
    this.page.model.certificate = certificate;
    this.page.report.renew();
    if (certificate?.error) this.tell(`${this.words(seconds)}, estimated error ${power(certificate.error)}`);
    this.dispatchEvent(new Event('certified'));
  }

  /** How the run went. */
  words(seconds) {
    const { report } = this.page.model;
    const cut = report.reached !== report.tend ? ` up to t = ${Number(report.reached.toPrecision(5))}` : '';
    const loose = this.loose ? '; velocities that the file fixes do not fit there and are the nearest that do' : '';
    return `${report.steps} steps at ${power(report.rtol)} in ${duration(seconds)}${cut}${loose}${this.remark}`;
  }

  /** Shows a run, or what is wrong with it. */
  show(answer, done, seconds, anew = false) {
    this.last = { status: answer.fault ? -1 : answer.status, seconds, done };
    if (answer.fault)
      return this.tell(
        `The engine has stopped: ${answer.fault}. What is shown is the last run; the next change starts it anew.`,
        true,
      );
    const fresh = modelOf(answer);
    if (!fresh.report || fresh.table.rows < 2) return this.tell(fresh.message?.text ?? whyNot(fresh), true);
    this.page.motion.rest = this.isChanged || this.edited ? this.behind(fresh) : null;
    renew(this.page, fresh, anew);
    const words = this.words(seconds);
    const message = done && fresh.message?.level === 'warning' ? `${words}. ${fresh.message.text}` : words;
    this.tell(message, Boolean(done && fresh.message));
  }

  /** Runs from where a point was dragged to. @param {Record<string, number>} positions of all that moves */
  async startFrom(positions) {
    const { model, clock } = this.page;
    const listed = new Map(this.initial.map((s) => [s.name, s]));
    this.place({});
    for (const point of model.points)
      for (const c of point.columns ?? []) {
        const name = model.columns[c]?.name;
        if (name in positions && !listed.has(name)) this.placed[name] = positions[name];
      }
    for (const [name, s] of listed) if (name in positions) s.set(positions[name]);
    clock.moveTo(clock.first);
    let newest = await this.change(true);
    if (newest && this.last.status < 0) {
      this.loose = true;
      newest = await this.change(true);
      if (newest && this.last.status < 0) this.loose = false; // its reason is shown
    }
    if (!newest || this.last.status < 0) return;
    if (this.last.status === 0 && this.isElsewhere(positions)) {
      const isDriven = model.loads.some(({ kind }) => kind === 'driver');
      this.remark = isDriven
        ? '; drivers decide where this run begins, not the hand'
        : '; it begins elsewhere than the hand has left it';
      this.tell(this.words(this.last.seconds));
    }
    clock.play();
  }

  /** Does the run begin elsewhere than at some positions? */
  isElsewhere(positions) {
    const { model, motion, clock, scene } = this.page;
    motion.moveTo(clock.first);
    return model.points.some((point, i) =>
      (point.columns ?? []).some((c, k) => {
        const wanted = positions[model.columns[c]?.name];
        return Math.abs(motion.points[3 * i + k] - wanted) > 1e-5 * scene.stage.kit.size;
      }),
    );
  }

  /** Initial values for what has no slider; none: as in the file. */
  place(values) {
    this.placed = values;
    this.loose = false;
    this.remark = '';
  }

  /** Another text of the model: it is run as it stands, with what is set where it still has that. */
  async edit(text) {
    const { model } = this.page;
    const before = this.how;
    const begin = performance.now();
    this.source = { ...this.source, text };
    clearTimeout(this.timer);
    await this.client.read(this.source);
    const answer = await this.client.run({ tolerance: this.tolerance });
    if (!answer) return null;
    this.place({});
    const fresh = answer.fault ? null : modelOf(answer);
    if (fresh?.report && fresh.dimension !== model.dimension && this.page.scene.stage)
      return {
        fault: 'its Dimension is another one now, which this page cannot draw: save the text and call taut view for it',
      };
    const seconds = (performance.now() - begin) / 1000;
    if (!answer.fault && answer.status < 0) this.tell('The text has faults; the page shows the last run.', true);
    else this.show(answer, true, seconds, true);
    if (fresh?.settings && fresh.report) {
      model.settings = fresh.settings;
      this.makeSliders();
      const values = { ...before.set, ...before.initial, ...(before.tend === undefined ? {} : { tend: before.tend }) };
      for (const s of [...this.parameters, ...this.initial, this.tend]) s.set(values[s.name] ?? s.value);
      if (this.isChanged) this.change(true);
      else if (answer.status === 0) this.timer = setTimeout(() => this.certify({}, seconds), PAUSE);
    }
    return answer;
  }

  /** The original run, to be shown behind; null if it has other parts. */
  behind(fresh) {
    const { original } = this;
    if (original.dimension === 0 || original.points.length !== fresh.points.length) return null;
    this.shadow ??= new Motion(original);
    this.shadow.moveTo(this.page.clock.time);
    return this.shadow;
  }

  /** All as in the file. */
  reset() {
    this.place({});
    for (const s of [...this.parameters, ...this.initial, this.tend]) s.set(s.original);
    this.choice.value = this.fileTolerance;
    return this.change(true);
  }

  /** Options for what is set, and for what the page was made with. */
  options(set, tend) {
    const end = tend ?? this.given.tend;
    return [
      ...Object.entries({ ...this.given.set, ...set }).map(([name, value]) => `--set ${quote(`${name}=${value}`)}`),
      ...(end === undefined ? [] : [`--tend ${end}`]),
      ...(this.given.reactions ? ['--reactions'] : []),
    ];
  }

  /** The call that gives this run. */
  command() {
    const { set, initial, tend } = this.how;
    const start = Object.entries(initial).map(([name, value]) => `${name} = ${value}`);
    return [
      'taut view',
      quote(this.page.model.file),
      ...this.options(set, tend),
      ...(this.tolerance === this.fileTolerance && this.tolerance === USUAL ? [] : [`--tol ${this.tolerance}`]),
      ...(start.length ? [`# initial values of the file: ${start.join(', ')}`] : []),
    ].join(' ');
  }

  async copy() {
    const text = this.command();
    this.copied.textContent = text;
    this.copied.hidden = false;
    try {
      await navigator.clipboard.writeText(text);
      this.tell('Copied.');
    } catch {
      getSelection().selectAllChildren(this.copied); // no right to the clipboard: to be copied by hand
    }
  }

  /** What differs, for the address: L:0.4,k:2000. */
  written() {
    const { set, initial, tend } = this.how;
    const all = { ...set, ...initial, ...(tend === undefined ? {} : { tend }) };
    return Object.entries(all)
      .map(([name, value]) => `${name}:${value}`)
      .join(',');
  }

  /** Takes what an address asks for. */
  take(text) {
    if (text === this.written()) return;
    if (text === '' && !this.isChanged) return;
    const wanted = new Map(
      text.split(',').map((part) => [part.slice(0, part.lastIndexOf(':')), part.slice(part.lastIndexOf(':') + 1)]),
    );
    this.place({});
    for (const s of [...this.parameters, ...this.initial, this.tend]) {
      const value = wanted.has(s.name) && wanted.get(s.name) !== '' ? Number(wanted.get(s.name)) : NaN;
      s.set(Number.isFinite(value) ? value : s.original);
    }
    const known = new Set([...this.parameters, ...this.initial, this.tend].map((s) => s.name));
    for (const { name } of this.page.model.columns)
      if (wanted.has(name) && !known.has(name) && Number.isFinite(Number(wanted.get(name))))
        this.placed[name] = Number(wanted.get(name));
    this.change(true);
  }
}
