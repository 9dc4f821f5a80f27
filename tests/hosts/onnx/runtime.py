# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the outputs of ONNX models in ONNX Runtime."""

import numpy as np
import onnxruntime as ort

TOLERANCE = 1e-5


def feeds_of(session, seed):
    rng = np.random.default_rng(seed)
    feeds = {}
    for value in session.get_inputs():
        shape = [d if isinstance(d, int) else 1 for d in value.shape]
        kind = np.uint8 if "uint8" in value.type else np.float32
        data = rng.integers(0, 255, shape) if kind == np.uint8 else rng.integers(-4, 5, shape)
        feeds[value.name] = data.astype(kind)
    return feeds


def session_of(path, level):
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def differences(before, after, level):
    """The largest difference of all outputs, relative to the largest output."""
    old, new = session_of(before, level), session_of(after, level)
    feeds = feeds_of(old, 1)
    assert [v.name for v in old.get_outputs()] == [v.name for v in new.get_outputs()]
    most, same = 0.0, True
    for a, b in zip(old.run(None, feeds), new.run(None, feeds)):
        assert a.shape == b.shape and a.dtype == b.dtype
        same = same and a.tobytes() == b.tobytes()
        if a.tobytes() == b.tobytes():  # also where there is no number
            continue
        a, b = a.astype(np.float64), b.astype(np.float64)
        most = max(most, float(np.max(np.abs(a - b)) / max(np.max(np.abs(a)), 1e-30)))
    return same, most


def try_model(path):
    """Fails unless the runtime runs the model."""
    session = session_of(path, ort.GraphOptimizationLevel.ORT_DISABLE_ALL)
    session.run(None, feeds_of(session, 1))


def expect_same(before, after, is_whole):
    """
    Fails unless two models give the same outputs; returns the largest difference.  With is_whole, they must be the same
    bytes where the runtime changes no operators; otherwise, they may differ by TOLERANCE of the largest output.
    """
    worst = 0.0
    for level in ("ORT_DISABLE_ALL", "ORT_ENABLE_ALL"):
        same, most = differences(before, after, getattr(ort.GraphOptimizationLevel, level))
        is_exact = is_whole and level == "ORT_DISABLE_ALL"
        assert same or (not is_exact and most <= TOLERANCE), f"outputs differ by {most:g} with {level}"
        worst = max(worst, most)
    return worst
