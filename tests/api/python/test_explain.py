# SPDX-License-Identifier: GPL-3.0-or-later
"""Explanations."""
import neap
import pytest


def three() -> neap.Problem:
    """Buffers whose sizes suffice for 280 bytes, but whose alignments do not."""
    problem = neap.Problem()
    problem.add(120, 3, 6, "e", alignment=64)
    problem.add(90, 2, 5, "c", alignment=64)
    problem.add(64, 4, 7, "f")
    return problem


def test_a_set_that_does_not_fit() -> None:
    found = neap.explain(three(), 280, max_ticks=1000000)
    assert (found.verdict, found.reason) == ("does_not_fit", "set")
    assert (found.available, found.required, found.bound) == (280, 282, 274)
    assert found.core == ("e", "c", "f") and found.minimal
    assert found.when == (4, 5)
    first = found.fixes[0].changes[0]
    assert (first.kind, first.buffer, first.bytes) == ("alignment", "e", 32)
    assert found.fixes[-1].changes[0].kind == "capacity"
    assert all(fix.peak <= 280 for fix in found.fixes[:-1])


def test_what_fits_and_what_the_peak_is() -> None:
    assert neap.explain(three(), 300).verdict == "fits"
    found = neap.explain(three(), fixes=0)
    assert (found.available, found.peak, found.fixes) == (None, 282, ())


def test_bad_arguments() -> None:
    with pytest.raises(neap.ArgumentError):
        neap.explain(three(), fixes=-1)
    with pytest.raises(neap.ArgumentError):
        neap.explain(three(), no_such_option=1)


def test_explanations_are_readable() -> None:
    problem = neap.Problem.from_arrays([0, 1], [2, 3], [100, 60], names=["a", "b"])
    found = neap.explain(problem, capacity=150)
    assert str(found).splitlines()[:6] == [
        "verdict    it does not fit (proven)",
        "required   160 bytes",
        "available  150 bytes",
        "peak       160 bytes",
        "bound      160 bytes",
        "moment     1 to 2: a, b",
    ]
    assert "too large  a, b together" in str(found)
    assert "make 'a' 10 bytes smaller: costs 10 bytes, peak 150" in str(found)
    assert "free 'a' at 1 instead of at 2: costs 100 bytes x time, peak 100" in str(found)
    assert "None" not in str(found)
