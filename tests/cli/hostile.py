# SPDX-License-Identifier: GPL-3.0-or-later
"""hostile.py PROGRAM SOURCE WORK: names that attack what neap writes, in TAP.

ATTACKS are the names.  OUTPUTS has a function for each kind of output, which reads it back with
software that shares nothing with neap and fails if a name acts as anything but a name.
"""
import csv
import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree as xml
import zlib
from pathlib import Path

# What is attacked, and the name.
ATTACKS = [
    ("HTML: ends the script that holds the plan", "</script><script>alert(1)</script>"),
    ("HTML: ends an attribute, adds a handler", "\"><img src=x onerror='alert(1)'>"),
    ("HTML: begins a comment that swallows the script", "<!--<script>"),
    ("HTML: a member that every object of JavaScript has", "__proto__"),
    ("HTML: another one", "constructor"),
    ("SVG: ends CDATA", "]]><script>alert(1)</script>"),
    ("SVG: entities", "&lt;&amp;&#60;&xxe;"),
    ("SVG: ends a title", "</title><a href=\"javascript:alert(1)\">"),
    ("C: ends a comment", "*/ int main(void) { return 1; } /*"),
    ("C: ends a string", "\"; int injected = 1; //"),
    ("C: continues a line", "\\\nint injected = 1;"),
    ("C: trigraphs", "??/\n??/\"; int injected; //"),
    ("C: includes a file", "\"\n#include \"/etc/passwd\"\n"),
    ("C: formats", "%s%n%1000000d"),
    ("C: a keyword", "int"),
    ("C: a digit first", "1e9"),
    ("DOT: ends the graph", "}; digraph { a"),
    ("DOT: adds an address", "a\" [URL=\"javascript:alert(1)\"]"),
    ("DOT: HTML as a label", "<<b>x</b>>"),
    ("JSON: ends a string", "\",\"offset\":0},{\"name\":\"x"),
    ("CSV: a row of its own", "a,0,1,1\nb,0,1,1"),
    ("CSV: quotes", "\"\"\",\"\""),
    ("CSV: formulas", "=HYPERLINK(\"http://example.com\")"),
    ("CSV: a comment", "# id,lower,upper,size"),
    ("terminal: sets the title", "\x1b]0;pwned\x07"),
    ("terminal: clears the screen", "\x1b[2J\x1b[H"),
    ("terminal: the same in one byte of ISO 8859", "\u009b2J"),
    ("terminal: overwrites the line", "fine\rpeak     0 bytes"),
    ("terminal: deletes", "\b\b\b\b\x7f"),
    ("reader: turns the text around", "\u202etxt.exe\u202c"),
    ("reader: isolates", "\u2066evil\u2069\u2067"),
    ("reader: marks a direction", "a\u061cb\u200ec\u200fd"),
    ("reader: is invisible", "\ufeffa\ufeff"),
    ("reader: separates lines", "a\u2028b\u2029c\u0085d"),
    ("reader: is not a character", "\ufffe\uffff"),
    ("shell: substitutes", "$(touch pwned)`touch pwned`"),
    ("shell: ends a command", "'; touch pwned; '"),
    ("shell: an option", "--output=pwned"),
    ("path: leaves the folder", "../../pwned"),
    ("length", "long" * 5000),
    ("spaces", "  "),
]
NAMES = [name for _, name in ATTACKS]


INVISIBLE = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"


class Fault(Exception):
    """What is wrong with an output."""


def expect(condition, what):
    if not condition:
        raise Fault(what)


