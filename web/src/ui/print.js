/** Print: light colours, every part below the other, whatever the screen shows. */

/**
 * @param {import('../theme.js').Theme} theme
 * @param {{resize: () => void, draw?: () => void}[]} boards what needs its new width, and (`draw`) is drawn at once then
 */
export function preparePrint(theme, boards) {
  let before = null;
  const refresh = () => {
    for (const board of boards) {
      board.resize();
      board.draw?.();
    }
  };
  window.addEventListener('beforeprint', () => {
    before = theme.colours.name;
    document.documentElement.classList.add('printing');
    if (before === 'dark') theme.toggle();
    refresh();
  });
  window.addEventListener('afterprint', () => {
    document.documentElement.classList.remove('printing');
    if (before === 'dark' && theme.colours.name !== 'dark') theme.toggle();
    refresh();
  });
}
