// SPDX-License-Identifier: GPL-3.0-or-later
// Plans the model that is dropped on the page with the program neap, which runs in a worker, and shows neap's own page
// of the plan.
const byId = (id) => document.getElementById(id);
const PAGE = 'page.html';
let chosen = null, // {name, bytes}
  running = null, // the worker
  started = 0,
  links = [];

const code = (async () => {
  const packed = Uint8Array.from(atob(byId('module').textContent), (c) => c.charCodeAt(0)),
    unpacked = new Response(packed).body.pipeThrough(new DecompressionStream('gzip'));
  return new Response(unpacked).arrayBuffer();
})();
const script = URL.createObjectURL(new Blob([byId('worker').textContent], {type: 'text/javascript'}));

const say = (words) => (byId('state').textContent = words);

// The lines that neap prints are a summary, or else say what is wrong.
function report(status, lines, seconds) {
  const text = lines.join('\n'),
    element = byId('report');
  say(status === 0 ? `Planned in ${seconds}.` : `${text}\nEnded after ${seconds}.`);
  element.hidden = status !== 0;
  element.querySelector('pre').textContent = text;
}

// What neap writes besides the page: the planned model, or the plan, and the plan as JSON.
function outputsFor(name) {
  const stem = name.replace(/\.[^.]*$/, '');
  return /\.tflite$/i.test(name)
    ? {'--tflite': `${stem}-planned.tflite`, '-o': `${stem}-plan.json`}
    : {'-o': `${stem}-plan.json`};
}

function stop() {
  running?.terminate();
  running = null;
  byId('cancel').disabled = true;
  byId('plan').disabled = chosen === null;
}

// Files to download; the URLs of the last run are given back.
function offer(files) {
  links.forEach(URL.revokeObjectURL);
  links = [];
  const urlOf = (name, type) => {
    const url = URL.createObjectURL(new Blob([files[name]], {type}));
    links.push(url);
    return url;
  };
  if (files[PAGE]) byId('view').src = urlOf(PAGE, 'text/html');
  byId('view').hidden = !files[PAGE];
  byId('drop').hidden = Boolean(files[PAGE]);
  byId('downloads').replaceChildren(
    ...Object.keys(files).flatMap((name) => {
      const link = document.createElement('a');
      link.href = urlOf(name, 'application/octet-stream');
      link.download = name;
      link.textContent = name;
      return [link, ' '];
    }),
  );
}

async function plan() {
  stop();
  const {name, bytes} = chosen,
    outputs = outputsFor(name),
    options = byId('options').value.split(/\s+/).filter((word) => word),
    lines = [];
  running = new Worker(script);
  started = performance.now();
  const own = running,
    seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`,
    clock = setInterval(() => {
      if (own === running) say(`Planning ${name} … ${seconds()}`);
      else clearInterval(clock);
    }, 100);
  byId('cancel').disabled = false;
  byId('plan').disabled = true;
  own.onmessage = ({data: {line, status, files}}) => {
    if (line !== undefined) lines.push(line);
    if (status === undefined || own !== running) return;
    report(status, lines, seconds());
    offer(files);
    stop();
    document.documentElement.dataset.status = status;
  };
  own.postMessage({
    code: await code,
    file: name,
    bytes,
    args: ['plan', name, '--threads', '1', ...options, '--html', PAGE, ...Object.entries(outputs).flat()],
    outputs: [PAGE, ...Object.values(outputs)],
  });
}

async function choose(file) {
  if (!file) return;
  chosen = {name: file.name, bytes: new Uint8Array(await file.arrayBuffer())};
  await plan();
}

byId('file').addEventListener('change', (event) => choose(event.target.files[0]));
byId('plan').addEventListener('click', plan);
byId('cancel').addEventListener('click', () => {
  stop();
  say('Cancelled.');
});
for (const type of ['dragover', 'dragleave', 'drop'])
  addEventListener(type, (event) => {
    event.preventDefault();
    document.body.classList.toggle('over', type === 'dragover');
    if (type === 'drop') choose(event.dataTransfer.files[0]);
  });
