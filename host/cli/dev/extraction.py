"""Extracts every text that users see from the sources, for the templates in ``host/locale``.

Entries keep the order of the sources. Texts with a key (pages, paper, boards) have it as context.
"""

import ast
import functools
import itertools
import pathlib
import re
from collections import deque
from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

from babel.messages.catalog import Catalog

from host.archive import access_links
from host.base import catalogues, commands
from host.boards import texts as board_texts
from host.desk import room_stop
from host.desk.acts import table
from host.event import event_log, penalties
from host.reports.paper import words as paper
from host.web import texts

ROOT = catalogues.FOLDER.parents[1]
# modules whose sentences only appear in a terminal: those stay English
TERMINAL = (
    "host/base/catalogues.py", "host/boards/", "host/archive/master_key.py",
    "host/archive/places.py", "host/hall/postgres/", "host/archive/sqlite_backend.py",
    "host/archive/store.py", "host/archive/table_shapes.py",
    "host/audit/examination.py", "host/backup/backup.py", "host/backup/restore.py",
    "host/base/errors.py", "host/base/private_files.py",
    "host/base/sentences.py", "host/cases/", "host/cli/",
    "host/collector/carriers/adapters.py",
    "host/collector/carriers/json_lines.py",
    "host/desk/recent_presses.py", "host/desk/table_numbering.py", "host/event/archive_view.py",
    "host/event/overview.py", "host/keys/key_encryption.py", "host/keys/passphrase.py",
    "host/reports/paper/", "host/server/act.py",
    "host/server/console.py", "host/server/hall_acts.py", "host/server/link_acts.py",
    "host/server/log_file.py", "host/server/match_acts.py",
    "host/server/operator.py", "host/server/people_acts.py",
    "host/server/serving.py", "host/server/several_serving.py", "host/sim/", "host/systems/",
    "host/tournament/rule_packs.py", "host/web/certificate.py", "host/web/http_loop.py",
    "host/web/web_server.py",
)  # fmt: skip
ON_PAGES_TOO = (
    "host/hall/postgres/connection.py", "host/hall/postgres/fence.py",
    "host/hall/postgres/postgres_backend.py", "host/hall/postgres/reconnection.py",
    "host/systems/round_limits.py",
)  # fmt: skip
# what refuses a file takes a template among other arguments
_REFUSING = {"refuse", "SheetError", "TdfError", "EventFileError", "PlayersAlone", "ColumnMissing"}
_MADE_BEFORE = {"template", "plural", "sentence", "Sentence", "counted", "at_table"}
_POINTS = ("win", "narrow", "draw", "loss")
_DERIVED = re.compile(r"^\s*class \w+\(", re.MULTILINE)
_HEAD = "# Texts of PlusThree, {domain}. Kept up to date by: plusthree dev screens words"

# for whoever translates the boards' texts
_BOARD_NOTES = """
# ▲ and ● are the keys' shapes. {player_a} and {player_b} are the players with their key's shape,
# {to_play} who is to play, {answering} who is to confirm, {decider} who decides the initiative,
# {who} a seat. Every other word in braces is a property of firmware/ui/table.py."""


class Entry(NamedTuple):
    """A text: English, English plural (None: not counted), key or None, and its source file."""

    english: str
    many: str | None
    context: str | None
    file: str


class _Said(NamedTuple):
    """A sentence in a source: its line, its template and that of the plural, if it is counted. What
    no text can be read from is left as an expression.
    """

    line: int
    template: str | ast.expr
    plural: str | ast.expr | None = None


def entries(domain: str) -> list[Entry]:
    """Return the texts of a domain in the order of the sources."""
    return list(_SOURCES[domain]())


def template(domain: str) -> Catalog:
    """Return a domain's texts as a catalogue without translations."""
    made = blank(domain)
    for entry in entries(domain):
        ids = entry.english if entry.many is None else (entry.english, entry.many)
        # line 1: templates are written without line numbers
        made.add(ids, context=entry.context, locations=[(entry.file, 1)])
    return made


def blank(domain: str, language: str | None = None) -> Catalog:
    """Return a domain's catalogue without entries; ``language`` None: for a template."""
    head = _HEAD.format(domain=domain) + (_BOARD_NOTES if domain == board_texts.DOMAIN else "")
    return Catalog(language, domain, head, project="PlusThree", version="0", fuzzy=False)


# the host's sentences


def modules() -> list[pathlib.Path]:
    """Return the host's files whose sentences can appear on pages."""
    files = sorted((ROOT / "host").rglob("*.py"))
    return [
        path
        for path in files
        if _name(path) in ON_PAGES_TOO or not _name(path).startswith(TERMINAL)
    ]


def sentences(path: pathlib.Path) -> Iterator[tuple[int, str, str | None]]:
    """Yield ``(line, template, plural template or None)`` of each sentence in a file."""
    for line, template, plural in _in_source(path.read_text(encoding="utf-8")):
        if isinstance(template, str):
            yield line, template, plural if isinstance(plural, str) else None


