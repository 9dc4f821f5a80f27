# SPDX-License-Identifier: GPL-3.0-or-later
"""Models: their peaks, fits, bands, and written files."""
import dataclasses
import gc
import os
import pathlib

import neap
import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples"
BRANCHES = EXAMPLES / "branches.tflite"


def test_a_model_says_what_it_holds() -> None:
    model = neap.Model(BRANCHES)
    assert (model.name, model.format) == ("branches.tflite", "tflite")
    assert [operator.type for operator in model.operators] == model.graph().operators
    assert len(model.problem()) == len(neap.read(BRANCHES, target="tflm"))
    assert repr(model) == "<neap.Model: 'branches.tflite', tflite>"


def test_bytes_are_a_model() -> None:
    content = BRANCHES.read_bytes()
    assert neap.Model(content).arena() == neap.Model(os.fspath(BRANCHES)).arena()
    assert neap.Model(bytearray(content)).name == "model"
    with pytest.raises(neap.InputError, match="model: not a TensorFlow Lite model"):
        neap.Model(b"text")


def test_an_arena_has_parts_and_operators() -> None:
    model = neap.Model(BRANCHES)
    arena = model.arena()
    assert arena.used == arena.head + arena.tail <= arena.smallest
    assert 0 <= arena.tail - sum(arena.parts.values()) < 16 * len(arena.parts)
    assert [item.type for item in arena.operators] == [item.type for item in model.operators]
    assert not arena.unknown and not arena.refused
    larger = model.arena(kernels="cmsis-nn", pointer=8)
    assert (larger.kernels, larger.pointer) == ("cmsis-nn", 8) and larger.tail > arena.tail
    best = model.arena(model.plan("optimal"))
    assert best.tail == arena.tail and best.head < arena.head


def test_a_model_is_saved_with_its_plan(tmp_path) -> None:
    model, path = neap.Model(BRANCHES), tmp_path / "new.tflite"
    plan = model.plan(schedule="optimal", seed=3)
    model.save(path, plan)
    assert neap.Model(path).arena().head == plan.peak == neap.read_plan(path).peak
    model.save(path)
    assert neap.Model(path).arena().head == model.plan().peak
    with pytest.raises(neap.ArgumentError, match="format of the given one, tflite, not onnx"):
        model.save(tmp_path / "new.onnx", plan)


def test_a_fit_stops_at_the_first_step_that_fits(tmp_path) -> None:
    fit = neap.Model(BRANCHES).fit(arena=6144)
    gc.collect()  # the fit holds the model
    assert fit.fits and not fit.is_open and fit.bands is None
    assert [step.means for step in fit.steps] == ["layout", "order"]
    assert fit.best is fit.steps[1] and fit.best.need.arena <= 6144 < fit.steps[0].need.arena
    assert fit._repr_html_().startswith("<iframe")
    fit.save(tmp_path / "fits.tflite")
    assert neap.Model(tmp_path / "fits.tflite").arena().smallest == fit.best.need.arena


def test_what_does_not_fit_is_no_error() -> None:
    fit = neap.Model(BRANCHES).fit(arena=1024, time_limit=10)
    assert not fit.fits and fit.is_infeasible and fit.missing > 0
    bands = fit.bands
    assert fit.no_bands is None and bands.whole == ()
    del fit
    gc.collect()  # its bands hold it
    assert bands and bands.plan.peak == bands.after.peak


def test_two_memories_have_names() -> None:
    model = neap.Model(BRANCHES)
    fit = model.fit(memories={"dtcm": 2200, "sram": 3072})
    assert fit.fits and fit.best.means == "pools" and fit.best.place == "head_first"
    assert fit.best.needs[0] <= 3072 and fit.best.needs[1] <= 2200
    for wrong in ({}, {"sram": 8}, [1, 2]):
        with pytest.raises(neap.ArgumentError, match="memories: expected two, by name"):
            model.fit(memories=wrong)
    with pytest.raises(neap.ArgumentError, match="fit needs arena or memories"):
        model.fit()


