# SPDX-License-Identifier: GPL-3.0-or-later
"""Models in the interpreter of the package tflite-micro, if that is installed."""
import importlib
import os
import shutil

import neap
import pytest
from neap.hosts import tflm

pytest.importorskip(tflm.HOST)

SCHEMA = "tflite_micro.tensorflow.lite.micro.python.schema_py_generated"
EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples")
KEYWORD = os.path.join(EXAMPLES, "keyword.tflite")
PLANNED = os.path.join(EXAMPLES, "keyword_planned.tflite")
BRANCHES = os.path.join(EXAMPLES, "branches.tflite")


def with_other_weights(path: str) -> bytes:
    schema = importlib.import_module(SCHEMA)
    flatbuffers = importlib.import_module("flatbuffers")
    with open(path, "rb") as file:
        model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(file.read(), 0))
    largest = max(model.buffers, key=lambda buffer: 0 if buffer.data is None else len(buffer.data))
    largest.data = [255 - byte for byte in largest.data]
    builder = flatbuffers.Builder()
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


@pytest.mark.parametrize("model", [KEYWORD, BRANCHES])
def test_a_planned_model_gives_equal_outputs_in_no_larger_a_head(model) -> None:
    found = tflm.check(model, runs=3)
    assert found.equal and found.runs == 3
    assert found.after.head <= found.before.head
    assert found.is_as_predicted and found.device.smallest < found.predicted.smallest
    assert str(found).startswith("outputs  equal in 3 runs\nhead ")
    assert "\nneap     predicts this\npackage  the smallest arena has " in str(found)


def test_the_smallest_arena_is_enough_and_no_less() -> None:
    smallest = tflm.predict(PLANNED, "python").smallest
    assert tflm.check(KEYWORD, PLANNED, runs=1, arena=smallest).equal
    with pytest.raises(neap.InputError, match="cannot run this model"):
        tflm.check(KEYWORD, PLANNED, runs=1, arena=smallest - 16)


def test_other_weights_give_other_outputs(tmp_path) -> None:
    changed = tmp_path / "changed.tflite"
    changed.write_bytes(with_other_weights(KEYWORD))
    found = tflm.check(KEYWORD, changed)
    assert not found.equal and found.difference == "output 0 differs in run 1 of 10 (seed 0)"
    assert tflm.main([KEYWORD, str(changed)]) == 1


def test_models_that_cannot_be_compared_or_run(tmp_path, capfd) -> None:
    with pytest.raises(neap.InputError, match="inputs have other types or shapes"):
        tflm.check(KEYWORD, BRANCHES)
    other = tmp_path / "text.tflite"
    other.write_text("text")
    assert tflm.main([str(other)]) == 2
    assert "neap.hosts.tflm: " in capfd.readouterr().err
    assert tflm.main([str(tmp_path / "absent.tflite")]) == 2


def test_the_program(tmp_path, capsys) -> None:
    copy = shutil.copy(PLANNED, tmp_path / "copy.tflite")
    assert tflm.main([KEYWORD, str(copy), "--runs", "1"]) == 0
    assert capsys.readouterr().out.startswith("outputs  equal in 1 runs")
