#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""field.py [--from DIR] [OPTION...]: tries neap on the public models that field/models.txt lists, and looks for false words.

Plans every model that is at hand in a clone of its repository, and every node test of the package onnx.
TensorFlow Lite models are also tried in the real interpreter of TensorFlow Lite Micro, and shapes of ONNX models are
compared with those that the package onnx infers; where these differ, with those of a run in ONNX Runtime.  What needs a
package that is not installed is left out.  A word is false if

  crash      neap crashes, does not end, or reports an error of its own
  refusal    neap refuses a model with a reason that REASONS does not list
  fits       neap says that the model fits, and the interpreter refuses it
  refused    neap says that the interpreter refuses the model, and it does not
  outputs    the model with neap's plan computes something else
  arena      the interpreter takes another arena than neap predicts, or does not work in that one
  shape      a tensor has another shape than onnx infers and ONNX Runtime makes

Exits with 0 if no word is false, 1 if one is, and 2 if no model is at hand.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parent / "build"
SECONDS = 30  # for one run of a program

# Why neap may refuse a model.
REASONS = {
    "free dimensions": r"^free dimension",
    "shapes unknown": r"python3 -m neap\.onnx|cannot be inferred|no shape|unknown shape",
    "declared otherwise": r"is declared as",
    "Git LFS pointer": r"Git LFS pointer",
    "GGUF or ORT": r"GGUF|ORT format|\.ort",
    "broken file": r"broken|not a TensorFlow Lite model|not an ONNX|truncated|points outside|uses number|which nothing has made"
                   r"|both make tensor|does not exist|cycle|empty|has no subgraph|expected an ONNX",
    "dynamic shape": r"expected a fixed shape|has a free dimension",
    "too large": r"too large|too many elements|2\^53",
}


def models():
    """Yields the repository, commit and path of each model."""
    repository = commit = ""
    for line in (HERE / "field" / "models.txt").read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line[0] != " ":
            repository, commit = line.split()
        else:
            yield repository, commit, line.strip()


def node_tests():
    """Yields the name and the bytes of each of onnx's tests of one operator."""
    try:
        from onnx.backend.test.case.node import collect_testcases
    except ModuleNotFoundError:
        return
    with warnings.catch_warnings(action="ignore"):
        for test in collect_testcases(None):
            if test.model is not None:
                yield f"onnx/node/{test.name}.onnx", test.model.SerializeToString()


def clone_of(folder, repository):
    for name in (repository, repository.replace("/", "+")):
        for git in (folder / name / ".git", folder / name):
            if (git / "objects").is_dir():
                return git
    return None


def contents(git, commit, path):
    """The bytes of a file; None if the clone does not have it."""
    found = subprocess.run(["git", f"--git-dir={git}", "cat-file", "blob", f"{commit}:{path}"], capture_output=True, check=False)
    return found.stdout if found.returncode == 0 else None


class Run:
    """A run of a program: its exit code, None if it did not end, its output and its first message."""

    def __init__(self, command, env=None):
        try:
            done = subprocess.run([str(part) for part in command], capture_output=True, timeout=SECONDS, check=False, env=env)
        except subprocess.TimeoutExpired:
            self.code, self.text, self.message = None, "", f"did not end within {SECONDS} s"
            return
        self.code, self.text = done.returncode, done.stdout.decode(errors="replace")
        lines = [line for line in done.stderr.decode(errors="replace").splitlines() if "warning:" not in line]
        self.message = lines[-1] if lines else ""

    def json(self):
        return json.loads(self.text) if self.code in (0, 4, 5) and self.text.startswith("{") else {}


class Trial:
    """The findings for a model."""

    def __init__(self, name):
        self.name, self.status, self.reason, self.false, self.checks = name, "", "", [], []

    def blame(self, kind, text):
        self.false.append((kind, text))


def reason_of(message):
    return next((reason for reason, pattern in REASONS.items() if re.search(pattern, message)), "")


def plan(options, path, trial):
    """Plans a model, with the dimensions that neap asks for, or after python3 -m neap.onnx.  Returns the input options."""
    words = [path]
    for _ in range(4):
        run = Run([options.program, "plan", *words, "--max-ticks", "200000", "--json"])
        text = run.message.split(f"{words[0]}: ")[-1]
        dims = re.search(r"for example with --dim (\S+)", text)
        if run.code == 0 or run.code is None or run.code < 0:
            break
        if dims and "--dim" not in words:
            words += ["--dim", dims[1]]
        elif "neap.onnx" in text and not words[0].endswith(".shapes.onnx"):
            new = f"{path}.shapes.onnx"
            if Run([sys.executable, "-m", "neap.onnx", path, "-o", new], options.env).code != 0:
                break
            words = [new, *words[1:]]
        else:
            break
    if run.code == 0:
        trial.status = "planned" if len(words) == 1 and words[0] == path else "planned with help"
        return words
    trial.status, trial.reason = "refused", reason_of(text)
    if run.code not in (2, 3):
        trial.blame("crash", f"exit code {run.code}: {run.message}")
    elif not trial.reason:
        trial.blame("refusal", run.message)
    return None


