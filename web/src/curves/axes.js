/** The dialog for the axes of a diagram: what runs across, and where scales are logarithmic. */
import { chooseColumns } from './chooser.js';
import { el } from '../ui/dom.js';

/** @param {import('../data.js').Column[]} columns @param {import('./content.js').Settings} settings
 *  @param {string|null} other name of another run @param {(settings: object) => void} done called at every change */
export function chooseAxes(columns, settings, other, done) {
  let now = { ...settings };
  const set = (change) => {
    now = { ...now, ...change };
    show();
    done(now);
  };
  const box = (text, key, attributes = {}) => {
    const input = el('input', {
      type: 'checkbox',
      'data-id': key,
      ...attributes,
      onchange: () => set({ [key]: input.checked }),
    });
    input.checked = now[key];
    return { input, row: el('label.check', {}, input, el('span', { text })) };
  };
  const across = el('button.button.text.outlined', {
    type: 'button',
    'data-id': 'across',
    onclick: () => chooseColumns(columns, now.x > 0 ? [now.x] : [], ([x]) => set({ x: x ?? 0 }), { single: true }),
  });
  const time = el('button.button.text.outlined', {
    type: 'button',
    text: 'time',
    onclick: () => set({ x: 0, logX: false }),
  });
  const logX = box('logarithmic across', 'logX');
  const logY = box('logarithmic upwards (what is not above 0 is left out)', 'logY');
  const difference = box(`difference to ${other ?? 'another run'}`, 'difference', { disabled: other === null });
  const show = () => {
    across.textContent = now.x > 0 ? columns[now.x].name : 'a column …';
    across.setAttribute('aria-pressed', now.x > 0);
    time.setAttribute('aria-pressed', now.x === 0);
    logX.input.disabled = now.x === 0;
    logX.input.checked = now.logX && now.x > 0;
  };
  show();
  const dialog = el(
    'dialog.axes',
    { 'aria-label': 'Axes of this diagram', onclick: (e) => e.target === dialog && dialog.close() },
    el(
      'div.help-body',
      {},
      el('h2', { text: 'Axes' }),
      el('div.field-row', {}, el('span', { text: 'Across' }), el('span.choices', {}, time, across)),
      logX.row,
      logY.row,
      difference.row,
      el('form', { method: 'dialog' }, el('button.button.text', { text: 'Close' })),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
