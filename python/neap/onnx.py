# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the shapes of an ONNX model's tensors into the model, for operators that neap does not know.

    pip install onnx onnxruntime sympy
    python3 -m neap.onnx model.onnx -o shaped.onnx
    neap plan shaped.onnx

neap infers the shapes of ONNX's common operators itself and reads those that a model declares.  For others, such as
com.microsoft's, this asks two other libraries: onnx inlines functions that are local to the model and infers
shapes, and ONNX Runtime's symbolic inference, if it is installed, finds those that onnx leaves open.  Nothing else
changes.  Weights in other files stay there, so write the new model beside the old one if it is to run.
"""
from __future__ import annotations

import argparse
import importlib
import os
import sys
from typing import Any, Iterator, Optional, Sequence, Union

from _neap import command
from neap.errors import ArgumentError, FileError, InputError

Path = Union[str, "os.PathLike[str]"]


def _onnx() -> Any:
    try:
        for name in ("onnx.inliner", "onnx.shape_inference"):
            importlib.import_module(name)
    except ImportError:
        raise ArgumentError("needs the package onnx: pip install onnx onnxruntime sympy") from None
    return importlib.import_module("onnx")


def _has_shape(value: Any) -> bool:
    """Whether a declaration is complete; values other than tensors need no shape."""
    if value.type.WhichOneof("value") is None:
        return False
    kind = value.type.tensor_type
    return not value.type.HasField("tensor_type") or (kind.elem_type > 0 and kind.HasField("shape"))


def _graphs(graph: Any) -> Iterator[Any]:
    """A graph and the graphs within its operators."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])]:
                yield from _graphs(inner)


def _declared(graph: Any) -> dict[str, Any]:
    values = [*graph.value_info, *graph.output]
    return {value.name: value for value in values if _has_shape(value)}


def _missing(graph: Any) -> dict[str, str]:
    """The tensors without a shape that operators make, and the types of these operators."""
    known = _declared(graph)
    return {
        name: node.op_type
        for node in graph.node
        for name in node.output
        if name and name not in known
    }


def _infer_symbolically(model: Any) -> Any:
    """The model with the shapes that ONNX Runtime infers; None if that fails or is not installed."""
    try:
        tools = importlib.import_module("onnxruntime.tools.symbolic_shape_infer")
        return tools.SymbolicShapeInference.infer_shapes(model, auto_merge=True)
    except Exception:  # it may raise any exception
        return None


def _add(graph: Any, other: Any) -> None:
    """Declares the shapes that a graph lacks and the other has."""
    known = _declared(other)
    old = {value.name: value for value in [*graph.value_info, *graph.output]}
    for name in _missing(graph):
        if name not in known:
            continue
        if name in old:
            old[name].CopyFrom(known[name])
        else:
            graph.value_info.append(known[name])


def shape(model: Any) -> Any:
    """Infers the shapes of a model (onnx.ModelProto); returns the model with these, its local functions inlined.

    Raises:
        ArgumentError: the package onnx is not installed.
        InputError: the model is malformed.
    """
    onnx = _onnx()
    try:
        if len(model.functions) > 0:
            model = onnx.inliner.inline_local_functions(model)
        model = onnx.shape_inference.infer_shapes(model, data_prop=True)
    except (ValueError, RuntimeError) as error:
        raise InputError(str(error).splitlines()[0]) from None
    if any(_missing(graph) for graph in _graphs(model.graph)):
        other = _infer_symbolically(model)
        if other is not None:
            for graph, inferred in zip(_graphs(model.graph), _graphs(other.graph)):
                _add(graph, inferred)
    return model


def convert(source: Path, target: Path) -> str:
    """Reads a model and writes it with the shapes of its tensors; returns a summary.

    Raises:
        ArgumentError: the package onnx is not installed.
        FileError: a file cannot be read or written.
        InputError: the source is not an ONNX model.
    """
    onnx = _onnx()
    try:
        model = onnx.load(os.fspath(source), load_external_data=False)
    except OSError as error:
        raise FileError(error.strerror or str(error), source=os.fspath(source)) from None
    except Exception:  # of protobuf, whose versions differ
        raise InputError("not an ONNX model", source=os.fspath(source)) from None
    model = shape(model)
    try:
        onnx.save(model, os.fspath(target))
    except OSError as error:
        raise FileError(error.strerror or str(error), source=os.fspath(target)) from None
    missing = _missing(model.graph)
    summary = f"{os.fspath(target)}: {len(model.graph.node)} operators"
    if not missing:
        return f"{summary}, all shapes are known"
    kinds = ", ".join(sorted(set(missing.values())))
    return (
        f"{summary}, {len(missing)} tensors still without a shape, made by {kinds}; "
        "onnxruntime and sympy may infer more if they are not installed"
    )


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="neap.onnx", description="Writes the shapes of an ONNX model's tensors into the model."
    )
    parser.add_argument("model", help="the model (.onnx)")
    parser.add_argument("-o", "--output", required=True, help="the new model, or the same file")
    given = parser.parse_args(arguments)
    return command.run("neap.onnx", lambda: convert(given.model, given.output))


if __name__ == "__main__":
    sys.exit(main())
