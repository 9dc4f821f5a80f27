// SPDX-License-Identifier: GPL-3.0-or-later
// A scene is the input of the drawing functions: a model, a view, canvases, the selection and the
// buffer under the pointer.  The first scene is the app itself.  A comparison side by side adds a
// second scene, which inherits everything shared (the look, the cursor, the colouring), and whose
// view follows that of the first.  So zooming either scene zooms both.
const {byId} = parts;

// The canvases in a column of the page.
export function canvases(column) {
  const find = (...names) =>
      Object.fromEntries(names.map((name) => [name, column.querySelector(`canvas.${name}`)])),
    box = column.querySelector('.stage');
  return {
    column,
    stage: {box, ...find('grid', 'rects', 'over'), across: 1, down: 1},
    strips: find('ops', 'live', 'waste', 'map'),
  };
}

// Copies the first column, without ids, because these must stay unique.
function copyColumn() {
  const column = byId('first').cloneNode(true);
  column.querySelector('#stage-hint')?.remove();
  for (const node of [column, ...column.querySelectorAll('[id]')]) node.removeAttribute('id');
  byId('columns').append(column);
  return column;
}

// A view with its own size, but with the box of `leader`.
function linkedView(leader) {
  const v = view.make();
  for (const key of ['x0', 'x1', 'y0', 'y1'])
    Object.defineProperty(v, key, {
      get: () => leader[key],
      set: (value) => (leader[key] = value),
      enumerable: true,
    });
  return v;
}

// Adds the second scene, which shows model `m`.
export function add(app, m) {
  const scene = Object.assign(Object.create(app), canvases(copyColumn()), {
    m,
    isSecond: true,
    selected: null,
    hover: null,
    chain: [],
    matched: null,
    paint: null,
    overview: {canvas: document.createElement('canvas'), key: ''},
    stack: {key: ''},
    view: linkedView(app.view),
  });
  scene.select = (j, options) => choose(app, scene, j, options);
  scene.setHover = (j) => point(app, scene, j);
  app.scenes = [app, scene];
  byId('columns').classList.add('two');
  pointer.listen(scene);
  app.watchSize(scene.stage.box);
  return scene;
}

export function remove(app) {
  for (const {column} of app.scenes.slice(1)) column.remove();
  app.scenes = [app];
  byId('columns').classList.remove('two');
}

export const second = (app) => app.scenes[1] ?? null;

// ------------------------------------------------------------ selection and hover

const chainOf = (m, i) => (i === null ? [] : supports.chain(m, i));

// Selects and marks the same buffers in the second scene as in the first.
export function follow(app) {
  const scene = second(app);
  if (!scene) return;
  const selected = compare.there(app, app.selected);
  if (scene.selected !== selected) scene.chain = chainOf(scene.m, selected);
  scene.selected = selected;
  scene.hover = compare.there(app, app.hover);
}

// Selects a buffer of the second scene; one that only this scene has is selected in it alone.
function choose(app, scene, j, options) {
  app.select(compare.there(scene, j), options);
  if (j === null || app.selected !== null) return;
  scene.selected = j;
  scene.chain = chainOf(scene.m, j);
  differences.stranger(app, scene, j);
  app.redrawOver();
}

function point(app, scene, j) {
  if (scene.hover === j) return;
  app.setHover(compare.there(scene, j));
  scene.hover = j;
  app.redrawOver();
}