class Neap:
    """The program, in a folder of its own."""

    def __init__(self, program, source, work):
        self.program, self.source, self.work = program, Path(source), Path(work)

    def run(self, *arguments, status=0):
        ran = subprocess.run(
            [self.program, *arguments], cwd=self.work, capture_output=True, check=False, timeout=300
        )
        expect(status is None or ran.returncode == status, f"{arguments} exits with {ran.returncode}: {ran.stderr!r}")
        return ran

    def write(self, file, names):
        """A problem whose buffers, pools and operators have these names."""
        buffers = [
            {"name": name, "size": 100 + i, "lifetimes": [[i, i + 3]], "hint": name}
            for i, name in enumerate(names)
        ]
        document = {"format": "neap-problem", "version": 1, "buffers": buffers}
        (self.work / file).write_text(json.dumps(document), encoding="utf-8")
        return file

    def plan(self, option, file, problem="problem.json"):
        self.run("plan", "-q", problem, option, file)
        return self.work / file


def same_names(found, wanted=None):
    """Whether an output has these names, in any order."""
    wanted = NAMES if wanted is None else wanted
    strange = [f"{a[:40]!r} for {b[:40]!r}" for a, b in zip(sorted(found), sorted(wanted)) if a != b]
    expect(len(found) == len(wanted) and not strange, f"{len(found)} names for {len(wanted)}: {strange[:2]}")


def is_plain(text):
    """Whether a terminal only shows the text."""
    bad = [c for c in text if c != "\n" and (unicodedata.category(c) in ("Cc", "Zl", "Zp") or c in INVISIBLE)]
    expect(not bad, f"has {bad[:3]!r}")


# ---------------------------------------------------------------- outputs


def read_json(neap):
    text = neap.plan("-o", "plan.json").read_text(encoding="utf-8")
    same_names([b["name"] for b in json.loads(text)["buffers"]])


def read_csv(neap):
    """CSV with one line per record; if it cannot represent a name, nothing is written."""
    fine = [name for name in NAMES if "\n" not in name]
    path = neap.plan("-o", "plan.csv", neap.write("fine.json", fine))
    rows = list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))
    same_names([row["id"] for row in rows], fine)
    for name in set(NAMES) - set(fine):
        ran = neap.run("plan", "-q", neap.write("one.json", [name]), "-o", "one.csv", status=3)
        is_plain(ran.stderr.decode())
        expect(not (neap.work / "one.csv").exists(), f"half a table with {name!r}")


def read_dot(neap):
    """Outside of strings, only words and numbers; names that cgraph could not write are refused."""
    fine = [name for name in NAMES if name[0] not in "%\ufeff" and not re.search(r'\\["\n]|\\$', name) and len(name) < 16000]
    neap.run("convert", "-q", neap.write("fine.json", fine), "-o", "conflicts.dot")
    text = (neap.work / "conflicts.dot").read_bytes().decode()
    strings = [re.sub(r'\\(["\n])', r"\1", s) for s in re.findall(r'"((?:[^"\\]|\\.)*)"', text, re.S)]
    rest = re.sub(r'"(?:[^"\\]|\\.)*"', "", text, flags=re.S)
    strange = re.findall(r"[^\w\s{}\[\]=;,.\x80-\uffff-]", rest)
    expect(not strange, f"has {strange[:3]}")
    expect("URL" not in rest and "href" not in rest, "has an address")
    missing = set(fine) - set(strings) - set(re.findall(r"[\w\x80-\uffff]+", rest))
    expect(not missing, f"misses {sorted(missing)[:2]}")


SVG = "{http://www.w3.org/2000/svg}"
SVG_ELEMENTS = "svg title desc style defs pattern g rect line path circle text tspan polyline polygon clipPath use".split()


def read_svg(neap):
    root = xml.parse(neap.plan("--svg", "picture.svg")).getroot()
    for element in root.iter():
        expect(element.tag.removeprefix(SVG) in SVG_ELEMENTS, f"an element {element.tag}")
        handlers = [a for a in element.attrib if a.lower().startswith("on") or "href" in a.lower()]
        expect(not handlers, f"has {handlers}")
    is_plain("".join(root.itertext()).replace("\t", ""))


