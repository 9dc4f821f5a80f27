# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions that JAX compiles, if it is installed: neap reads XLA's dumps and plans them."""
import pytest
from conftest import load_example

pytest.importorskip("jax")

compare = load_example("hosts/jax/compare.py")


@pytest.mark.parametrize("name", ["attention", "bodies", "residual"])
def test_neap_is_never_above_xla(name) -> None:
    operations, theirs, same, own = compare.measure(name)
    assert operations > 1
    assert 0 < own.order_lower_bound <= own.peak <= same <= theirs
