// SPDX-License-Identifier: GPL-3.0-or-later
// The switch between rounded and exact bytes and offsets.
const {byId} = parts;

function set(app, on) {
  text.setExact(on);
  byId('exact').setAttribute('aria-pressed', String(on));
  app.placed();
  app.repaint();
  rounds.showStep(app);
  app.announce(on ? 'Exact bytes and offsets' : 'Rounded bytes and offsets');
}

export const toggle = (app) => set(app, !text.exact());

export function listen(app) {
  byId('exact').addEventListener('click', () => toggle(app));
  address.field('exact', {
    get: () => (text.exact() ? '1' : null),
    set: (words) => set(app, words === '1'),
  });
}
