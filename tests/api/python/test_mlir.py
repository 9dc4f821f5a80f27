# SPDX-License-Identifier: GPL-3.0-or-later
"""neap.hosts.mlir without MLIR: which buffers move, how large they are, and what the
text becomes."""
import random
from pathlib import Path

import neap
import pytest
from neap.hosts import mlir as rewriter

MODULES = Path(__file__).resolve().parents[2] / "hosts" / "mlir"

def reasons(text: str) -> dict[str, str]:
    return {left.alloc.name: left.reason for left in rewriter.rewrite(text).left}


def pair(kind: str, op: str = "memref.alloc()") -> str:
    """Two buffers of a type."""
    return f"""func.func @f(%n: index) {{
  %a = {op} : {kind}
  %b = {op} : {kind}
  memref.dealloc %a : {kind}
  memref.dealloc %b : {kind}
  return
}}
"""


def test_the_text_that_is_written() -> None:
    text = """func.func @f() {
  %a = memref.alloc() {alignment = 64 : i64, test.tag} : memref<4xf32> loc("x")
  "test.use"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>  // done
  %b = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8xi8, 1 : i32>
  %c = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<2x2xi16>
  memref.dealloc %b : memref<8xi8, 1 : i32>
  "memref.dealloc"(%c) : (memref<2x2xi16>) -> ()
  return
}
"""
    expected = """func.func @f() {
  %neap_arena = memref.alloc() {alignment = 64 : i64} : memref<16xi8>
  %neap_offset = arith.constant 0 : index
  %a = memref.view %neap_arena[%neap_offset][] {test.tag} : memref<16xi8> to memref<4xf32> loc("x")
  "test.use"(%a) : (memref<4xf32>) -> ()
    // done
  %b = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<8xi8, 1 : i32>
  %neap_offset_0 = arith.constant 0 : index
  %c = memref.view %neap_arena[%neap_offset_0][] : memref<16xi8> to memref<2x2xi16>
  memref.dealloc %b : memref<8xi8, 1 : i32>
  memref.dealloc %neap_arena : memref<16xi8>
  return
}
"""
    result = rewriter.rewrite(text)
    assert result.text == expected
    assert result.arenas[0].plan.peak == 16
    assert [left.reason for left in result.left] == ["it is alone in its block"]


@pytest.mark.parametrize(
    "kind, size",
    [
        ("memref<3xi1>", 3),
        ("memref<3xindex>", 24),
        ("memref<2x3xf16>", 12),
        ("memref<bf16>", 2),
        ("memref<3xi24>", 12),
        ("memref<3xi65>", 48),
        ("memref<3xcomplex<f64>>", 48),
        ("memref<3xvector<3xf32>>", 48),
        ("memref<3xvector<2x3xf32>>", 96),
        ("memref<3xvector<9xi1>>", 6),
        ("memref<3xvector<f64>>", 24),
        ("memref<5xf8E4M3FN>", 5),
        ("memref<2xf80>", 32),
        ("memref<0x7xf32>", 0),
        ("memref<4xf64, 3>", 32),
        ("memref<4xf64, #gpu.address_space<workgroup>>", 32),
    ],
)
def test_sizes(kind: str, size: int) -> None:
    result = rewriter.rewrite(pair(kind))
    assert [buffer.size for buffer in result.arenas[0].members] == [size, size]


@pytest.mark.parametrize(
    "kind, reason",
    [
        ("memref<?xf32>", "its shape is dynamic"),
        ("memref<*xf32>", "the size of its elements, *xf32, is not known"),
        ("memref<4xf32, strided<[1]>>", "it has a layout"),
        ("memref<4x4xf32, affine_map<(i, j) -> (j, i)>, 1>", "it has a layout"),
        ("memref<4xvector<[4]xf32>>", "the size of its elements, vector<[4]xf32>, is not known"),
        ("memref<4x!llvm.ptr>", "the size of its elements, !llvm.ptr, is not known"),
        ("memref<4xmemref<2xf32>>", "the size of its elements, memref<2xf32>, is not known"),
        ("memref<999999999999x999999999999xf32>", "it is too large"),
        ("tensor<4xf32>", "its type tensor<4xf32> is not a memref"),
    ],
)
def test_types_that_stay(kind: str, reason: str) -> None:
    text = pair(kind)
    assert reasons(text) == {"%a": reason, "%b": reason}
    assert rewriter.rewrite(text).text == text


