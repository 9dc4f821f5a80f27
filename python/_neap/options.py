# SPDX-License-Identifier: GPL-3.0-or-later
"""The arguments of `neap.plan` and `neap.read`, for editors and type checkers.

Made by python/options.py: change the tables, not this file.
"""
from __future__ import annotations

import os
from typing import Callable, Literal, Mapping, Optional, Sequence, TypedDict, Union

from _neap.start import Start

Engine = Union[Literal["auto", "sort", "tune", "exact", "tflite-gpu-naive", "tflite-gpu-equality", "tflite-gpu-equality-ordered", "tflite-gpu-greedy-in-order", "tflite-gpu-greedy-in-order-parallel", "tflite-gpu-greedy-by-breadth", "tflite-gpu-greedy-by-size", "tflite-gpu-greedy-best", "tflite-gpu-mincostflow", "tflite-gpu-offset-greedy-by-size", "tflite-arena", "tflm-greedy", "nnvm", "nnvm-auto", "pplnn-plain", "pplnn-mru", "pplnn-bestfit", "pplnn-compact"], str]
Schedule = Union[Literal["keep", "depth-first", "min-peak", "optimal"], str]


class Options(TypedDict, total=False):
    """The options of planning."""

    disable: Optional[Union[str, Sequence[str]]]
    """Comma-separated rules, methods and neighbourhoods that the searches do without, for
    research."""
    group_overlap: Optional[float]
    """Fraction of the shorter lifetime that a buffer must share with a group's first member
    to join the group; repacked groups ignore it."""
    group_size: Optional[int]
    """Maximum number of buffers in a group; with option rearrange repack, also the size of
    the first groups that are taken out, which may grow later."""
    keep_layouts: Optional[bool]
    """Store the layout of every round and the groups moved between rounds in the plan; takes
    8 to 32 bytes per buffer and round."""
    max_group_rounds: Optional[int]
    """Maximum number of orders to try for each group in a round; with option rearrange
    repack, also the number of groups to take out in a round."""
    max_rounds: Optional[int]
    """Maximum number of rounds of the tuner; the first is the sorted layout."""
    max_ticks: Optional[int]
    """Stop after this much work; placing a buffer or visiting a search node is one tick."""
    order: Optional[str]
    """Order in which to place the buffers, such as size or overlap,-duration; by default,
    sort tries ten orders, and so does tune with option rearrange repack; otherwise tune sorts
    by size."""
    place: Optional[Union[Literal["lowest", "drop", "tight", "best-fit"], str]]
    """Rule that chooses the offset of a buffer."""
    rearrange: Optional[Union[Literal["repack", "auto", "offenders", "top", "metrics", "search", "exhaustive"], str]]
    """How the tuner looks for a lower layout: repack takes groups of buffers out and repacks
    them, all other ways change the order of groups."""
    seed: Optional[int]
    """Seed of the random number generator."""
    threads: Optional[int]
    """Number of searches that the exact engine races, each with its own seed; they join the
    first if it takes long; with option max-ticks there is only one, so that the result is
    reproducible."""
    until_fits: Optional[bool]
    """Search for a plan that fits option capacity or the sizes of the pools, and stop at the
    first; without it, the search continues to the lowest peak."""


class RunOptions(Options, total=False):
    """The arguments of `neap.plan` besides the problem."""

    engine: Engine
    time_limit: Optional[float]
    capacity: Optional[int]
    on_progress: Optional[Callable[..., object]]
    process: bool


class LivenessOptions(TypedDict, total=False):
    """See `neap.files.Liveness`."""

    in_place: bool
    """Outputs use the bytes of inputs where the operator allows it."""
    overlap: bool
    """Outputs lie over inputs as far as the allowances of a graph permit, and for a file, its
    kernels."""
    aliases: Sequence[str]
    """Any of "views", "concat" and "split": tensors that lie in others."""
    keep: Sequence[str]
    """Names of tensors that live to the end; `keep_all`: all do."""
    keep_all: bool
    no_inputs: bool
    """Do not plan the graph's inputs or outputs."""
    no_outputs: bool
    """Do not plan the graph's inputs or outputs."""


