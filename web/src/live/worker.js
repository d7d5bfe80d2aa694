/** The worker of a live page: it has the engine, and does what the page asks, one thing after the other. */
import { Engine } from './engine.js';

let engine = null;

const TASKS = {
  /** The engine: compressed bytes, or a module that another worker has compiled. */
  async start({ bytes, module }) {
    const stream = bytes && new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const compiled = module ?? (await WebAssembly.compile(await new Response(stream).arrayBuffer()));
    engine = await Engine.create(compiled);
    return { module: compiled };
  },
  read: ({ source }) => ({ status: engine.read(source) }),
  run: ({ how }) => engine.run(how),
  grip({ point, place }) {
    const status = engine.grip(point, place);
    return { status, why: status === 0 ? '' : engine.refusal() };
  },
  drag: ({ to }) => engine.drag(to),
};

addEventListener('message', async ({ data }) => {
  try {
    postMessage({ id: data.id, ...(await TASKS[data.task](data)) });
  } catch (error) {
    postMessage({ id: data.id, fault: String(error?.message ?? error) });
  }
});