def try_interpreter(options, words, trial):
    """Compares the answer of neap fit with the interpreter, and the outputs of the model with those of the planned one."""
    fit = Run([options.program, "fit", *words, "--kernels", "tflm-python", "--arena", "1G", "--json"])
    found = fit.json()
    if fit.code not in (0, 3, 4, 5):
        trial.blame("crash", f"fit: exit code {fit.code}: {fit.message}")
    if not found:
        return
    verdict = found.get("verdict", "")
    real = Run([sys.executable, "-m", "neap.hosts.tflm", words[0], "--runs", "2"], options.env)
    trial.checks.append("interpreter")
    runs = real.code in (0, 1) and real.text != ""
    # Kernels such as GATHER refuse random inputs when they run, but the model could be prepared.
    prepares = runs or "invocation failed" in real.message
    if prepares and not runs:
        trial.checks.append("inputs refused")
    if verdict == "fits" and not prepares:
        trial.blame("fits", real.message)
    if fit.code == 4 and runs:
        trial.blame("refused", fit.message)
    if real.code == 1 and runs:
        trial.blame("outputs", real.text.strip().splitlines()[0])
    if runs:
        try_arena(options, words, real.text, trial)


def try_arena(options, words, text, trial):
    """Compares the arena of the planned model with the prediction, and tries the smallest one, and one that is smaller."""
    smallest = re.search(r"^package .* has ([0-9,]+) bytes", text, re.M)
    total = re.search(r"^total +([0-9,]+) bytes", text, re.M)
    if not smallest or not total:
        return  # neap knows a lower bound only
    trial.checks.append("arena")
    least, used = (int(found[1].replace(",", "")) for found in (smallest, total))
    if "predicts this" not in text:
        trial.blame("arena", text.replace("\n", "; "))
    tries = [(least, True)]
    if least - 16 < used:  # while it is prepared, the interpreter does not see that its tail grows into what is temporary
        tries.append((least - 16, False))
    for arena, is_enough in tries:
        command = [sys.executable, "-m", "neap.hosts.tflm", words[0], "--runs", "1", "--arena", str(arena)]
        run = Run(command, options.env)
        if run.code is not None and run.code < 0:
            # With random inputs, kernels such as SLICE read anywhere; but the model could be prepared.
            trial.checks.append("inputs refused")
        elif (run.code in (0, 1)) != is_enough:
            trial.blame("arena", f"{arena} bytes are {'too few' if is_enough else 'enough'}")


def infer_shapes(path):
    """Prints the shapes that the package onnx infers, whatever is declared, of tensors whose dimensions are all known."""
    import onnx

    model = onnx.load(path)
    del model.graph.value_info[:]
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    model = onnx.shape_inference.infer_shapes(model, data_prop=True)
    shapes = {}
    for value in [*model.graph.input, *model.graph.value_info, *model.graph.output]:
        tensor = value.type.tensor_type
        if value.type.HasField("tensor_type") and tensor.HasField("shape"):
            dims = [dim.dim_value if dim.HasField("dim_value") and dim.dim_value >= 0 else None for dim in tensor.shape.dim]
            if None not in dims:
                shapes[value.name] = dims
    print(json.dumps(shapes))


def measure_shapes(path):
    """Prints the shapes of all tensors of a run in ONNX Runtime, with zeros as inputs; fails if it refuses the model."""
    import numpy
    import onnx
    import onnxruntime

    model = onnx.load(path)
    outputs = {value.name for value in model.graph.output}
    names = [name for node in model.graph.node for name in node.output if name and name not in outputs]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    types = {value.name: value.type.tensor_type.elem_type for value in model.graph.input}
    inputs = {value.name: numpy.zeros([dim if isinstance(dim, int) else 1 for dim in value.shape],
                                      onnx.helper.tensor_dtype_to_np_dtype(types[value.name])) for value in session.get_inputs()}
    names = [value.name for value in session.get_outputs()]
    print(json.dumps({name: list(value.shape) for name, value in zip(names, session.run(names, inputs))}))


