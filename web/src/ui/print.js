/** Print: light colours, every part below the other, whatever the screen shows. */

/** @param {import('../theme.js').Theme} theme @param {{resize: () => void}[]} boards diagrams that need their new width */
export function preparePrint(theme, boards) {
  let before = null;
  window.addEventListener('beforeprint', () => {
    before = theme.colours.name;
    document.documentElement.classList.add('printing');
    if (before === 'dark') theme.toggle();
    for (const board of boards) board.resize();
  });
  window.addEventListener('afterprint', () => {
    document.documentElement.classList.remove('printing');
    if (before === 'dark' && theme.colours.name !== 'dark') theme.toggle();
    for (const board of boards) board.resize();
  });
}
