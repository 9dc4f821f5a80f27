# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints an MLIR module of random functions: each buffer is filled when it is made, and printed
before it is freed."""

import random
import sys
from typing import List

TYPES = {"f32": "f32", "f64": "f64", "i8": "i8", "i16": "i16", "i64": "i64"}


class Writer:
    """Writes one function."""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.lines: List[str] = []
        self.live: List[tuple[str, str, int]] = []
        self.count = 0

    def line(self, text: str) -> None:
        self.lines.append("  " + text)

    def make(self, indent: str) -> None:
        kind = self.random.choice(list(TYPES))
        length = self.random.choice([1, 2, 3, 5, 17, 64, 100, 257])
        name, value = f"%b{self.count}", self.count % 100 + 1
        alignment = self.random.choice(
            ["", "", " {alignment = 64 : i64}", " {alignment = 8 : i64}"]
        )
        number = f"{value}.0" if kind[0] == "f" else str(value)
        self.line(f"{indent}{name} = memref.alloc(){alignment} : memref<{length}x{kind}>")
        self.line(f"{indent}%v{self.count} = arith.constant {number} : {kind}")
        self.line(
            f"{indent}linalg.fill ins(%v{self.count} : {kind}) "
            f"outs({name} : memref<{length}x{kind}>)"
        )
        self.live.append((name, kind, length))
        self.count += 1

    def free(self, indent: str, index: int) -> None:
        name, kind, length = self.live.pop(index)
        for place in {0, length // 2, length - 1}:
            self.line(f"{indent}%i{self.count} = arith.constant {place} : index")
            self.line(
                f"{indent}%x{self.count} = memref.load {name}[%i{self.count}] : "
                f"memref<{length}x{kind}>"
            )
            self.line(f"{indent}vector.print %x{self.count} : {kind}")
            self.count += 1
        self.line(f"{indent}memref.dealloc {name} : memref<{length}x{kind}>")

    def body(self, steps: int, indent: str) -> None:
        kept = len(self.live)
        for _ in range(steps):
            choice = self.random.random()
            if choice < 0.5 or len(self.live) == kept:
                self.make(indent)
            elif choice < 0.93 or indent:
                self.free(indent, self.random.randrange(kept, len(self.live)))
            else:
                self.line("scf.for %i = %zero to %two step %one {")
                self.body(8, "  ")
                self.line("}")
        while len(self.live) > kept:
            self.free(indent, len(self.live) - 1)


def main() -> None:
    functions = int(sys.argv[1])
    for number in range(functions):
        writer = Writer(number)
        print(f"func.func @f{number}() {{")
        for name, value in (("zero", 0), ("one", 1), ("two", 2)):
            print(f"  %{name} = arith.constant {value} : index")
        writer.body(30, "")
        print("\n".join(writer.lines) + "\n  return\n}")
    print("func.func @main() {")
    for number in range(functions):
        print(f"  call @f{number}() : () -> ()")
    print("  return\n}")


if __name__ == "__main__":
    main()
