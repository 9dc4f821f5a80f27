# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutates a certificate, one field at a time, and reports every mutant that the checker accepts and that states
something else.

    mutate.py CHECKER CERTIFICATE INPUT CAPACITY [LIMIT]

Every mutant is tried with the checksum that it had and with a corrected one. CAPACITY is that of a
certificate without a plan, or "-". LIMIT is the most mutants to try, spread evenly over all.
"""
from __future__ import annotations

import difflib
import importlib.util
import re
import sys
import zlib
from pathlib import Path
from typing import Any, Iterator


def load(path: str) -> Any:
    spec = importlib.util.spec_from_file_location("checker", path)
    assert spec is not None and spec.loader is not None
    sys.path.insert(0, str(Path(path).resolve().parent))  # the checker's own modules
    module = importlib.util.module_from_spec(spec)
    sys.modules["checker"] = module
    spec.loader.exec_module(module)
    return module


def accepts(checker: Any, text: str, path: str, capacity: str) -> bool:
    try:
        certificate = checker.read_certificate(text.encode())
        checker.compare(certificate, path)
        if capacity != "-" and certificate.least <= int(capacity):
            return False
        checker.check(certificate)
    except (ValueError, KeyError, TypeError, IndexError):
        return False
    return True


KINDS = ("peak", "least", "load", "column", "clique", "pairs", "below",
         "order", "best", "over", "spill", "moved", "pool", "all", "core", "stop", "separation", "exclusion", "overlap", "colocation", "reserved")  # fmt: skip


def fields(line: str) -> Iterator[str]:
    """The line with one field changed."""
    words = re.findall(r'"(?:[^"\\]|\\.)*"|[^ ]+', line)
    for at, word in enumerate(words):
        others = [None, word + " " + word]
        if re.fullmatch("-?[0-9]+", word):
            others += [str(int(word) + 1), str(int(word) - 1), "-"]
        elif word == "-":
            others += ["0", "1"]
        elif word.startswith('"'):
            others += [word[:-1] + 'x"']
        elif re.fullmatch("[0-9a-f]+", word):
            others += [f"{int(word, 16) ^ 1:x}"]
        else:
            others += [kind for kind in KINDS if kind != word]
        for other in others:
            changed = words[:at] + ([] if other is None else [other]) + words[at + 1 :]
            yield " ".join(changed)
        if at + 1 < len(words):
            yield " ".join(words[:at] + [words[at + 1], word] + words[at + 2 :])


def mutants(lines: list[str]) -> Iterator[list[str]]:
    for at, line in enumerate(lines):
        for other in fields(line):
            if other != line:
                yield lines[:at] + [other] + lines[at + 1 :]
        yield lines[:at] + lines[at + 1 :]
        yield lines[: at + 1] + lines[at:]
        if at + 1 < len(lines) and lines[at + 1] != line:
            yield lines[:at] + [lines[at + 1], line] + lines[at + 2 :]
        yield lines[:at]


def corrected(lines: list[str]) -> str:
    body = lines[:-1] if lines and lines[-1].startswith("end") else lines
    text = "".join(line + "\n" for line in body)
    return text + f"end {len(body)} {zlib.crc32(text.encode()):08x}\n"


REASONS = {"load", "column", "banks", "pairs", "clique", "below", "core", "order", "before", "cut", "flow", "need", "set", "run",
           "stop", "end"}  # fmt: skip
CONSTRAINTS = {"reserved", "separation", "exclusion", "overlap", "colocation", "bank_separation"}


def stated(lines: list[str]) -> tuple[list[str], set[str], dict[str, int]]:
    """The claim with the problem and the graph.  Where texts agree in it, one is true if the other is, whatever their reasons;
    constraints may come in any order, and the penalties of a pair add up."""
    kept = [line for line in lines if line.split(" ")[0] not in REASONS]
    constraints = {line for line in kept if line.split(" ")[0] in CONSTRAINTS}
    penalties: dict[str, int] = {}
    for pair, _, cost in (line.rpartition(" ") for line in kept if line.startswith("reuse_penalty ")):
        penalties[pair] = penalties.get(pair, 0) + (int(cost) if cost.isdecimal() else 0)
    others = [line for line in kept if line not in constraints and not line.startswith("reuse_penalty ")]
    return others, constraints, penalties


def try_all(checker: Any, text: str, source: str, capacity: str, limit: int) -> tuple[int, int]:
    """How many mutants there are, and how many of them are accepted."""
    lines = text.split("\n")[:-1]
    count = sum(1 for _ in mutants(lines))
    step, tried, bad = max(1, count // limit), 0, 0
    for number, mutant in enumerate(mutants(lines)):
        if number % step != 0:
            continue
        for changed in ("".join(line + "\n" for line in mutant), corrected(mutant)):
            if changed == text:
                continue
            tried += 1
            if stated(lines) != stated(mutant) and accepts(checker, changed, source, capacity):
                bad += 1
                print(f"accepted: mutant {number}: {list(difflib.ndiff(lines, mutant))}")
    return tried, bad


def main() -> int:
    checker, path, source, capacity = load(sys.argv[1]), *sys.argv[2:5]
    limit = int(sys.argv[5]) if len(sys.argv) > 5 else 1 << 60
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    if not accepts(checker, text, source, capacity):
        print("the certificate itself is rejected")
        return 1
    tried, bad = try_all(checker, text, source, capacity, limit)
    print(f"{tried} mutants, {bad} accepted")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
