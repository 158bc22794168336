"""Rule packs: the points, byes, tie-breaks and pairing that P18 and D03 leave open, in a dated TOML
file.

The organiser chooses one pack for the event; there is no default. A pack names its source and date.
Every field is checked: a missing or unknown one is refused with a sentence.
``host/tournament/rulepacks`` shows the form; shares are fractions in quotes, such as ``"1/4"``.
"""

import datetime
import functools
import pathlib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from host.base import plain_text
from host.base.errors import UserError
from host.tournament.tiebreaks import NAMES

SHIPPED = pathlib.Path(__file__).parent / "rulepacks"
_SYSTEM = re.compile(r"[a-z][a-z0-9_]{0,15}")
_WITHOUT_PACKS = "xw15"  # its text leaves nothing open
WITHIN = ("random", "ranking")
_POINTS = ("win", "narrow", "draw", "loss", "bye")
_TOP = ("name", "system", "dated", "source", "points", "ranking", "pairing")
_RANKING = ("order", "draw", "least", "most_left", "byes_count")
_PAIRING = ("within_points", "second_bye")
_LARGEST = 100_000
_SHARE = re.compile(r"(\d{1,4})/(\d{1,4})")


@dataclass(frozen=True)
class Pack:
    """The rules of an event's Swiss rounds; ``points`` by word, ``order`` of tie-breaks."""

    name: str
    system: str
    dated: datetime.date
    source: str
    points: dict[str, int]
    order: tuple[str, ...]
    draw: Fraction
    least: Fraction
    most_left: Fraction
    byes_count: bool
    within_points: str
    second_bye: bool
    text: str = field(default="", compare=False)  # the file


def shipped_packs() -> dict[str, Pack]:
    """Return the packs that come with the program, by name; each names its source."""
    return by_name(_read_shipped())


@functools.cache
def _read_shipped() -> tuple[Pack, ...]:
    return tuple(map(load, sorted(SHIPPED.glob("*.toml"))))


def by_name(packs: Iterable[Pack]) -> dict[str, Pack]:
    """Return packs by name; a later one replaces an earlier one."""
    return {pack.name: pack for pack in packs}


def with_pack_options(refusal: UserError, system: str | None) -> UserError:
    """Return a refusal whose option lists the shipped packs for a ``system``."""
    paths = [path for path in sorted(SHIPPED.glob("*.toml")) if load(path).system == system]
    options = [f"--pack {path.stem}" for path in paths]
    refusal.option = " or ".join(options or ["--pack FILE.toml"])
    return refusal


def load(path: str | pathlib.Path) -> Pack:
    """Return the Pack at ``path``, or the shipped one of that name; raises UserError with file and
    field.
    """
    path = pathlib.Path(path)
    shipped = SHIPPED / f"{path}.toml"
    if path.parent == pathlib.Path() and not path.exists() and shipped.is_file():
        path = shipped
    try:
        raw = path.read_bytes()
    except OSError as failure:
        raise UserError(f"{path}: cannot be read: {failure.strerror}") from None
    if len(raw) > _LARGEST:
        raise UserError(f"{path}: is far too large for a rule pack")
    try:
        return read(plain_text.decode(raw))
    except UnicodeDecodeError:
        raise UserError(f"{path}: is not UTF-8") from None
    except tomllib.TOMLDecodeError as failure:
        raise UserError(f"{path}: is not TOML: {failure}") from None
    except (ValueError, RecursionError) as failure:
        raise UserError(f"{path}: {failure}") from None


def read(text: str) -> Pack:
    """Return the Pack in a file's text. Raises ValueError, RecursionError."""
    return _pack(tomllib.loads(text), text)


def word_of(pack: Pack) -> str | None:
    """Return the word by which ``load`` finds a pack that comes with the program, else None."""
    return next((path.stem for path in SHIPPED.glob("*.toml") if load(path) == pack), None)


def _pack(data, text):
    _table(data, "the pack", _TOP, _TOP)
    points = _table(data["points"], "points", _POINTS, ("win", "draw", "loss", "bye"))
    points = {word: _whole(points.get(word, points["win"]), f"points.{word}") for word in _POINTS}
    ranking = _table(data["ranking"], "ranking", _RANKING, ("order", "draw", "least", "byes_count"))
    pairing = _table(data["pairing"], "pairing", _PAIRING, _PAIRING)
    if type(data["dated"]) is not datetime.date:
        raise ValueError("dated must be a day, such as 2026-09-01")
    return Pack(
        _text(data["name"], "name"),
        _system(data["system"]),
        data["dated"],
        _text(data["source"], "source"),
        points,
        _order(ranking["order"]),
        _share(ranking["draw"], "ranking.draw"),
        _share(ranking["least"], "ranking.least"),
        _share(ranking.get("most_left", "1/1"), "ranking.most_left"),
        _flag(ranking["byes_count"], "ranking.byes_count"),
        _one_of(pairing["within_points"], "pairing.within_points", WITHIN),
        _flag(pairing["second_bye"], "pairing.second_bye"),
        text,
    )


def _table(value, what, known, needed):
    if not isinstance(value, dict):
        raise ValueError(f"{what} must be a table")
    for key in value:
        if key not in known:
            raise ValueError(f"{what}: {key!r} is not known (known: {', '.join(known)})")
    for key in needed:
        if key not in value:
            raise ValueError(f"{what}: {key} is missing")
    return value


def _text(value, what):
    if not isinstance(value, str):
        raise ValueError(f"{what} must be a text")
    fault = plain_text.fault(value)
    if fault:
        raise ValueError(f"{what} {fault.sentence}")
    if not value.strip() or len(value) > 300 or not value.isprintable():
        raise ValueError(f"{what} must be a text")
    return value


def _whole(value, what):
    if type(value) is not int or not 0 <= value <= 99:
        raise ValueError(f"{what} must be a whole number from 0 to 99")
    return value


def _flag(value, what):
    if not isinstance(value, bool):
        raise ValueError(f"{what} must be true or false")
    return value


def _system(value):
    if not isinstance(value, str) or not _SYSTEM.fullmatch(value) or value == _WITHOUT_PACKS:
        raise ValueError("system must be one that leaves its standings open, such as p18 or d03")
    return value


def _one_of(value, what, choices):
    if value not in choices:
        raise ValueError(f"{what} must be one of {', '.join(choices)}")
    return value


def _share(value, what):
    match = _SHARE.fullmatch(value) if isinstance(value, str) else None
    if not match or not int(match[2]) or int(match[1]) > int(match[2]):
        raise ValueError(f'{what} must be a share in quotes, such as "1/4"')
    return Fraction(int(match[1]), int(match[2]))


def _order(value):
    known = ", ".join(NAMES)
    if not isinstance(value, list) or not value or value[0] != "points":
        raise ValueError(f"ranking.order must begin with points (known: {known})")
    for word in value:
        if word not in NAMES or value.count(word) > 1:
            raise ValueError(
                f"ranking.order: {word!r} is not known, or there twice (known: {known})"
            )
    return tuple(value)
