/** What can be kept of a page: picture, film, table, model. */
import { SPEEDS } from '../clock.js';
import { button, el } from '../ui/dom.js';
import { filmOf, makesFilms } from './film.js';
import { nameFor, save } from './file.js';
import { periodOf } from './period.js';
import { pictureOf } from './picture.js';
import { tableAsCsv } from './table.js';
import { number } from '../ui/format.js';

const SIZES = [
  ['as shown', null],
  ['1280 × 720', [1280, 720]],
  ['1920 × 1080', [1920, 1080]],
];

const text = (content, type) => new Blob([content], { type });

/** @param {{model: object, clock: import('../clock.js').Clock, stage: import('../scene/stage.js').Stage|null}} page */
export function makeSaveMenu({ model, clock, stage }) {
  const film = stage && clock.length > 0 && makesFilms() ? makeFilmDialog({ model, clock, stage }) : null;
  const items = [
    stage && ['picture', 'Picture (PNG)', async () => save(nameFor(model, 'png'), await pictureOf(stage))],
    film && ['film', 'Film (WebM) …', () => film.showModal()],
    model.table.rows > 0 &&
      !model.modes && [
        'table',
        'Table (CSV)',
        () => save(nameFor(model, 'csv'), text(tableAsCsv(model.table), 'text/csv')),
      ],
    model.model && ['model', 'Model (YAML)', () => save(model.file || 'model.yaml', text(model.model, 'text/yaml'))],
  ].filter(Boolean);
  const menu = el(
    'div.menu',
    { popover: 'auto', id: 'save' },
    ...items.map(([name, title, action]) =>
      el('button.button.text.item', {
        type: 'button',
        text: title,
        'data-id': `save-${name}`,
        onclick: () => {
          menu.hidePopover();
          action();
        },
      }),
    ),
  );
  const opener = button('save', 'Save', null, { popovertarget: 'save', 'data-id': 'save' });
  menu.addEventListener('beforetoggle', () => {
    const { bottom, right } = opener.getBoundingClientRect();
    menu.style.top = `${bottom + 6}px`;
    menu.style.right = `${innerWidth - right}px`;
  });
  return items.length > 0 ? [opener, menu] : [];
}

/** From when to when, how fast, how large. */
function makeFilmDialog({ model, clock, stage }) {
  const field = (value) => el('input.field', { type: 'number', step: 'any', value });
  const [from, to] = [field(clock.first), field(clock.last)];
  const speed = el('select.select', {}, ...SPEEDS.map((s) => el('option', { value: s, text: `${s}×` })));
  const size = el('select.select', {}, ...SIZES.map(([name], i) => el('option', { value: i, text: name })));
  const note = el('p.note', { role: 'status' });
  let running = false;
  const inside = (input) => Math.min(clock.end, Math.max(clock.start, input.valueAsNumber));
  const record = async () => {
    if (running || !(inside(from) !== inside(to))) return;
    running = true;
    try {
      const film = await filmOf(stage, clock, {
        from: inside(from),
        to: inside(to),
        speed: Number(speed.value),
        size: SIZES[Number(size.value)][1],
        progress: (share) => {
          note.textContent = `${Math.round(100 * share)} %`;
          return running;
        },
      });
      note.textContent = '';
      if (running) save(nameFor(model, 'webm'), film);
      dialog.close();
    } catch (error) {
      note.textContent = `No film could be made: ${error.message}`;
    }
    running = false;
  };
  const onePeriod = () => {
    const begin = inside(from);
    const period = periodOf(stage.motion, begin, clock.last);
    clock.moveTo(clock.time); // the search has moved what is drawn
    if (Number.isFinite(period)) to.value = Number((begin + period).toPrecision(9));
    note.textContent = Number.isFinite(period)
      ? `One period is ${number(period, 6)} s.`
      : 'From there on, nothing in this run comes back to where it was.';
  };
  const row = (label, input) => el('label.field-row', {}, el('span', { text: label }), input);
  const dialog = el(
    'dialog.film',
    { onclose: () => (running = false) },
    el(
      'div.help-body',
      {},
      el('h2', { text: 'Film' }),
      row('from, in s', from),
      row('to, in s', to),
      el(
        'div.field-row',
        {},
        el('span'),
        el('button.button.text.outlined', {
          type: 'button',
          text: 'One period',
          'data-id': 'one-period',
          onclick: onePeriod,
        }),
      ),
      row('speed', speed),
      row('size', size),
      note,
      el(
        'div.actions',
        {},
        el('button.button.text', { type: 'button', text: 'Cancel', onclick: () => dialog.close() }),
        el('button.button.text.primary', { type: 'button', text: 'Record', 'data-id': 'record', onclick: record }),
      ),
    ),
  );
  const show = dialog.showModal.bind(dialog);
  dialog.showModal = () => {
    speed.value = String(clock.speed);
    [from.value, to.value] = [clock.first, clock.last]; // a live page may have another run by now
    show();
  };
  document.body.append(dialog);
  return dialog;
}
