# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples in the documents run, and print the text block that follows them, if there is one."""
import os
import re
from pathlib import Path

import pytest

SOURCE = Path(os.environ.get("NEAP_SOURCE", Path(__file__).parents[3]))
DOCUMENTS = ("README.md", "doc/guide/python.md", "python/README.md")
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.M | re.S)


def examples() -> list:
    found = []
    for document in DOCUMENTS:
        blocks = BLOCK.findall((SOURCE / document).read_text(encoding="utf-8"))
        found += [pytest.param(code, output, id=f"{document}-{k}") for k, (code, output) in enumerate(blocks)]
    return found


@pytest.mark.parametrize("code, output", examples())
def test_examples_run(code, output, tmp_path, monkeypatch, capsys) -> None:
    if "import numpy" in code:
        pytest.importorskip("numpy")
    (tmp_path / "examples").symlink_to((SOURCE / "examples").resolve())
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "<example>", "exec"), {})
    if output:
        assert capsys.readouterr().out == output


def test_there_are_examples() -> None:
    assert len(examples()) >= 7
