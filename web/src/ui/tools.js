/** The tools over the scene: fit, presets, what is shown, whom to follow; and the name under the pointer. */
import { button, el } from './dom.js';
import { steady } from './format.js';

const LAYERS = [
  ['labels', 'Names'],
  ['grid', 'Grid'],
  ['vectors', 'Vectors'],
  ['frames', 'Body frames'],
  ['centroids', 'Centres of mass'],
  ['forces', 'Spring and damper forces'],
  ['reactions', 'Joint reactions'],
  ['loads', 'Applied loads'],
  ['drivers', 'Drivers'],
];

const PRESETS = [
  ['front', 'Front'],
  ['top', 'Top'],
  ['side', 'Side'],
  ['iso', 'Iso'],
];

/** @param {import('../scene/stage.js').Stage} stage */
export function makeTools(stage, model) {
  const boxes = new Map();
  const menu = el(
    'div.menu',
    { popover: 'auto', id: 'layers' },
    ...LAYERS.filter(([name]) => hasContent(stage.layers[name])).map(([name, title]) => {
      const box = el('input', { type: 'checkbox', onchange: () => stage.show(name, box.checked) });
      box.checked = stage.layers[name].visible;
      boxes.set(name, box);
      return el('label', {}, box, el('span', { text: title }));
    }),
    followChoice(stage, model),
    model.modes ? null : el('p.note', { text: 'Click a point to draw its path.' }),
  );
  const opener = button('layers', 'What is shown', null, { popovertarget: 'layers' });
  menu.addEventListener('beforetoggle', () => {
    const { bottom, right } = opener.getBoundingClientRect();
    menu.style.top = `${bottom + 6}px`;
    menu.style.right = `${innerWidth - right}px`;
  });
  const presets =
    model.dimension === 3
      ? el(
          'div.group',
          {},
          ...PRESETS.map(([name, title]) =>
            el('button.button.text', {
              type: 'button',
              text: title,
              title: `Look from: ${title.toLowerCase()}`,
              onclick: () => stage.view.look(name),
            }),
          ),
        )
      : null;
  const element = el(
    'div.tools',
    {},
    presets,
    el(
      'div.group',
      {},
      button('fit', 'Fit to the motion (F)', () => stage.view.fit()),
      ...measuring(stage, model),
      opener,
    ),
    menu,
  );
  const toggleLayer = (name) => {
    const visible = !stage.layers[name].visible;
    stage.show(name, visible);
    if (boxes.has(name)) boxes.get(name).checked = visible;
  };
  return { element, toggleLayer };
}

/** Measuring: a mode in which clicks on points count, and a menu to choose them by name. */
function measuring(stage, model) {
  if (model.modes || model.table.rows < 2 || model.points.length < 2) return [];
  const choice = (label, none) =>
    el(
      'select.select',
      { 'aria-label': label },
      ...(none ? [el('option', { value: -1, text: 'no third point' })] : []),
      ...model.points.slice(0, 500).map((p, i) => el('option', { value: i, text: p.name })),
    );
  const [a, b, c] = [choice('from point'), choice('to point'), choice('third point, for an angle', true)];
  b.value = 1;
  const add = () => {
    const points = [a, b, c].map((s) => Number(s.value)).filter((i) => i >= 0);
    if (new Set(points).size === points.length) stage.addMeasure(points);
  };
  const click = el('input', {
    type: 'checkbox',
    'data-id': 'measuring',
    onchange: () => {
      stage.measuring = click.checked;
      stage.picked = [];
    },
  });
  const menu = el(
    'div.menu',
    { popover: 'auto', id: 'measure' },
    el('p.note', { text: 'Two points make a distance, three an angle at the second; each is a new curve.' }),
    el('label', {}, click, el('span', { text: 'click points in the picture' })),
    el('div.measure-row', {}, a, b, c),
    el('button.button.text.outlined', { type: 'button', text: 'Measure', 'data-id': 'add-measure', onclick: add }),
  );
  const opener = button('ruler', 'Measure distances and angles', null, {
    popovertarget: 'measure',
    'data-id': 'measure',
  });
  menu.addEventListener('beforetoggle', () => {
    const { bottom, right } = opener.getBoundingClientRect();
    menu.style.top = `${bottom + 6}px`;
    menu.style.right = `${innerWidth - right}px`;
  });
  return [opener, menu];
}

/** Layers that would stay empty are not offered. */
function hasContent(layer) {
  return layer.items === undefined || layer.items.length > 0;
}

function followChoice(stage, model) {
  const moving = model.bodies
    .map((b, i) => ({ ...b, i }))
    .filter((b) => b.points.some((p) => !model.points[p].fixed))
    .slice(0, 500);
  if (moving.length === 0) return null;
  const select = el(
    'select.select',
    { onchange: () => stage.view.follow(Number(select.value)) },
    el('option', { value: -1, text: 'nothing' }),
    ...moving.map((b) => el('option', { value: b.i, text: b.name, selected: b.i === stage.view.following })),
  );
  return el('label.follow', {}, el('span', { text: 'Follow' }), select);
}

/** Name and place of the point under the pointer. */
export function makeHint(stage, model) {
  const hint = el('div.hint', { hidden: true });
  stage.hover = (i, at, body = -1) => {
    hint.hidden = i < 0 && body < 0;
    if (hint.hidden) return;
    hint.style.transform = `translate(${Math.round(at[0] + 14)}px, ${Math.round(at[1] + 14)}px)`;
    if (i < 0) return hint.replaceChildren(...describeBody(model, body));
    const p = stage.points.positionOf(i).slice(0, model.dimension);
    const mass = model.points[i].particle;
    hint.replaceChildren(
      el('strong', { text: model.points[i].name }),
      el('span', { text: p.map((x) => steady(x, 4)).join(', ') }),
      ...(mass ? [el('span', { text: `${mass} kg` })] : []),
    );
  };
  return hint;
}

/** Name, mass and joints of a body. */
function describeBody({ bodies, joints }, i) {
  const { name, mass } = bodies[i];
  const at = joints.filter((j) => j.bodies.includes(i)).slice(0, 6);
  const other = (j) => bodies[j.bodies.find((b) => b !== i)]?.name ?? 'ground';
  return [
    el('strong', { text: name }),
    ...(Number.isFinite(mass) && mass !== null ? [el('span', { text: `${Number(mass.toPrecision(6))} kg` })] : []),
    ...at.map((j) => el('span', { text: `${j.kind} with ${other(j)}` })),
  ];
}

/** Where the page had no room for the motion between rows: that only rows are shown. */
export function makeRoomNote(model, clock) {
  const { track, table } = model;
  if (!track || track.until === null) return [];
  const shown = table.backwards ? 'before' : 'after';
  const text = `The page has room for the motion up to t = ${steady(track.until, 4)}. What is shown ${shown} that are single instants, the rows of the table; a shorter --tend shows all.`;
  const note = el('p.room-note', { text, role: 'status' });
  const update = () => (note.hidden = !track.isBeyond(clock.time));
  clock.addEventListener('time', update);
  update();
  return [note];
}
