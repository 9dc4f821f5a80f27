# SPDX-License-Identifier: GPL-3.0-or-later
"""neap plans memory offline.

It gives buffers with sizes and lifetimes offsets in one arena, so that no two that are alive at the
same time share a byte and the arena is as small as possible:

    >>> import neap
    >>> problem = neap.Problem()
    >>> image = problem.add(150528, 0, 2)
    >>> features = problem.add(401408, 1, 3)
    >>> plan = neap.plan(problem)
    >>> plan.peak, plan.status
    (551936, 'optimal')

A `neap.Model` is a TensorFlow Lite or ONNX model: it plans, fits an arena, and runs in bands:

    >>> neap.Model("examples/branches.tflite").fit(arena=6144)
    <neap.Fit: fits, order, arena 4544 bytes>

Sizes and offsets are bytes.  Times are integers in any unit.  Ranges are half-open.  The package
loads the C libraries when it first needs them, and releases the interpreter's lock while they run.
"""
from _neap.location import VERSION as __version__
from neap.errors import (
    ArgumentError,
    Error,
    FileError,
    FormatError,
    Infeasible,
    InputError,
    Interrupted,
    NoPlan,
    OutOfMemoryError,
    UnsoundError,
)
from neap.explanation import Change, Explanation, Fix, explain
from neap.files import read, read_graph, read_plan
from neap.graph import Graph
from neap.models import Arena, Bands, Fit, Model, SharedFit, fit_models, share_arena
from neap.plan import Offsets, Placed, Plan, PoolReport, Report, Round
from neap.planning import Progress, engines, options, pack, plan
from neap.problem import Buffer, Operator, Pool, Problem, Relation, Reserved

__all__ = [
    "Arena",
    "ArgumentError",
    "Bands",
    "Buffer",
    "Change",
    "Error",
    "Explanation",
    "FileError",
    "Fit",
    "Fix",
    "FormatError",
    "Graph",
    "Infeasible",
    "InputError",
    "Interrupted",
    "Model",
    "NoPlan",
    "Offsets",
    "Operator",
    "OutOfMemoryError",
    "Placed",
    "Plan",
    "Pool",
    "PoolReport",
    "Problem",
    "Progress",
    "Relation",
    "Report",
    "Reserved",
    "Round",
    "SharedFit",
    "UnsoundError",
    "__version__",
    "engines",
    "explain",
    "fit_models",
    "options",
    "pack",
    "plan",
    "read",
    "read_graph",
    "read_plan",
    "share_arena",
]
