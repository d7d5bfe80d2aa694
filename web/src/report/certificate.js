/** The accuracy certificate: how many digits of the results can be trusted, and why. */
import { el, svg } from '../ui/dom.js';
import { number, power } from '../ui/format.js';

const FULL = 15; // digits that a double can show
const MOST = 12; // columns in the list

/** @returns {HTMLElement|null} */
export function certificateOf({ certificate, report, columns }) {
  if (!certificate && !report) return null;
  const measures = [
    ['estimated error', certificate?.error],
    ['energy drift', certificate?.energy_drift ?? report?.energy_drift],
    ['constraint residual', certificate?.residual ?? report?.residual],
  ].filter(([, value]) => value !== null && value !== undefined);
  return el(
    'section.certificate',
    {},
    el('h2', { text: 'Accuracy' }),
    el(
      'div.certificate-body',
      {},
      certificate ? dial(certificate.digits) : null,
      el(
        'div.certificate-text',
        {},
        el('p', { text: sentence(certificate) }),
        el(
          'dl.measures',
          {},
          ...measures.flatMap(([name, value]) => [
            el('dt', { text: name }),
            el('dd', { text: value === 0 ? '0' : power(value) }),
          ]),
        ),
        certificate?.worst
          ? el('p.note', {
              text: `The largest error is that of ${certificate.worst}${Number.isFinite(certificate.t) ? ` at t = ${number(certificate.t, 5)}` : ''}.`,
            })
          : null,
        certificate?.at_rest && certificate.error !== null
          ? el('p.note', { text: `At rest, so that there is nothing to estimate: ${certificate.at_rest}.` })
          : null,
        worstColumns(certificate?.by_column, columns),
      ),
    ),
  );
}

/** The columns with the largest errors, to unfold. */
function worstColumns(errors, columns) {
  const list = (errors ?? [])
    .map((error, i) => ({ error, name: columns[i]?.name }))
    .filter((c) => c.error > 0 && c.name);
  if (list.length === 0) return null;
  list.sort((a, b) => b.error - a.error);
  return el(
    'details',
    {},
    el('summary', { text: 'Columns with the largest errors' }),
    el(
      'dl.measures',
      {},
      ...list
        .slice(0, MOST)
        .flatMap(({ name, error }) => [el('dt', {}, el('code', { text: name })), el('dd', { text: power(error) })]),
    ),
  );
}

function sentence(certificate) {
  if (!certificate) return 'Not estimated: this page was made without a second, tighter run.';
  if (certificate.text) return certificate.text;
  if (certificate.error === null)
    return certificate.at_rest ? 'At rest: nothing to estimate.' : `No estimate: ${certificate.method ?? ''}.`;
  const method =
    certificate.tol > 0 ? `by a second run at tolerance ${power(certificate.tol)}` : (certificate.method ?? '');
  return `Estimated error of the whole run, relative to the largest value of each kind: ${power(certificate.error)}, ${method}.`;
}

/** Digits as an arc. */
function dial(digits) {
  const share = Math.min(1, Math.max(0, (digits ?? 0) / FULL));
  const radius = 42;
  const around = 2 * Math.PI * radius * 0.75;
  const ring = (kind, length) =>
    svg('circle', {
      class: kind,
      cx: 50,
      cy: 50,
      r: radius,
      'stroke-dasharray': `${length} 1000`,
      transform: 'rotate(135 50 50)',
    });
  const text = svg('text', { x: 50, y: 55, class: 'dial-number' });
  text.textContent = Number.isFinite(digits) ? digits.toFixed(1) : '–';
  const unit = svg('text', { x: 50, y: 71, class: 'dial-unit' });
  unit.textContent = 'digits';
  return svg(
    'svg',
    { class: 'dial', viewBox: '0 0 100 92', role: 'img', 'aria-label': `${text.textContent} digits` },
    ring('dial-back', around),
    ring('dial-front', around * share),
    text,
    unit,
  );
}
