# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares two models in TensorFlow Lite Micro: whether their outputs are equal, and their arenas.

    from neap.hosts import tflm

    found = tflm.check("model.tflite", "planned.tflite")
    assert found.equal
    print(found)

The interpreter is that of the package tflite-micro: x86-64, reference kernels.  It takes a larger
arena than a device, as neap predicts with kernels="tflm-python".  From a shell:

    python3 -m neap.hosts.tflm model.tflite planned.tflite
"""
from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Sequence, Union

import neap
from neap import process
from neap.hosts import _host

HOST = "tflite_micro.python.tflite_micro.runtime"
PACKAGE = "tflite-micro"
ARENAS = (1 << 26, 1 << 30)  # bytes, tried in turn; a page that is not touched costs nothing

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Arena:
    """What an interpreter takes of its arena once the model is prepared, in bytes."""

    head: int
    tail: int

    @property
    def total(self) -> int:
        return self.head + self.tail


@dataclass(frozen=True)
class Prediction(Arena):
    """What neap predicts of an arena."""

    smallest: int  #: the smallest arena that works, at least `total`
    kernels: str
    pointer: int  #: bytes of a pointer
    is_lower_bound: bool  #: the model has kernels that neap does not know

    def __str__(self) -> str:
        most = "at least " if self.is_lower_bound else ""
        text = f"{self.kernels} kernels, pointers of {self.pointer} bytes"
        return f"the smallest arena has {most}{self.smallest:,} bytes: {text}"


@dataclass(frozen=True)
class Check:
    """What `check` found."""

    runs: int
    difference: Optional[str]  #: where outputs differ first; None if they are equal
    before: Arena  #: that of the package's interpreter
    after: Arena
    predicted: Prediction  #: of `after`
    device: Prediction  #: for the kernels and pointers that the model was written for

    @property
    def equal(self) -> bool:
        return self.difference is None

    @property
    def is_as_predicted(self) -> bool:
        """Whether the interpreter took what neap predicts, or more than a lower bound."""
        predicted = (self.predicted.head, self.predicted.tail)
        if self.predicted.is_lower_bound:
            return self.after.total >= self.predicted.total
        return predicted == (self.after.head, self.after.tail)

    def __str__(self) -> str:
        verdict = f"equal in {self.runs} runs" if self.equal else self.difference
        rows = [("outputs", verdict)]
        for part in ("head", "tail", "total"):
            before, after = getattr(self.before, part), getattr(self.after, part)
            rows.append((part, f"{after:,} bytes, before {before:,} bytes"))
        predicted = f"a head of {self.predicted.head:,} and a tail of {self.predicted.tail:,} bytes"
        rows.append(("neap", "predicts this" if self.is_as_predicted else f"predicts {predicted}"))
        rows += [("package", str(self.predicted)), ("device", str(self.device))]
        return "\n".join(f"{name:<9}{text}" for name, text in rows)


@contextlib.contextmanager
def _log() -> Iterator[Any]:
    """Catches what the interpreter prints, which it does in C, on standard error."""
    sys.stderr.flush()
    kept = os.dup(2)
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            yield lambda: (log.seek(0), log.read().decode(errors="replace"))[1]
        finally:
            os.dup2(kept, 2)
            os.close(kept)


class _Model:
    """A model in an interpreter."""

    def __init__(self, path: Path, arenas: Sequence[int] = ARENAS) -> None:
        self.path = os.fspath(path)
        neap.read_graph(path, target="tflm")  # the interpreter does not check files
        with open(self.path, "rb") as file:
            self._bytes = file.read()
        self._interpreter = self._load(arenas)
        self.inputs = self._list(self._interpreter.get_input_details)
        self.outputs = self._list(self._interpreter.get_output_details)

    def _load(self, arenas: Sequence[int]) -> Any:
        host = _host.load(HOST, PACKAGE)
        for size in arenas:
            with _log() as log:
                try:
                    return host.Interpreter.from_bytes(self._bytes, arena_size=size)
                except RuntimeError as error:
                    reason = log().strip().replace("\n", "; ") or str(error)
        raise neap.InputError(f"TensorFlow Lite Micro cannot run this model: {reason}", self.path)

    @staticmethod
    def _list(details: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        with contextlib.suppress(IndexError), _log():
            while True:
                found.append(details(len(found)))
        return found

    def run(self, values: Sequence[Any]) -> list[bytes]:
        for index, value in enumerate(values):
            self._interpreter.set_input(value, index)
        self._interpreter.invoke()
        return [self._interpreter.get_output(k).tobytes() for k in range(len(self.outputs))]

    def arena(self) -> Arena:
        with _log() as log:
            self._interpreter.print_allocations()
            sizes = dict(re.findall(r"Arena allocation (head|tail) (\d+) bytes", log()))
        return Arena(int(sizes["head"]), int(sizes["tail"]))


def _form(details: list[dict[str, Any]]) -> list[tuple[str, tuple[int, ...]]]:
    return [(item["dtype"].__name__, tuple(map(int, item["shape"]))) for item in details]


def _draw(random: Any, details: dict[str, Any]) -> Any:
    """Random values over the whole range of a type, or from -1 to 1 for floating point."""
    numpy = _host.load("numpy", "numpy")
    kind, shape = numpy.dtype(details["dtype"]), tuple(details["shape"])
    if kind.kind == "f":
        return random.uniform(-1, 1, shape).astype(kind)
    if kind.kind == "b":
        return random.integers(0, 2, shape).astype(kind)
    range_of = numpy.iinfo(kind)
    return random.integers(range_of.min, range_of.max, shape, kind, endpoint=True)


def _compare(one: _Model, other: _Model, runs: int, seed: int) -> Optional[str]:
    random = _host.load("numpy", "numpy").random.default_rng(seed)
    for run in range(runs):
        values = [_draw(random, details) for details in one.inputs]
        for index, (left, right) in enumerate(zip(one.run(values), other.run(values))):
            if left != right:
                return f"output {index} differs in run {run + 1} of {runs} (seed {seed})"
    return None


def _planned(model: Path, folder: str) -> str:
    """A copy of a model with neap's plan in it."""
    path = os.path.join(folder, "planned.tflite")
    neap.plan(neap.read(model, target="tflm")).save(path, model=model, replace=True)
    return path


