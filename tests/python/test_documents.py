# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples in the documents run."""
import os
import re
from pathlib import Path

import pytest

SOURCE = Path(os.environ.get("NEAP_SOURCE", Path(__file__).parents[2]))
DOCUMENTS = ("README.md", "python/README.md")


def examples() -> list:
    found = []
    for document in DOCUMENTS:
        blocks = re.findall(r"^```python\n(.*?)^```$", (SOURCE / document).read_text(), re.M | re.S)
        found += [pytest.param(block, id=f"{document}-{k}") for k, block in enumerate(blocks)]
    return found


@pytest.mark.parametrize("code", examples())
def test_examples_run(code, tmp_path, monkeypatch) -> None:
    if "import numpy" in code:
        pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "<example>", "exec"), {})


def test_there_are_examples() -> None:
    assert len(examples()) >= 4
