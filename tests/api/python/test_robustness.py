# SPDX-License-Identifier: GPL-3.0-or-later
"""Interrupts, threads, garbage and other trouble while neap works."""
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile

import neap
import pytest
from test_plan import hard

both = pytest.mark.parametrize("process", [False, True])


class Alarm(Exception):
    """Raised by a signal handler."""


@pytest.fixture
def alarm():
    """A function that raises Alarm after the given number of seconds."""

    def ring(_signal: int, _frame: object) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@both
def test_exceptions_of_signal_handlers_end_a_run(process, alarm) -> None:
    alarm(0.5)
    with pytest.raises(Alarm):
        neap.plan(hard(), engine="exact", time_limit=60, process=process)


def test_a_plan_has_the_problem_that_was_planned() -> None:
    problem = hard(100)
    grown = []

    def grow(_progress: neap.Progress) -> bool:
        problem.add(8, 0, 1)
        problem.relate("separation", 0, 1)
        grown.append(neap.plan(problem, max_ticks=1000))  # neap may be called again here
        gc.collect()
        return False

    plan = neap.plan(problem, engine="exact", time_limit=60, on_progress=grow)
    assert len(plan.offsets) == len(plan.problem) == 100
    assert len(problem) == len(grown[0].problem) == 101
    assert plan.problem.relations == ()
    plan.verify()


def test_cycles_of_plans_and_problems_are_collected(tmp_path) -> None:
    numpy = pytest.importorskip("numpy")
    neap.plan(hard(20), max_ticks=100).save(tmp_path / "plan.json")
    for _ in range(20):
        for plan in (neap.plan(hard(20), max_ticks=100), neap.read_plan(tmp_path / "plan.json")):
            array = numpy.asarray(plan.offsets)
            plan.problem.cycle = [plan, plan._backing, plan.offsets, array]
        del plan
    kept = array[1:]
    del array
    gc.collect()
    assert len(kept) == 19 and kept.min() >= 0


def test_parts_of_a_plan_that_was_read_outlive_it(tmp_path) -> None:
    neap.plan(hard(20), max_ticks=100).save(tmp_path / "plan.json")
    plan = neap.read_plan(tmp_path / "plan.json")
    problem, offsets, expected = plan.problem, plan.offsets, plan.offsets.tolist()
    del plan
    gc.collect()
    assert offsets == expected
    again = neap.plan(problem, max_ticks=100)
    del problem
    gc.collect()
    assert len(again.problem.buffers) == 20
    again.verify()


def run_python(code: str, **variables: str) -> subprocess.CompletedProcess:
    folder = os.path.dirname(__file__)
    path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path, **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_an_interpreter_can_end_while_threads_plan() -> None:
    ended = run_python(
        "import threading, time, neap\n"
        "from test_plan import hard\n"
        "problem, options = hard(), dict(engine='exact', time_limit=60)\n"
        "for more in (dict(on_progress=lambda progress: None), dict(threads=2)):\n"
        "    work = lambda: neap.plan(problem, **options, **more)\n"
        "    threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.3)\n"
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_ctrl_c_does_not_disturb_other_threads() -> None:
    plans = []
    worker = threading.Thread(
        target=lambda: plans.append(neap.plan(hard(), engine="exact", time_limit=1))
    )
    worker.start()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)
    worker.join()
    assert plans[0].stop_reason == "time_limit"


def write_program(path, text: str) -> str:
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("text", ["sleep 4", "cat >/dev/null; sleep 4"])
def test_ctrl_c_ends_a_program_that_has_no_plan(text, tmp_path, monkeypatch) -> None:
    ended_by_itself = tmp_path / "ended"
    program = write_program(tmp_path / "neap", f"{text}; touch '{ended_by_itself}'")
    monkeypatch.setenv("NEAP_PROGRAM", program)
    problem = hard(20_000)  # more than a pipe holds
    timer = threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        neap.plan(problem, process=True)
    assert not ended_by_itself.exists()


