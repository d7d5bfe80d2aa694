/**
 * The host of the engine: the few calls of WASI that its C library makes, with files that are texts in memory. Nothing
 * else is reachable: no disk, no network, no environment.
 */

const [OK, BADF, NOENT, NOTDIR, INVAL] = [0, 8, 44, 54, 28];
const [DIRECTORY, REGULAR, DEVICE] = [3, 4, 2];
const ROOT = 3; // the one folder that is open from the beginning

/** A path without `.` and `..`; all are below the root. */
export function normal(path) {
  const parts = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Thrown where the engine ends itself: it must not be used any more. */
export class Ended extends Error {}

export class Host {
  constructor() {
    /** Contents by path, as bytes. @type {Map<string, Uint8Array>} */
    this.files = new Map();
    /** Open files by number. */
    this.open = new Map([[ROOT, { path: '', folder: true }]]);
    this.memory = null;
    /** What was written to standard output and error. */
    this.said = '';
  }

  /** Gives a file its text. */
  put(path, text) {
    this.files.set(normal(path), new TextEncoder().encode(text));
  }

  get view() {
    return new DataView(this.memory.buffer);
  }

  bytes(at, length) {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  /** A path that a call names, from the folder it is in. */
  path(folder, at, length) {
    return normal(`${this.open.get(folder)?.path ?? ''}/${new TextDecoder().decode(this.bytes(at, length))}`);
  }

  isFolder(path) {
    if (path === '') return true;
    for (const name of this.files.keys()) if (name.startsWith(`${path}/`)) return true;
    return false;
  }

  /** Pieces of memory that a call reads into or writes from. */
  *pieces(list, count) {
    for (let i = 0; i < count; i++)
      yield this.bytes(this.view.getUint32(list + 8 * i, true), this.view.getUint32(list + 8 * i + 4, true));
  }

  /** Reads from a position; returns how much. */
  read(file, position, list, count) {
    let total = 0;
    for (const piece of this.pieces(list, count)) {
      const part = file.bytes.subarray(position + total, position + total + piece.length);
      piece.set(part);
      total += part.length;
    }
    return total;
  }

  /** The kind and size of a file, as `filestat` has them. */
  describe(path, at) {
    const folder = this.isFolder(path);
    const size = this.files.get(path)?.length;
    if (size === undefined && !folder) return NOENT;
    this.bytes(at, 64).fill(0);
    this.view.setBigUint64(at + 8, BigInt([...this.files.keys()].indexOf(path) + 1), true); // tells files apart
    this.view.setUint8(at + 16, folder ? DIRECTORY : REGULAR);
    this.view.setBigUint64(at + 32, BigInt(size ?? 0), true);
    return OK;
  }

  openFile(folder, at, length, flags, result) {
    const path = this.path(folder, at, length);
    const bytes = this.files.get(path);
    if (!bytes && !this.isFolder(path)) return NOENT;
    if (bytes && flags & 2) return NOTDIR; // a folder is wanted
    let number = ROOT + 1;
    while (this.open.has(number)) number++;
    this.open.set(number, { path, bytes, folder: !bytes, position: 0 });
    this.view.setUint32(result, number, true);
    return OK;
  }

  /** What the engine imports. */
  get imports() {
    const set32 = (at, x) => this.view.setUint32(at, x, true);
    const set64 = (at, x) => this.view.setBigUint64(at, BigInt(x), true);
    const file = (number) => (this.open.get(number)?.bytes ? this.open.get(number) : null);
    return {
      environ_sizes_get: (count, size) => (set32(count, 0), set32(size, 0), OK),
      environ_get: () => OK,
      clock_time_get: (id, precision, at) => (set64(at, Math.round(performance.now() * 1e6)), OK),
      fd_close: (number) => (number > ROOT && this.open.delete(number) ? OK : BADF),
      fd_fdstat_get: (number, at) => {
        if (number > 2 && !this.open.has(number)) return BADF;
        this.bytes(at, 24).fill(0);
        this.view.setUint8(at, number <= 2 ? DEVICE : this.open.get(number).folder ? DIRECTORY : REGULAR);
        this.view.setBigUint64(at + 8, 0xffffffffffffffffn, true); // all rights: calls refuse by themselves
        this.view.setBigUint64(at + 16, 0xffffffffffffffffn, true);
        return OK;
      },
      fd_fdstat_set_flags: () => OK,
      fd_prestat_get: (number, at) => (number === ROOT ? (set32(at, 0), set32(at + 4, 1), OK) : BADF),
      fd_prestat_dir_name: (number, at) => (this.bytes(at, 1).set([0x2f]), OK),
      fd_pread: (number, list, count, position, at) => {
        if (!file(number)) return BADF;
        set32(at, this.read(file(number), Number(position), list, count));
        return OK;
      },
      fd_read: (number, list, count, at) => {
        const f = file(number);
        if (!f) return BADF;
        const got = this.read(f, f.position, list, count);
        f.position += got;
        set32(at, got);
        return OK;
      },
      fd_readdir: (number, buffer, length, cookie, used) => (set32(used, 0), OK), // no list of names
      fd_seek: (number, offset, from, at) => {
        const f = file(number);
        if (!f) return BADF;
        const to = Number(offset) + [0, f.position, f.bytes.length][from];
        if (!(to >= 0)) return INVAL;
        f.position = to;
        set64(at, to);
        return OK;
      },
      fd_write: (number, list, count, at) => {
        let total = 0;
        for (const piece of this.pieces(list, count)) {
          if (this.said.length < 10000) this.said += new TextDecoder().decode(piece.slice());
          total += piece.length;
        }
        set32(at, total);
        return OK;
      },
      path_filestat_get: (folder, flags, at, length, to) => this.describe(this.path(folder, at, length), to),
      path_open: (folder, flags, at, length, kind, rights, inheriting, more, result) =>
        this.openFile(folder, at, length, kind, result),
      path_readlink: () => INVAL, // nothing is a link
      proc_exit: (code) => {
        throw new Ended(`the engine has ended (${code})`);
      },
    };
  }
}
