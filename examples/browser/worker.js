// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the program neap, once: its arguments and files come in a message, and what it writes goes back.
// `makeNeap` is emscripten's; build-aux/wasm.sh puts it before this.
onmessage = async ({data: {code, file, bytes, args, outputs}}) => {
  const line = (words) => postMessage({line: words});
  try {
    const neap = await makeNeap({
      wasmBinary: code,
      print: line,
      printErr: line,
      noInitialRun: true,
    });
    neap.FS.writeFile(file, bytes);
    const status = neap.callMain(args),
      files = {};
    for (const name of outputs)
      if (neap.FS.analyzePath(name).exists) files[name] = neap.FS.readFile(name);
    postMessage({status, files});
  } catch (problem) {
    postMessage({line: String(problem), status: 1, files: {}});
  }
};
