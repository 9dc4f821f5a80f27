// SPDX-License-Identifier: GPL-3.0-or-later
// Plans the model that is dropped on the page with the program neap, which runs in a worker, and shows neap's own page
// of the plan.
const byId = (id) => document.getElementById(id);
const PAGE = 'page.html';
let chosen = null, // {name, bytes}
  running = null, // the worker
  links = [];

const code = (async () => {
  const packed = Uint8Array.from(atob(byId('module').textContent), (c) => c.charCodeAt(0)),
    unpacked = new Response(packed).body.pipeThrough(new DecompressionStream('gzip'));
  return new Response(unpacked).arrayBuffer();
})();
const script = URL.createObjectURL(
  new Blob([byId('worker').textContent], {type: 'text/javascript'}),
);

const say = (words) => (byId('state').textContent = words);

// The lines that neap prints are a summary, or else say what is wrong.
function report({status, lines, seconds}) {
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
  running?.end();
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
  const shown = files[PAGE] !== undefined;
  if (shown) byId('view').src = urlOf(PAGE, 'text/html');
  byId('view').hidden = !shown;
  byId('drop').hidden = shown;
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

// Runs the program in a worker; resolves to {status, lines, files, seconds}, or to null once it is cancelled.
async function run(doing, {file, bytes, args, outputs}) {
  stop();
  const own = (running = new Worker(script)),
    started = performance.now(),
    seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`,
    clock = setInterval(() => say(`${doing} … ${seconds()}`), 100),
    lines = [];
  byId('cancel').disabled = false;
  byId('plan').disabled = true;
  const done = await new Promise(async (resolve) => {
    own.end = () => resolve(null);
    own.onmessage = ({data: {line, status, files}}) => {
      if (line !== undefined) lines.push(line);
      if (status !== undefined) resolve({status, lines, files, seconds: seconds()});
    };
    own.postMessage({code: await code, file, bytes, args, outputs});
  });
  clearInterval(clock);
  if (done) stop();
  return done;
}

async function plan() {
  const {name, bytes} = chosen,
    outputs = outputsFor(name),
    options = byId('options')
      .value.split(/\s+/)
      .filter((word) => word),
    written = ['--html', PAGE, ...Object.entries(outputs).flat()],
    done = await run(`Planning ${name}`, {
      file: name,
      bytes,
      args: ['plan', name, '--threads', '1', ...options, ...written],
      outputs: [PAGE, ...Object.values(outputs)],
    });
  if (!done) return;
  report(done);
  offer(done.files);
  document.documentElement.dataset.status = done.status;
}

async function choose(file) {
  if (!file) return;
  chosen = {name: file.name, bytes: new Uint8Array(await file.arrayBuffer())};
  await plan();
}

byId('file').addEventListener('change', (event) => choose(event.target.files[0]));
byId('plan').addEventListener('click', () => plan());
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
