/** The page's side of the engine: a worker that is started when it is first needed, and asked one thing at a time. */
import workerText from 'text:live/worker.js';

const AT_ONCE = 1e-6; // s: a run that only takes in what is set

/** The compressed engine that the page carries, once the page is there. */
async function packedEngine() {
  if (document.readyState === 'loading') await new Promise((go) => addEventListener('DOMContentLoaded', go));
  const text = document.getElementById('taut-engine')?.textContent;
  if (!text) throw new Error('this page carries no engine');
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/** Nothing here rejects: what goes wrong, a worker that dies as well, is the `fault` of every answer that waits. */
export class Client {
  /** @param {object} source @param {{set?: object, tend?: number, reactions?: boolean}} given what all runs have, unless they say otherwise */
  constructor(source, given = {}) {
    /** What is read: name, text, files. */
    this.source = source;
    this.given = given;
    this.worker = null;
    this.module = null;
    this.ready = null;
    this.ended = 0; // how many workers
    this.waiting = new Map();
    this.number = 0;
    this.busy = false;
    this.next = null;
    /** Has this worker run what is set? */
    this.knows = false;
    /** Done when no drag is under way. */
    this.dragged = Promise.resolve(null);
  }

  /** Starts the worker and reads the model, once. @returns {Promise<string|null>} what is wrong */
  begin() {
    if (!this.ready) {
      const ready = this.start().catch((error) => {
        if (this.ready === ready) this.stop(error.message);
        return error.message;
      });
      this.ready = ready;
    }
    return this.ready;
  }

  async start() {
    const { ended } = this;
    const bytes = this.module ? null : await packedEngine();
    if (ended !== this.ended) throw new Error('the engine was ended');
    const url = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker = worker;
    worker.onmessage = ({ data }) => {
      this.waiting.get(data.id)?.(data);
      this.waiting.delete(data.id);
    };
    const died = (event) => {
      event.preventDefault?.();
      if (this.worker === worker) this.stop(event.message || 'the worker has ended');
    };
    worker.onerror = died;
    worker.onmessageerror = died;
    const { module, fault } = await this.ask('start', { bytes, module: this.module });
    if (fault) throw new Error(fault);
    this.module = module;
    const { fault: unread } = await this.ask('read', { source: this.source });
    if (unread) throw new Error(unread);
    return null;
  }

  /** Ends the worker; those that wait for it are told why. The next one that asks gets another. */
  stop(why) {
    this.worker?.terminate();
    this.worker = null;
    this.ready = null;
    this.ended++;
    this.knows = false;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const resolve of waiting) resolve({ fault: why });
  }

  /** Asks the worker; the answer has `fault` if it failed. */
  ask(task, more = {}) {
    if (!this.worker) return Promise.resolve({ fault: 'the engine has ended' });
    const id = ++this.number;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.worker.postMessage({ id, task, ...more });
    });
  }

  /** What a run has, with what the page was made with. */
  complete(how = {}) {
    return { ...this.given, ...how, set: { ...this.given.set, ...how.set } };
  }

  /** A long run (without `patience`) does not keep others waiting: it is ended. */
  endLong() {
    if (!this.busy || !this.long) return;
    this.current?.resolve(null);
    this.current = null;
    this.busy = false;
    this.stop('ended for another run');
  }

  /** Reads another text; runs from now on are of it. */
  async read(source) {
    this.source = source;
    this.endLong();
    const isFresh = !this.ready;
    const fault = await this.begin();
    if (fault) return { fault };
    return isFresh ? { status: 0 } : this.ask('read', { source });
  }

  /**
   * Runs, or will when the run before is done; of several that wait only the last one is done.
   * @returns {Promise<object|null>} null: another came after it
   */
  run(how) {
    this.next?.resolve(null);
    this.next = null;
    this.endLong();
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
    const fault = await this.begin();
    const answer = fault ? { fault } : await this.ask('run', { how: this.complete(how) });
    if (current !== this.current) return; // it was ended
    if (answer.fault)
      this.stop(answer.fault); // what has failed in the middle is not used again
    else this.knows = true;
    this.busy = false;
    this.current = null;
    current.resolve(answer);
    if (!this.next) return;
    const { how: later, resolve } = this.next;
    this.next = null;
    this.run(later).then(resolve);
  }

  /** Takes hold of a point of the mechanism as it is set; drags come one at a time, the newest place counts. */
  async grip(point, place, how) {
    this.endLong();
    const fault = await this.begin();
    if (fault) return { fault };
    if (!this.knows) await this.ask('run', { how: { ...this.complete(how), patience: AT_ONCE } });
    this.knows = true;
    return this.ask('grip', { point, place });
  }

  async drag(to) {
    this.place = to;
    if (this.dragging) return null;
    this.dragging = true;
    this.dragged = this.follow();
    return this.dragged;
  }

  async follow() {
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
