/** Numbers as text. */

/** A number with a few significant digits, as short as it reads well. */
export function number(x, digits = 4) {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return power(x, Math.min(digits, 3));
  return minus(String(Number(x.toPrecision(digits))));
}

/** The same width for all values of a changing number. */
export function steady(x, digits = 5) {
  if (!Number.isFinite(x)) return number(x);
  const size = Math.abs(x);
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) return power(x, 3);
  const before = size >= 1 ? Math.floor(Math.log10(size)) + 1 : 1;
  return minus(x.toFixed(Math.max(0, digits - before)));
}

const SUPERSCRIPTS = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };

/** 1.2·10⁻⁹ */
export function power(x, digits = 2) {
  if (!Number.isFinite(x) || x === 0) return number(x);
  const [fixed, exponent] = x.toExponential(digits - 1).split('e');
  const mantissa = String(Number(fixed));
  const raised = [...String(Number(exponent))].map((c) => SUPERSCRIPTS[c]).join('');
  const head = mantissa === '1' ? '' : mantissa === '-1' ? '−' : `${minus(mantissa)}·`;
  return `${head}10${raised}`;
}

/** Seconds of computing time: µs, ms, s. */
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 1e-3) return `${number(seconds * 1e6, 3)} µs`;
  if (seconds < 1) return `${number(seconds * 1e3, 3)} ms`;
  return `${number(seconds, 3)} s`;
}

/** How many decimals show a step of time. */
export function decimalsFor(step) {
  return step > 0 ? Math.min(9, Math.max(2, Math.ceil(-Math.log10(step)))) : 2;
}

/** A count with its noun: 1 step, 2 steps. */
export function count(n, noun, plural = `${noun}s`) {
  return `${n.toLocaleString('en')} ${n === 1 ? noun : plural}`;
}

function minus(text) {
  return text.replace('-', '−');
}
