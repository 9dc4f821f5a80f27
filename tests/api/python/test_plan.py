# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning: in the library and in a process of its own."""
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading

import neap
import pytest
from random_problems import tries


def small() -> neap.Problem:
    problem = neap.Problem()
    problem.add(150528, 0, 2, "image")
    problem.add(401408, 1, 3, "features")
    return problem


def hard(count: int = 400, seed: int = 1) -> neap.Problem:
    """A problem that keeps the exact search busy for longer than any test."""
    numbers = random.Random(seed)
    problem = neap.Problem()
    for _ in range(count):
        start = numbers.randrange(300)
        end = start + numbers.randrange(1, 60)
        alignment = numbers.choice((1000, 1024, 4096, 333))
        problem.add(numbers.randrange(1, 1000) * 17, start, end, alignment=alignment)
    return problem


both = pytest.mark.parametrize("process", [False, True])


@both
def test_a_plan_says_what_it_is(process) -> None:
    plan = neap.plan(small(), process=process)
    assert sorted(plan.offsets) in ([0, 150528], [0, 401408])
    assert plan.offset("features") == plan.offsets[1]
    assert plan.pools == [0, 0]
    assert plan.peak == plan.bound == plan.lower_bound == 551936
    assert (plan.status, plan.stop_reason) == ("optimal", "bound")
    assert plan.report.buffers == 2
    assert plan.report.engine == "auto"
    assert plan.rounds[0].peak == 551936
    assert [buffer.name for buffer in plan.problem.buffers] == ["image", "features"]
    plan.verify()
    with pytest.raises(neap.UnsoundError):
        plan.verify(capacity=551935)


@both
def test_a_plan_is_saved_in_every_form(process, tmp_path) -> None:
    plan = neap.plan(small(), process=process)
    for name in ("plan.json", "plan.csv", "plan.svg", "plan.html"):
        plan.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 0
    assert neap.read_plan(tmp_path / "plan.json").offsets == plan.offsets
    assert neap.read_plan(tmp_path / "plan.csv").peak == plan.peak
    assert json.loads(plan.to_json())["report"]["peak"] == plan.peak
    assert "<svg" in plan._repr_svg_()
    assert plan._repr_html_().startswith('<iframe title="Memory plan" srcdoc=')
    assert plan.name is None
    with pytest.raises(neap.Error):
        plan.save(tmp_path / "plan.unknown")
    with pytest.raises(neap.FileError):
        plan.save(tmp_path / "missing" / "plan.json")


def test_a_process_returns_the_plan_of_the_library() -> None:
    numbers = random.Random(5)
    for _ in range(5):
        problem = neap.Problem()
        for _ in range(40):
            start = numbers.randrange(50)
            problem.add(numbers.randrange(1, 99), start, start + numbers.randrange(1, 20))
        options = {"engine": "exact", "max_ticks": 20000, "seed": 3}
        here = neap.plan(problem, **options)
        there = neap.plan(problem, process=True, **options)
        assert here.to_json() == there.to_json()
        assert here.report.lower_bound == there.report.lower_bound


def test_a_process_understands_every_constraint() -> None:
    from test_problem import every_kind

    problem = every_kind()
    here, there = neap.plan(problem), neap.plan(problem, process=True)
    assert here.offsets == there.offsets
    assert here.pools == there.pools
    assert here.pool_reports == there.pool_reports
    assert there.problem.buffers == problem.buffers
    assert there.problem.relations == problem.relations
    assert there.problem.pools == problem.pools


@both
def test_capacities_are_kept_or_refused(process) -> None:
    assert neap.plan(small(), capacity=551936, process=process).report.capacity == 551936
    with pytest.raises(neap.Infeasible, match="551936 are needed") as caught:
        neap.plan(small(), capacity=1000, process=process)
    assert caught.value.status == "NEAP_INFEASIBLE"


@both
def test_errors_name_the_option(process) -> None:
    with pytest.raises(neap.ArgumentError, match="engine"):
        neap.plan(small(), engine="none", process=process)
    with pytest.raises(neap.ArgumentError, match="no-such"):
        neap.plan(small(), no_such=1, process=process)
    with pytest.raises(neap.ArgumentError):
        neap.plan(small(), seed=-1, process=process)


