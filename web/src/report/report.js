/** The account of the run: how accurate it is, what was solved and how, and the model's text. */
import { certificateOf } from './certificate.js';
import { listing } from './listing.js';
import { el } from '../ui/dom.js';
import { count, duration, number, power } from '../ui/format.js';

const SOLVERS = {
  taylor: 'Taylor series',
  ho: 'Hermite–Obreschkoff',
  erk: 'Runge–Kutta (Dormand–Prince)',
  adams: 'Adams',
  bdf: 'BDF',
  ida: 'IDA',
  rk4: 'Runge–Kutta 4',
};

const MOST_MARKS = 300;

/** How much of what happened is not listed. */
function moreMarks({ marks, more_events: more }) {
  const rest = Math.max(0, marks.length - MOST_MARKS) + more;
  return rest > 0 ? el('p.note', { text: `and ${rest} more: taut run --events FILE lists all.` }) : null;
}

/** @param {(t: number) => void} seek goes to a time @returns {HTMLElement} */
export function makeReport(model, seek) {
  const { report } = model;
  return el(
    'article.report',
    {},
    certificateOf(model),
    report ? facts(report) : null,
    model.marks.length
      ? section(
          'On the way',
          el(
            'ul.events',
            {},
            ...model.marks.slice(0, MOST_MARKS).map((m) =>
              el(
                'li',
                {},
                el('button.when', {
                  type: 'button',
                  title: 'Go there',
                  text: `t = ${number(m.t, 6)}`,
                  onclick: () => seek(m.t),
                }),
                el('span', { text: m.text }),
              ),
            ),
          ),
          moreMarks(model),
        )
      : null,
    report?.coordinates?.length
      ? section(count(report.coordinates.length, 'coordinate'), names(report.coordinates))
      : null,
    report?.constraints?.length
      ? section(count(report.constraints.length, 'constraint'), formulas(report.constraints))
      : null,
    report?.redundant?.length ? section('Redundant, left out', formulas(report.redundant.map(textOf))) : null,
    report?.moves?.length ? section('Changed to be consistent', formulas(report.moves.map(textOf))) : null,
    model.loads.length ? section('Loads', names(model.loads.map((l) => `${l.name} (${l.kind})`))) : null,
    model.model ? section(model.file || 'Model', listing(model.model)) : null,
    el('footer.report-foot', { text: `taut ${model.version}` }),
  );
}

function section(title, ...content) {
  return el('section', {}, el('h2', { text: title }), ...content);
}

/** The numbers of the run as a table of two columns. */
function facts(report) {
  const solver = [SOLVERS[report.solver] ?? report.solver, report.order ? `order ${report.order}` : null]
    .filter(Boolean)
    .join(', ');
  const tolerance =
    report.rtol === report.atol ? power(report.rtol) : `${power(report.rtol)} relative, ${power(report.atol)} absolute`;
  const rows = [
    [
      'Problem',
      [report.kind, report.formulation ? `${report.formulation} coordinates` : null].filter(Boolean).join(', '),
    ],
    ['Unknowns', report.unknowns],
    ['Structural index', report.index],
    [
      'Degrees of freedom',
      known(report.dof, (n) => (known(report.mobility) === null ? `${n}` : `${n}, mobility ${report.mobility}`)),
    ],
    ['Time', known(report.reached, () => span(report))],
    ['Solver', solver],
    ['Tolerance', tolerance],
    ['Steps', known(report.steps, (n) => `${count(n, 'step')}, ${report.rejected ?? 0} rejected`)],
    ['Computing time', known(report.wall_s, (s) => `${duration(s)}, after ${duration(report.setup_s)} of set-up`)],
    ['Constraint residual', known(report.residual, (x) => power(x))],
    ['Energy drift', known(report.energy_drift, (x) => power(x))],
  ].filter(([, value]) => known(value) !== null && value !== '');
  return section(
    'The run',
    el(
      'dl.facts',
      {},
      ...rows.flatMap(([name, value]) => [el('dt', { text: name }), el('dd', { text: String(value) })]),
    ),
  );
}

/** What is made of a number that is there; null otherwise. */
function known(value, show = (x) => x) {
  return value === null || value === undefined ? null : show(value);
}

function span({ t0, tend, reached }) {
  const whole = `${number(t0)} to ${number(tend)} s`;
  return reached === tend ? whole : `${whole}, stopped at ${number(reached, 7)} s`;
}

function names(list) {
  return el('p.names', {}, ...list.map((name) => el('code', { text: name })));
}

/** Formulas with what stands before the colon as their name. */
function formulas(list) {
  return el(
    'ol.formulas',
    {},
    ...list.map((text) => {
      const [, name, rest, line] = /^([^:]*): (.*?)(?: \(line (\d+)\))?$/s.exec(text) ?? [null, '', text, undefined];
      return el(
        'li',
        {},
        name ? el('span.what', { text: name }) : null,
        line ? el('span.line', { text: `line ${line}` }) : null,
        el('code', { text: rest }),
      );
    }),
  );
}

/** Entries may be texts or objects with a name and a line. */
function textOf(entry) {
  return typeof entry === 'string' ? entry : `${entry.name ?? ''}${entry.line ? ` (line ${entry.line})` : ''}`;
}
