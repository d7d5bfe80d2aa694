/** The bar below the scene: play, step, scrub, speed, loop. */
import { SPEEDS } from '../clock.js';
import { button, el, icon } from './dom.js';
import { decimalsFor, number } from './format.js';

const STEPS = 10000; // of the scrubber

export class Timeline {
  /** @param {import('../clock.js').Clock} clock @param {import('../data.js').Mark[]} marks */
  constructor(clock, marks) {
    this.clock = clock;
    this.playButton = button('play', 'Play (space)', () => clock.toggle(), { 'data-id': 'play' });
    this.loopButton = button('loop', 'Repeat (L)', () => clock.setLoop(!clock.loop), { 'data-id': 'loop' });
    this.time = el('output.time', { 'aria-label': 'time' });
    this.slider = el('input.scrubber', {
      type: 'range',
      min: 0,
      max: STEPS,
      step: 1,
      value: 0,
      'aria-label': 'time',
      oninput: () => clock.seek(clock.start + (clock.length * this.slider.valueAsNumber) / STEPS),
    });
    this.speed = el(
      'select.select',
      { title: 'Speed', 'aria-label': 'speed', onchange: () => clock.setSpeed(Number(this.speed.value)) },
      ...SPEEDS.map((s) => el('option', { value: s, text: `${s}×` })),
    );
    this.element = el(
      'div.timeline',
      {},
      el(
        'div.transport',
        {},
        button('first', 'To the start (home)', () => clock.seek(clock.first)),
        button('back', 'One row back (←)', () => clock.step(-1)),
        this.playButton,
        button('forward', 'One row on (→)', () => clock.step(1)),
        this.loopButton,
      ),
      el('div.track', {}, this.slider, (this.ticks = this.makeMarks(marks))),
      el('div.readout', {}, this.time, this.speed),
    );
    if (!(clock.length > 0)) for (const b of this.element.querySelectorAll('button, input, select')) b.disabled = true;
    clock.addEventListener('time', () => this.showTime());
    clock.addEventListener('state', () => this.showState());
    this.showTime();
    this.showState();
  }

  /** Another run. */
  renew(marks) {
    const ticks = this.makeMarks(marks);
    this.ticks.replaceWith(ticks);
    this.ticks = ticks;
    for (const b of this.element.querySelectorAll('button, input, select')) b.disabled = !(this.clock.length > 0);
    this.showTime();
    this.showState();
  }

  /** Ticks where something happened. */
  makeMarks(marks) {
    const { clock } = this;
    const inside = marks.filter((m) => m.t >= clock.start && m.t <= clock.end).slice(0, 400);
    return el(
      'div.ticks',
      { 'aria-hidden': 'true' },
      ...inside.map((m) => {
        const tick = el(`i.tick.${m.kind === 'singular' ? 'singular' : 'switch'}`, { title: m.text });
        tick.style.left = `${(100 * (m.t - clock.start)) / (clock.length || 1)}%`;
        return tick;
      }),
    );
  }

  showTime() {
    const { clock } = this;
    const share = clock.length > 0 ? (clock.time - clock.start) / clock.length : 0;
    this.slider.value = Math.round(share * STEPS);
    this.slider.style.setProperty('--share', `${100 * share}%`);
    this.slider.setAttribute('aria-valuetext', `${number(clock.time)} s`);
    this.time.textContent = `${clock.time.toFixed(decimalsFor(clock.length / 500))} s`;
  }

  showState() {
    const { clock } = this;
    this.playButton.replaceChildren(icon(clock.playing ? 'pause' : 'play'));
    this.playButton.setAttribute('aria-label', clock.playing ? 'Pause (space)' : 'Play (space)');
    this.loopButton.setAttribute('aria-pressed', clock.loop);
    this.speed.value = String(clock.speed);
  }
}
