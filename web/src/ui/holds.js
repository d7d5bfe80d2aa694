/** What touches, sticks and slides now, in words: also what has no place in the picture, such as a clutch or a stop. */
import { el } from './dom.js';

const MOST = 8;

/** What is said of modes 0 to 3; null: that is as usual, and nothing is said. */
const WORDS = {
  contact: [null, 'closed', 'closed', 'closed'],
  rough: [null, 'sticks', 'slides', 'slides'],
  friction: [null, 'sticks', 'slides', 'slides'],
  lock: [null, 'locked', 'slips', 'slips'],
  break: ['loose', null, null, null],
};

/** A list over the picture that follows the time; none where nothing has modes. @returns {Element[]} */
export function makeHolds(model, motion, clock) {
  if (model.holds.length === 0 || model.modes) return [];
  const list = el('ul.holds', { 'aria-label': 'What touches, sticks and slides now' });
  let shown = null;
  const update = () => {
    const now = model.holds.flatMap(({ name, kind, mode }) => {
      const value = Math.round(model.table.values[mode]?.[motion.place.row] ?? 0);
      const word = WORDS[kind]?.[value];
      return word ? [{ text: `${name} ${word}`, state: value === 1 ? 'stick' : value > 1 ? 'slide' : 'loose' }] : [];
    });
    const key = now.map((x) => x.text).join('\n');
    if (key === shown) return;
    shown = key;
    const more = now.length > MOST ? [el('li', { text: `and ${now.length - MOST} more` })] : [];
    list.replaceChildren(...now.slice(0, MOST).map((x) => el(`li.${x.state}`, { text: x.text })), ...more);
  };
  update();
  clock.addEventListener('time', update);
  return [list];
}
