# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads programs that PyTorch exports as graphs of operators.

    program = torch.export.export(model, (x,)).run_decompositions()
    graph = neap.fx.read_graph(program)
    problem = graph.problem(schedule="optimal", in_place=True)
    print(neap.plan(problem), neap.explain(problem))

Parameters, buffers and constants are not planned.  Views have no memory of their own, and pointwise
operators may write over an operand of the same shape and type.  An operator with graphs of its own,
such as `cond`, is one operator, without the temporaries inside.
"""
from __future__ import annotations

import operator
from typing import Any, Iterable, Optional

from neap.errors import InputError
from neap.graph import Graph

_Place = tuple[Any, int]  # a node, and which of its results


def read_graph(program: Any, *, alignment: int = 64, inputs: bool = True) -> Graph:
    """Makes a graph of an exported program.

    Args:
        program: a torch.export.ExportedProgram; sizes are those of its example inputs.
        alignment: bytes; of every tensor.
        inputs: whether the user's inputs are planned.

    Raises neap.InputError if a size is symbolic, or if an operator writes to its operand; then
    `program.run_decompositions()` gives a program without such operators.
    """
    return _Reader(program, alignment, inputs).graph


class _Reader:
    """Goes through the nodes of a program."""

    def __init__(self, program: Any, alignment: int, inputs: bool) -> None:
        self.graph = Graph()
        self.alignment = alignment
        self.tensors: dict[_Place, int] = {}  # without an entry: not a tensor
        kinds = {each.arg.name: each.kind.name for each in program.graph_signature.input_specs}
        nodes = list(program.graph.nodes)
        ends = [node for node in nodes if node.op == "output"]
        self.results = {arg for node in ends for arg in node.all_input_nodes}
        self.owners = self._owners(nodes)
        # An output that is a view keeps the tensor that it views.
        self.kept = {self._owner((node, 0)) for node in self.results}
        for node in nodes:
            if node.op == "placeholder":
                is_input = kinds.get(node.name) == "USER_INPUT"
                kind = "constant" if not is_input else "activation" if inputs else "external"
                self._add_tensors(node, kind, is_input)
            elif node.op == "call_function" and node.target is not operator.getitem:
                self._add_operator(node)

    # ------------------------------------------------------------ views

    def _owners(self, nodes: Iterable[Any]) -> dict[_Place, _Place]:
        """The owners of results that are views, or elements of other results."""
        owners: dict[_Place, _Place] = {}
        for node in nodes:
            if node.op != "call_function":
                continue
            if node.target is operator.getitem:
                owners[node, 0] = node.args[0], node.args[1]
                continue
            viewed = self._viewed(node)
            if viewed is not None:
                for index in range(len(_values(node))):
                    owners[node, index] = viewed, 0
        return owners

    def _owner(self, place: _Place) -> _Place:
        while place in self.owners:
            place = self.owners[place]
        return place

    @staticmethod
    def _viewed(node: Any) -> Optional[Any]:
        """The operand that the results of a node are views of."""
        schema = getattr(node.target, "_schema", None)
        if schema is None:
            return None
        if schema.is_mutable:
            text = f"{node.target} writes to its operand; call run_decompositions() first"
            raise InputError(text, source=node.name)
        infos = [each.alias_info for each in schema.returns if each.alias_info]
        names = {name for info in infos for name in info.before_set}
        for index, argument in enumerate(schema.arguments):
            if argument.alias_info and names & argument.alias_info.before_set:
                given = (list(node.args) + [None] * index)[index] or node.kwargs.get(argument.name)
                return given if hasattr(given, "all_input_nodes") else None
        return None

    # ------------------------------------------------------------ tensors and operators

    def _add_tensors(self, node: Any, kind: str, is_input: bool) -> list[int]:
        """Adds the results of a node; returns their indices."""
        added = []
        values = _values(node)
        for index, value in enumerate(values):
            if value is None or (node, index) in self.owners:
                continue
            name = node.name if len(values) == 1 else f"{node.name}:{index}"
            self.tensors[node, index] = self.graph.add_tensor(
                name,
                _bytes(value, name),
                kind=kind,
                alignment=self.alignment,
                is_input=is_input,
                is_output=(node, index) in self.kept,
                shape=[int(size) for size in value.shape],
                dtype=str(value.dtype).replace("torch.", ""),
            )
            added.append(self.tensors[node, index])
        return added

    def _add_operator(self, node: Any) -> None:
        outputs = self._add_tensors(node, "activation", False)
        if not outputs:
            return
        read: dict[int, list[Any]] = {}  # by tensor, the nodes read: it or its views
        for each in node.all_input_nodes:
            tensor = self.tensors.get(self._owner((each, 0)))
            if tensor is not None:
                read.setdefault(tensor, []).append(each)
        pairs = [
            (place, 0)
            for place, views in enumerate(read.values())
            if _is_pointwise(node) and all(_is_alike(view, node) for view in views)
        ]
        name = str(node.target)
        self.graph.add_operator(name, list(read), outputs, in_place=pairs, label=node.name)


def _values(node: Any) -> list[Any]:
    """The tensors that a node makes; None for other values."""
    made = node.meta.get("val")
    listed = list(made) if isinstance(made, (tuple, list)) else [made]
    return [value if hasattr(value, "untyped_storage") else None for value in listed]


def _bytes(value: Any, name: str) -> int:
    if not all(isinstance(size, int) for size in value.shape):
        text = f"its shape {list(value.shape)} is symbolic; export without dynamic_shapes"
        raise InputError(text, source=name)
    return int(value.untyped_storage().nbytes())


def _is_pointwise(node: Any) -> bool:
    return any(getattr(tag, "name", "") == "pointwise" for tag in getattr(node.target, "tags", ()))


def _is_alike(one: Any, other: Any) -> bool:
    """Whether two nodes make one tensor each, with elements in the same places of a storage."""
    forms = [
        (value.shape, value.dtype, value.stride(), value.untyped_storage().nbytes())
        for node in (one, other)
        for value in _values(node)
        if value is not None
    ]
    return len(forms) == 2 and forms[0] == forms[1]
