# SPDX-License-Identifier: GPL-3.0-or-later
"""References of the C interface, from comments in headers, and of the Python package, from docstrings."""
import ast
import html
import re

# ---------------------------------------------------------------- headers

HEADERS = ("neap.h", "relations.h", "graph.h", "arena.h", "planner.h", "proof.h", "neap-io.h", "models.h")
RULE = re.compile(r"/\* =+ (.*) \*/$")
COMMENT = re.compile(r"/\*\n?(.*?)\*/\s*", re.S)
GUARD = re.compile(r"^#ifndef NEAP_\w+_H\n#define NEAP_\w+_H$", re.M)
NAME = re.compile(r"\b(neap_\w+)(?=\()|^\} (neap_\w+);|^#define (NEAP_\w+)|^enum (neap_\w+)", re.M)


def written(text):
    """Text as it was written, with its lines and columns."""
    return f'<pre class="text">{html.escape(text)}</pre>' if text else ""


def of_comment(comment):
    return written("\n".join(re.sub(r"^ \* ?", "", line) for line in comment.strip("\n").split("\n")).strip())


def chunk(text):
    """A comment and the declarations after it."""
    found = COMMENT.match(text)
    comment = of_comment(found[1]) if found else ""
    declared = GUARD.sub("", text[found.end():] if found else text).strip()
    names = [next(filter(None, each)) for each in NAME.findall(declared)]
    anchors = "".join(f'<span id="{name}"></span>' for name in dict.fromkeys(names))
    code = f"<pre>{html.escape(declared)}</pre>" if declared else ""
    return f"<section>{anchors}{code}{comment}</section>"


def of_header(path):
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"\A/\* SPDX.*?\*/\n", "", text)
    lines = [f'<h2 id="{path.name}">&lt;neap/{path.name}&gt;</h2>']
    for part in re.split(r"\n\s*\n", text):
        part = part.strip()
        rule = RULE.match(part)
        if rule:
            lines.append(f"<h3>{html.escape(rule[1])}</h3>")
        elif not re.match(r"#(ifndef|ifdef|include|endif)|extern|\}", part):
            lines.append(chunk(part))
    return "\n".join(lines)


def of_headers(folder):
    listed = ", ".join(f'<a href="#{name}">{name}</a>' for name in HEADERS)
    return f"<h1>The C interface</h1><p>{listed}</p>" + "\n".join(of_header(folder / name) for name in HEADERS)


# ---------------------------------------------------------------- Python

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def is_public(node):
    return isinstance(node, (*FUNCTIONS, ast.ClassDef)) and not node.name.startswith("_")


def signature(node):
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(node.args)}){result}"


def described(node):
    return written(ast.get_docstring(node))


def of_class(node, module):
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    lines = [f'<h3 id="{module}.{node.name}"><code>class {node.name}({html.escape(bases)})</code></h3>', described(node)]
    for each in node.body:
        if is_public(each):
            lines.append(f"<section><pre>{html.escape(signature(each))}</pre>{described(each)}</section>")
    return "\n".join(lines)


def of_module(path, name):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lines = [f'<h2 id="{name}"><code>{name}</code></h2>', described(tree)]
    for node in filter(is_public, tree.body):
        if isinstance(node, ast.ClassDef):
            lines.append(of_class(node, name))
        else:
            lines.append(f'<h3 id="{name}.{node.name}"><code>{html.escape(signature(node))}</code></h3>{described(node)}')
    return "\n".join(lines)


def of_package(folder):
    """The public modules of the package neap; those that only forward a former name are not listed."""
    modules = {"neap": folder / "__init__.py"}
    for path in sorted([*folder.glob("*.py"), *folder.glob("hosts/*.py")]):
        if not path.name.startswith("_") and "_moved" not in path.read_text(encoding="utf-8"):
            modules[".".join(("neap", *path.relative_to(folder).with_suffix("").parts))] = path
    listed = ", ".join(f'<a href="#{name}">{name}</a>' for name in modules)
    return f"<h1>The Python package</h1><p>{listed}</p>" + "\n".join(of_module(path, name) for name, path in modules.items())
