/** Light and dark: the colours of the drawing and of the curves; those of the page are in style/theme.css. */

const LIGHT = {
  name: 'light',
  paper: 0xf6f7f9,
  ink: 0x26313d,
  free: 0x26313d,
  soft: 0x8693a2,
  faint: 0xdde2e8,
  joint: 0xffffff,
  metal: 0x97a3b1,
  ground: 0x76828f,
  spring: 0x4d5a68,
  damper: 0xc3cbd4,
  guide: 0xa9b3be,
  trail: 0xd9622b,
  force: 0xd0403f,
  reaction: 0x7b45c9,
  vector: 0x2a7f8f,
  gap: 0xd92d3a,
  load: 0xb8470f,
  driver: 0x1b6ec2,
  measure: 0x0f7a5a,
  stick: 0x2f7d4f,
  slide: 0xe08a1e,
  contact: 0x76828f,
  sky: 0xffffff,
  floor: 0xcfd6de,
  shadow: 0.13,
  pale: 0.62,
  sun: 2.2,
  fill: 1.75,
  bodies: [0x8db4de, 0xe5bd80, 0x97c9a6, 0xd9a0b4, 0xb3a6dd, 0x85c6c9, 0xdfa58d, 0xb6c078],
  curves: ['#2b6cd4', '#d9742b', '#2a9464', '#8a55cf', '#cf3f5b', '#1590a0', '#94751a', '#5b6673'],
};

const DARK = {
  name: 'dark',
  paper: 0x12171d,
  ink: 0x05080b,
  free: 0xb9c4d0,
  soft: 0x7e8b99,
  faint: 0x252d36,
  joint: 0xdfe6ee,
  metal: 0x8894a2,
  ground: 0x8a96a4,
  spring: 0xb9c4d0,
  damper: 0x647180,
  guide: 0x55616e,
  trail: 0xff9a5c,
  force: 0xff6f66,
  reaction: 0xb894ff,
  vector: 0x54c7d6,
  gap: 0xff5d66,
  load: 0xffa25c,
  driver: 0x6db3ff,
  measure: 0x58dcae,
  stick: 0x5fd08a,
  slide: 0xffb454,
  contact: 0x8a96a4,
  sky: 0xdfe9f5,
  floor: 0x5a6675,
  shadow: 0.42,
  pale: 0.84,
  sun: 2.5,
  fill: 1.9,
  bodies: [0x5d92cf, 0xcf9a48, 0x5fae7c, 0xc47694, 0x8f7dd0, 0x4fadb2, 0xcb7e60, 0x98a44f],
  curves: ['#6aa5f8', '#f0a060', '#5fcf9a', '#b995f5', '#f27a92', '#4fc9d8', '#d8b850', '#a7b3c0'],
};

/** The theme of the page: the system's until the reader chooses. */
export class Theme extends EventTarget {
  constructor() {
    super();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    this.set(dark.matches ? DARK : LIGHT);
    dark.addEventListener('change', () => this.set(dark.matches ? DARK : LIGHT));
  }

  set(colours) {
    this.colours = colours;
    document.documentElement.dataset.theme = colours.name;
    this.dispatchEvent(new Event('change'));
  }

  toggle() {
    this.set(this.colours === LIGHT ? DARK : LIGHT);
  }
}
