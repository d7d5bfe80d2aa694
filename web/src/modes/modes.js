/** The list of modes, and what the chosen one does: amplitude, phase and decay; energy by body; joints. */
import { el } from '../ui/dom.js';
import { count, number } from '../ui/format.js';

/** Frequency in cycles, damping ratio and time constant of an eigenvalue; null: it has none. */
export function factsOf({ re, im }) {
  const size = Math.hypot(re, im);
  return {
    frequency: im > 0 ? size / (2 * Math.PI) : size === 0 ? 0 : null,
    damping: im > 0 ? (re === 0 ? 0 : -re / size) : null,
    time: re === 0 ? null : 1 / Math.abs(re),
    fate: re > 0 ? 'grows' : re < 0 ? 'decays' : size === 0 ? 'free' : 'stays',
  };
}

export class Modes {
  /**
   * @param {import('./shape.js').ModeMotion} motion
   * @param {() => void} changed another mode is shown
   * @param {() => void} redraw the same one looks different
   */
  constructor(model, motion, changed, redraw) {
    this.model = model;
    this.motion = motion;
    this.changed = changed;
    this.rows = model.modes.list.map((mode, i) => this.makeRow(mode, i));
    this.details = el('div.mode-details');
    this.element = el('article.modes', {}, this.makeHead(), this.makeControls(redraw), this.makeTable(), this.details);
    this.show();
  }

  makeHead() {
    const { modes } = this.model;
    const notes = [
      modes.zero > 0 ? `${count(modes.zero, 'eigenvalue')} 0: free motion, or rates that stay.` : null,
      modes.steady ? null : 'The point is not steady: these modes hold for a moment only.',
      modes.contacts ? `Contacts as they are: ${modes.contacts}.` : null,
    ].filter(Boolean);
    return el(
      'header.modes-head',
      {},
      el('h2', { text: `${count(modes.list.length, 'mode')} at t = ${number(modes.t)} s` }),
      ...notes.map((text) => el('p.note', { text })),
    );
  }

  makeControls(redraw) {
    const { motion } = this;
    const slider = el('input.scrubber', {
      type: 'range',
      min: 0,
      max: 3,
      step: 0.05,
      value: 1,
      id: 'amplitude',
      'aria-label': 'amplitude',
      oninput: () => {
        motion.amplitude = slider.valueAsNumber;
        slider.style.setProperty('--share', `${(100 * slider.valueAsNumber) / 3}%`);
        redraw();
      },
    });
    slider.style.setProperty('--share', `${100 / 3}%`);
    const decay = el('input', {
      type: 'checkbox',
      id: 'decay',
      onchange: () => {
        motion.decays = decay.checked;
        redraw();
      },
    });
    decay.checked = true;
    return el(
      'div.mode-controls',
      {},
      el('label', { for: 'amplitude', text: 'Amplitude' }),
      slider,
      el('label', {}, decay, el('span', { text: 'Decay and growth' })),
    );
  }

  makeRow(mode, i) {
    const { frequency, damping, time, fate } = factsOf(mode);
    const cells = [
      String(i + 1),
      number(frequency, 5),
      number(damping, 3),
      number(time, 3),
      fate,
      mode.states[0]?.[0] ?? '',
    ];
    return el(
      'tr.mode',
      {
        tabindex: 0,
        'data-mode': i,
        onclick: () => this.select(i),
        onkeydown: (event) => {
          if (event.key === 'Enter') this.select(i);
        },
      },
      ...cells.map((text) => el('td', { text })),
    );
  }

  makeTable() {
    const heads = ['', 'Frequency, Hz', 'Damping', 'Time, s', '', 'Most in'];
    return el(
      'div.mode-list',
      {},
      el(
        'table',
        {},
        el('thead', {}, el('tr', {}, ...heads.map((text) => el('th', { text })))),
        el('tbody', {}, ...this.rows),
      ),
    );
  }

  select(i) {
    if (!this.model.modes.list[i]) return;
    this.motion.select(i);
    this.show();
    this.changed();
  }

  /** Marks the chosen mode, and tells about it. */
  show() {
    const { mode, number: chosen } = this.motion;
    this.rows.forEach((row, i) => row.setAttribute('aria-selected', i === chosen));
    if (!mode) return this.details.replaceChildren();
    this.details.replaceChildren(
      el('h3', { text: `Mode ${chosen + 1}` }),
      el('p.eigenvalue', { text: eigenvalueText(mode) }),
      ...section('Amplitude and phase', mode.states, ([name, size, phase]) => [
        name,
        size,
        `${number(size, 3)}${mode.im > 0 ? ` at ${number(Math.abs(phase) < 0.05 ? 0 : phase, 3)}°` : ''}`,
      ]),
      ...section('Kinetic energy', mode.energy, ([name, share]) => [name, share, `${number(100 * share, 3)} %`]),
      ...section('Motion in joints', mode.joints, ([name, share]) => [name, share, number(share, 3)]),
    );
  }
}

function eigenvalueText({ re, im, condition }) {
  const value = im > 0 ? `${number(re, 7)} ± ${number(im, 7)} i` : number(re, 7);
  return `Eigenvalue ${value}, condition ${number(condition, 3)}`;
}

/** A heading and bars: name, length, text. */
function section(title, list, parts) {
  if (!list.length) return [];
  return [
    el('h4', { text: title }),
    el(
      'dl.bars',
      {},
      ...list.flatMap((entry) => {
        const [name, share, text] = parts(entry);
        const bar = el('i.bar');
        bar.style.width = `${Math.min(100, 100 * share)}%`;
        return [el('dt', { text: name }), el('dd', {}, el('span.bar-room', {}, bar), el('span', { text }))];
      }),
    ),
  ];
}