def try_shapes(options, words, trial):
    if "--dim" in words and ":" in words[-1]:
        return  # a dimension that only a run knows was guessed
    # In a process of its own, because the package hangs on some of MIGraphX's broken models.
    shapes = Run([sys.executable, __file__, "--infer", words[0]]).json()
    run = Run([options.program, "convert", *words, "--format", "json", "-o", "-"])
    if not shapes or run.code != 0:
        return
    trial.checks.append("shapes")
    found = {buffer["name"]: buffer.get("shape") for buffer in json.loads(run.text)["buffers"]}
    wrong = [name for name, shape in found.items() if shape is not None and shapes.get(name, shape) != shape]
    if not wrong:
        return
    # The package infers no broadcasting of einsum, and also infers shapes of invalid models: a run decides.
    real = Run([sys.executable, __file__, "--measure", words[0]])
    if options.has_runtime and real.code != 0:
        trial.checks.append("invalid")
        return
    real = real.json()
    for name in wrong:
        if real.get(name) != found[name]:
            made = f", ONNX Runtime makes {real[name]}" if name in real else ""
            trial.blame("shape", f"tensor {name} has the shape {found[name]}, onnx infers {shapes[name]}{made}")


def try_model(options, path, data):
    trial = Trial(path)
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, os.path.basename(path))
        pathlib.Path(name).write_bytes(data)
        words = plan(options, name, trial)
        if words and path.endswith(".tflite") and options.has_interpreter and "--dim" not in words:
            try_interpreter(options, words, trial)
        if words and path.endswith(".onnx"):
            try_shapes(options, words, trial)
    return trial


def has_package(name, env):
    return Run([sys.executable, "-c", f"import {name}"], env).code == 0


def parse():
    parser = argparse.ArgumentParser(prog="field.py", description=__doc__.splitlines()[0].split(": ", 1)[1])
    parser.add_argument("--from", dest="folder", default="data/sources", type=pathlib.Path,
                        help="the folder with clones, OWNER/NAME or OWNER+NAME (default: data/sources)")
    parser.add_argument("--neap", dest="program", default=BUILD / "neap", type=pathlib.Path, help="the program to try")
    parser.add_argument("--only", default="", help="try only models whose repository or path matches this regular expression")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many models at once")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--infer", metavar="MODEL", help="print the shapes that the package onnx infers, and do nothing else")
    parser.add_argument("--measure", metavar="MODEL", help="print the shapes in a run of ONNX Runtime, and do nothing else")
    options = parser.parse_args()
    if options.infer or options.measure:
        return options
    options.program = options.program.resolve()
    staged = str(BUILD / "python" / "staged")
    options.env = {**os.environ, "PYTHONPATH": os.pathsep.join([staged, os.environ.get("PYTHONPATH", "")])}
    options.has_interpreter = has_package("tflite_micro", options.env)
    options.has_runtime = has_package("onnxruntime", options.env)
    return options


def summarise(trials, absent):
    """The figures of the report."""
    statuses = collections.Counter(trial.status for trial in trials)
    return {
        "models": len(trials), "absent": absent, **{key.replace(" ", "_"): count for key, count in statuses.items()},
        "planned_percent": round(100 * sum(t.status.startswith("planned") for t in trials) / len(trials), 2),
        "reasons": dict(collections.Counter(trial.reason or "none" for trial in trials if trial.status == "refused")),
        "checks": dict(collections.Counter(check for trial in trials for check in trial.checks)),
        "false": {kind: count for kind, count in collections.Counter(k for t in trials for k, _ in t.false).items()},
    }


def main():
    options = parse()
    if options.infer:
        return infer_shapes(options.infer)
    if options.measure:
        return measure_shapes(options.measure)
    jobs, absent = [], 0
    for repository, commit, path in models():
        git = clone_of(options.folder, repository)
        if not re.search(options.only, f"{repository}/{path}"):
            continue
        data = contents(git, commit, path) if git else None
        if data is not None:
            jobs.append((path, data))
        else:
            absent += 1
    jobs += [(name, data) for name, data in node_tests() if re.search(options.only, name)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        trials = list(pool.map(lambda job: try_model(options, *job), jobs))
    if not trials:
        print("field.py: no model is at hand; --from names the folder with clones", file=sys.stderr)
        return 2
    figures = summarise(trials, absent)
    if options.json:
        print(json.dumps({**figures, "words": [[t.name, *word] for t in trials for word in t.false]}))
    else:
        for trial in trials:
            for kind, text in trial.false:
                print(f"{kind:<10}{trial.name}: {text}")
        for key, value in figures.items():
            print(f"{key:<20}{value}")
    return 1 if figures["false"] else 0


if __name__ == "__main__":
    sys.exit(main())
