/** The scene as a picture: what is drawn, and the names over it. */

/** Draws the scene with its names into a canvas of its own. */
export function paint(stage, canvas = document.createElement('canvas')) {
  stage.draw();
  const { width, height } = stage.canvas;
  const context = canvas.getContext('2d');
  const scale = width / stage.width;
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  context.drawImage(stage.canvas, 0, 0);
  context.textBaseline = 'top';
  for (const label of stage.labelLayer.children) {
    if (label.hidden) continue;
    const style = getComputedStyle(label);
    const [x, y] = label.style.transform.match(/-?[\d.]+/g).map(Number);
    context.font = `${style.fontWeight} ${scale * parseFloat(style.fontSize)}px ${style.fontFamily}`;
    context.lineWidth = 3 * scale;
    context.lineJoin = 'round';
    context.strokeStyle = `#${stage.theme.colours.paper.toString(16).padStart(6, '0')}`;
    context.fillStyle = style.color;
    context.strokeText(label.textContent, scale * x, scale * y);
    context.fillText(label.textContent, scale * x, scale * y);
  }
  return canvas;
}

/** @returns {Promise<Blob>} */
export const pictureOf = (stage) => new Promise((done) => paint(stage).toBlob(done, 'image/png'));