def test_bands_lower_the_goal(tmp_path) -> None:
    model, path = neap.Model(BRANCHES), tmp_path / "bands.tflite"
    smallest = model.split()
    assert smallest.is_split and smallest.after.arena < smallest.before.arena
    assert smallest.choices[-1].peak == smallest.plan_before.peak == smallest.before.peak
    assert smallest.segments[0].ends == tuple(sorted(smallest.segments[0].ends))
    lowest = model.split(goal="peak")
    assert lowest.after.peak <= smallest.after.peak
    least = model.split(goal="work", capacity=smallest.after.peak)
    assert least.after.peak <= smallest.after.peak and least.after.macs <= smallest.after.macs
    smallest.save(path)
    assert neap.Model(path).arena().smallest == smallest.after.arena
    with pytest.raises(neap.Infeasible):
        model.split("work", capacity=1)
    with pytest.raises(neap.ArgumentError, match="^capacity: expected at least 1 byte"):
        model.split("work")


def test_progress_can_end_a_search_and_exceptions_do() -> None:
    seen = []
    bands = neap.Model(BRANCHES).split(on_progress=lambda search: seen.append(search) or False)
    assert len(seen) == 1 and not bands.is_proven

    def fail(_search: object) -> None:
        raise RuntimeError("no")

    def interrupt(_search: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(RuntimeError, match="no"):
        neap.Model(BRANCHES).split(on_progress=fail)
    with pytest.raises(neap.Interrupted) as caught:
        neap.Model(BRANCHES).split(on_progress=interrupt)
    assert caught.value.plan is not None


def test_wrong_names_are_told_with_the_nearest() -> None:
    for call, kind, words in (
        (lambda: neap.Model(BRANCHES, kernel="cmsis-nn"), TypeError, "'kernel'; did you mean 'kernels'"),
        (lambda: neap.Model(BRANCHES, schedule="optimal"), TypeError, "schedule is an argument of plan"),
        (lambda: neap.Model(BRANCHES, kernels="cmsisnn"), ValueError, "did you mean 'cmsis-nn'"),
        (lambda: neap.Model(BRANCHES, target="tfm").arena(), ValueError, "did you mean 'tflm'"),
        (lambda: neap.Model(BRANCHES).split("arean"), ValueError, "did you mean 'arena'"),
        (lambda: neap.Model(BRANCHES).plan(sed=1), ValueError, "did you mean 'seed'"),
        (lambda: neap.Model(BRANCHES).plan(engine="exat"), ValueError, "did you mean 'exact'. Use"),
    ):
        with pytest.raises(kind, match=words):
            call()


def test_a_plan_gives_its_offsets_in_every_form() -> None:
    plan = neap.Model(BRANCHES).plan()
    names = [buffer.name for buffer in plan.problem.buffers]
    assert [placed.name for placed in plan] == names
    assert plan.as_dict() == dict(zip(names, plan.offsets))
    arrays = plan.as_arrays()
    assert list(arrays["offset"]) == plan.offsets.tolist() and len(arrays["size"]) == len(names)
    assert max(placed.offset + placed.size for placed in plan) == plan.peak


def test_models_share_an_arena() -> None:
    models = [neap.Model(EXAMPLES / name) for name in ("branches.tflite", "keyword.tflite")]
    alone = [model.arena() for model in models]
    shared = neap.share_arena(model.current_plan() for model in models)
    assert shared.head == max(arena.head for arena in alone)
    runtime = alone[0].parts["interpreter"]
    assert 0 <= sum(arena.tail for arena in alone) - shared.tail <= runtime
    assert len(shared.operators) == sum(len(arena.operators) for arena in alone)
    assert neap.share_arena([models[0].current_plan()]) == alone[0]
    for wrong in ([], [models[0].current_plan(), neap.plan(neap.Problem())]):
        with pytest.raises(neap.ArgumentError, match="only models for TensorFlow Lite Micro"):
            neap.share_arena(wrong)


def test_models_fit_an_arena_that_they_share(tmp_path) -> None:
    models = [neap.Model(EXAMPLES / name) for name in ("branches.tflite", "keyword.tflite")]
    found = neap.fit_models(models, 7168)
    assert found.fits and found.arena.smallest <= 7168
    assert [fit.best.means for fit in found.models] == ["order", "layout"]
    for index, fit in enumerate(found.models):
        fit.save(tmp_path / f"{index}.tflite")
    written = [neap.Model(tmp_path / f"{index}.tflite").current_plan() for index in range(2)]
    assert neap.share_arena(written) == dataclasses.replace(found.arena, operators=neap.share_arena(written).operators)
    assert not neap.fit_models(models, 4096).fits
    with pytest.raises(neap.ArgumentError, match="expected models"):
        neap.fit_models([], 4096)
