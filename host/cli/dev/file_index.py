"""Lists every file of the program with its first sentence and its numeric constants."""

import ast
import pathlib
import re
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[3]
BEGIN, END = "<!-- listed by plusthree dev imports --page -->", "<!-- end of the list -->"
_LEFT_OUT = ("host/sim/", "host/cases/", "host/cli/dev/")  # only developers use these
_MOST = 14  # more constants than this: a table of codes, which is not listed
_FIRST = re.compile(r".+?[.](?=\s+[A-Z`]|\s*$)")
_COMMENTS = {
    ".js": re.compile(r"\s*//\s?(.*)"),
    ".css": re.compile(r"\s*(?:/\*)?\s?(.*?)(?:\*/)?$"),
}


def listed(root: pathlib.Path = ROOT) -> str:
    """Return the list as Markdown: one heading per folder, one line per file."""
    lines, folder = [], None
    for path in _files(root):
        if path.parent != folder:
            folder = path.parent
            lines += ["", f"### `{folder.relative_to(root).as_posix()}/`", ""]
        told = _sentence(path)
        numbers = ", ".join(f"{name} {value}" for name, value in _numbers(path))
        lines.append(f"* `{path.name}`: {told}" + (f" *({numbers})*" if numbers else ""))
    screens = sorted(path.stem for path in root.glob("firmware/ui/screens/*.txt"))
    lines += ["", "### `firmware/ui/screens/`", "", f"A file a screen: {', '.join(screens)}."]
    return "\n".join(lines[1:])


def placed(text: str) -> str:
    """Return a page's ``text`` with a new list between its two marks."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{listed()}\n{END}{rest.partition(END)[2]}"


def _files(root: pathlib.Path) -> list[pathlib.Path]:
    found = [*root.glob("firmware/**/*.py"), *root.glob("host/**/*.py")]
    found += [*root.glob("host/web/static/js/**/*.js"), *root.glob("host/web/static/css/*.css")]
    kept = [
        path
        for path in found
        if path.name != "__init__.py"
        and not path.relative_to(root).as_posix().startswith(_LEFT_OUT)
    ]
    return sorted(kept, key=lambda path: (path.parent.as_posix(), path.name))


def _sentence(path: pathlib.Path) -> str:
    """Return the first sentence of a file's docstring or comment. Raises ValueError without one."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        said = ast.get_docstring(ast.parse(text)) or ""
    else:
        said = _comment(text, _COMMENTS[path.suffix])
    found = _FIRST.match(" ".join(said.split("\n\n")[0].split()) + ".")
    if not said or found is None:
        raise ValueError(f"{path} does not say what it is for")
    return found[0].rstrip(".")


def _comment(text: str, line: re.Pattern[str]) -> str:
    found = []
    for one in text.splitlines():
        if not one.startswith(("/", " ")):
            break
        match = line.match(one)
        found.append(match[1] if match else "")
    return " ".join(found)


def _numbers(path: pathlib.Path) -> list[tuple[str, float]]:
    if path.suffix != ".py":
        return []
    found = list(_constants(ast.parse(path.read_text(encoding="utf-8"))))
    return found if len(found) <= _MOST else []


def _constants(tree: ast.Module) -> Iterator[tuple[str, float]]:
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        name = node.targets[0].id
        if name.isupper() and isinstance(node.value, ast.Constant):
            value = node.value.value
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield name, value
