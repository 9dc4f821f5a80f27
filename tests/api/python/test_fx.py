# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that PyTorch exports, if it is installed."""
import neap
import neap.fx
import pytest

torch = pytest.importorskip("torch")

FLOAT = 4


def export(function, *inputs, **options):
    class Module(torch.nn.Module):
        def forward(self, *given):
            return function(*given)

    return torch.export.export(Module(), inputs, **options)


def problem(function, *inputs, **liveness) -> neap.Problem:
    """The problem of a function, without its inputs."""
    program = export(function, *inputs).run_decompositions()
    return neap.fx.read_graph(program, inputs=False).problem(**liveness)


def test_a_chain_with_views_and_in_place_operators() -> None:
    def chain(x):
        return x.exp().reshape(4, 16).relu().t().sin()

    given = torch.rand(8, 8)
    assert [buffer.size for buffer in problem(chain, given).buffers] == [8 * 8 * FLOAT] * 3
    assert problem(chain, given).bound == 2 * 8 * 8 * FLOAT
    assert problem(chain, given, in_place=True).bound == 8 * 8 * FLOAT


def test_a_result_that_is_a_view_keeps_its_tensor() -> None:
    found = problem(lambda x: ((y := x + 1)[2:4], (y * 2).sum()), torch.rand(8))
    whole = [buffer for buffer in found.buffers if buffer.size == 8 * FLOAT]
    assert max(buffer.end for buffer in whole) == max(buffer.end for buffer in found.buffers)


def test_operators_that_read_a_tensor_in_two_ways_are_not_in_place() -> None:
    square = torch.rand(16, 16)
    both = problem(lambda x: ((y := x.exp()) + y.t()).sin(), square, in_place=True)
    once = problem(lambda x: ((y := x.exp()) + y).sin(), square, in_place=True)
    assert both.bound == 2 * 16 * 16 * FLOAT > once.bound == 16 * 16 * FLOAT


def test_several_results() -> None:
    found = problem(lambda x: torch.topk(x, 3), torch.rand(2, 9))
    assert sorted(buffer.size for buffer in found.buffers) == [2 * 3 * FLOAT, 2 * 3 * 8]


def test_inputs_are_planned_by_default() -> None:
    program = export(lambda x: x + 1, torch.rand(10)).run_decompositions()
    assert neap.fx.read_graph(program).problem().bound == 2 * 10 * FLOAT


def test_what_cannot_be_read() -> None:
    sizes = {"given": ({0: torch.export.Dim.DYNAMIC},)}
    program = export(lambda x: x + 1, torch.rand(10), dynamic_shapes=sizes)
    with pytest.raises(neap.InputError, match="symbolic"):
        neap.fx.read_graph(program.run_decompositions())
    mutating = export(lambda x: x.clone().add_(1), torch.rand(10))
    with pytest.raises(neap.InputError, match="run_decompositions"):
        neap.fx.read_graph(mutating)
