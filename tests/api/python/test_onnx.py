# SPDX-License-Identifier: GPL-3.0-or-later
"""neap.onnx, with the libraries that infer shapes where they are installed."""
from __future__ import annotations

import pathlib
import sys

import pytest

import neap
import neap.onnx

FIELD = pathlib.Path(__file__).resolve().parents[2] / "support" / "data" / "field"


def test_packages_that_are_missing_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "onnx.inliner", None)
    assert neap.onnx.main(["model.onnx", "-o", "new.onnx"]) == 3
    assert capsys.readouterr().err == (
        "neap.onnx: needs the package onnx: pip install onnx onnxruntime sympy\n"
    )


def test_local_functions_are_inlined(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("onnx")
    source, target = FIELD / "local_function.onnx", tmp_path / "new.onnx"
    with pytest.raises(neap.InputError, match=r"python3 -m neap\.onnx MODEL -o NEW"):
        neap.read(source)
    assert neap.onnx.convert(source, target).endswith("3 operators, all shapes are known")
    assert neap.plan(neap.read(target)).peak == 3 * 4 * 16 * 64


def test_unknown_operators_get_shapes(tmp_path: pathlib.Path) -> None:
    onnx = pytest.importorskip("onnx")
    graph = onnx.parser.parse_model(
        '<ir_version: 10, opset_import: ["": 21]> g (float[2, 8] x) => (float[N] y) '
        "{ a, b = Unique(x)  y = Identity(a) }"
    )
    onnx.save(graph, tmp_path / "model.onnx")
    neap.onnx.convert(tmp_path / "model.onnx", tmp_path / "new.onnx")
    with pytest.raises(neap.InputError, match="free dimension"):
        neap.read(tmp_path / "new.onnx")


def test_errors_name_the_file(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("onnx")
    path = tmp_path / "model.onnx"
    with pytest.raises(neap.FileError, match="model.onnx: No such file"):
        neap.onnx.convert(path, path)
    path.write_text("no model")
    with pytest.raises(neap.InputError, match="model.onnx: not an ONNX model"):
        neap.onnx.convert(path, path)
