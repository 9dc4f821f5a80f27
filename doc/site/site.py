# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the documentation as a folder of HTML pages, which need no network.

    site.py SOURCE OUTPUT MANUAL...

SOURCE is the source folder, OUTPUT is replaced, and each MANUAL is a manual page in roff.  Pages are all Markdown files of the
project, the manual, and references of the C and Python interfaces, made from headers and docstrings.  Prints each link that
leads nowhere, and exits with 1 if there is one.  Needs python3-markdown and mandoc.
"""
import html
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

try:
    import markdown
except ModuleNotFoundError:
    sys.exit("site.py: cannot import markdown; to get it: apt-get install python3-markdown")

import references

# The pages in the margin: a heading, then titles and files.
CONTENTS = (
    ("Start", (("neap", "README.md"), ("Examples", "examples/README.md"), ("Gallery", "doc/page.md"), ("News", "NEWS"))),
    ("Guides", (("Microcontrollers", "doc/guide/tinyml.md"), ("Compilers and runtimes", "doc/guide/compiler.md"),
                ("Python and notebooks", "doc/guide/python.md"), ("Research", "doc/guide/research.md"),
                ("neap beside other tools", "doc/guide/beside.md"))),
    ("Hosts", (("TensorFlow Lite Micro", "examples/tflm/README.md"), ("PyTorch", "examples/hosts/inductor/README.md"),
               ("ExecuTorch", "examples/hosts/executorch/README.md"), ("JAX", "examples/hosts/jax/README.md"),
               ("tinygrad", "examples/hosts/tinygrad/README.md"), ("Vela", "examples/hosts/vela/README.md"),
               ("MLIR", "examples/hosts/mlir/README.md"), ("MiniMalloc's callers", "examples/hosts/minimalloc/README.md"),
               ("Generators of C", "examples/hosts/c/README.md"), ("CI", "examples/ci/README.md"))),
    ("Reference", (("neap(1)", "neap.1"), ("neap-planning(7)", "neap-planning.7"), ("neap-formats(5)", "neap-formats.5"),
                   ("C", "reference/c"), ("Python", "reference/python"), ("ABI", "doc/abi.md"))),
    ("Background", (("The tuner", "doc/tuner.md"), ("Certificates", "doc/certificate.md"), ("Benchmarks", "BENCHMARKS.md"),
                    ("Results in detail", "bench/results.md"), ("All documents", "doc/README.md"), ("Contributing", "CONTRIBUTING.md"),
                    ("Testing", "doc/testing.md"), ("Installing and packaging", "doc/install.md"))),
)
IGNORED = {"build", ".git", "autom4te.cache"}
EXTENSIONS = ["extra", "sane_lists", "toc"]


def slug(text, separator="-"):
    """The anchor of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", separator)


def page_of(path):
    """Where the page of a document is."""
    return path[:-3] + ".html" if path.endswith(".md") else path + ".html"


class Site:
    """A site that is being made."""

    def __init__(self, source, output):
        self.source, self.output = source, output
        self.pages = {}  # the HTML of each page, by its path

    def relative(self, target, page):
        return os.path.relpath(target, os.path.dirname(page) or ".").replace(os.sep, "/")

    def margin(self, page):
        lines = []
        for heading, entries in CONTENTS:
            lines.append(f"<h2>{heading}</h2><ul>")
            for title, path in entries:
                here = ' aria-current="page"' if page_of(path) == page else ""
                lines.append(f'<li><a href="{self.relative(page_of(path), page)}"{here}>{html.escape(title)}</a></li>')
            lines.append("</ul>")
        return "\n".join(lines)

    def add(self, page, title, body):
        """Adds a page."""
        style = self.relative("site.css", page)
        self.pages[page] = (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
            f'<meta name="viewport" content="width=device-width">\n<link rel="stylesheet" href="{style}"></head>\n'
            f'<body><nav aria-label="Contents">\n{self.margin(page)}\n</nav>\n<main>\n{body}\n</main></body></html>\n'
        )

    def add_markdown(self, path):
        text = (self.source / path).read_text(encoding="utf-8")
        body = markdown.markdown(text, extensions=EXTENSIONS, extension_configs={"toc": {"slugify": slug}})
        title = re.search(r"^#+ +(.*)", text, re.M)
        page = page_of(path)
        body = re.sub(r'(href|src)="([^"]+)"', lambda found: self.link(found[1], found[2], path, page), body)
        self.add(page, title[1] if title else path, body)

    def link(self, attribute, target, path, page):
        """A link of a Markdown file, as it is in its page; files that it leads to are copied."""
        parts = urllib.parse.urlsplit(target)
        if parts.scheme or not parts.path:
            return f'{attribute}="{target}"'
        found = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path)))
        if (self.source / found).is_dir():
            found = os.path.join(found, "README.md") if (self.source / found / "README.md").exists() else found
        if (self.source / found).is_dir():
            return f'class="folder" {attribute}="#"'
        if found.endswith(".md"):
            found = page_of(found)
        elif (self.source / found).is_file():
            (self.output / found).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.source / found, self.output / found)
        end = f"#{parts.fragment}" if parts.fragment else ""
        return f'{attribute}="{self.relative(found, page)}{end}"'

    def add_manual(self, path):
        name = os.path.basename(path)
        command = ["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", path]
        try:
            body = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        except FileNotFoundError:
            sys.exit("site.py: cannot run mandoc; to get it: apt-get install mandoc")
        self.add(page_of(name), name, body)

    def write(self):
        for page, text in self.pages.items():
            path = self.output / page
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        shutil.copyfile(pathlib.Path(__file__).with_name("site.css"), self.output / "site.css")
        shutil.copyfile(self.output / "README.html", self.output / "index.html")


# ---------------------------------------------------------------- links


class Links(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.targets, self.anchors = [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        self.targets += [given[name] for name in ("href", "src") if given.get(name)]


def broken(site):
    """Links that lead nowhere within the site."""
    links = {page: Links(text) for page, text in site.pages.items()}
    for page, found in links.items():
        for target in found.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme:
                continue
            path = os.path.normpath(os.path.join(os.path.dirname(page), parts.path)) if parts.path else page
            other = links.get(path)
            if other is None and not (site.output / path).exists():
                yield f"{page}: {target}: there is no such page"
            elif other and urllib.parse.unquote(parts.fragment) not in other.anchors:
                yield f"{page}: {target}: the page has no such anchor"


# ---------------------------------------------------------------- all


def documents(source):
    """The Markdown files of the project."""
    for folder, folders, files in os.walk(source):
        folders[:] = sorted(name for name in folders if name not in IGNORED and not name.startswith("."))
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), source)


def main(source, output, *manuals):
    site = Site(pathlib.Path(source), pathlib.Path(output))
    shutil.rmtree(output, ignore_errors=True)
    site.output.mkdir(parents=True)
    for path in documents(source):
        site.add_markdown(path)
    for path in manuals:
        site.add_manual(path)
    site.add(page_of("NEWS"), "News", f"<pre>{html.escape((site.source / 'NEWS').read_text(encoding='utf-8'))}</pre>")
    site.add(page_of("reference/c"), "The C interface", references.of_headers(site.source / "include" / "neap"))
    site.add(page_of("reference/python"), "The Python package", references.of_package(site.source / "python" / "neap"))
    site.write()
    faults = list(broken(site))
    print("\n".join(faults) or f"{len(site.pages)} pages in {output}")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