def unread(path: pathlib.Path) -> Iterator[tuple[int, str]]:
    """Yield ``(line, source)`` of each template in a file from which no text can be read."""
    for line, template, _ in _in_source(path.read_text(encoding="utf-8")):
        if isinstance(template, ast.expr):
            yield line, ast.unparse(template)


@functools.cache
def _in_source(source: str) -> tuple[_Said, ...]:
    """Return every sentence in a module's source."""
    tree = ast.parse(source)
    constants, said = _assignments(tree), list[_Said]()
    for scope in ast.walk(tree):
        if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
            assigned = constants | _assignments(scope)
            for node in _nodes_of(scope):
                if isinstance(node, ast.Call) and node.args:
                    said += _of_call(node, assigned)
    return tuple(said)


@functools.cache
def saying() -> frozenset[str]:
    """Return what is called with a template: Sentence, and UserError and its subclasses but those
    that make their sentence themselves.
    """
    names, count_before = {"Sentence", "UserError"}, 0
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "host").rglob("*.py"))
    trees = [ast.parse(source) for source in sources if _DERIVED.search(source)]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    while len(names) > count_before:  # until no further subclass is found
        count_before = len(names)
        for cls in classes:
            is_subclass = any(_name_of(base) in names for base in cls.bases)
            has_init = any(getattr(part, "name", "") == "__init__" for part in cls.body)
            if is_subclass and not has_init:
                names.add(cls.name)
    return frozenset(names)


def dynamic() -> Iterator[tuple[str, ModuleType]]:
    """Yield ``(text, module)`` of texts in tables: log lines, fields, roles, points."""
    for titles in event_log.LINES.values():
        yield from ((text, event_log) for text in titles if text)
    switches = (word for _, word in event_log.POLICY)
    for command in commands.COMMANDS:
        yield from ((text, commands) for text in (command.title, command.at_board) if text)
    words = event_log.OUTCOMES, event_log.CHANGES, event_log.COUNTED
    tables = *(by_code.values() for by_code in words), switches, _POINTS
    yield from ((text, event_log) for text in itertools.chain(*tables))
    yield from ((why, room_stop) for why in room_stop.WHY.values())
    yield from ((role, access_links) for role in access_links.ROLES)
    yield from ((level.replace("_", " "), penalties) for level in penalties.LEVELS)
    for act in table.ACTS:
        if act.least is not None:
            yield from ((name.replace("_", " "), table) for name in act.fields)
        if act.part:
            yield act.label or act.help, table


def _of_call(call, assigned):
    """Yield the sentences among a call's arguments: those for people."""
    function, line = _name_of(call.func), call.lineno
    if function == "counted" and len(call.args) > 1:
        singulars, plurals = (_texts(argument, assigned) for argument in call.args[:2])
        yield from (_Said(line, *pair) for pair in zip(singulars, plurals, strict=True))
    elif function in _REFUSING:
        texts_of = (text for argument in call.args for text in _texts(argument, assigned))
        yield from (_Said(line, text) for text in texts_of if isinstance(text, str))
    elif function in saying():
        yield from (_Said(line, text) for text in _texts(call.args[0], assigned))


def _host():
    for path in modules():
        for _, singular, plural in sentences(path):  # a test knows the unreadable ones
            yield Entry(singular, plural, None, _name(path))
    for text, module in dynamic():
        yield Entry(text, None, None, _name(pathlib.Path(str(module.__file__))))


def _nodes_of(scope):
    """Yield the syntax nodes of a function, without those of nested functions."""
    pending = deque(ast.iter_child_nodes(scope))
    while pending:
        node = pending.popleft()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        yield node
        pending += ast.iter_child_nodes(node)


def _assignments(scope):
    """Return ``{name: [value node, …]}`` of a function's assignments."""
    values = {}
    for node in _nodes_of(scope):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            values.setdefault(node.targets[0].id, []).append(node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            values.setdefault(node.target.id, []).append(node.value)
    return values


def _texts(node, assigned) -> Iterator[str | ast.expr]:
    """Yield the possible texts of an argument, or the part of it that no text can be read from.

    A Sentence's own template or an error's sentence is read where that is made.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from [*_texts(node.body, assigned), *_texts(node.orelse, assigned)]
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _texts(value, assigned)
    elif isinstance(node, ast.Name) and node.id in assigned:
        for value in assigned[node.id]:
            yield from _texts(value, assigned)
    elif _name_of(node.func if isinstance(node, ast.Call) else node) not in _MADE_BEFORE:
        yield node


def _name_of(node):
    return getattr(node, "id", getattr(node, "attr", ""))


def _name(path):
    return path.relative_to(ROOT).as_posix()


def _pages():
    for key, (singular, *plurals) in texts.english().items():
        yield Entry(singular, plurals[0] if plurals else None, key, _name(texts.FILE))


def _paper():
    for key, english in paper.TEXTS.items():
        yield Entry(english, None, key, _name(pathlib.Path(paper.__file__)))


def _board():
    acts = board_texts.of_acts()
    for name, text in board_texts.english().items():
        if name not in acts:
            yield Entry(text, None, name, _name(board_texts.ENGLISH))


_SOURCES = {"host": _host, "pages": _pages, "paper": _paper, "board": _board}
