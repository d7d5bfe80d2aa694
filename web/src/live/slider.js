/** One number that can be turned: a slider over a sensible range, and a field for any value. */
import { el } from '../ui/dom.js';

const STEPS = 1000;

/** The range that a slider offers around a value. */
export function rangeOf(value, { powers = false, around = 0, whole = false } = {}) {
  if (whole) return { low: 1, high: 2 * value, whole };
  if (powers && value > 0) return { low: value / 100, high: value * 100, powers: true };
  if (around > 0) return { low: value - around, high: value + around };
  if (value === 0) return { low: -1, high: 1 };
  const [a, b] = [0.2 * value, 2 * value];
  return { low: Math.min(a, b), high: Math.max(a, b) };
}

/** A share of the range as a value with as many digits as the slider has places. */
function valueAt({ low, high, powers, whole }, share) {
  if (whole) return Math.round(low + (high - low) * share);
  const value = powers ? low * (high / low) ** share : low + (high - low) * share;
  const digits = Math.max(
    1,
    Math.min(15, 4 + Math.ceil(Math.log10(Math.max(Math.abs(value), 1e-300) / (high - low || 1)))),
  );
  return Number(value.toPrecision(powers ? 3 : digits));
}

function shareAt({ low, high, powers }, value) {
  const share = powers ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
}

export class Slider {
  /**
   * @param {{name: string, value: number, unit?: string, powers?: boolean, around?: number, whole?: boolean, label?: string}} quantity
   * @param {(done: boolean) => void} changed while it is turned, and (done) when it is let go
   */
  constructor(quantity, changed) {
    this.name = quantity.name;
    this.original = quantity.value;
    this.value = quantity.value;
    this.range = rangeOf(quantity.value, quantity);
    const label = quantity.label ?? quantity.name;
    this.slide = el('input.scrubber', {
      type: 'range',
      min: 0,
      max: STEPS,
      step: 1,
      'aria-label': `${label}${quantity.unit ? ` in ${quantity.unit}` : ''}`,
      'data-name': quantity.name,
      oninput: () => this.turn(valueAt(this.range, this.slide.valueAsNumber / STEPS), false, changed),
      onchange: () => this.turn(valueAt(this.range, this.slide.valueAsNumber / STEPS), true, changed),
    });
    this.field = el('input.field', {
      type: 'number',
      step: 'any',
      'aria-label': `${label}, value`,
      onchange: () => this.turn(Number(this.field.value), true, changed),
      onfocus: () => {
        this.field.value = this.value;
      },
      onblur: () => this.show(),
    });
    this.element = el(
      'div.setting',
      {},
      el('code.setting-name', { text: label, title: label }),
      this.slide,
      this.field,
      el('span.unit', { text: quantity.unit ?? '' }),
    );
    this.show();
  }

  /** Is it another value than the file's? */
  get isChanged() {
    return this.value !== this.original;
  }

  turn(value, done, changed) {
    if (!Number.isFinite(value)) return this.show();
    this.value = value;
    this.show();
    changed(done);
  }

  /** Sets the value without telling anybody. */
  set(value) {
    this.value = value;
    this.show();
  }

  show() {
    const share = shareAt(this.range, this.value);
    this.slide.value = Math.round(share * STEPS);
    this.slide.style.setProperty('--share', `${100 * share}%`);
    if (document.activeElement !== this.field) this.field.value = Number(this.value.toPrecision(7)); // what there is room for
    this.field.title = String(this.value);
    this.element.classList.toggle('changed', this.isChanged);
  }
}
