/** What is shown, in the address: #t=3.3&view=top&tab=report&set=L:0.4. It survives a reload and can be passed on. */

const WAIT = 250; // ms between two changes of the address

/** The state that the address asks for. */
export function readAddress() {
  const all = new URLSearchParams(location.hash.slice(1));
  const t = all.get('t');
  return {
    t: t !== null && t.trim() !== '' && Number.isFinite(Number(t)) ? Number(t) : null,
    view: all.get('view'),
    tab: all.get('tab'),
    set: all.get('set') ?? '',
  };
}

/**
 * Goes where the address says, and keeps it up to date.
 * @param {{clock: import('../clock.js').Clock, stage: import('../scene/stage.js').Stage|null,
 *          tabs: {select: (name: string) => void, current: () => string, names: string[]},
 *          live?: {written: () => string, take: (text: string) => void}|null}} page
 */
export function followAddress({ clock, stage, tabs, live }) {
  let waiting = 0;
  const write = () => {
    const all = new URLSearchParams();
    if (clock.time !== clock.first) all.set('t', Number(clock.time.toPrecision(7)));
    if (stage?.view.looking) all.set('view', stage.view.looking);
    if (tabs.current() !== tabs.names[0]) all.set('tab', tabs.current());
    if (live?.written()) all.set('set', live.written());
    const text = all.toString();
    history.replaceState(null, '', text ? `#${text}` : location.pathname + location.search);
  };
  const later = () => {
    if (waiting || clock.playing) return;
    waiting = setTimeout(() => {
      waiting = 0;
      write();
    }, WAIT);
  };
  const go = () => {
    const { t, view, tab, set } = readAddress();
    live?.take(set);
    if (tab && tabs.names.includes(tab)) tabs.select(tab);
    if (view && stage && !stage.kit.flat && Object.hasOwn(stage.view.presets(), view)) stage.view.look(view);
    if (t !== null) clock.seek(t);
  };
  go();
  for (const what of ['time', 'state']) clock.addEventListener(what, later);
  addEventListener('hashchange', go);
  return later;
}