class Page(html.parser.HTMLParser):
    """Counts the elements of a page."""

    def __init__(self):
        super().__init__()
        self.scripts, self.handlers, self.data = 0, [], ""
        self.in_plan = False

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        self.in_plan = tag == "script" and dict(attrs).get("type") == "application/json"

    def handle_endtag(self, tag):
        self.in_plan = self.in_plan and tag != "script"

    def handle_data(self, data):
        self.data += data if self.in_plan else ""


def read_page(neap):
    page, plain = Page(), Page()
    page.feed(neap.plan("--html", "page.html").read_text(encoding="utf-8"))
    plain.feed(neap.plan("--html", "plain.html", neap.write("plain.json", ["a"])).read_text(encoding="utf-8"))
    expect(page.scripts == plain.scripts and not page.handlers, "has a script of its own")
    same_names([b["name"] for b in json.loads(page.data)["buffers"]])


PRINT_NAMES = """
int main(void) {
  for (const struct NEAP_buffer *buffer = NEAP_buffers; buffer->name; buffer++) {
    for (const char *c = buffer->name; *c; c++) printf("%02x", (unsigned char)*c);
    puts("");
  }
  return 0;
}
"""


def read_c(neap):
    """C and C++ with trigraphs and all warnings; the program that they make prints the names."""
    compiler = os.environ.get("NEAP_CC", "cc").split()
    if not shutil.which(compiler[0]):
        return "there is no compiler"
    neap.run("plan", "-q", "problem.json", "--header", "arena.h", "--source", "arena.c")
    names = "#include <stdio.h>\n#include \"arena.h\"\n" + PRINT_NAMES
    (neap.work / "names.c").write_text(names, encoding="utf-8")
    flags = "-std=c11 -trigraphs -pedantic -Wall -Wextra -Werror".split()
    made = subprocess.run(
        [*compiler, *flags, "arena.c", "names.c", "-o", "names"], cwd=neap.work, capture_output=True, check=False
    )
    expect(made.returncode == 0, made.stderr.decode()[:500])
    printed = subprocess.run([neap.work / "names"], capture_output=True, check=True).stdout.decode()
    same_names([bytes.fromhex(line).decode() for line in printed.split()], [name[:4000] for name in NAMES])
    for file in ("arena.h", "arena.c"):
        is_plain((neap.work / file).read_text(encoding="utf-8"))
    return None



def read_pdf(neap):
    data = None
    ran = subprocess.run(
        [neap.program, "plan", "-q", "problem.json", "--svg", "picture.pdf"], cwd=neap.work, capture_output=True, check=False
    )
    if ran.returncode != 0:
        return "this build draws no PDF"
    data = (neap.work / "picture.pdf").read_bytes()
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, re.S):
        try:
            data += zlib.decompress(stream)
        except zlib.error:
            continue
    for word in (b"/JavaScript", b"/JS", b"/URI", b"/Launch", b"/OpenAction"):
        expect(word not in data, f"has {word}")
    return None


def read_terminal(neap):
    """Everything that is printed, including errors."""
    neap.run("plan", "-q", "problem.json", "-o", "plan.json")
    for command in (
        ["plan", "problem.json", "-v"],
        ["plan", "problem.json", "--format", "table", "-o", "-"],
        ["info", "problem.json", "--draw"],
        ["explain", "problem.json"],
        ["compare", "problem.json"],
        ["check", "plan.json"],
        ["draw", "plan.json", "--text"],
        ["bench", "problem.json"],
    ):
        ran = neap.run(*command)
        is_plain(ran.stdout.decode() + ran.stderr.decode())
    for name in NAMES:
        document = {"format": "neap-problem", "version": 1, "buffers": [{"name": name, "size": 1, name + name: 2}]}
        (neap.work / "bad.json").write_text(json.dumps(document), encoding="utf-8")
        is_plain(neap.run("plan", "bad.json", status=3).stderr.decode())