def test_aliases_of_types_and_attributes() -> None:
    text = "#map = affine_map<(i) -> (i)>\n!t = memref<4xf32>\n!u = memref<4xf32, #map>\n"
    assert rewriter.rewrite(text + pair("!t")).arenas[0].plan.peak == 32
    assert set(reasons(text + pair("!u")).values()) == {"it has a layout"}


def test_operands_and_other_ends_of_life() -> None:
    assert set(reasons(pair("memref<4xf32>", "memref.alloc(%n)")).values()) == {
        "its shape is dynamic"
    }
    assert set(reasons(pair("memref<4xf32>", "memref.alloc()[%n]")).values()) == {
        "its shape is dynamic"
    }
    kept = pair("memref<4xf32>").replace("  memref.dealloc %a : memref<4xf32>\n", "")
    assert reasons(kept) == {"%a": "nothing frees it", "%b": "it is alone in its block"}
    nested = pair("memref<4xf32>").replace("memref.dealloc %a", "scf.if %n { memref.dealloc %a")
    nested = nested.replace("memref.dealloc %b", "} memref.dealloc %b")
    assert reasons(nested)["%a"] == "it is freed in another block"
    owning = pair("memref<4xf32>").replace("  return", "  bufferization.dealloc\n  return")
    assert reasons(owning) == dict.fromkeys(("%a", "%b"), "its function has bufferization.dealloc")
    assert len(rewriter.rewrite(owning + pair("memref<4xf32>")).arenas) == 1


def test_labels_divide_blocks() -> None:
    text = pair("memref<4xf32>")
    assert (
        reasons(text.replace("  memref.dealloc %b", "^next:\n  memref.dealloc %b"))["%b"]
        == "it is freed in another block"
    )
    assert reasons(text.replace("  memref.dealloc %b", "^next(%x: f32): memref.dealloc %b"))["%b"]
    assert not reasons(
        text.replace("  return", "  cf.br ^next(%n : index)\n^next(%x: index):\n  return")
    )


def test_assumed_alignment_counts() -> None:
    text = pair("memref<4xf32>").replace(
        "  memref.dealloc %a", "  memref.assume_alignment %a, 256 : x\n  memref.dealloc %a"
    )
    arena = rewriter.rewrite(text).arenas[0]
    assert arena.alignment == 256
    assert arena.plan.offsets[0] % 256 == 0


def test_comments_strings_and_names() -> None:
    text = pair("memref<4xf32>").replace(
        "  return",
        '  "x"() {a = "memref.dealloc %a }"} : () -> () // memref.dealloc %a }\n  return',
    )
    text = text.replace("%n: index", "%neap_arena: index, %neap_offset: index")
    new = rewriter.rewrite(text).text
    assert "%neap_arena_0 = memref.alloc()" in new and "%neap_offset_0 = arith.constant" in new


@pytest.mark.parametrize(
    "text, line, column, message",
    [
        ("a {\n  (", 2, 3, "'(' is never closed"),
        ("a {\n  )", 2, 3, "')' closes nothing"),
        ('a "b\nc"', 1, 3, "the string does not end on its line"),
        ("%a = memref.alloc() {", 1, 21, "a bracket is never closed"),
        ("%a = memref.alloc()", 1, 20, "expected ':'"),
        ("%a = memref.alloc() : memref<4xf32", 1, 23, "the type does not end"),
        ("memref.dealloc %a memref", 1, 19, "expected ':'"),
    ],
)
def test_errors_have_a_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(neap.InputError) as caught:
        rewriter.rewrite(text, "x.mlir")
    assert (caught.value.line, caught.value.column) == (line, column)
    assert message in caught.value.text


def test_damaged_text_raises_errors_of_neap() -> None:
    texts = [path.read_text(encoding="utf-8") for path in MODULES.glob("*.mlir")]
    rng = random.Random(3)
    for _ in range(150):
        text = rng.choice(texts)
        for _ in range(rng.randint(1, 3)):
            place, other = rng.randrange(len(text)), rng.randrange(len(text))
            piece = rng.choice(
                (rng.choice('(){}<>[],:%^"= \n'), "", text[other : other + rng.randrange(30)])
            )
            text = text[:place] + piece + text[place + rng.choice((0, 1, 9)) :]
        try:
            rewriter.rewrite(text)
        except neap.Error:
            pass
