# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the result of every case to the file NEAP_TAP, for run.sh, and lets SIGINT interrupt them."""
import importlib.util
import os
import pathlib
import signal
import types

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"


def load_example(path: str) -> types.ModuleType:
    """A script in examples/, as a module."""
    spec = importlib.util.spec_from_file_location(path.replace("/", "_")[:-3], EXAMPLES / path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def interruptible():
    """Lets SIGINT raise KeyboardInterrupt, which background jobs of a shell ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _write(line: str) -> None:
    path = os.environ.get("NEAP_TAP")
    if path:
        with open(path, "a", encoding="utf-8") as cases:
            cases.write(line + "\n")


def _name(report: pytest.TestReport) -> str:
    return report.nodeid.rsplit("/", 1)[-1].replace("#", " ")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _write(f"fail {_name(report)}")
    elif report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else "no reason"
        _write(f"skip {_name(report)}|{reason}")
    elif report.when == "call":
        _write(f"pass {_name(report)}")


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _write(f"fail {report.nodeid}")
    elif report.skipped and isinstance(report.longrepr, tuple):
        _write(f"skip {report.nodeid}|{report.longrepr[2]}")
