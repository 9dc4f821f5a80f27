# SPDX-License-Identifier: GPL-3.0-or-later
"""neap as the memory planner of PyTorch's compiler, Inductor.

    import torch
    import neap.hosts.inductor

    found = neap.hosts.inductor.install()
    model = torch.compile(model)
    model(x)
    print(found)

For inference, Inductor can put the buffers of a compiled graph in pools, which `install` turns on
(torch._inductor.config.memory_planning).  It places them in a tree of splits; neap plans the
buffers of each pool again, and keeps the tree's layout where it is as low.  So no pool is larger
than without neap.  Pools that have a symbolic size stay as they are.
"""
from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence

import neap
from neap.hosts import _host

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from _neap.options import RunOptions

PACKAGE = "torch torchvision"
MODULE = "torch._inductor.codegen.memory_planning"
HOST, HOOK = "MemoryPlanner", "allocate_groups"

_logger = logging.getLogger(__name__)


@dataclass
class Found:
    """What was planned since `install`, in bytes; it grows while models are compiled."""

    pools: int = 0  #: with buffers of known sizes
    lowered: int = 0  #: of these
    symbolic: int = 0  #: pools that stay as they are, because a size is symbolic
    before: int = 0  #: sum of the sizes of the pools, as Inductor planned them
    after: int = 0
    bound: int = 0  #: sum of the lower bounds of the pools

    def __str__(self) -> str:
        text = f"{self.pools} pools, {self.before:,} bytes; {self.lowered} lowered, to {self.after:,}"
        return f"{text} (bound {self.bound:,}); {self.symbolic} with symbolic sizes"


@dataclass
class _Root:
    """Stands in for the tree of a pool that neap planned."""

    allocations: list[Any]
    peak: int
    live_ranges: Any
    integer: Callable[[int], Any] = field(repr=False)

    def get_live_ranges(self) -> Any:
        return self.live_ranges

    def get_size_hint(self) -> int:
        return self.peak

    def get_symbolic_size(self) -> Any:
        return self.integer(self.peak)


class _Planner:
    """What `install` puts in the place of Inductor's method."""

    def __init__(self, host: Callable[[Any], None], options: dict[str, Any]) -> None:
        self.host = host
        self.options = options
        self.found = Found()
        self.alignment = int(_host.load("torch._inductor.utils", PACKAGE).ALIGN_BYTES)
        self.integer = _host.load("sympy", "sympy").Integer

    def __get__(self, planner: Any, _owner: object = None) -> Callable[[], None]:
        return lambda: self.allocate(planner)

    def allocate(self, planner: Any) -> None:
        self.host(planner)
        blocks: dict[int, list[Any]] = {}
        for group in planner.buffer_groups:
            blocks.setdefault(id(group.allocation.pool), []).append(group.allocation)
        for pools in planner.pools.device_to_pools.values():
            for pool in pools:
                self._plan(pool, blocks.get(id(pool), []))

    def _plan(self, pool: Any, blocks: Sequence[Any]) -> None:
        """Plans the buffers of a pool again; where that is lower, it replaces offsets and tree."""
        found = self.found
        if not all(getattr(block.symbolic_size, "is_Integer", False) for block in blocks):
            found.symbolic += 1
            return
        problem = neap.Problem()
        for block in blocks:
            begin, end = int(block.live_range.begin), int(block.live_range.end)
            problem.add(
                int(block.symbolic_size),
                begin,
                max(end, begin + 1),
                alignment=self.alignment,
                hint=block.node.get_name(),
            )
        plan = neap.plan(problem, **self.options)
        theirs, peak = int(pool.root.get_size_hint()), plan.report.peak
        found.pools += 1
        found.before += theirs
        found.after += min(peak, theirs)
        found.bound += min(plan.report.bound, theirs)
        if peak < theirs:
            found.lowered += 1
            for block, offset in zip(blocks, plan.offsets):
                block.offset = self.integer(offset)
            pool.root = _Root(list(blocks), peak, pool.root.get_live_ranges(), self.integer)
        _logger.info("%s: %d buffers, %d -> %d", pool.name, len(blocks), theirs, min(peak, theirs))


_settings: Optional[tuple[bool, str]] = None  # of PyTorch, before `install`


def install(**options: Unpack[RunOptions]) -> Found:
    """Makes Inductor use neap in this process; `options` are those of `neap.plan`.

    Returns what was planned since then, which grows while models are compiled.  Code that Inductor
    compiled earlier, in this process or its cache, is not used again.  Installing again replaces
    the options.
    """
    global _settings
    neap.plan(neap.Problem(), **options)  # refuses wrong options now, not during a compilation
    uninstall()
    module, config, compiler = _modules()
    _settings = config.memory_planning, compiler.cache_key_tag
    planner = _Planner(getattr(getattr(module, HOST), HOOK), dict(options))
    setattr(getattr(module, HOST), HOOK, planner)
    config.memory_planning = True
    compiler.cache_key_tag += f" neap {neap.__version__} {sorted(options.items())}"
    return planner.found


def uninstall() -> None:
    """Gives Inductor its own planner and settings back; does nothing if it has them."""
    global _settings
    module, config, compiler = _modules()
    planner = vars(getattr(module, HOST))[HOOK]
    if isinstance(planner, _Planner) and _settings:
        setattr(getattr(module, HOST), HOOK, planner.host)
        config.memory_planning, compiler.cache_key_tag = _settings
        _settings = None


def _modules() -> tuple[Any, Any, Any]:
    """Inductor's planner and settings, and those of the compiler."""
    names = MODULE, "torch._inductor.config", "torch.compiler.config"
    planner, inductor, compiler = (_host.load(name, PACKAGE) for name in names)
    return planner, inductor, compiler
