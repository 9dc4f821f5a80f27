# SPDX-License-Identifier: GPL-3.0-or-later
"""The package itself: its version, its program, and the types of its arguments."""
import os
import re
import subprocess
import sys
import typing
from pathlib import Path

import neap
import _neap.options as tables
import pytest

SOURCE = Path(os.environ.get("NEAP_SOURCE", Path(__file__).resolve().parents[3]))


def test_the_version_is_that_of_the_library() -> None:
    header = (SOURCE / "include/neap/neap.h").read_text(encoding="utf-8")
    numbers = re.findall(r"^#define NEAP_VERSION_M[A-Z]+ (\d+)$", header, re.MULTILINE)
    assert neap.__version__ == ".".join(numbers)


def test_the_program_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "neap"]
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert neap.__version__ in done.stdout
    failed = subprocess.run([*command, "plan", "missing.csv"], capture_output=True, check=False)
    assert failed.returncode == 1
    given = dict(os.environ, NEAP_PROGRAM="/no/such/program")
    lost = subprocess.run(command, env=given, capture_output=True, text=True, check=False)
    assert lost.returncode == 1 and "set NEAP_PROGRAM" in lost.stderr


def test_all_options_have_types() -> None:
    typed = typing.get_type_hints(tables.RunOptions, localns={"neap": neap})
    named = {"on_progress", "process"}
    assert set(typed) - named == {choice.name for choice in neap.options()}


def test_the_types_are_those_of_the_tables() -> None:
    script = SOURCE / "python/options.py"
    if not script.exists():
        pytest.skip("there is no source")
    made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert made.stdout == (SOURCE / "python/_neap/options.py").read_text(encoding="utf-8")
