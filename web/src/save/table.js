/** The rows of the page as CSV, as far as floats have digits. */

const QUOTED = /[",\n]/;

const quote = (text) => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function write(x) {
  if (Number.isNaN(x)) return 'nan';
  if (!Number.isFinite(x)) return x > 0 ? 'inf' : '-inf';
  return String(Number(x.toPrecision(8)));
}

/** @param {import('../data.js').Table} table */
export function tableAsCsv(table) {
  const shown = table.columns.map((c, i) => ({ ...c, i })).filter((c) => c.kind !== 'hidden');
  const lines = [shown.map((c) => quote(c.name)).join(',')];
  for (let row = 0; row < table.rows; row++) {
    const at = table.backwards ? table.rows - 1 - row : row;
    lines.push(shown.map(({ i }) => write(table.values[i][at])).join(','));
  }
  return `${lines.join('\n')}\n`;
}
