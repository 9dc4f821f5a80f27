# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems from XLA: which values share memory, how long they are alive, and errors for malformed
text."""
import random
import subprocess
import sys
from pathlib import Path

import neap
import neap.hlo
import pytest
from random_problems import tries

DATA = Path(__file__).resolve().parent / "data"


def lives(problem: neap.Problem) -> dict[str, tuple[int, int, int]]:
    return {buffer.name: (buffer.size, buffer.start, buffer.end) for buffer in problem.buffers}


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "module.txt"
    path.write_text(text, encoding="utf-8")
    return path


def entry(lines: str, scheduled: bool = True) -> str:
    return f"HloModule m, is_scheduled={str(scheduled).lower()}\nENTRY e {{\n{lines}\n}}\n"


def problem_of(tmp_path: Path, lines: str, **options: bool) -> neap.Problem:
    return neap.hlo.read(write(tmp_path, entry(lines)), **options)  # type: ignore[arg-type]


def test_a_scheduled_module() -> None:
    problem = neap.hlo.read(DATA / "scheduled.hlo.txt")
    assert lives(problem) == {
        "fusion": (65536, 5, 13),  # updated in place, and then an output
        "dot.1": (262144, 6, 11),  # a bitcast of it is read at 10
        "slice.1": (256, 7, 9),
        "reduce.1": (4, 10, 13),
    }
    hints = {buffer.name: buffer.hint for buffer in problem.buffers}
    assert hints["fusion"] == "fusion f32[256,64]{1,0} /home/me/model.py:12"
    assert hints["dot.1"] == "dot f32[256,256]{1,0} /home/me/model.py:13"
    assert {buffer.alignment for buffer in problem.buffers} == {64}
    assert problem.bound == 65536 + 262144 + 256


def test_inputs_outputs_and_constants_are_optional() -> None:
    path = DATA / "scheduled.hlo.txt"
    assert set(lives(neap.hlo.read(path, outputs=False))) == {"dot.1", "slice.1"}
    everything = lives(neap.hlo.read(path, inputs=True, constants=True))
    assert everything["Arg_0.1"] == (65536, 0, 13)
    assert everything["rows"] == (16, 0, 13)
    assert everything["constant.1"] == (4, 0, 13)


def test_the_state_of_a_loop_is_in_one_place() -> None:
    found = lives(neap.hlo.read(DATA / "loop.hlo.txt"))
    assert sorted(found) == ["first", "less", "out", "product", "square", "start"]
    assert found["start"][0] == 4
    start, end = found["first"][1:]
    assert start < found["product"][1] < found["square"][1] < end
    assert found["out"][1] < end  # it reads the result of the loop
    assert neap.hlo.read(DATA / "loop.hlo.txt").bound == 3 * 4096 + 4


def test_a_loop_keeps_the_old_state_that_is_read_after_the_new_one_is_made(tmp_path: Path) -> None:
    text = (DATA / "loop.hlo.txt").read_text(encoding="utf-8")
    late = text.replace("custom-call(product, product)", "negate(x)")
    late = late.replace("custom-call(square, w)", "custom-call(product, w)")
    late = late.replace("  ROOT result =", "  more = f32[1024]{0} add(square, x)\n  ROOT result =")
    problem = neap.hlo.read(write(tmp_path, late))
    assert "sum" in lives(problem)
    assert problem.bound > neap.hlo.read(DATA / "loop.hlo.txt").bound


def test_branches_share_their_result_and_calls_are_in_line() -> None:
    problem = neap.hlo.read(DATA / "branches.hlo.txt", in_place=False)
    found = lives(problem)
    assert "yes.out" in found and "no.out" not in found and "conditional" not in found
    assert {"shared.out", "shared.out~2"} <= set(found)
    assert [pool.name for pool in problem.pools] == [f"memory space {n}" for n in (0, 1, 5)]
    pools = {buffer.name: buffer.pools for buffer in problem.buffers}
    assert pools["small"] == (1,)
    assert pools["copy-start{0}"] == (2,)
    assert pools["big"] == (0,)
    assert len(neap.hlo.read(DATA / "branches.hlo.txt")) == len(problem) - 4


@pytest.mark.parametrize(
    "shape, size",
    [
        ("f32[2,3]{1,0}", 24),
        ("pred[7]", 7),
        ("bf16[]", 2),
        ("c128[3]{0}", 48),
        ("s4[5]{0}", 5),
        ("s4[5]{0:E(4)}", 3),
        ("f8e4m3fn[5]", 5),
        ("f32[<=10]", 40),
        ("f32[3,5]{1,0:T(8,128)}", 4096),
        ("f32[3,5]{0,1:T(8,128)}", 4096),
        ("bf16[17,130]{1,0:T(8,128)(2,1)}", 2 * 24 * 256),
        ("f32[100]{0:T(256)}", 1024),
        ("u8[0,4]{1,0}", 0),
    ],
)
def test_sizes(tmp_path: Path, shape: str, size: int) -> None:
    problem = problem_of(tmp_path, f"  a = {shape} iota()\n  ROOT b = s32[] custom-call(a)")
    assert sum(buffer.size for buffer in problem.buffers if buffer.name == "a") == size


def test_an_update_in_place_needs_an_operand_that_nobody_else_reads(tmp_path: Path) -> None:
    lines = """  a = f32[8] iota()
  u = f32[1] iota()
  i = s32[] constant(0)
  b = f32[8] dynamic-update-slice(a, u, i)
  c = f32[8] custom-call(b)
  ROOT d = f32[] dot({})"""
    alone = lives(problem_of(tmp_path, lines.format("c, c")))
    assert "b" not in alone and alone["a"] == (32, 0, 5)
    shared = lives(problem_of(tmp_path, lines.format("a, c")))
    assert shared["a"] == (32, 0, 6) and shared["b"] == (32, 3, 5)


ELEMENTWISE = """HloModule m, is_scheduled=true
f {
  p = f32[8]{0} parameter(0)
  q = f32[8]{0} parameter(1)
  a = f32[8]{0} add(p, q)
  b = f32[8]{0} reverse(q), dimensions={0}
  ROOT c = f32[8]{0} multiply(a, b)
}
ENTRY e {
  x = f32[8]{0} iota()
  y = f32[8]{0} custom-call(x)
  z = f32[8]{0} fusion(OPERANDS), kind=kLoop, calls=f
  w = f32[8]{0} add(z, z)
  ROOT r = f32[8]{0:T(128)} add(w, w)
}
"""


def test_elementwise_operations_write_over_operands(tmp_path: Path) -> None:
    path = write(tmp_path, ELEMENTWISE.replace("OPERANDS", "x, y"))
    assert lives(neap.hlo.read(path)) == {"x": (32, 0, 5), "y": (32, 1, 3), "r": (512, 4, 6)}
    assert set(lives(neap.hlo.read(path, in_place=False))) == {"x", "y", "z", "w", "r"}
    path = write(tmp_path, ELEMENTWISE.replace("OPERANDS", "y, x"))
    assert lives(neap.hlo.read(path))["y"] == (32, 1, 5)
    path = write(tmp_path, ELEMENTWISE.replace("OPERANDS", "y, y"))  # also read in another order
    assert lives(neap.hlo.read(path))["z"] == (32, 2, 5)


def test_an_output_is_not_written_over(tmp_path: Path) -> None:
    lines = """  a = f32[8] iota()
  u = f32[1] iota()
  i = s32[] constant(0)
  b = f32[8] dynamic-update-slice(a, u, i)
  ROOT r = (f32[8], f32[8]) tuple(a, b)"""
    assert lives(problem_of(tmp_path, lines)) == {"a": (32, 0, 6), "u": (4, 1, 4), "b": (32, 3, 6)}


def test_donated_inputs(tmp_path: Path) -> None:
    lines = """  x = (f32[8], f32[4]) parameter(0)
  y = f32[8] get-tuple-element(x), index=0
  z = f32[8] negate(y)
  w = f32[8] negate(z)
  ROOT r = (f32[8], f32[8]) tuple(z, w)"""
    text = entry(lines).replace("true", "true, input_output_alias={ {1}: (0, {0}, may-alias) }", 1)
    path = write(tmp_path, text)
    assert lives(neap.hlo.read(path)) == {"z": (32, 2, 6)}
    assert lives(neap.hlo.read(path, inputs=True))["x{0}"] == (32, 0, 6)
    path = write(tmp_path, text.replace("is_scheduled=true", "is_scheduled=false"))
    assert set(lives(neap.hlo.read(path))) == {"z", "w"}
    assert lives(neap.hlo.read(path, inputs=True))["x{0}"] == (32, 0, 3)
    graph = neap.hlo.read_graph(path, inputs=True)
    assert lives(graph.problem())["x{0}"] == (32, 0, 1)
    assert lives(graph.problem())["x{1}"] == (16, 0, 2)


def test_a_donated_input_is_free_after_its_last_read() -> None:
    path = Path(__file__).resolve().parents[2] / "support" / "data" / "field" / "donated.hlo"
    assert neap.hlo.read(path, inputs=True).bound == 13824
    assert neap.hlo.read_graph(path, inputs=True).problem().bound == 13824


def test_sends_and_receives(tmp_path: Path) -> None:
    lines = """  a = f32[8] iota()
  t = token[] after-all()
  s = (f32[8], u32[], token[]) send(a, t), channel_id=1
  r = (f32[8], u32[], token[]) recv(t), channel_id=2
  b = f32[] custom-call()
  sd = token[] send-done(s), channel_id=1
  rd = (f32[8], token[]) recv-done(r), channel_id=2
  g = f32[8] get-tuple-element(rd), index=0
  h = f32[8] all-reduce-start(g), to_apply=x
  i = f32[] negate(b)
  j = f32[8] all-reduce-done(h)
  ROOT k = f32[] dot(j, i)"""
    found = lives(problem_of(tmp_path, lines))
    assert found["a"] == (32, 0, 6)
    assert found["r{0}"] == (32, 3, 11)
    assert found["h"] == (32, 8, 12)
    assert {"s{0}", "rd{0}", "j"}.isdisjoint(found)


def test_asynchronous_operations_keep_their_operands(tmp_path: Path) -> None:
    found = lives(
        problem_of(
            tmp_path,
            """  a = f32[8] iota()
  s = ((f32[8]), f32[16]) all-gather-start(a), dimensions={0}
  b = f32[99] iota()
  c = f32[] dot(b, b)
  d = f32[16] all-gather-done(s)
  ROOT r = f32[] dot(d, c)""",
        )
    )
    assert found["a"] == (32, 0, 5)
    assert found["s{1}"] == (64, 1, 6)


def test_a_graph_can_be_ordered(tmp_path: Path) -> None:
    lines = """  x = f32[8]{0} parameter(0)
  a = f32[1000]{0} broadcast(x)
  b = f32[1000]{0} broadcast(x)
  c = f32[8]{0} reduce(a)
  d = f32[8]{0} reduce(b)
  ROOT e = f32[8]{0} add(c, d)"""
    path = write(tmp_path, entry(lines))
    graph = neap.hlo.read_graph(path)
    assert graph.operators == ["broadcast", "broadcast", "reduce", "reduce", "add"]
    assert graph.problem().bound == neap.hlo.read(path).bound == 8032
    assert graph.problem(schedule="optimal").bound == 4064
    controlled = lines.replace("reduce(a)", "reduce(a), control-predecessors={b}")
    controlled = controlled.replace("reduce(b)", "reduce(b), control-predecessors={a}")
    graph = neap.hlo.read_graph(write(tmp_path, entry(controlled)))
    assert graph.problem(schedule="optimal").bound == 8032


def test_calls_are_operators_of_a_graph() -> None:
    graph = neap.hlo.read_graph(DATA / "loop.hlo.txt")
    assert graph.operators == ["copy", "exponential", "while", "custom-call"]
    problem = graph.problem(in_place=True)
    sizes = {buffer.name: buffer.size for buffer in problem.buffers}
    assert sizes["while.temporaries"] == 2 * 4096
    assert "while{2}" not in sizes  # the weights, which the loop only reads
    assert problem.bound == neap.hlo.read(DATA / "loop.hlo.txt").bound == 3 * 4096 + 4
    assert neap.hlo.read_graph(DATA / "loop.hlo.txt", inputs=True).problem().bound > problem.bound


def test_the_result_of_an_asynchronous_operation_is_read_after_its_end(tmp_path: Path) -> None:
    lines = """  a = f32[8] iota()
  s = ((f32[8]), f32[16]) all-gather-start(a), dimensions={0}
  d = f32[16] all-gather-done(s)
  ROOT r = f32[16] negate(d)"""
    graph = neap.hlo.read_graph(write(tmp_path, entry(lines)))
    assert graph.operators == ["iota", "all-gather-start", "all-gather-done", "negate"]
    problem = graph.problem(aliases=["views"])
    assert {buffer.name for buffer in problem.buffers} == {"a", "s{1}", "r"}


def test_a_buffer_assignment() -> None:
    path = DATA / "step-buffer-assignment.txt"
    problem = neap.hlo.read(path)
    assert lives(problem) == {
        "fusion.2{0}": (640, 2, 5),  # with the update over it
        "fusion.2{1}": (192, 2, 5),
        "dot.7": (640, 4, 6),
        "result": (200, 5, 7),
        "fast": (64, 2, 4),
    }
    assert problem.buffers[problem.index("fast")].pools == (1,)
    more = lives(neap.hlo.read(path, inputs=True, constants=True, outputs=False))
    assert (
        more["param.1"] == (400, 0, 7) and more["constant.1"] == (4, 0, 7) and "result" not in more
    )


def test_live_ranges_may_be_in_the_same_file(tmp_path: Path) -> None:
    text = (DATA / "step-buffer-assignment.txt").read_text(encoding="utf-8")
    path = write(tmp_path, text)
    with pytest.raises(neap.InputError, match="no live ranges"):
        neap.hlo.read(path)
    ranges = DATA / "step-live-range.txt"
    expected = lives(neap.hlo.read(DATA / "step-buffer-assignment.txt"))
    assert lives(neap.hlo.read(path, live_range=ranges)) == expected
    path.write_text(text + ranges.read_text(encoding="utf-8"), encoding="utf-8")
    assert lives(neap.hlo.read(path)) == expected


@pytest.mark.parametrize(
    "text, line, column, message",
    [
        ("", 1, 1, "expected 'HloModule', found the end of the file"),
        ("HloModule m\n", 2, 1, "no ENTRY computation"),
        (entry("  a = f32[2 iota()"), 3, 7, "expected a shape, found 'f32'"),
        (entry("  a = q7[2] iota()"), 3, 7, "unknown element type 'q7'"),
        (entry("  a = f32[?] iota()"), 3, 7, "expected the size of a dimension, found '?'"),
        (entry("  a = f32[2] negate(b)"), 3, 3, "'b' is not defined before 'a' uses it"),
        (entry("  a = f32[2] iota()\n  a = f32[2] iota()"), 4, 3, "duplicate instruction 'a'"),
        (entry("  a = f32[2] call(), to_apply=e"), 3, 3, "the computation 'e' calls itself"),
        (entry("  a = f32[2] call(), to_apply=f"), 3, 3, "there is no computation 'f'"),
        (
            entry("  a = f32[2] iota()\n  b = f32[2] get-tuple-element(a), index=1"),
            4,
            3,
            "no element 1",
        ),
        (entry("  a = f32[2] parameter(1)"), 3, 3, "expected parameter 0"),
        (entry("  a = f32[2] constant({1, 2)"), 3, 28, "')' does not close"),
        (entry("  a = f32[9999999999,9999999999] iota()"), 3, 7, "is too large"),
        (entry("  a = f32[2] iota()").rstrip().rstrip("}"), 4, 1, "expected an instruction"),
    ],
)
def test_errors_have_a_place(
    tmp_path: Path, text: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(neap.InputError) as caught:
        neap.hlo.read(write(tmp_path, text))
    assert message in caught.value.text
    assert (caught.value.line, caught.value.column) == (line, column)


def test_calls_that_double_are_refused(tmp_path: Path) -> None:
    text = "HloModule m\nf0 {\n  a = f32[2] iota()\n}\n"
    for number in range(1, 60):
        call = f"f32[2] call(), to_apply=f{number - 1}"
        text += f"f{number} {{\n  a = {call}\n  b = {call}\n}}\n"
    with pytest.raises(neap.InputError, match="expand to more than"):
        neap.hlo.read(write(tmp_path, text + "ENTRY e {\n  a = f32[2] call(), to_apply=f59\n}\n"))


def test_a_missing_file() -> None:
    with pytest.raises(neap.FileError, match="No such file"):
        neap.hlo.read("missing.txt")


def test_damaged_files_raise_errors_of_neap(tmp_path: Path) -> None:
    names = ("scheduled.hlo.txt", "loop.hlo.txt", "branches.hlo.txt", "step-buffer-assignment.txt")
    texts = [(DATA / name).read_text(encoding="utf-8") for name in names]
    texts[-1] += (DATA / "step-live-range.txt").read_text(encoding="utf-8")
    marks = '(){}[],=%:<>"/*\n0123456789 -'
    rng = random.Random(1)
    for _ in range(tries(1500)):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 4)):
            place, length = rng.randrange(len(text)), rng.choice((0, 1, 1, 2, 20))
            other = rng.randrange(len(text))
            piece = rng.choice((rng.choice(marks), "", text[other : other + rng.randrange(30)]))
            text = text[:place] + piece + text[place + length :]
        try:
            neap.hlo.read(write(tmp_path, text), inputs=True, constants=True)
        except neap.Error:
            pass
        try:
            neap.hlo.read_graph(tmp_path / "module.txt").problem()
        except neap.Error:
            pass


def test_a_long_module_is_read(tmp_path: Path) -> None:
    lines = ["  x0 = f32[8]{0} iota()"]
    lines += [
        f"  x{n} = f32[8]{{0}} add(x{n - 1}, x{n - 1}), "
        f'metadata={{op_name="a" source_file="m.py" source_line={n}}}'
        for n in range(1, 10000)
    ]
    assert len(problem_of(tmp_path, "\n".join(lines), in_place=False)) == 10000
    assert len(problem_of(tmp_path, "\n".join(lines))) == 1


def test_the_command(tmp_path: Path) -> None:
    def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "neap.hlo", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    output = tmp_path / "problem.json"
    done = run(DATA / "scheduled.hlo.txt", "-o", output)
    assert (done.returncode, done.stderr) == (0, "4 buffers, bound 327,936 bytes\n")
    assert neap.read(output).bound == 327936
    done = run(DATA / "step-buffer-assignment.txt", "-o", output)
    assert done.stderr == "5 buffers, bound 1,472 bytes; XLA's own layout takes 1,736\n"
    done = run(DATA / "step-live-range.txt", "-o", output)
    assert done.returncode == 3 and "step-live-range.txt:1:1: expected 'HloModule'" in done.stderr
    assert run("missing", "-o", output).returncode == 1
    done = run(DATA / "loop.hlo.txt", "-o", output, "--graph")
    assert done.stderr == "4 operators, 9 tensors\n"
    assert neap.read(output, schedule="optimal", in_place=True).bound == 3 * 4096 + 4
    neap.plan(neap.read(output)).save(tmp_path / "page.html")
