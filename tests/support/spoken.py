"""Which sentences the host can say to a person at a page, found by reading its code."""

import ast

import tree

from host.base import sentences

# what is only met in a terminal: starting, files, other commands; those sentences stay English
TERMINAL = (
    "host/archive/store.py", "host/backup/backup.py", "host/boards/bringup/", "host/collector/carriers/adapters.py", "host/collector/carriers/json_lines.py", "host/cases/", "host/cli/",
    "host/server/console.py", "host/boards/deploy/", "host/audit/examination.py", "host/formats/", "host/server/hall_acts.py", "host/formats/import_file.py", "host/server/link_acts.py", "host/server/act.py",
    "host/tournament/rule_packs.py", "host/reports/paper/", "host/keys/passphrase.py", "host/desk/recent_presses.py", "host/boards/provisioning.py", "host/base/disk_errors.py", "host/base/private_files.py", "host/event/archive_view.py",
    "host/backup/restore.py", "host/boards/screens/", "host/archive/master_key.py", "host/server/serving.py", "host/archive/table_shapes.py", "host/sim/", "host/tournament/xwing_squads.py",
    "host/systems/", "host/keys/key_encryption.py", "host/desk/table_numbering.py", "host/event/overview.py", "host/web/certificate.py", "host/web/web_server.py",
    "host/web/http_loop.py", "host/cli/virtual_desk.py", "host/base/errors.py", "host/base/sentences.py",
)  # fmt: skip
KNOWN = sentences.table("it")
SAYING = {"UserError", "Malformed", "Question", "Sentence"}


def modules():
    """Return the files of the host whose sentences reach pages."""
    return [
        path for path in tree.python_files("host") if not tree.name_of(path).startswith(TERMINAL)
    ]


def said(path):
    """Yield ``(line, template)`` of every sentence that a file makes; None for one that is no template."""
    parsed = tree.parsed(path)
    for holder in ast.walk(parsed):
        if isinstance(holder, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            told = _told(holder)
            for node in _own(holder):
                if isinstance(node, ast.Call) and _name(node.func) in SAYING and node.args:
                    for template in _texts(node.args[0], told):
                        yield node.lineno, template


def _own(holder):
    """Yield the nodes of a function without those of functions in it."""
    waiting = list(ast.iter_child_nodes(holder))
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        yield node
        waiting += ast.iter_child_nodes(node)


def _told(holder):
    """Return ``{name: [value, …]}`` of what a function gives names."""
    found = {}
    for node in _own(holder):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return found


def _texts(node, told):
    """Yield the texts that an argument may be."""
    if isinstance(node, ast.Constant):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from [*_texts(node.body, told), *_texts(node.orelse, told)]
    elif isinstance(node, ast.Name):
        for value in told.get(node.id, []):
            yield from _texts(value, told)
    elif isinstance(node, (ast.JoinedStr, ast.BinOp)):
        yield None


def _name(node):
    return getattr(node, "id", getattr(node, "attr", ""))


class Marked(dict):
    """A table of the host's sentences in which every one that is known stands between brackets."""

    def get(self, template, default=None):
        """Return the Italian of a template, marked."""
        found = KNOWN.get(template)
        return f"⟦{found}⟧" if found else default