def predict(model: Path, kernels: Optional[str] = None) -> Prediction:
    """The arena that a model takes; without kernels, for those that it was written for."""
    options = ["--target", "tflm", *(["--kernels", kernels] if kernels else [])]
    command = [process.program(), "info", os.fspath(model), *options, "--json"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise neap.InputError(done.stderr.decode(errors="replace").strip(), os.fspath(model))
    found = json.loads(done.stdout)["arena"]
    members = ("head", "tail", "smallest", "kernels", "pointer", "is_lower_bound")
    return Prediction(*(found[member] for member in members))


def check(
    model: Path,
    other: Optional[Path] = None,
    *,
    runs: int = 10,
    seed: int = 0,
    arena: Optional[int] = None,
) -> Check:
    """Runs two models with the same random inputs, one after the other, and compares them.

    Args:
        model: a .tflite file.
        other: the model to compare with; by default, a copy of `model` that neap plans.
        runs: how many inputs; state, such as that of a streaming model, is kept from run to run.
        seed: of the inputs.
        arena: bytes of the interpreter's arena for `other`, to see whether that is enough; without
            it, much more than models need.

    Raises ModuleNotFoundError without the package tflite-micro, and neap.InputError if the
    interpreter cannot run a model or the inputs or outputs of the two differ in type or shape.
    """
    with tempfile.TemporaryDirectory() as folder:
        one = _Model(model)
        last = _planned(model, folder) if other is None else other
        two = _Model(last, ARENAS if arena is None else (arena,))
        predicted, device = predict(last, "tflm-python"), predict(last)
    for what in ("inputs", "outputs"):
        if _form(getattr(one, what)) != _form(getattr(two, what)):
            text = f"the {what} have other types or shapes than those of {one.path}"
            raise neap.InputError(text, two.path)
    difference = _compare(one, two, runs, seed)
    return Check(runs, difference, one.arena(), two.arena(), predicted, device)


def main(arguments: Sequence[str] | None = None) -> int:
    """Exits with 0 if outputs are equal, 1 if they differ, 2 if a model cannot be run."""
    parser = argparse.ArgumentParser(
        prog="python3 -m neap.hosts.tflm",
        description="Compare the outputs and arenas of two models.",
    )
    parser.add_argument("model", help="a .tflite file")
    parser.add_argument("other", nargs="?", help="compare with this; default: neap plans MODEL")
    parser.add_argument("--runs", type=int, default=10, help="number of inputs (default: 10)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs (default: 0)")
    parser.add_argument("--arena", type=int, help="bytes of the arena for OTHER (default: enough)")
    given = parser.parse_args(arguments)
    try:
        found = check(
            given.model, given.other, runs=given.runs, seed=given.seed, arena=given.arena
        )
    except (neap.Error, OSError, ModuleNotFoundError) as error:
        print(f"neap.hosts.tflm: {error}", file=sys.stderr)
        return 2
    print(found)
    return 0 if found.equal else 1


if __name__ == "__main__":
    sys.exit(main())
