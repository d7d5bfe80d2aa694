/** The page's side of the engine: a worker that is started when it is first needed, and asked one thing at a time. */
import workerText from 'text:live/worker.js';

/** The compressed engine that the page carries, once the page is there. */
async function packedEngine() {
  if (document.readyState === 'loading') await new Promise((go) => addEventListener('DOMContentLoaded', go));
  const text = document.getElementById('taut-engine')?.textContent;
  if (!text) throw new Error('this page carries no engine');
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

export class Client {
  constructor(source) {
    /** What is read: name, text, files. */
    this.source = source;
    this.worker = null;
    this.module = null;
    this.waiting = new Map();
    this.number = 0;
    this.busy = false;
    this.next = null;
    /** Counts what was asked for: of two that wait for the same restart the newer one runs. */
    this.asked = 0;
  }

  /** Starts the worker and reads the model. */
  async start() {
    const url = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = ({ data }) => {
      this.waiting.get(data.id)?.(data);
      this.waiting.delete(data.id);
    };
    const bytes = this.module ? null : await packedEngine();
    const { module, fault } = await this.ask('start', { bytes, module: this.module });
    if (fault) throw new Error(fault);
    this.module = module;
    await this.ask('read', { source: this.source });
  }

  /** Asks the worker; the answer has `fault` if it failed. */
  ask(task, more = {}) {
    const id = ++this.number;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.worker.postMessage({ id, task, ...more });
    });
  }

  /** Ends what is going on, and begins anew. */
  async restart() {
    this.worker?.terminate();
    this.waiting.clear();
    this.worker = null;
    this.busy = false;
    this.ready = this.start();
    await this.ready;
  }

  /** Reads another text; runs from now on are of it. */
  async read(source) {
    this.source = source;
    this.ready ??= this.start();
    await this.ready;
    return this.ask('read', { source });
  }

  /**
   * Runs, or will when the run before is done; of several that wait only the last one is done. A long run (without
   * `patience`) does not keep others waiting: it is ended. @returns {Promise<object|null>} null: another came after it
   */
  async run(how) {
    const number = ++this.asked;
    this.next?.resolve(null);
    this.next = null;
    if (this.busy && this.long) {
      this.current?.resolve(null);
      this.current = null;
      await this.restart();
      if (number !== this.asked) return null;
    }
    if (this.busy)
      return new Promise((resolve) => {
        this.next = { how, resolve };
      });
    this.busy = true;
    this.long = !how.patience;
    return new Promise((resolve) => {
      this.current = { resolve };
      this.perform(how, this.current);
    });
  }

  async perform(how, current) {
    let answer;
    try {
      this.ready ??= this.start();
      await this.ready;
      answer = await this.ask('run', { how });
      if (answer.fault) this.ready = this.start(); // what has failed in the middle is not used again
    } catch (error) {
      answer = { fault: error.message };
    }
    if (current !== this.current) return; // it was ended
    this.busy = false;
    this.current = null;
    current.resolve(answer);
    if (!this.next) return;
    const { how: later, resolve } = this.next;
    this.next = null;
    this.run(later).then(resolve);
  }

  /** Takes hold of a point; drags come one at a time, the newest place counts. */
  async grip(point, place) {
    this.ready ??= this.start();
    await this.ready;
    return this.ask('grip', { point, place });
  }

  async drag(to) {
    this.place = to;
    if (this.dragging) return null;
    this.dragging = true;
    let answer = null;
    while (this.place) {
      const place = this.place;
      this.place = null;
      answer = await this.ask('drag', { to: place });
    }
    this.dragging = false;
    return answer;
  }
}
