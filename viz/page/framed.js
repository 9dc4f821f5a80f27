// The page in a frame, such as in a notebook: the wheel scrolls the notebook until the layout is
// clicked, the whole page fits the frame, and `auto` is the theme of the notebook.
export const is = window.parent !== window;
const THEMED = ['class', 'style', 'data-jp-theme-name', 'data-theme', 'data-vscode-theme-kind'];
let awake = false;

// Whether the wheel scrolls the page around the frame.
export const leavesWheel = () => is && !awake;

// The brightness of a colour that a browser has computed, from 0 to 1; null if it is transparent.
function brightness(words) {
  const [r, g, b, alpha = 1] = (words.match(/[\d.]+/g) ?? []).map(Number);
  return b === undefined || alpha < 0.5 ? null : (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

// Whether the frame has a dark background; null if the page may not know.
export function isDark() {
  try {
    for (let node = is ? window.frameElement : null; node; node = node.parentElement) {
      const found = brightness(
        node.ownerDocument.defaultView.getComputedStyle(node).backgroundColor,
      );
      if (found !== null) return found < 0.5;
    }
  } catch {
    // a frame of another origin
  }
  return null;
}

// Calls changed() when the notebook may have another theme.
function watch(changed) {
  try {
    const {document: outer} = window.parent,
      observer = new MutationObserver(changed);
    for (const node of [outer.documentElement, outer.body])
      observer.observe(node, {attributes: true, attributeFilter: THEMED});
  } catch {
    // a frame of another origin
  }
}

export function listen(app, changed) {
  if (!is) return;
  document.documentElement.dataset.framed = '';
  watch(changed);
  addEventListener('pointerdown', (event) => {
    awake = Boolean(event.target.closest?.('.columns'));
  });
  addEventListener('blur', () => (awake = false));
  app.stage.box.title = 'Click to zoom with the wheel';
  app.stage.box.addEventListener('pointerdown', () => app.stage.box.removeAttribute('title'));
}