class OrderOptions(TypedDict, total=False):
    """See `neap.files.Scheduling`."""

    schedule: Schedule
    """ "keep", "depth-first", "min-peak" or "optimal", which proves its result."""
    time_limit: Optional[float]
    """Seconds for "optimal" or recompute; None: 5, or no limit with max_ticks."""
    max_ticks: Optional[int]
    """Work for them: sets of operators, or sequences of runs; None: no limit."""
    memory_limit: Optional[int]
    """Bytes for them; None: 1 GiB."""
    recompute: bool
    """Recompute values instead of keeping them: with capacity in the least extra time that
    fits, with max_time for the lowest bound. It needs one of the two."""
    max_time: Optional[float]
    """From 1 to 10; at most this multiple of the time that the operators take once."""
    capacity: Optional[int]
    """Bytes that the layout should fit; with recompute only."""
    start: Optional[Start]
    """With "min-peak" or "optimal": an order to begin with, so the result is no worse: a plan
    of the same graph, its path, the problem of `neap.Interrupted`, or a list of the indices
    of all operators."""


class ModelOptions(LivenessOptions, total=False):
    """See `neap.files.Reading`."""

    format: Optional[str]
    """The name of a format; None: that of the extension or the content."""
    replan: bool
    """Ignore offsets in the file, so that plans may choose every one."""
    dimensions: Mapping[str, int]
    """Values for dimensions that a model leaves open."""
    alignment: Optional[int]
    """Of every tensor of a model, in bytes; None: that of its element type."""
    target: Optional[str]
    """The runtime to plan for, such as "tflm"."""
    variables: Union[Literal["default", "plan", "runtime"], str]
    """ "plan", "runtime" or "default": what allocates a graph's variables."""
    kernels: Union[Literal["default", "tflm-reference", "cmsis-nn", "cmsis-nn-dsp", "cmsis-nn-mve", "tflm-python", "elementwise"], str]
    """Which ones run the graph: "tflm-reference", "cmsis-nn", "cmsis-nn-dsp", "cmsis-nn-mve",
    "tflm-python" (the package tflite-micro), "elementwise" (any that go through their
    elements in order) or "default": what the model was written for, or the default of its
    target."""
    pointer: Optional[int]
    """Bytes of a pointer of the target, 4, or 8 for an interpreter on a PC; None: what the
    model was written for, or 4."""
    resource_variables: int
    """For how many resource variables the target has room."""
    place_all: bool
    """Also plan the tensors that the target would place itself."""
    scratch: Union[str, os.PathLike[str], None]
    """A table of the scratch buffers of a TensorFlow Lite model."""
    dot_size: Optional[str]
    """Attributes in DOT files."""
    dot_order: Optional[str]
    """Attributes in DOT files."""
    columns: Mapping[str, str]
    """Names of a table's columns, by role, such as {"id": "buffer"}."""
    inclusive: bool
    """`upper` in a table is the last moment alive."""
    conflicts: Union[str, os.PathLike[str], None]
    """A table of buffers that never share bytes."""


class FileOptions(ModelOptions, total=False):
    """See `neap.files.Reading`."""

    schedule: Schedule
    """ "keep", "depth-first", "min-peak" or "optimal", which proves its result."""
    recompute: bool
    """Recompute values instead of keeping them: with capacity in the least extra time that
    fits, with max_time for the lowest bound. It needs one of the two."""
    max_time: Optional[float]
    """From 1 to 10; at most this multiple of the time that the operators take once."""
    start: Optional[Start]
    """With "min-peak" or "optimal": an order to begin with, so the result is no worse: a plan
    of the same graph, its path, the problem of `neap.Interrupted`, or a list of the indices
    of all operators."""


class PlanOptions(Options, FileOptions, total=False):
    """Options and, for files, arguments of `neap.read`."""


class ReadOptions(FileOptions, total=False):
    """See `neap.files.Reading`."""

    time_limit: Optional[float]
    """Seconds for "optimal" or recompute; None: 5, or no limit with max_ticks."""
    max_ticks: Optional[int]
    """Work for them: sets of operators, or sequences of runs; None: no limit."""
    memory_limit: Optional[int]
    """Bytes for them; None: 1 GiB."""
    capacity: Optional[int]
    """Bytes that the layout should fit; with recompute only."""