@both
def test_errors_have_file_line_and_column(process, tmp_path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("id,lower,upper,size\na,0,2,8\nb,0,x,8\n")
    with pytest.raises(neap.InputError) as caught:
        neap.plan(path, process=process)
    assert (caught.value.source, caught.value.line, caught.value.column) == (str(path), 3, 5)
    assert str(caught.value).startswith(f"{path}:3:5: ")
    with pytest.raises(neap.FileError):
        neap.plan(tmp_path / "missing.csv", process=process)


@both
def test_files_are_planned_with_options_of_reading(process, tmp_path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("id,lower,upper,bytes\na,0,1,8\nb,2,3,8\n")
    plan = neap.plan(path, columns={"size": "bytes"}, inclusive=True, process=process)
    assert plan.peak == 8
    assert plan.problem.buffers[0].end == 2


def test_progress_is_reported_and_can_end_a_run() -> None:
    seen = []

    def stop(progress: neap.Progress) -> bool:
        seen.append(progress)
        return False

    plan = neap.plan(hard(), engine="exact", time_limit=60, on_progress=stop)
    assert len(seen) == 1 and seen[0].ticks > 0
    assert plan.stop_reason == "cancelled"
    plan.verify()


def test_an_exception_in_a_callback_ends_the_run() -> None:
    def fail(_progress: neap.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        neap.plan(hard(), engine="exact", time_limit=60, on_progress=fail)


@both
def test_ctrl_c_ends_a_loop_of_plans_and_loses_none(process) -> None:
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begun = 0
    with pytest.raises(neap.Interrupted, match="best plan so far") as caught:
        for _ in range(3):
            begun += 1
            neap.plan(hard(), engine="exact", time_limit=60, process=process)
    timer.join()
    assert begun == 1 and isinstance(caught.value, KeyboardInterrupt)
    assert caught.value.plan.stop_reason == "cancelled"
    caught.value.plan.verify()


def test_other_threads_run_meanwhile() -> None:
    count = 0
    over = threading.Event()

    def work() -> None:
        nonlocal count
        while not over.wait(0.01):
            count += 1

    worker = threading.Thread(target=work)
    worker.start()
    neap.plan(hard(), engine="exact", time_limit=0.6)
    over.set()
    worker.join()
    assert count > 5


def test_threads_plan_at_the_same_time() -> None:
    peaks = []

    def work(seed: int) -> None:
        peaks.append(neap.plan(hard(60, seed), max_ticks=50000).peak)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2, 1, 2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(set(peaks)) == 2


def test_the_program_must_be_there(monkeypatch) -> None:
    monkeypatch.setenv("NEAP_PROGRAM", "/nonexistent/neap")
    with pytest.raises(neap.FileError, match="cannot run"):
        neap.plan(small(), process=True)
    with pytest.raises(neap.ArgumentError, match="on_progress"):
        neap.plan(small(), process=True, on_progress=print)


def test_pack_takes_arrays() -> None:
    assert neap.pack([0, 4], [4, 8], [100, 100]) == [0, 0]
    assert sorted(neap.pack([0, 0], [1, 1], [3, 3], [8, 8])) == [0, 8]


def test_engines_and_options_are_listed() -> None:
    assert {"auto", "exact", "tune"} <= {engine.name for engine in neap.engines()}
    assert {"max_ticks", "seed"} <= {option.name for option in neap.options()}


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="it keeps freed memory")
def test_nothing_is_leaked_by_many_plans() -> None:
    problem = hard(300)

    def work(count: int) -> int:
        for _ in range(count):
            plan = neap.plan(problem, max_ticks=600, keep_layouts=True)
            assert len(plan.offsets) == 300
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = work(100)
    assert work(tries(1200)) - before < 8_000  # KiB: a plan has 30


def test_a_process_needs_no_library() -> None:
    code = (
        "import neap\n"
        "problem = neap.Problem()\n"
        "problem.add(8, 0, 1)\n"
        "plan = neap.plan(problem, process=True)\n"
        "plan.verify()\n"
        "assert plan.peak == 8 and plan.problem.buffers == problem.buffers\n"
        "assert 'libneap' not in open('/proc/self/maps').read()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
