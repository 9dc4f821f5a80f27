# SPDX-License-Identifier: GPL-3.0-or-later
"""Models that neap planned, in ExecuTorch's runtime, if that is installed."""
import importlib.util
import pathlib

import pytest

pytest.importorskip("executorch.runtime")
pytest.importorskip("torchvision")

SCRIPT = pathlib.Path(__file__).parents[2] / "examples" / "hosts" / "executorch" / "compare.py"
_SPEC = importlib.util.spec_from_file_location("compare_executorch", SCRIPT)
assert _SPEC and _SPEC.loader
compare = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(compare)


@pytest.mark.parametrize("name, saves", [("autoencoder", False), ("experts", True)])
def test_the_arena_is_never_larger_and_outputs_are_equal(name, saves) -> None:
    before, after, equal = compare.measure(name)
    assert equal
    assert after < before if saves else after <= before
