# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates of random small problems, of every kind of constraint.

    random_problems.py PROGRAM CHECKER FOLDER FIRST COUNT

Where neap proves that a plan is optimal, its certificate must be accepted, or the report says why there is
none, which must be rare. The same holds for certificates that a byte less is too little. An independent exhaustive
search confirms the smallest ones. Some are mutated. Prints how many certificates there are of each kind.
"""
from __future__ import annotations

import collections
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, Optional

sys.path.insert(0, str(Path(__file__).parent))
from mutate import accepts, load, try_all  # noqa: E402

# Of each kind, MUTATED certificates of at most LINES lines are mutated.
MUTATED, LINES = 4, 40

# At most one plan in REFUSED may have no certificate.
REFUSED = 8


def pair(rng: random.Random, names: list[str]) -> list[str]:
    return rng.sample(names, 2)


def problem(rng: random.Random) -> dict[str, Any]:
    count, unit = rng.randint(3, 14), rng.choice((1, 1, 2, 4))
    buffers: list[dict[str, Any]] = []
    aligned, limited = rng.random() < 0.5, rng.random() < 0.3
    for number in range(count):
        start = rng.randrange(10)
        lifetimes = [[start, start + rng.randint(1, 5)]]
        if rng.random() < 0.1:
            later = lifetimes[0][1] + rng.randint(1, 3)
            lifetimes.append([later, later + rng.randint(1, 3)])
        item = {"name": f"b{number}", "size": unit * rng.randint(0 if rng.random() < 0.05 else 1, 9),
                "lifetimes": lifetimes}  # fmt: skip
        if aligned and rng.random() < 0.6:
            item["alignment"] = rng.choice((2, 4, 4, 8, 16, 3))
        if limited and rng.random() < 0.2:
            item["window"] = [rng.randrange(8), None if rng.random() < 0.5 else rng.randint(40, 60)]
        if limited and rng.random() < 0.2:
            item["bank"] = rng.choice((16, 32, 40))
        if limited and rng.random() < 0.1:
            item.pop("window", None)
            item["fixed_offset"] = item.get("alignment", 1) * rng.randrange(8)
        buffers.append(item)
    result: dict[str, Any] = {"format": "neap-problem", "version": 1, "buffers": buffers}
    names = [item["name"] for item in buffers]
    if limited and rng.random() < 0.4:
        low = rng.randrange(20)
        result["reserved"] = [{"bytes": [low, low + rng.randint(1, 9)]}]
        if rng.random() < 0.5:
            result["reserved"][0]["when"] = [2, 6]
    if rng.random() < 0.5:
        return result
    for key in ("separations", "exclusions"):
        pairs = [pair(rng, names) for _ in range(rng.randrange(4))]
        result[key] = [{"buffers": names} for names in pairs]
    if rng.random() < 0.4:
        chosen = {tuple(pair(rng, names)) for _ in range(rng.choice((1, 1, 3, 6)))}
        result["overlaps"] = [{"first": first, "second": second, "bytes": rng.randrange(8)} for first, second in sorted(chosen)]
    if rng.random() < 0.3:
        chosen = {tuple(sorted(pair(rng, names))) for _ in range(rng.choice((1, 1, 2, 3)))}
        result["colocations"] = [{"first": first, "second": second, "offset": rng.randrange(8)} for first, second in sorted(chosen)]
    if rng.random() < 0.2:
        result["bank_separations"] = [{"buffers": pair(rng, names), "bank": 16}]
    return result


def widen(rng: random.Random, document: dict[str, Any]) -> None:
    """Adds pools, penalties, earlier offsets or huge sizes."""
    buffers = document["buffers"]
    names = [item["name"] for item in buffers]
    kind = rng.randrange(8)
    if kind < 2:
        pools = [{"name": name} for name in ("fast", "slow", "far")[: rng.randint(1, 3)]]
        for pool in pools:
            if rng.random() < 0.5:
                pool["capacity"] = rng.randint(12, 60)
            if rng.random() < 0.3:
                pool["alignment"] = rng.choice((2, 4))
            if rng.random() < 0.3:
                pool["cost"] = rng.randrange(3)
        for item in buffers:
            if rng.random() < (0.9 if kind == 0 else 0.3):
                item["pools"] = [rng.choice(pools)["name"]]
        for hole in document.get("reserved", []):
            hole["pool"] = pools[0]["name"]
        document["pools"] = pools
    if kind in (0, 1, 2, 3):
        chosen = [(pair(rng, names), rng.randint(0, 4)) for _ in range(rng.randrange(12))]
        document["reuse_penalties"] = [{"buffers": two, "cost": cost} for two, cost in chosen]
    if kind in (0, 3, 4):
        for item in buffers:
            if "fixed_offset" not in item and rng.random() < 0.4:
                item["near"] = rng.randrange(4) * item.get("alignment", 1) if rng.random() < 0.7 else rng.randrange(40)
                if rng.random() < 0.5:
                    item["move_cost"] = rng.randrange(5)
    if kind < 5 and rng.random() < 0.5:
        document["objective"] = rng.sample(("spill", "peak", "reuse", "moved"), 4)
    if kind == 7:
        scale = 1 << rng.choice((40, 48, 50, 52, 54, 56))
        for item in buffers:
            item["size"] *= scale


def fits(checker: Any, stated: Any, peak: int) -> bool:
    """Whether some layout of the problem stays below a peak, tried out offset by offset."""
    buffers = sorted(range(len(stated.buffers)), key=lambda i: -stated.buffers[i].size)

    def extend(at: int) -> bool:
        if at == len(buffers):
            try:
                checker.check_plan(stated)
            except checker.Rejected:
                return False
            return True
        own = stated.buffers[buffers[at]]
        for offset in range(0, peak - own.size, own.alignment):
            own.offset = offset
            if stated.place(buffers[at], offset) != offset:
                continue
            if all(checker.allows(stated, buffers[at], other) for other in buffers[:at]):
                if extend(at + 1):
                    return True
        return False

    return extend(0)


def run(program: str, folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    command = [program, "plan", str(folder / "random.json"), "--json", "--engine", "exact",
               "--max-ticks", "200000", *options]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, {**(json.loads(done.stdout) if done.stdout else {}), "stderr": done.stderr}


def kind_of(text: str) -> str:
    line = text.split("\n")[-3].split(" ")[0]
    return "pairs" if "\npairs " in text else line if line in ("load", "column", "banks") else "none"


def check_mutants(checker: Any, text: str, folder: Path) -> bool:
    if text.count("\n") > LINES:
        return False
    _, bad = try_all(checker, text, str(folder / "plan.json"), "-", 1 << 60)
    assert bad == 0, "a false mutant is accepted"
    return True


def check_one(checker: Any, program: str, folder: Path, seed: int,
              mutated: collections.Counter[str]) -> Optional[str]:  # fmt: skip
    """The kind of its certificate, or None if the problem is contradictory or its peak unknown."""
    path, certificate = str(folder / "random.json"), folder / "random.cert"
    certificate.unlink(missing_ok=True)
    document = problem(random.Random(seed))
    if seed % 2 == 0:
        widen(random.Random(-seed), document)
    Path(path).write_text(json.dumps(document), encoding="utf-8")
    plan = str(folder / "plan.json")
    code, report = run(program, folder, "--certificate", str(certificate), "-o", plan)
    if code == 3:
        return None
    if code == 4:
        assert certificate.exists(), "no proof that it is impossible"
        assert accepts(checker, certificate.read_text(encoding="utf-8"), path, "-"), "rejected"
        return "impossible"
    if report.get("status") != "optimal":
        assert not certificate.exists(), "a certificate of a plan that is not optimal"
        return None
    if code != 0:
        assert code == 5 and not certificate.exists()
        said = f"proven, no certificate: {report['no_certificate']}"
        assert said in report["stderr"], "the report and the message differ"
        return "refused"
    text = certificate.read_text(encoding="utf-8")
    assert accepts(checker, text, path, "-"), "rejected"
    stated = checker.read_certificate(text.encode())
    assert stated.least == report["peak"]
    if stated.claim == "best":
        kind = "best"
        if mutated[kind] < MUTATED and check_mutants(checker, text, folder):
            mutated[kind] += 1
        return kind
    if len(document["buffers"]) <= 5 and report["peak"] > 0:
        assert not fits(checker, stated.problem, report["peak"]), "there is a lower layout"
    if report["peak"] > 0:
        certificate.unlink()
        capacity = str(report["peak"] - 1)
        code, _ = run(program, folder, "--capacity", capacity, "--certificate", str(certificate))
        assert code == 4, f"exit code {code} for a capacity that is too small"
        infeasible = certificate.read_text(encoding="utf-8")
        assert accepts(checker, infeasible, path, capacity), "infeasibility rejected"
    kind = kind_of(text)
    if mutated[kind] < MUTATED and check_mutants(checker, text, folder):
        mutated[kind] += 1
    return kind


def main() -> int:
    program, checker, folder = sys.argv[1], load(sys.argv[2]), Path(sys.argv[3])
    kinds: collections.Counter[str] = collections.Counter()
    mutated: collections.Counter[str] = collections.Counter()
    for seed in range(int(sys.argv[4]), int(sys.argv[4]) + int(sys.argv[5])):
        try:
            kinds[check_one(checker, program, folder, seed, mutated) or "unknown"] += 1
        except (AssertionError, checker.Rejected) as error:
            print(f"seed {seed}: {error}")
            return 1
    print(", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())))
    proven = sum(kinds.values()) - kinds["unknown"]
    if kinds["refused"] * REFUSED > proven:
        print("too few have a certificate")
        return 1
    if any(mutated[kind] < MUTATED for kind in ("best", "load", "column", "pairs")):
        print(f"too few were mutated: {dict(mutated)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
