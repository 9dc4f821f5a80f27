#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits random ONNX models into arenas, and compares their outputs with those of the given ones in ONNX Runtime.

fit.py NEAP COUNT [FIRST]: fits each model into the smallest arena found, into one between that and the unchanged
model's, and into two memories of the same total size.  The models are those of split.py with forks, whose order matters.
"""

import json
import os
import subprocess
import sys
import tempfile

import onnx

from runtime import expect_same
from split import Network, peak_of, random_model


class Forks(Network):
    """
    Makes two large tensors before it reduces either.  Omits normalisation: the runtime would fold it into weights, and
    the results of the next Floor might differ.
    """

    elements = [kind for kind in Network.elements if kind != "Norm"]

    forks = 0  # so far

    def fork(self, x):
        self.forks += 1
        x = self.whole(x)
        shape, large, small = self.shapes[x], [], []
        filters = shape[1] * self.random.choice([2, 3, 4])
        for _ in range(2):
            made = [shape[0], filters] + shape[2:]
            large.append(self.add("Conv", [x, self.weights(filters, shape[1], 1, 1)], made))
        for y in large:
            y = self.whole(self.add("Relu", [y], self.shapes[y]))
            small.append(self.add("Conv", [y, self.weights(shape[1], filters, 3, 3)], shape, pads=[1] * 4))
        return self.add("Add", small, shape)

    def residual(self, x):
        return super().residual(x) if self.forks > 1 else self.fork(x)

    def conv(self, x):
        return super().conv(x) if self.forks > 0 else self.fork(x)


def fit_into(neap, path, memories, *options):
    """The exit code and the report."""
    found = subprocess.run([neap, "fit", path, *memories, "--json", *options], capture_output=True, text=True)
    assert found.returncode in (0, 4, 5), found.stderr
    report = json.loads(found.stdout)
    assert report["fits"] == (found.returncode == 0)
    return found.returncode, report


def fit(neap, path, arena, *options):
    """The exit code, the report and its last step."""
    code, report = fit_into(neap, path, ["--arena", str(arena)], *options)
    return code, report, report["steps"][-1]


def expect_pools(neap, path, sizes, options):
    """Like expect_fits, with two memories."""
    new = path + ".fits.onnx"
    memories = [f"--pool={name}={size}" for name, size in zip("ab", sizes)]
    code, report = fit_into(neap, path, memories, "-o", new, *options)
    if code != 0:
        assert code == 5 or report["lower_bound"] > sum(sizes)
        return None
    step = report["steps"][-1]
    used = [pool["bytes"] for pool in step["pools"]]
    assert all(bytes <= size for bytes, size in zip(used, sizes)), f"{used} of {sizes}"
    planned = subprocess.run([neap, "plan", new, *memories, "-q", *(options if step["means"] != "split" else ())])
    assert planned.returncode == 0, f"nothing fits {sizes}"
    expect_same(path, new, True)
    os.remove(new)
    return "pools" if len(used) > 1 else None


def expect_fits(neap, path, arena, options):
    """Returns the means by which it fits, or None: the search need not find any."""
    new = path + ".fits.onnx"
    code, report, step = fit(neap, path, arena, "-o", new, *options)
    assert code != 4, f"proven that nothing fits {arena}, but it was found"
    if code != 0:
        return None
    onnx.checker.check_model(new, full_check=True)
    peak = peak_of(neap, new, options if step["means"] != "split" else ())
    assert peak <= arena and step["arena"] <= arena, f"planned {peak}, reported {step['arena']}, not {arena}"
    expect_same(path, new, True)
    os.remove(new)
    return step["means"]


def check(neap, path, options, part):
    """Returns the means for the lowest and for another arena."""
    code, report, _ = fit(neap, path, 1, *options)
    lowest, given = report["steps"][report["best"]]["arena"], report["steps"][0]["arena"]
    assert code in (4, 5) and report["lower_bound"] <= lowest <= given
    if code == 4 and report["lower_bound"] == lowest:
        assert fit(neap, path, lowest - 1, *options)[0] != 0
    between = lowest + int((given - lowest) * part)
    return ([expect_fits(neap, path, arena, options) for arena in (lowest, between)] +
            [expect_pools(neap, path, (sum - sum // 3, sum // 3), options) for sum in (between, given)])


def main():
    neap, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    failed, means = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.onnx")
        for seed in range(first, first + count):
            options = random_model(Forks, seed, path)
            try:
                for found in check(neap, path, options, seed % 10 / 10):
                    means[found] = means.get(found, 0) + 1
            except Exception as error:
                failed += 1
                print(f"random {seed}: {error}", flush=True)
    rare = [name for name in ("order", "pools", "split") if not means.get(name)]
    print(f"{count} models, {failed} failed, means: {means}")
    sys.exit(failed > 0 or (count >= 10 and len(rare) > 0))


if __name__ == "__main__":
    main()
