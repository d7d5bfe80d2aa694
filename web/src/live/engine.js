/** The engine: the library as WebAssembly, with texts instead of addresses. src/live/engine.h says what it exports. */
import { Host } from './host.js';

/** Where the model is among the files of the host: deep, so that `../parts.yaml` has a place. */
const FOLDER = 'a/b/c/d/e/f';

export class Engine {
  /** @param {WebAssembly.Module} module */
  static async create(module) {
    const engine = new Engine();
    engine.host = new Host();
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: engine.host.imports });
    engine.calls = instance.exports;
    engine.host.memory = engine.calls.memory;
    engine.calls._initialize();
    return engine;
  }

  /** A text in the engine's memory; it lives until the next run. */
  text(text) {
    const bytes = new TextEncoder().encode(text);
    const at = this.calls.live_room(bytes.length);
    if (at === 0) throw new Error('no memory');
    this.host.bytes(at, bytes.length).set(bytes);
    return at;
  }

  /**
   * Reads a model. Faults are told by the next run.
   * @param {{name: string, text: string, files?: {name: string, text: string}[]}} source
   */
  read({ name, text, files = [] }) {
    this.path = `/${FOLDER}/${name}`;
    this.host.files.clear();
    for (const file of files)
      this.host.put(file.name.startsWith('/') ? file.name : `${FOLDER}/${file.name}`, file.text);
    this.host.put(this.path, text);
    this.calls.live_clear();
    return this.calls.live_read(this.text(this.path));
  }

  /**
   * Runs what was read. @param {{set?: Record<string, number|string>, initial?: Record<string, number>, tend?: number,
   * tolerance?: number, patience?: number, certify?: boolean, loose?: boolean, reactions?: boolean}} how
   * loose: velocities of the file are guesses
   * @returns {{status: number, data: string, table: Float64Array, rows: number, columns: number}} data: of a page, JSON
   */
  run({
    set = {},
    initial = {},
    tend = NaN,
    tolerance = 0,
    patience = 0,
    certify = false,
    loose = false,
    reactions = false,
  }) {
    const { calls } = this;
    calls.live_clear();
    if (loose) calls.live_loosen();
    if (reactions) calls.live_react();
    for (const [name, value] of Object.entries(set)) calls.live_set(this.text(name), this.text(String(value)));
    for (const [name, value] of Object.entries(initial)) calls.live_initial(this.text(name), value);
    const status = calls.live_run(this.text(this.path), tend, tolerance, patience, certify ? 1 : 0);
    const length = calls.live_text_length();
    if (length === 0) throw new Error('there is not enough memory');
    const data = new TextDecoder().decode(this.host.bytes(calls.live_text(), length)).replaceAll(`/${FOLDER}/`, '');
    const [rows, columns] = [calls.live_rows(), calls.live_columns()];
    const table = rows ? new Float64Array(this.host.memory.buffer, calls.live_table(), rows * columns).slice() : null;
    return { status, data, table, rows, columns };
  }

  /**
   * Takes hold of a point. @param {string[]} point names of its coordinates @param {Record<string, number>} place where
   * coordinates are now
   */
  grip(point, place) {
    this.calls.live_clear();
    const status = this.calls.live_grip(this.text(point.join(',')));
    for (const [name, value] of Object.entries(place)) this.calls.live_place(this.text(name), value);
    return status;
  }

  /** Why it cannot be taken, in words; '' where there are none. */
  refusal() {
    return this.words(this.calls.live_refusal());
  }

  /** A text of the engine. */
  words(at) {
    const memory = this.host.bytes(at, this.host.memory.buffer.byteLength - at);
    return new TextDecoder().decode(memory.subarray(0, memory.indexOf(0)));
  }

  /** Drags it. @returns {{distance: number, positions: Record<string, number>}} how far it stays behind; what moved */
  drag([x, y, z = 0]) {
    const { calls } = this;
    const distance = calls.live_drag(x, y, z);
    if (!Number.isFinite(distance)) return { distance, positions: {} };
    const names = this.words(calls.live_position_names()).split(',');
    const values = new Float64Array(this.host.memory.buffer, calls.live_positions(), calls.live_position_count());
    return { distance, positions: Object.fromEntries(names.map((name, i) => [name, values[i]])) };
  }
}
