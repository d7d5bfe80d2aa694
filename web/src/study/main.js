/** The page of a study: what the data in it are, and who shows them. */
import { el } from '../ui/dom.js';
import { fitPage } from './fit.js';
import { sweepPage } from './sweep.js';

const data = JSON.parse(document.getElementById('taut-data').textContent);
document.title = `${data.title} - taut`;
document.body.append(
  el('header', {}, el('h1', { text: data.title })),
  data.kind === 'fit' ? fitPage(data) : sweepPage(data),
);
