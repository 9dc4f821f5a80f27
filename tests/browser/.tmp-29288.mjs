await import('./keyboard.mjs');
await import('./more.mjs');
await import('./address.mjs');
await import('./operators.mjs');
await import('./graph.mjs');
await import('./explain.mjs');
await import('./signs.mjs');
await import('./touch.mjs');
const {finish} = await import('./browser.mjs'); await finish();