@pytest.mark.parametrize(
    "text, words",
    [
        ("cat >/dev/null", "did not write a plan"),
        ("echo '{}'", "did not write a plan"),
        ("kill -9 $$", "ended by signal 9"),
        ("echo oops >&2; exit 9", "ended with status 9: oops"),
        ("echo 'neap: standard input:3:5: bad' >&2; exit 3", "standard input:3:5: bad"),
    ],
)
def test_odd_programs_are_reported(text, words, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("NEAP_PROGRAM", write_program(tmp_path / "neap", text))
    with pytest.raises(neap.Error, match=words):
        neap.plan(hard(3), process=True)


def test_huge_plans_are_not_drawn_in_notebooks(monkeypatch) -> None:
    plan = neap.plan(hard(20), max_ticks=100)
    assert "<svg" in plan._repr_svg_()
    monkeypatch.setattr("_neap.plan.NativePlan.render", None)
    monkeypatch.setattr(sys.modules["neap.plan"], "PAGE_BUFFERS_MAX", 19)
    assert plan._repr_svg_() is plan._repr_html_() is None


def test_importing_loads_little() -> None:
    """It loads neither the libraries nor large modules, which most programs never need."""
    ended = run_python(
        "import sys\n"
        "before = set(sys.modules)  # what this interpreter loads at its start\n"
        "import neap\n"
        "large = ('numpy', 'json', 'subprocess', 'tempfile', 'neap.process', 'neap.hosts.executorch')\n"
        "loaded = [name for name in large if name in sys.modules.keys() - before]\n"
        "assert not loaded, loaded\n"
        "assert 'libneap' not in open('/proc/self/maps').read()\n"
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_package_works_in_an_archive(tmp_path) -> None:
    package = os.path.dirname(neap.__file__)
    with zipfile.ZipFile(tmp_path / "neap.zip", "w") as archive:
        for name in os.listdir(package):
            if name.endswith(".py"):
                archive.write(os.path.join(package, name), f"neap/{name}")
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'neap.zip')!r})\nimport neap\n"
    ended = run_python(code + "assert '.zip' in neap.__file__ and neap.pack([0], [1], [8]) == [0]")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_libraries_that_do_not_fit_are_reported(tmp_path) -> None:
    import _neap.library as library

    real = library.lib()

    class Other:
        """A library of an earlier version."""

        NEAP_VERSION_MAJOR, NEAP_VERSION_MINOR = real.NEAP_VERSION_MAJOR, real.NEAP_VERSION_MINOR
        NEAP_VERSION_MICRO = real.NEAP_VERSION_MICRO + 1
        neap_version, neap_version_number = real.neap_version, real.neap_version_number

    with pytest.raises(neap.FileError, match="install both from one source"):
        library._check_version(Other)
    (tmp_path / "libneap.so.1").write_text("this is no library")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "_paths", lambda name: [str(tmp_path / "libneap.so.1")])
        with pytest.raises(neap.FileError, match="cannot load libneap.*NEAP_LIBRARIES"):
            library._load("libneap")


def test_client_programs_pass_strict_type_checks(tmp_path) -> None:
    pytest.importorskip("mypy")
    client = tmp_path / "client.py"
    client.write_text(CLIENT)
    ended = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(client)],
        env={**os.environ, "MYPYPATH": os.path.dirname(os.path.dirname(neap.__file__))},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stdout


CLIENT = """
from array import array
from typing import Any

import neap

problem = neap.Problem()
index: int = problem.add(10, 0, 2, "a", alignment=8)
problem.relate("separation", index, "b")


def watch(progress: neap.Progress) -> bool:
    return progress.peak is None


plan: neap.Plan = neap.plan(problem, "exact", time_limit=1.5, seed=3, on_progress=watch)
total: int = sum(plan.offsets) + plan.offsets[0] + plan.peak + plan.offset("a")
part: list[int] = plan.offsets[0:1]
report: neap.Report = plan.report
plan.save("plan.svg", colour_by="size")
try:
    problem.copy().check()
except neap.InputError as error:
    print(error.line, error.text, report.status)
array_of_numpy: Any = None
packed: neap.Offsets = neap.pack([0], array("q", [1]), range(1), array_of_numpy)
derived: neap.Problem = neap.Graph.generate("nasnet-a-cifar").problem(in_place=True)
names: list[str] = [buffer.name for buffer in derived.buffers]
choices: list[str] = [choice.name for choice in neap.engines() + neap.options()]
"""
