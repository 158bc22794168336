"""The act that reads a file: it shows the effects, and imports the file once a person agrees."""

import base64
import pathlib

from host.archive.access_links import ORGANISER
from host.base import private_files
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk import file_changes, file_reading, next_round
from host.desk.acts.act import Act
from host.desk.acts.fields import (
    LARGEST,
    SURE,
    Field,
    Kind,
    Typed,
    choice,
    several,
    text,
    whole,
    yes,
)
from host.desk.file_reading import Choices, FileRead, GivenFile, Question
from host.desk.staff import Done, Staff
from host.formats.tom_file import PODS
from host.formats.tom_xml import MOST_BYTES

_NAME = text(1, 200)
_MOST_RENAMED = 100
LARGEST_FILE = LARGEST + MOST_BYTES * 4 // 3  # bytes of the body with such a file
_KINDS = {
    file_changes.MISSING: "missing in the file",
    file_changes.ROUNDS: "new rounds",
    file_changes.PAIRINGS: "paired otherwise",
    file_changes.RESULTS: "results",
    file_changes.DIFFERS: "stays as it is here",
    file_changes.NAMES: "names and numbers",
    file_changes.PEOPLE: "players",
    file_changes.SETTINGS: "settings",
    file_changes.NOTES: "good to know",
}


def _read_file(
    staff: Staff, file: tuple[str, bytes], take: bool, sure: bool, pod: str, round: int | None,
    agreed: str, renamed: tuple[str, ...], same_event: bool,
) -> Done:  # fmt: skip
    """Show a file's effects; import it if ``agreed`` is their digest, or with ``take``."""
    given = GivenFile(*file)
    choices = Choices(round=round, pod=pod or None, renamed=renamed, same_event=same_event)
    try:
        found = _read(staff, given, choices, agreed, take, sure)
    except Question as question:
        after_yes = question.answered(choices)
        answer: dict[str, Json] = {
            "renamed": [*after_yes.renamed], "same_event": after_yes.same_event,
        }  # fmt: skip
        return Done(ask=question.sentence, facts={"answer": answer})
    facts: dict[str, Json] = {
        "file": given.name, "round": found.round, "digest": found.digest, "taken": found.taken,
        "changed": found.changed,
        "changes": [
            {"kind": kind, "said": [*sentences]} for kind, sentences in found.changes.items()
        ],
    }  # fmt: skip
    results = found.taken and file_changes.RESULTS in found.changes
    remarks = next_round.drawn_before(staff.archive, 0) if results else ()
    return Done(found.orders, remarks=remarks, facts=facts, shown=_lines(given.name, found))


def _read(
    staff: Staff, given: GivenFile, choices: Choices, agreed: str, take: bool, sure: bool
) -> FileRead:
    """Read a file; ``sure`` answers each question with yes."""
    while True:
        try:
            return file_reading.read(
                staff.station, given, choices, agreed, staff.author, staff.unix_ms, take
            )
        except Question as question:
            if not sure:
                raise
            choices = question.answered(choices)


def _lines(name: str, found: FileRead) -> list[str]:
    """Return the lines that a terminal prints about a file."""
    lines = list[str]()
    for kind, sentences in found.changes.items():
        lines += [f"{_KINDS[kind]}: {sentence}" for sentence in sentences]
    if found.taken:
        return [*lines, f"{name} was taken"]
    if not found.changed:
        return [*lines, f"nothing in {name} is new"]
    return [*lines, "nothing is changed yet; to take it, add the word: take"]


def _name_and_bytes(value: Json) -> tuple[str, bytes]:
    """Return a file's name, without its folders, and its bytes. Raises ValueError."""
    if not isinstance(value, dict) or value.keys() != {"name", "content"}:
        raise ValueError(Sentence("must be a file"))
    name, content = _NAME.read(value["name"]), value["content"]
    try:
        raw = base64.b64decode(content, validate=True) if isinstance(content, str) else None
    except ValueError:
        raw = None
    if raw is None:
        raise ValueError(Sentence("must be a file"))
    if len(raw) > MOST_BYTES:
        raise ValueError(Sentence("is far too large for the file of a tournament"))
    return name.replace("\\", "/").rpartition("/")[2], raw


def _at_path(path: str) -> Json:
    """Return the file at a path of this PC in the JSON of a page. Raises ValueError."""
    try:
        raw = private_files.read_small(path, MOST_BYTES)
    except OSError as failure:
        why = failure.strerror
        raise ValueError(Sentence("{path} cannot be read: {why}", path=path, why=why)) from None
    return {"name": pathlib.Path(path).name, "content": base64.b64encode(raw).decode()}


FILE = Kind(_name_and_bytes, {"kind": "file", "most": MOST_BYTES}, _at_path, "FILE")
ACTS = (
    Act("read_file", ORGANISER, _read_file,
        {"file": Field(FILE), "take": Field(yes, False, Typed.FLAG), "sure": SURE,
         "pod": Field(choice("", *PODS), "", Typed.NAMED),
         "round": Field(whole(1, 255), None, Typed.NAMED),
         "agreed": Field(text(0, 64), "", Typed.NEVER),
         "renamed": Field(several(text(1, 40), _MOST_RENAMED), (), Typed.NEVER),
         "same_event": Field(yes, False, Typed.NEVER)},
        "import", "show what a file would change (TOM's .tdf, Cryodex's .json, a sheet), and take"
        " it", largest=LARGEST_FILE),
)  # fmt: skip
