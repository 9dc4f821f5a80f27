#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Splits ONNX models and compares their outputs with those of the whole in ONNX Runtime.

split.py NEAP MODEL...: the models.  split.py NEAP --random COUNT [FIRST]: random ones, which have each
operator that is split and all kinds of padding, in several versions of the operators.

The runtime adds up the products of a convolution in an order that depends on its height.  Convolutions of
random models have small whole numbers, whose sums are exact in any order, so outputs must be the same
bytes, as long as the runtime does not fold other operators into weights.  Otherwise, they may differ a little
(runtime.py).
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

from runtime import expect_same, try_model

def peak_of(neap, path, options=()):
    return json.loads(subprocess.run([neap, "plan", path, "--json", "--engine", "auto", *options],
                                     capture_output=True, check=True).stdout)["peak"]


def split(neap, path, options=()):
    new = path + ".split.onnx"
    found = subprocess.run([neap, "split", path, "-o", new, "--json", *options],
                           capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    report = json.loads(found.stdout)
    assert report["after"]["file_bytes"] == os.path.getsize(new), "the size is not as predicted"
    onnx.checker.check_model(new, full_check=True)
    peak = peak_of(neap, new) if report["split"] else 0
    assert not report["split"] or peak <= report["after"]["peak"], f"planned {peak}, not {report['after']['peak']}"
    return report, new


def check(neap, path, options, is_whole):
    """Splits a model; returns what it did and the largest difference."""
    report, new = split(neap, path, options)
    return report, expect_same(path, new, is_whole)


# ---------------------------------------------------------------- random models


class Network:
    elements = ["Relu", "LeakyRelu", "Sigmoid", "PRelu", "Mul", "LRN", "Norm", "Add", "Sub"]

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.rng = np.random.default_rng(seed)
        self.opset = self.random.choice([9, 10, 11, 13, 17, 19])
        self.nodes, self.constants, self.count = [], [], 0
        self.shapes = {}

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def weights(self, *shape):
        return self.constant(self.rng.integers(-2, 3, shape).astype(np.float32))

    def whole(self, x):
        """Small whole numbers."""
        shape = self.shapes[x]
        if self.opset < 11:
            y = self.add("Clip", [x], shape, min=-8.0, max=8.0)
        else:
            ends = [self.constant(np.float32(end)) for end in (-8, 8)]
            y = self.add("Clip", [x] + ends, shape)
        return self.add("Floor", [y], shape)

    def add(self, kind, inputs, shape, **attributes):
        self.count += 1
        name = f"t{self.count}"
        label = f"node {self.count}" if self.random.random() < 0.5 else ""
        self.nodes.append(helper.make_node(kind, inputs, [name], name=label, **attributes))
        self.shapes[name] = shape
        return name

    def window(self, shape, pools):
        """Kernel, stride, dilation and padding of two axes, and the heights that they make."""
        r = self.random
        while True:
            kernel = [r.choice([1, 2, 3, 3, 5]), r.choice([1, 3, 3])]
            stride = [r.choice([1, 1, 2, 3]), r.choice([1, 1, 2])]
            dilation = [1, 1] if pools or r.random() < 0.7 else [2, 1]
            extent = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
            attributes = {"kernel_shape": kernel, "strides": stride}
            if not pools:
                attributes["dilations"] = dilation
            way = r.choice(["pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID", "none"])
            if way.startswith("SAME") and max(dilation) > 1:  # the runtime does not have it
                continue
            pads = [0] * 4
            if way == "pads":
                pads = [r.randrange(min(e, 3)) for e in extent + extent]
                attributes["pads"] = pads
            elif way != "none":
                attributes["auto_pad"] = way
            ceil = pools and way == "pads" and self.opset >= 10 and r.random() < 0.4
            if ceil:
                attributes["ceil_mode"] = 1
            made = []
            for d in range(2):
                room = shape[2 + d] + pads[d] + pads[2 + d] - extent[d]
                if way.startswith("SAME"):
                    made.append(-(-shape[2 + d] // stride[d]))
                else:
                    made.append(room // stride[d] + 1)
                    if ceil and room % stride[d] and made[d] * stride[d] < shape[2 + d] + pads[d]:
                        made[d] += 1
                if room < 0:
                    made = [0, 0]
            if min(made) > 0:
                return attributes, made

    def conv(self, x):
        x = self.whole(x)
        shape = self.shapes[x]
        attributes, made = self.window(shape, False)
        group = shape[1] if self.random.random() < 0.4 else 1
        filters = shape[1] if group > 1 else self.random.choice([2, 4, 6])
        inputs = [x, self.weights(filters, shape[1] // group, *attributes["kernel_shape"])]
        if self.random.random() < 0.5:
            inputs.append(self.weights(filters))
        return self.add("Conv", inputs, [shape[0], filters] + made, group=group, **attributes)

    def pool(self, x):
        shape = self.shapes[x]
        attributes, made = self.window(shape, True)
        kind = self.random.choice(["MaxPool", "AveragePool"])
        if kind == "AveragePool" and self.random.random() < 0.5:
            attributes["count_include_pad"] = 1
        return self.add(kind, [x], shape[:2] + made, **attributes)

    def element(self, x):
        shape, r = self.shapes[x], self.random
        kind = r.choice(self.elements)
        if kind == "PRelu":
            return self.add(kind, [x, self.weights(shape[1], 1, 1)], shape)
        if kind == "LRN":
            return self.add(kind, [x], shape, size=3)
        if kind == "Norm":
            scale, bias, mean = (self.weights(shape[1]) for _ in range(3))
            spread = self.constant(self.rng.uniform(0.5, 2, shape[1]).astype(np.float32))
            return self.add("BatchNormalization", [x, scale, bias, mean, spread], shape)
        if kind == "Mul":
            return self.add(kind, [self.weights(shape[1], 1, shape[3]), x], shape)
        if kind == "Add":
            return self.add(kind, [x, self.weights(shape[2], 1)], shape)  # not the same in rows
        if kind == "Sub":
            return self.add(kind, [x, x], shape)
        return self.add(kind, [x], shape)

    def residual(self, x):
        x = self.whole(x)
        shape = self.shapes[x]
        y = self.add("Conv", [x, self.weights(shape[1], shape[1], 3, 3)], shape, pads=[1] * 4)
        y = self.add("Relu", [y], shape)
        y = self.whole(y)
        y = self.add("Conv", [y, self.weights(shape[1], shape[1], 3, 1)], shape, pads=[1, 0, 1, 0])
        return self.add(self.random.choice(["Add", "Mul", "Max"]), [x, y], shape)

    def branches(self, x):
        x = self.whole(x)
        shape = self.shapes[x]
        a = self.add("Conv", [x, self.weights(2, shape[1], 3, 3)], [shape[0], 2] + shape[2:],
                     auto_pad="SAME_LOWER")
        b = self.add("MaxPool", [x], shape, kernel_shape=[3, 3], pads=[1] * 4)
        return self.add("Concat", [a, b], [shape[0], shape[1] + 2] + shape[2:], axis=1)

    def pad(self, x):
        shape = self.shapes[x]
        pads = [0, 0] + [self.random.randrange(3) for _ in range(2)]
        pads += [0, 0] + [self.random.randrange(3) for _ in range(2)]
        made = [s + a + b for s, a, b in zip(shape, pads[:4], pads[4:])]
        if self.opset < 11:
            return self.add("Pad", [x], made, pads=pads, value=0.5)
        value = self.constant(np.float32(0.5)) if self.random.random() < 0.5 else ""
        if self.opset < 19 or self.random.random() < 0.5:
            amounts = self.constant(np.array(pads, np.int64))
            return self.add("Pad", [x, amounts, value], made)
        amounts = self.constant(np.array([pads[2], pads[3], pads[6], pads[7]], np.int64))
        axes = self.constant(np.array([2, -1], np.int64))
        return self.add("Pad", [x, amounts, value, axes], made)

    def resize(self, x):
        shape, r = self.shapes[x], self.random
        factor = [r.choice([2, 3, 4]), r.choice([1, 2])]
        made = shape[:2] + [s * f for s, f in zip(shape[2:], factor)]
        if made[2] > 80:
            return self.element(x)
        scales = self.constant(np.array([1, 1] + factor, np.float32))
        mode = r.choice(["nearest", "linear"])
        if self.opset < 10:
            return self.add("Upsample", [x, scales], made, mode=mode)
        if self.opset < 11:
            return self.add("Resize", [x, scales], made, mode=mode)
        attributes = {"mode": mode}
        if r.random() < 0.6:
            way = r.choice(["half_pixel", "asymmetric", "pytorch_half_pixel", "align_corners"])
            attributes["coordinate_transformation_mode"] = way
        if mode == "nearest" and r.random() < 0.6:
            attributes["nearest_mode"] = r.choice(
                ["floor", "ceil", "round_prefer_ceil", "round_prefer_floor"])
        return self.add("Resize", [x, "", scales], made, **attributes)

    def quantised(self, x):
        """In uint8, and back."""
        if self.opset < 10:
            return self.element(x)
        shape = self.shapes[x]
        scale, zero = self.constant(np.float32(0.05)), self.constant(np.uint8(120))
        y = self.add("QuantizeLinear", [x, scale, zero], shape)
        attributes, made = self.window(shape, False)
        kernel = self.constant(
            self.rng.integers(0, 255, [4, shape[1]] + attributes["kernel_shape"]).astype(np.uint8))
        z = self.add("QLinearConv", [y, scale, zero, kernel, scale, zero, scale, zero],
                     [shape[0], 4] + made, **attributes)
        return self.add("DequantizeLinear", [z, scale, zero], self.shapes[z])

    def tail(self, x):
        """A shape that is computed, which only folding makes constant."""
        shape = self.shapes[x]
        if self.random.random() < 0.5:
            return x
        sizes = self.add("Shape", [x], [4])
        rest = self.constant(np.array([-1], np.int64))
        batch = self.add("Gather", [sizes, self.constant(np.array([0], np.int64))], [1], axis=0)
        wanted = self.add("Concat", [batch, rest], [2], axis=0)
        return self.add("Reshape", [x, wanted], [shape[0], int(np.prod(shape[1:]))])

    def model(self):
        r = self.random
        shape = [r.choice([1, 1, 2]), r.choice([1, 3, 4]), r.randrange(8, 40), r.randrange(5, 14)]
        self.shapes["image"] = shape
        x = "image"
        makers = [self.conv] * 4 + [self.pool] * 2 + [self.element] * 2 + [
            self.residual, self.branches, self.pad, self.resize, self.quantised]
        for _ in range(r.randrange(3, 9)):
            x = r.choice(makers)(x)
        inner, x = x, self.tail(x)
        outputs = [helper.make_tensor_value_info(x, TensorProto.FLOAT, self.shapes[x])]
        if x != inner and r.random() < 0.3:
            outputs.append(helper.make_tensor_value_info(inner, TensorProto.FLOAT, self.shapes[inner]))
        declared, self.options = list(shape), []
        if shape[0] == 1 and r.random() < 0.4:
            declared[0] = "batch"
            self.options = ["--dim", "batch=1"]
        image = helper.make_tensor_value_info("image", TensorProto.FLOAT, declared)
        graph = helper.make_graph(self.nodes, "random", [image], outputs, self.constants)
        opset = helper.make_opsetid("", self.opset)
        return helper.make_model(graph, opset_imports=[opset], ir_version=8)


class Groups(Network):
    """Many channels and few rows, so that groups of channels need less than bands."""

    def expand(self, x):
        x = self.whole(x)
        shape, r = self.shapes[x], self.random
        filters = r.randrange(12, 64)
        if self.opset >= 10 and r.random() < 0.3:
            return self.quantised_channels(x, filters)
        if r.random() < 0.2:
            inputs = [x, self.weights(shape[1], filters, 2, 2)]
            if r.random() < 0.5:
                inputs.append(self.weights(filters))
            made = [shape[0], filters] + [2 * s for s in shape[2:]]
            return self.add("ConvTranspose", inputs, made, strides=[2, 2])
        inputs = [x, self.weights(filters, shape[1], 1, 1)]
        if r.random() < 0.5:
            inputs.append(self.weights(filters))
        return self.add("Conv", inputs, [shape[0], filters] + shape[2:])

    def quantised_channels(self, x, filters):
        """With a scale for each channel."""
        shape = self.shapes[x]
        scale, zero = self.constant(np.float32(0.05)), self.constant(np.uint8(120))
        y = self.add("QuantizeLinear", [x, scale, zero], shape)
        kernel = self.constant(
            self.rng.integers(-9, 9, [filters, shape[1], 1, 1]).astype(np.int8))
        scales = self.constant(self.rng.uniform(0.01, 0.1, filters).astype(np.float32))
        zeros = self.constant(np.zeros(filters, np.int8))
        bias = self.constant(self.rng.integers(-50, 50, filters).astype(np.int32))
        z = self.add("QLinearConv", [y, scale, zero, kernel, scales, zeros, scale, zero, bias],
                     [shape[0], filters] + shape[2:])
        return self.add("DequantizeLinear", [z, scale, zero], self.shapes[z])

    def depthwise(self, x):
        x = self.whole(x)
        shape = self.shapes[x]
        inputs = [x, self.weights(shape[1], 1, 3, 3)]
        if self.random.random() < 0.5:
            inputs.append(self.weights(shape[1]))
        return self.add("Conv", inputs, shape, group=shape[1], pads=[1] * 4)

    def element(self, x):
        shape, r = self.shapes[x], self.random
        kind = r.choice(["Mul", "Each", "Instance", "Scale", "Other"])
        if kind == "Mul":
            return self.add(kind, [x, self.weights(*r.choice([[shape[1], 1, 1], shape, []]))], shape)
        if kind == "Each" and self.opset >= 13:
            x = self.whole(x)  # the runtime's optimizer merges pairs that follow each other
            scales = self.constant(self.rng.uniform(0.1, 1, shape[1]).astype(np.float32))
            zeros = self.constant(self.rng.integers(100, 140, shape[1]).astype(np.uint8))
            y = self.add("QuantizeLinear", [x, scales, zeros], shape, axis=r.choice([1, -3]))
            return self.add("DequantizeLinear", [y, scales, zeros], shape)
        if kind == "Instance":
            x = self.whole(x)
            inputs = [x, self.weights(shape[1]), self.weights(shape[1])]
            return self.add("InstanceNormalization", inputs, shape)
        return super().element(x)

    def squeeze(self, x):
        """Weighs channels by their means."""
        x = self.whole(x)
        shape = self.shapes[x]
        y = self.add("GlobalAveragePool", [x], shape[:2] + [1, 1])
        y = self.add("Sigmoid", [y], self.shapes[y])
        return self.add("Mul", [x, y], shape)

    def fold(self, x):
        """The mean of columns."""
        x = self.whole(x)
        shape = self.shapes[x]
        if self.opset >= 18:
            return self.add("ReduceMean", [x, self.constant(np.array([-1], np.int64))], shape[:3] + [1])
        return self.add("ReduceMean", [x], shape[:3] + [1], axes=[3])

    def tail(self, x):
        shape, r = self.shapes[x], self.random
        x = self.whole(self.add("GlobalMaxPool", [x], shape[:2] + [1, 1]))
        x = self.add("Flatten", [x], shape[:2])
        for _ in range(r.randrange(3)):
            rows, channels = self.shapes[x]
            made = r.choice([10, 200, 400])
            if r.random() < 0.5:
                x = self.add("MatMul", [x, self.weights(channels, made)], [rows, made])
            else:
                across = r.random() < 0.5
                weights = self.weights(made, channels) if across else self.weights(channels, made)
                bias = self.weights(*r.choice([[made], [1], [1, made]]))
                x = self.add("Gemm", [x, weights, bias], [rows, made], transB=int(across))
            x = self.whole(self.add("Relu", [x], [rows, made]))
        return x

    def model(self):
        r = self.random
        shape = [r.choice([1, 1, 2]), r.choice([1, 3, 4]), r.randrange(2, 6), r.randrange(3, 7)]
        makers = [self.depthwise] * 4 + [self.element] * 3 + [
            self.pool, self.squeeze, self.pad, self.resize, self.fold, self.residual, self.branches]
        self.shapes["image"], x = shape, "image"
        for _ in range(r.randrange(1, 4)):
            x = self.expand(x)
            for _ in range(r.randrange(4)):
                x = r.choice(makers)(x)
            if r.random() < 0.7:
                x = self.conv(x)
        x = self.tail(x)
        self.options = []
        ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, self.shapes[name])
                for name in ("image", x)]
        graph = helper.make_graph(self.nodes, "random", ends[:1], ends[1:], self.constants)
        opset = helper.make_opsetid("", self.opset)
        return helper.make_model(graph, opset_imports=[opset], ir_version=8)


def random_model(kind, seed, path):
    while True:
        network = kind(seed)
        model = network.model()
        if network.options:
            for output in model.graph.output:
                output.type.tensor_type.shape.dim[0].dim_param = "batch"
        onnx.save(model, path)
        try:
            onnx.checker.check_model(path, full_check=True)
            try_model(path)
            return network.options
        except Exception:  # neither the checker nor the runtime has all that the format allows
            seed += 1000000


def main():
    neap, arguments = sys.argv[1], sys.argv[2:]
    split_models = grouped = failed = 0
    kinds = {"--random": Network, "--groups": Groups}
    most = 0.0
    with tempfile.TemporaryDirectory() as folder:
        if arguments[0] in kinds:
            first = int(arguments[2]) if len(arguments) > 2 else 0
            names = [f"random {seed}" for seed in range(first, first + int(arguments[1]))]
        else:
            names = arguments
        for i, name in enumerate(names):
            path, options = os.path.join(folder, "model.onnx"), ()
            if name.startswith("random "):
                options = random_model(kinds[arguments[0]], int(name.split()[1]), path)
            else:
                with open(name, "rb") as source, open(path, "wb") as copy:
                    copy.write(source.read())
            try:
                report, difference = check(neap, path, options, name.startswith("random "))
                split_models += report["split"]
                grouped += any("channels" in segment for segment in report["segments"])
                most = max(most, difference)
                if not name.startswith("random "):
                    print(f"{os.path.basename(name)}: peak {report['before']['peak']} to "
                          f"{report['after']['peak']}, largest difference {difference:g}", flush=True)
            except Exception as error:
                failed += 1
                print(f"{name}: {error}", flush=True)
    if arguments[0] == "--groups" and grouped == 0:
        failed += 1
        print("no model was split in groups of channels", flush=True)
    print(f"{len(names)} models, {split_models} split, {grouped} of them in groups, {failed} failed, largest difference {most:g}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