def read_arguments(neap):
    """Paths and values of options, also invalid UTF-8: in messages, and in tables of runs."""
    for name in [*map(os.fsencode, NAMES), b"\xff\xfe", b"\xc2", b"a\x9b2J"]:
        name = name.replace(b"/", b"_").replace(b"\0", b"")[:200]
        for option in ("engine", "capacity", "objective", "pool", "dim", "format", "threads", ""):
            ran = neap.run("plan", "problem.json", f"--{option}=x".encode() + name, status=None)
            is_plain((ran.stdout + ran.stderr).decode())
        for arguments in (["info", b"./missing" + name], [b"x" + name], ["help", b"x" + name]):
            ran = neap.run(*arguments, status=None)
            is_plain((ran.stdout + ran.stderr).decode())
        file = os.fsencode(neap.work) + b"/arguments" + name + b".json"
        shutil.copy(neap.work / "problem.json", file)
        for command in (["bench"], ["compare", "--csv"], ["compare"], ["sweep", "--max-rounds=1"], ["explain"]):
            ran = neap.run(*command, b"./arguments" + name + b".json", "--max-ticks=10", status=None)
            is_plain((ran.stdout + ran.stderr).decode())
        os.unlink(file)


def read_certificate(neap):
    neap.run("plan", "-q", "problem.json", "--certificate", "plan.cert")
    text = (neap.work / "plan.cert").read_text(encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, neap.source / "doc/check-certificate.py", neap.work / "plan.cert"], capture_output=True, check=False
    )
    expect(checked.returncode == 0, checked.stderr.decode()[:300])
    quoted = [json.loads(s) for s in re.findall(r'^buffer ("(?:[^"\\]|\\.)*")', text, re.M)]
    same_names(quoted)


def read_files(neap):
    """Names of files: every possible name works, and no shell sees it."""
    (neap.work / "folder").mkdir()
    for name in NAMES:
        name = name.replace("/", "_").replace("\0", "")[:200]
        if not name or not name.strip():
            continue
        file = neap.work / "folder" / (name + ".json")
        try:
            shutil.copy(neap.work / "problem.json", file)
        except OSError:
            continue
        ran = neap.run("plan", f"folder/{name}.json", "--svg", f"folder/{name}.svg", "--html", f"folder/{name}.html")
        is_plain(ran.stdout.decode() + ran.stderr.decode())
        xml.parse(neap.work / "folder" / (name + ".svg"))
        page = Page()
        page.feed((neap.work / "folder" / (name + ".html")).read_text(encoding="utf-8"))
        expect(not page.handlers, f"{name!r} has handlers")
    expect(not list(neap.work.glob("**/pwned*")) and not (neap.work.parent / "pwned").exists(), "a shell ran")


OUTPUTS = [
    ("JSON", read_json),
    ("CSV", read_csv),
    ("DOT", read_dot),
    ("SVG", read_svg),
    ("pages", read_page),
    ("C headers and sources", read_c),
    ("PDF", read_pdf),
    ("terminals", read_terminal),
    ("arguments", read_arguments),
    ("certificates", read_certificate),
    ("names of files", read_files),
]


def main(program, source, work):
    failed = 0
    neap = Neap(program, source, work)
    neap.write("problem.json", NAMES)
    for number, (output, read) in enumerate(OUTPUTS, 1):
        skipped = reason = None
        try:
            skipped = read(neap)
        except (Fault, ValueError, KeyError, xml.ParseError, subprocess.SubprocessError) as fault:
            reason = f"{type(fault).__name__}: {fault}"
        failed += reason is not None
        print(f"{'not ok' if reason else 'ok'} {number} - {len(NAMES)} hostile names in {output}", end="")
        print(f" # SKIP {skipped}" if skipped else "")
        if reason:
            print("#   " + reason[:2000].replace("\n", "\n#   "))
    print(f"1..{len(OUTPUTS)}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
