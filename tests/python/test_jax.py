# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions that JAX compiles, if it is installed: what neap reads of XLA's dumps, and plans."""
import importlib.util
import pathlib

import pytest

pytest.importorskip("jax")

SCRIPT = pathlib.Path(__file__).parents[2] / "examples" / "hosts" / "jax" / "compare.py"
_SPEC = importlib.util.spec_from_file_location("compare", SCRIPT)
assert _SPEC and _SPEC.loader
compare = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(compare)


@pytest.mark.parametrize("name", ["attention", "bodies", "residual"])
def test_neap_is_never_above_xla(name) -> None:
    operations, theirs, same, own = compare.measure(name)
    assert operations > 1
    assert 0 < own.order_lower_bound <= own.peak <= same <= theirs
