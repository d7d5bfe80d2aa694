/** The keyboard, and the dialog that explains it. */
import { SPEEDS } from '../clock.js';
import { el } from './dom.js';

const HELP = [
  ['space', 'play, pause'],
  ['← →', 'one row back, on (shift: twenty)'],
  ['home, end', 'to the start, to the end'],
  ['↑ ↓', 'faster, slower'],
  ['L', 'repeat'],
  ['F', 'fit to the motion'],
  ['1 2 3 4', 'look from front, top, side, corner (in space)'],
  ['N', 'names of points'],
  ['T', 'light, dark'],
  ['?', 'this help'],
];

const MOUSE = [
  ['drag, wheel', 'turn or move, zoom; right button or two fingers: move'],
  ['click a point', 'draw its path, or take it away'],
  ['click a curve', 'go to that time; drag: zoom; double click: all'],
];

/**
 * @param {{clock: import('../clock.js').Clock, stage: import('../scene/stage.js').Stage|null,
 *          theme: import('../theme.js').Theme, toggleLayer: (name: string) => void}} page
 */
export function listenToKeys({ clock, stage, theme, toggleLayer }) {
  const dialog = makeHelp();
  const look = (name) => () => stage && !stage.kit.flat && stage.view.look(name);
  const actions = {
    ' ': () => clock.toggle(),
    ArrowLeft: (e) => clock.step(e.shiftKey ? -20 : -1),
    ArrowRight: (e) => clock.step(e.shiftKey ? 20 : 1),
    ArrowUp: () => changeSpeed(clock, 1),
    ArrowDown: () => changeSpeed(clock, -1),
    Home: () => clock.seek(clock.first),
    End: () => clock.seek(clock.last),
    l: () => clock.setLoop(!clock.loop),
    f: () => stage?.view.fit(),
    n: () => toggleLayer('labels'),
    t: () => theme.toggle(),
    1: look('front'),
    2: look('top'),
    3: look('side'),
    4: look('iso'),
    '?': () => dialog.showModal(),
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
  return dialog;
}

/** True where a key has a meaning of its own: in a dialog, or for the control that has the focus. */
function isTaken({ target, key }) {
  if (document.querySelector('dialog[open]')) return true;
  if (target.matches?.('input:not([type=range], [type=checkbox]), textarea, select')) return true;
  if (target.matches?.('input[type=range]')) return /^(Arrow|Home|End|Page)/.test(key);
  return (key === ' ' || key === 'Enter') && target.matches?.('button, summary, a, input, [role=tab]');
}

function changeSpeed(clock, by) {
  const i = SPEEDS.indexOf(clock.speed);
  clock.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, i + by))]);
}

function makeHelp() {
  const rows = (list) =>
    el(
      'dl.keys',
      {},
      ...list.flatMap(([key, what]) => [
        el('dt', {}, ...key.split(', ').map((k) => el('kbd', { text: k }))),
        el('dd', { text: what }),
      ]),
    );
  const dialog = el(
    'dialog.help',
    {
      onclick: (e) => {
        if (e.target === dialog) dialog.close();
      },
    },
    el(
      'div.help-body',
      {},
      el('h2', { text: 'Keys' }),
      rows(HELP),
      el('h2', { text: 'Pointer' }),
      rows(MOUSE),
      el('form', { method: 'dialog' }, el('button.button.text', { text: 'Close' })),
    ),
  );
  document.body.append(dialog);
  return dialog;
}
