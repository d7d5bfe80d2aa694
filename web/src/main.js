/** The page: reads the data, makes scene, curves and report, and lets them share one time. */
import { Clock } from './clock.js';
import { Curves, Numerics } from './curves/curves.js';
import { readData } from './data.js';
import { Drag } from './live/drag.js';
import { Editor } from './live/editor.js';
import { Live, isLive } from './live/live.js';
import { Modes } from './modes/modes.js';
import { ModeMotion } from './modes/shape.js';
import { Motion } from './motion.js';
import { highlightLines } from './report/listing.js';
import { makeReport } from './report/report.js';
import { Sketch } from './scene/sketch.js';
import { Stage } from './scene/stage.js';
import { Theme } from './theme.js';
import { button, el, icon } from './ui/dom.js';
import { filmByCommand } from './save/command.js';
import { makeSaveMenu } from './save/menu.js';
import { followAddress } from './ui/address.js';
import { makeHolds } from './ui/holds.js';
import { listenToKeys } from './ui/keys.js';
import { preparePrint } from './ui/print.js';
import { makeTabs } from './ui/tabs.js';
import { Timeline } from './ui/timeline.js';
import { makeHint, makeRoomNote, makeTools } from './ui/tools.js';

const model = readData();
const theme = new Theme();
const motion = model.modes ? new ModeMotion(model) : new Motion(model);
const clock = new Clock(model.modes ? motion.span : model.table);

document.title = model.title ? `${model.title} · taut` : 'taut';

/** The scene, or a line that says why there is none. */
function makeScene() {
  if (model.dimension === 0) return { stage: null, element: null, toggleLayer: () => {} };
  try {
    const stage = new Stage(model, motion, theme);
    const tools = makeTools(stage, model);
    stage.element.append(tools.element, makeHint(stage, model), ...makeRoomNote(model, clock));
    clock.addEventListener('time', () => stage.moveTo(clock.time));
    stage.element.append(...makeHolds(model, motion, clock));
    return { stage, element: stage.element, toggleLayer: tools.toggleLayer };
  } catch (error) {
    const why = error.message.replace(/\.$/, '');
    const text = `The mechanism cannot be drawn here as a solid (${why}): that needs WebGL. These are plain lines.`;
    return { stage: null, element: new Sketch(model, motion, theme, clock, text).element, toggleLayer: () => {} };
  }
}

function makeHeader() {
  const themeButton = button('moon', 'Light or dark (T)', () => theme.toggle(), { 'data-id': 'theme' });
  const showTheme = () => themeButton.replaceChildren(icon(theme.colours.name === 'dark' ? 'sun' : 'moon'));
  theme.addEventListener('change', showTheme);
  showTheme();
  return el(
    'header.head',
    {},
    el('h1', { text: model.title || model.file || 'taut' }),
    el('span.file', { text: model.file === model.title ? '' : model.file }),
    el(
      'div.head-tools',
      {},
      ...makeSaveMenu({ model, clock, stage: scene.stage }),
      button('help', 'Keys (?)', () => help.showModal()),
      themeButton,
    ),
  );
}

/** What went wrong, on top. */
function makeBanner() {
  if (!model.message?.text) return null;
  const error = model.message.level === 'error';
  const early = !model.report || model.report.reached !== model.report.tend;
  const warning = early ? 'The run stopped early' : 'The run reached its end, but not all of it is good';
  const banner = el(
    `section.banner.${error ? 'error' : 'warning'}`,
    { role: 'alert' },
    el('strong', { text: error ? 'This could not be simulated' : warning }),
    el('pre', { text: model.message.text.trim() }),
    button('close', 'Hide this message', () => banner.remove()),
  );
  return banner;
}

const scene = makeScene();
const zoomGroup = [];
const curves = new Curves(model, clock, theme, zoomGroup);
const numerics = new Numerics(model, clock, theme, zoomGroup);
const showMode = () => {
  clock.use(motion.span);
  if (model.dimension > 0) clock.play();
};
const modes = model.modes ? new Modes(model, motion, showMode, () => clock.tell('time')) : null;
const timeline = new Timeline(clock, model.marks);
const report = {
  element: el(
    'div',
    {},
    makeReport(model, (t) => clock.seek(t)),
  ),
  renew: () => report.element.replaceChildren(makeReport(model, (t) => clock.seek(t))),
};
const page = { model, motion, clock, scene, curves, numerics, report, timeline };
const live = isLive(model) && !modes ? new Live(page) : null;
const drag = live && scene.stage ? new Drag(page, live) : null;
const editor = live ? new Editor(live) : null;
const parts = [
  { name: 'modes', title: 'Modes', content: modes?.element, shown: modes !== null },
  { name: 'curves', title: 'Curves', content: curves.element, shown: !modes && model.table.rows > 1 },
  {
    name: 'numerics',
    title: 'Energy and steps',
    content: numerics.element,
    shown: !modes && model.table.rows > 1 && numerics.panels.length > 0,
  },
  { name: 'report', title: 'Report', content: report.element, shown: true },
  { name: 'live', title: 'Live', content: live?.element, shown: live !== null },
  { name: 'model', title: 'Model', content: editor?.element, shown: editor !== null },
].filter((part) => part.shown);
const tabs = makeTabs(parts);
const help = listenToKeys({ clock, stage: scene.stage, theme, toggleLayer: scene.toggleLayer });

document.body.append(
  el(
    `div.page${scene.element ? '' : '.no-scene'}`,
    {},
    makeHeader(),
    makeBanner(),
    el('main.main', {}, el('div.picture', {}, scene.element, timeline.element), tabs.element),
  ),
);

// modes move by themselves, unless the reader wants things to stand still
if (modes && model.dimension > 0 && !matchMedia('(prefers-reduced-motion: reduce)').matches) clock.play();

const changed = followAddress({ clock, stage: scene.stage, tabs, live });
tabs.changed = changed;
live?.addEventListener('ran', changed);
if (scene.stage) scene.stage.view.looked = changed;

/** A body that is clicked: its lines in the listing and its curves stand out; another click anywhere takes that back. */
function chooseBody(i) {
  const body = model.bodies[i];
  const names = new Set((body?.points ?? []).map((p) => model.points[p].name));
  const own = (name) => names.has(name.replace(/[xyz]?'*$/, ''));
  curves.highlight(
    new Set(model.columns.flatMap((c, k) => (own(c.name) || c.name.startsWith(`${body?.name}.`) ? [k] : []))),
  );
  highlightLines(body?.name ?? null);
}

if (scene.stage) {
  scene.stage.chooseBody = chooseBody;
  scene.stage.measured = (column) => {
    curves.show(column);
    tabs.select('curves');
  };
}

preparePrint(theme, [curves, numerics, ...(scene.stage ? [scene.stage] : [])]);

/** For tests, for `taut view --video`, and for the curious. */
window.taut = {
  motion,
  clock,
  model,
  curves,
  modes,
  live,
  drag,
  film: () => (scene.stage && clock.length > 0 ? filmByCommand(scene.stage, clock) : null),
  stage: scene.stage,
  /** Where a point is drawn. @param {string} name */
  position: (name) => scene.stage?.points.positionOf(motion.index.get(name)).slice(0, model.dimension) ?? null,
};
