/** Time of the page: what plays, where it is, and who wants to know. */

export class Clock extends EventTarget {
  /** @param {import('./data.js').Table} table */
  constructor(table) {
    super();
    this.use(table);
    this.playing = false;
    this.loop = true;
    this.frame = 0; // when the last picture was made
    document.addEventListener('visibilitychange', () => {
      this.frame = performance.now(); // nothing passes while nobody looks
    });
  }

  /** Goes over to another time: the rows of a table, or what looks like one. */
  use(table) {
    this.table = table;
    this.start = table.start;
    this.end = table.end;
    this.direction = table.backwards ? -1 : 1;
    this.first = table.backwards ? this.end : this.start;
    this.last = table.backwards ? this.start : this.end;
    this.time = this.first;
    this.speed = naturalSpeed(this.end - this.start);
    this.tell('state');
    this.tell('time');
  }

  /** The same, but what the reader has chosen stays: the speed, and whether it plays. */
  renew(table) {
    const { speed, length } = this;
    this.use(table);
    if (this.length === length) this.setSpeed(speed);
  }

  /** Seconds of the run, at speed 1. */
  get length() {
    return this.end - this.start;
  }

  play() {
    if (this.playing || !(this.length > 0)) return;
    if (this.time === this.last) this.time = this.first;
    this.playing = true;
    this.frame = performance.now();
    requestAnimationFrame((now) => this.tick(now));
    this.tell('state');
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.tell('state');
  }

  toggle() {
    this.playing ? this.pause() : this.play();
  }

  /** One frame of playing. */
  tick(now) {
    if (!this.playing) return;
    const seconds = Math.max(0, now - this.frame) / 1000; // all of them: the speed is what it says
    this.frame = now;
    const passed = (this.time - this.first) * this.direction + seconds * this.speed;
    const over = passed >= this.length;
    this.moveTo(over && !this.loop ? this.last : this.first + this.direction * (passed % this.length));
    if (over && !this.loop) this.pause();
    else requestAnimationFrame((next) => this.tick(next));
  }

  /** Goes to a time and stops there. */
  seek(t) {
    this.pause();
    this.moveTo(t);
  }

  /** Goes a number of rows on or back. */
  step(rows) {
    const row = this.table.nearestRow(this.time) + rows;
    this.seek(this.table.times[Math.min(this.table.rows - 1, Math.max(0, row))] ?? this.start);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.tell('state');
  }

  setLoop(loop) {
    this.loop = loop;
    this.tell('state');
  }

  moveTo(t) {
    this.time = Math.min(this.end, Math.max(this.start, t));
    this.tell('time');
  }

  tell(what) {
    this.dispatchEvent(new Event(what));
  }
}

/** The speeds offered. */
export const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Real time where that takes between 2 and 30 seconds; otherwise the speed that comes near. */
function naturalSpeed(length) {
  if (!(length > 0) || (length >= 1.5 && length <= 40)) return 1;
  const wanted = length < 1.5 ? length / 4 : length / 20;
  return SPEEDS.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best), 1);
}
