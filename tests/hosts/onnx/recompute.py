#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes ONNX models in another order and with repeated operators, and compares their outputs in ONNX Runtime.

recompute.py NEAP COUNT [FIRST]: random models in which tensors are read again much later.  Operators make large tensors
of small ones, have several outputs, leave out inputs, compute shapes, draw random numbers or have subgraphs.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from runtime import expect_same


class Network:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.nodes, self.constants, self.shapes = [], [], {}
        self.declared, self.declares = [], self.random.random() < 0.5

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def add(self, kind, inputs, *shapes, **attributes):
        """Adds a node; returns the names of its outputs."""
        names = [f"t{len(self.shapes) + i}" for i in range(len(shapes))]
        label = f"node {len(self.nodes)}" if self.random.random() < 0.7 else ""
        self.nodes.append(helper.make_node(kind, inputs, names, name=label, **attributes))
        self.shapes.update(zip(names, shapes))
        return names

    def around(self, x):
        """Through a larger tensor, and two outputs of one operator."""
        shape = self.shapes[x]
        large, half = [[shape[0], c] + shape[2:] for c in (shape[1] * 2, shape[1])]
        if self.random.random() < 0.5:
            y, = self.add("Concat", [x, x], large, axis=1)
        else:
            y, = self.add("Tile", [x, self.constant(np.array([1, 2, 1, 1], np.int64))], large)
        sizes = self.constant(np.array([shape[1]] * 2, np.int64))
        return self.add("Sub", self.add("Split", [y, sizes], half, half, axis=1), shape)

    def earlier(self, x):
        return self.random.choice([t for t, s in self.shapes.items() if s == self.shapes[x]])

    def element(self, x):
        shape = self.shapes[x]
        kind = self.random.choice(["Relu", "Clip", "Neg", "Floor"])
        inputs = [x, "", self.constant(np.float32(8))] if kind == "Clip" else [x]
        return self.add(kind, inputs, shape)

    def convolution(self, x):
        shape = self.shapes[x]
        weights = self.constant(self.rng.integers(-1, 2, [shape[1], shape[1], 3, 3]).astype(np.float32))
        y, = self.add("Conv", [x, weights], shape, pads=[1] * 4)
        return self.add("Mod", [y, self.constant(np.float32(16))], shape, fmod=1)

    def reshaped(self, x):
        """To the shape of an earlier tensor, which is computed."""
        sizes, = self.add("Shape", [self.earlier(x)], [4])
        return self.add("Reshape", [x, sizes], self.shapes[x])

    def chance(self, x):
        """Random numbers that do not matter."""
        y, = self.add("RandomUniformLike", [x], self.shapes[x])
        z, = self.add("Mul", [y, self.constant(np.float32(0))], self.shapes[x])
        return self.add("Add", [x, z], self.shapes[x])

    def branches(self, x):
        """Subgraphs that read x and another tensor by their names."""
        made, like = [], self.earlier(x)
        for kind in ("Add", "Sub"):
            name = f"inner {len(self.nodes)} {kind}"
            node = helper.make_node(kind, [x, like], [name])
            value = helper.make_tensor_value_info(name, TensorProto.FLOAT, self.shapes[x])
            made.append(helper.make_graph([node], kind, [], [value]))
        y = self.add("If", [self.constant(np.bool_(True))], self.shapes[x],
                     then_branch=made[0], else_branch=made[1])
        self.declared += y
        return y

    def chain(self, x, most):
        makers = [self.element] * 5 + [self.convolution] * 2 + [self.around] * 2 + [
            self.reshaped, self.chance, self.branches]
        made = []
        for _ in range(self.random.randrange(1, most + 1)):
            x = self.random.choice(makers)(x)[0]
            made.append(x)
        return made

    def model(self):
        """A chain whose tensors are read again later, the last mostly first."""
        r = self.random
        shape = [1, 8, r.randrange(2, 9), r.randrange(2, 9)]
        self.shapes["image"] = shape[:1] + [1] + shape[2:]
        sizes = self.constant(np.array([1, 8, 1, 1], np.int64))
        first, = self.add("Tile", ["image", sizes], shape)
        made = [first] + self.chain(first, 8)
        x = made[-1]
        while made:
            other = made.pop(r.randrange(max(0, len(made) - 3), len(made)))
            x, = self.add(r.choice(["Add", "Sub", "Max"]), [x, other], shape)
            if r.random() < 0.4:
                x = self.chain(x, 2)[-1]
        outputs = [helper.make_tensor_value_info(x, TensorProto.FLOAT, self.shapes[x])]
        declared = [helper.make_tensor_value_info(t, TensorProto.FLOAT, s)
                    for t, s in self.shapes.items() if (self.declares and len(s) == 4 and t not in (x, "image")) or t in self.declared]
        image = helper.make_tensor_value_info("image", TensorProto.FLOAT, self.shapes["image"])
        graph = helper.make_graph(self.nodes, "random", [image], outputs, self.constants, value_info=declared)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def plan(neap, path, *options):
    """The report, or None if nothing fits."""
    found = subprocess.run([neap, "plan", path, "--json", "--max-ticks", "20000", *options],
                           capture_output=True, text=True)
    assert found.returncode in (0, 4, 5), found.stderr
    return json.loads(found.stdout) if found.returncode == 0 else None


def expect_written(neap, path, new, report):
    """The new model is valid, has the bound of the plan and gives the same outputs."""
    onnx.checker.check_model(new, full_check=True)
    again = plan(neap, new)
    assert again["bound"] == report["bound"], f"bound {again['bound']}, not {report['bound']}"
    expect_same(path, new, True)


def check(neap, path):
    """Returns how many nodes have been added."""
    new, nodes, added = path + ".new.onnx", len(onnx.load(path).graph.node), 0
    best = plan(neap, path, "--schedule", "optimal", "--onnx", new)
    expect_written(neap, path, new, best)
    for part in (0.95, 0.75):
        report = plan(neap, path, "--recompute", "--capacity", str(int(best["bound"] * part)), "--onnx", new)
        if not report:
            break
        expect_written(neap, path, new, report)
        assert report["bound"] < best["bound"]
        added += len(onnx.load(new).graph.node) - nodes
    return added


def main():
    neap, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    repeating = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            path = os.path.join(folder, "model.onnx")
            onnx.save(Network(seed).model(), path)
            try:
                repeating += check(neap, path) > 0
            except Exception as error:
                failed += 1
                print(f"random {seed}: {error}", flush=True)
    print(f"{count} models, {repeating} with repeated operators, {failed} failed")
    sys.exit(failed > 0 or repeating == 0)


main()
