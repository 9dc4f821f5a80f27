# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports the real memory planner of ExecuTorch without PyTorch.

A few modules of the source tree are executed unchanged.  Modules that they import of torch, and of
the rest of ExecuTorch, are stand-ins whose attributes are empty classes; only the functions that
planning needs do anything.
"""
from __future__ import annotations

import collections
import enum
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
from pathlib import Path

# The modules to be executed, if the tree has them; all other modules are stand-ins.
REAL = {
    "executorch.exir.banked_memory_planning",
    "executorch.exir.error",
    "executorch.exir.memory_planning",
    "executorch.exir.passes.memory_planning_pass",
    "executorch.exir.scalar_type",
    "executorch.exir.schema",
    "executorch.exir.tensor",
    "executorch.backends.cadence.aot.memory_constraints",
    "executorch.backends.cadence.aot.memory_planning",
    "executorch.backends.cadence.aot.memory_planning_algo",
    "executorch.backends.cadence.aot.utils",
}
# Names that are modules although nothing imports them as such.
MODULES = {
    "executorch.exir.memory",
    "torch._ops",
    "torch.fx",
    "torch.ops",
    "torch.ops.cadence",
    "torch.ops.higher_order",
}
FAKED = ("torch", "executorch", "functorch", "tabulate")


class StandIn(types.ModuleType):
    """A module in which every name is an empty class, made when it is first used."""

    __path__: list[str] = []

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        if f"{self.__name__}.{name}" in MODULES | REAL:
            return importlib.import_module(f"{self.__name__}.{name}")
        made: object = type(name, (), {"__module__": self.__name__})
        setattr(self, name, made)
        return made


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the real modules in the tree, and makes stand-ins of all others."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name.split(".")[0] not in FAKED:
            return None
        file = self._tree.joinpath(*name.split(".")[1:]).with_suffix(".py")
        if name in REAL and file.exists():
            return importlib.util.spec_from_file_location(name, file)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return StandIn(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        fill = FILLED.get(module.__name__)
        if fill is not None:
            vars(module).update(fill())


def flatten(tree: object) -> tuple[list[object], None]:
    """The leaves of nested lists, tuples and dictionaries."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, (list, tuple)):
        return [leaf for item in tree for leaf in flatten(item)[0]], None
    return [tree], None


class Node:
    """A node of a graph."""

    def __init__(self, op: str, target: object, spec: object, args: tuple[object, ...]) -> None:
        self.op, self.target, self.args, self.kwargs = op, target, args, {}
        self.meta = {} if spec is None else {"spec": spec}
        self.users: dict[Node, None] = {}
        self.name = str(target)
        for leaf in flatten(args)[0]:
            if isinstance(leaf, Node):
                leaf.users[self] = None


class Graph:
    """The nodes in order."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes


class GraphModule:
    """A graph, with attributes that the host adds."""

    def __init__(self, nodes: list[Node]) -> None:
        self.graph = Graph(nodes)
        self.meta: dict[str, object] = {}

    def modules(self) -> list[GraphModule]:
        return [self]

    def recompile(self) -> None:
        pass


def torch_names() -> dict[str, object]:
    uint8 = type("uint8", (), {"itemsize": 1})
    return {
        "uint8": uint8,
        "_check": lambda condition, message=None: None,
        "_utils": types.SimpleNamespace(_element_size=lambda dtype: dtype.itemsize),
    }


FILLED = {
    "torch": torch_names,
    "torch.fx": lambda: {"Node": Node, "GraphModule": GraphModule, "Graph": Graph},
    "torch.utils._pytree": lambda: {"tree_flatten": flatten},
    "executorch.exir.pass_base": lambda: {
        "PassResult": collections.namedtuple("PassResult", ["graph_module", "modified"])
    },
    "executorch.exir.operator.convert": lambda: {"is_inplace_variant": lambda *names: False},
    "executorch.backends.cadence.aot.pass_utils": lambda: {
        "CompileMode": enum.IntEnum("CompileMode", {"DEFAULT": 0})
    },
    "executorch.exir._warnings": lambda: {"deprecated": lambda *a, **k: lambda function: function},
}


def install(tree: str) -> None:
    """Makes the modules of a source tree importable."""
    sys.meta_path.insert(0, Finder(Path(tree)))
