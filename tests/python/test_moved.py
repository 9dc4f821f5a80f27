# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules under their former names."""
import importlib
import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["arenas", "cadence", "executorch", "tinygrad", "vela"])
def test_a_former_name_warns_and_is_the_same_module(name: str) -> None:
    sys.modules.pop(f"neap.{name}", None)
    with pytest.warns(DeprecationWarning, match=f"neap.{name} is now neap.hosts.{name}"):
        former = importlib.import_module(f"neap.{name}")
    assert former is importlib.import_module(f"neap.hosts.{name}")


def test_a_former_command_runs() -> None:
    command = [sys.executable, "-m", "neap.tinygrad"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "neap.tinygrad: this module is now neap.hosts.tinygrad"
    assert "usage: python3 -m neap.hosts.tinygrad" in done.stderr
