/** The model's text, to be changed in the page: it is run while one types, and faults are marked at their lines. */
import { el } from '../ui/dom.js';

const WAIT = 350; // ms after the last key

/** The faults in a message: where they are and what they say. */
export function faultsOf(text, file) {
  const found = [];
  for (const line of text.split('\n')) {
    const match = /^(.*?):(\d+):(\d+): (?:error|warning): (.*)$/.exec(line);
    if (match && match[1] === file) found.push({ line: Number(match[2]), column: Number(match[3]), text: match[4] });
  }
  return found;
}

export class Editor {
  /** @param {import('./live.js').Live} live */
  constructor(live) {
    this.live = live;
    this.gutter = el('pre.editor-gutter', { 'aria-hidden': 'true' });
    this.area = el('textarea.editor-text', {
      spellcheck: 'false',
      autocomplete: 'off',
      wrap: 'off',
      'aria-label': 'text of the model',
      'data-id': 'editor',
      oninput: () => this.typed(),
      onscroll: () => {
        this.gutter.scrollTop = this.area.scrollTop;
      },
      onkeydown: (event) => event.stopPropagation(), // keys of the page are letters here
    });
    this.area.value = live.source.text;
    this.original = this.area.value; // with the ends of lines that a field has
    this.faults = el('ol');
    this.element = el(
      'div.editor',
      {},
      el(
        'div.live-tools',
        {},
        live.button('Reset the text', 'editor-reset', () => {
          this.area.value = this.original;
          this.typed();
        }),
      ),
      el('div.editor-body', {}, this.gutter, this.area),
      el('div.editor-faults', { role: 'status', 'data-id': 'editor-faults' }, this.faults),
    );
    this.mark([]);
  }

  /** After a pause, what stands there is read and run. */
  typed() {
    this.mark(this.marked ?? []);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), WAIT);
  }

  async run() {
    const { live } = this;
    const text = this.area.value;
    live.edited = text !== this.original;
    const answer = await live.edit(text);
    if (!answer || this.area.value !== text) return; // more was typed
    const { classList, textContent } = live.status;
    const said = answer.fault ?? JSON.parse(answer.data).message?.text;
    const message = said || (classList.contains('wrong') ? textContent : ''); // nothing passes, for instance
    const faults = faultsOf(message, live.source.name);
    this.mark(faults.length || !message ? faults : [{ line: 0, column: 0, text: message }]);
  }

  /** Line numbers, those with a fault marked, and the faults below. */
  mark(faults) {
    this.marked = faults;
    const wrong = new Set(faults.map((f) => f.line));
    const lines = this.area.value.split('\n').length;
    this.gutter.replaceChildren(
      ...Array.from({ length: lines }, (_, i) => el(`span${wrong.has(i + 1) ? '.wrong' : ''}`, { text: `${i + 1}\n` })),
    );
    this.gutter.scrollTop = this.area.scrollTop;
    this.area.setAttribute('aria-invalid', String(faults.length > 0));
    this.faults.replaceChildren(
      ...faults.map((fault) =>
        el(
          'li',
          {},
          fault.line
            ? el('button.when', {
                type: 'button',
                text: `line ${fault.line}`,
                onclick: () => this.goTo(fault),
              })
            : null,
          el('span', { text: fault.text }),
        ),
      ),
    );
  }

  /** Puts the caret where the fault is. */
  goTo({ line, column }) {
    const lines = this.area.value.split('\n');
    const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
    this.area.focus();
    this.area.setSelectionRange(at, at + 1);
  }
}
