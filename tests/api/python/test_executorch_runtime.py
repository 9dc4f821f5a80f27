# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that neap planned, in ExecuTorch's runtime, if that is installed."""
import pytest
from conftest import load_example

pytest.importorskip("executorch.runtime")
pytest.importorskip("torchvision")

compare = load_example("hosts/executorch/compare.py")


@pytest.mark.parametrize("name, saves", [("autoencoder", False), ("experts", True)])
def test_the_arena_is_never_larger_and_outputs_are_equal(name, saves) -> None:
    before, after, equal = compare.measure(name)
    assert equal
    assert after < before if saves else after <= before
