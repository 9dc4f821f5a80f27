# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares doc/neap-problem.schema.json with what the program reads and writes.

schema.py keys PROGRAM SCHEMA            prints objects whose keys differ from those that PROGRAM knows
schema.py written REPORT SCHEMA          prints keys of reports that only the C file REPORT or only the schema has
schema.py validate SCHEMA FILE...        prints files that the schema rejects
schema.py reject SCHEMA FILE...          prints files that the schema accepts
"""

import json
import re
import subprocess
import sys

PROBE = {"zzz": 1}
BUFFER = {"name": "a", "size": 1, "lifetimes": [[0, 1]]}
PLACED = {**BUFFER, "offset": 0}
ROUND = {
    **dict.fromkeys(
        "round peak excess_area excess_count high medium low none high_groups medium_groups group_rounds".split(), 0
    ),
    "improved": True,
    "offsets": [0],
}


def problem(**more):
    return {"format": "neap-problem", "version": 1, "buffers": [BUFFER], **more}


def plan(**more):
    return {"format": "neap-plan", "version": 1, "buffers": [PLACED], **more}


# What neap writes and does not read: its keys stand in the source of the report.
WRITTEN = {"figures", "summary", "arena", "pool_report"}

# A document for each definition of an object, with an unknown key in that object.
PROBES = {
    "problem": problem(**PROBE),
    "buffer": problem(buffers=[PROBE]),
    "pool": problem(pools=[PROBE]),
    "reserved": problem(reserved=[PROBE]),
    "pair": problem(separations=[PROBE]),
    "overlap": problem(overlaps=[PROBE]),
    "colocation": problem(colocations=[PROBE]),
    "bank_separation": problem(bank_separations=[PROBE]),
    "reuse_penalty": problem(reuse_penalties=[PROBE]),
    "operator": problem(operators=[PROBE]),
    "schedule": problem(schedule=PROBE),
    "runtime_tensor": problem(runtime=[PROBE]),
    "plan": plan(**PROBE),
    "placed_buffer": plan(buffers=[PROBE]),
    "round": plan(rounds=[PROBE]),
    "move": plan(rounds=[{**ROUND, "moves": [PROBE]}]),
}


def known_keys(program, document):
    """The keys that an error message lists."""
    command = "check" if document["format"] == "neap-plan" else "info"
    done = subprocess.run([program, command, "-"], input=json.dumps(document), capture_output=True, text=True)
    before, found, after = done.stderr.partition("unknown key; expected one of ")
    return set(after.partition(";")[0].strip().split(", ")) if found else {"no list of keys in: " + done.stderr}


def compare_keys(program, path):
    definitions = json.load(open(path, encoding="utf-8"))["$defs"]
    objects = {name for name, value in definitions.items() if "properties" in value} - WRITTEN
    for name in sorted(objects ^ set(PROBES)):
        print(f"{name}: in the schema or in this test only")
    for name in sorted(objects & set(PROBES)):
        written, known = set(definitions[name]["properties"]), known_keys(program, PROBES[name])
        if written != known:
            print(f"{name}: only in the schema {sorted(written - known)}, only read {sorted(known - written)}")


def all_properties(value):
    """The keys of an object and of the objects in it, without those of other definitions."""
    for key, member in value.get("properties", {}).items():
        yield key
        yield from all_properties(member)
        yield from all_properties(member.get("items", {}))


def compare_written(source, path):
    text = open(source, encoding="utf-8").read()
    written = set(re.findall(r'append_\w+\(&?row, "(\w+)"', text)) | set(re.findall(r'\{\\"(\w+)\\":', text))
    definitions = json.load(open(path, encoding="utf-8"))["$defs"]
    stated = {key for name in WRITTEN | {"round"} for key in all_properties(definitions[name])}
    for key in sorted((written ^ stated) - {"parts", "offsets", "moves"}):
        print(f"{key}: only {'written' if key in written else 'in the schema'}")


def validate(path, files, should_pass):
    from jsonschema import Draft202012Validator

    schema = json.load(open(path, encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for file in files:
        errors = list(validator.iter_errors(json.load(open(file, encoding="utf-8"))))
        if should_pass and errors:
            print(f"{file}: {errors[0].message[:300]}")
        if not should_pass and not errors:
            print(f"{file} is accepted")


if sys.argv[1] == "keys":
    compare_keys(*sys.argv[2:])
elif sys.argv[1] == "written":
    compare_written(*sys.argv[2:])
else:
    validate(sys.argv[2], sys.argv[3:], sys.argv[1] == "validate")
