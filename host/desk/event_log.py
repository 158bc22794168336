"""The log of acts that concern the whole event and are no orders to tables, as sentences.

For each line the archive stores a word and facts (JSON); this module makes the text when it is
read. Lines that an older plusthree wrote as text are shown unchanged.
"""

import json
from collections.abc import Sequence
from typing import TypedDict

from host.archive import stored_order
from host.archive.audited_tables import RowKey
from host.archive.people import DROPPED, ENTERED, LATE, RETURNED, People
from host.archive.store import Archive
from host.base.sentences import Sentence
from host.event.nonces import GIVEN
from host.formats.round_format import UNTIMED_MIN
from host.tournament.event_pack import OWN

SWITCHES = ((1, "the head judge allows them"), (2, "informal event"), (4, "barred"))
BEACON = "beacon off", "beacon on"
_LENGTH = "length of round "
_UNSAID = GIVEN, OWN  # a nonce; the text of the rule pack that another line names

# a notice's name: its title, and a template; placeholders are facts, or made by ``_MADE``
LINES = {
    "drafted": ("round drafted", "round {round}, seed {seed}"),
    "draft dropped": ("draft discarded", "round {round}"),
    "link made": ("link made", "link {id}: {role}, {name}"),
    "link revoked": ("link revoked", "link {id}"),
    "room paused": ("room stopped", "{reason}"),
    "room resumed": ("room resumed", ""),
    "room extended": ("extra time for all", "{length}: {reason}"),
    "randomizers": ("coins and dice", "{where}: {switches} {reason}"),
    "luck": ("coins and dice", "{where}: {switches} {reason}"),
    "codes shown": ("one-time codes shown", "table {table}"),
    BEACON[False]: ("beacon switched off", ""),
    BEACON[True]: ("beacon switched on", ""),
    "renamed": ("name changed", "{number}: {before} → {after}"),
    "renumbered": ("number changed", "{before} → {after}"),
    "paired anew": ("re-paired", "round {round}, table {table}: {a} – {b}"),
    "closed": ("event closed", "{event}"),
    "plan": ("plan of the hall", "{stand}"),
    "call claimed": ("call", "table {table}: {claim}"),
    "result code tried": ("wrong result code", "round {round}, table {table}"),
    "result code": ("result code", "round {round}, table {table}: {result}"),
    "paper result": ("result from paper", "round {round}, table {table}: {result}: {reason}"),
    "announced result": ("announced result", "round {round}, table {table}: {result}"),
    "call put back": ("call put back", "table {table}: {state}"),
    "clock judged": ("this PC's clock", "{off}: {answer}"),
    "adopted": ("match taken over", "board {board}: round {round}, table {table}"),
    "deck checks planned": ("deck checks planned", "plan {drawn}"),
    "deck checked": ("deck checked", "player {player} {reason}"),
    "lengths": ("lengths of the rounds", "{minutes} minutes"),
    _LENGTH: ("length of a round", "round {round}: {after} instead of {before} {reason}"),
    "points": ("points", "{worth}"),
    "cut": ("elimination announced", "{players} players"),
    "rule pack": ("rule pack", "{pack}"),
    "squads": ("squad lists", "of {count} players"),
    "pods": ("pods of the draft", "from round {since}: {count}"),
    "teams": ("teams", "{count}"),
    "organiser": ("who organises", "{organiser} {second} {category}"),
    "told results": ("results from a file", "round {round}: {source}"),
    "file minutes": ("round times from a file", "{source}: {swiss} and {elimination} minutes"),
    "file standings": ("standings from a file", "round {after}: {source}"),
    "system": ("own rules", "the event brings its own table of rules"),
    ENTERED: ("player added", "player {player} {reason}"),
    LATE: ("late entry", "player {player} {reason}"),
    DROPPED: ("player dropped", "player {player} {reason}"),
    RETURNED: ("player returned", "player {player} {reason}"),
}
OUTCOMES = {0: "withdrawn", 1: "▲ wins", 2: "● wins", 3: "a tie"}


class Line(TypedDict):
    """One entry: when (Unix ms), by whom; ``what`` and ``value`` are texts for people."""

    unix_ms: int
    author: str
    what: Sentence
    value: str


def lines(archive: Archive) -> list[Line]:
    """Return every line in the order in which it was stored, also where the clock was set back."""
    told = [("notices", one) for one in archive.notices.all if one["what"] not in _UNSAID]
    told += [("entries", one) for one in People(archive).log]
    places = stored_order.positions(archive, {sheet for sheet, _ in told})

    def stored(line):
        sheet, one = line
        return places.get(RowKey(sheet, (one["id"],)), 0), one["unix_ms"], sheet, one["id"]

    tables = {
        (number, one.pairing): one.table
        for number in archive.roster.rounds
        for one in archive.roster.pairings_of(number)
    }
    return [_line(one, tables) for _, one in sorted(told, key=stored)]


def _line(told, tables) -> Line:
    name = _LENGTH if told["what"].startswith(_LENGTH) else told["what"]
    title, template = LINES.get(name, (told["what"], None))
    value = told.get("value", "") if template is None else _value(name, template, told, tables)
    return {
        "unix_ms": told["unix_ms"],
        "author": told["author"],
        "what": Sentence(title),
        "value": value,
    }


def _value(name, template, told, tables):
    """Return a line's facts as a Sentence; a line that was stored as text is unchanged."""
    try:
        facts = _PLAIN[name](told) if name in _PLAIN else json.loads(told["value"])
        if "pairing" in facts:
            facts.setdefault("table", tables.get((facts["round"], facts["pairing"])))
        return Sentence(
            template, **facts | {place: make(facts) for place, make in _MADE.get(name, {}).items()}
        )
    except (ValueError, TypeError, KeyError, IndexError):
        return told["value"]


def _switches(facts):
    """Return the roll switches in words."""
    words = [Sentence(word) for bit, word in SWITCHES if facts["bits"] & bit]
    return listed(words or [Sentence("as the rules say")])


def listed(sentences: Sequence[Sentence]) -> Sentence:
    """Join Sentences with commas."""
    return Sentence(
        ", ".join(f"{{n{at}}}" for at in range(len(sentences))),
        **{f"n{at}": one for at, one in enumerate(sentences)},
    )


def _where(facts):
    table = facts.get("table")
    return Sentence("the hall") if table is None else Sentence("table {table}", table=table)


def _result(facts):
    """Return who won in words, with the games or destroyed points if there were any."""
    outcome = Sentence(OUTCOMES[facts["won"]])
    figures = facts.get("destroyed") or facts["games"]
    if not any(figures):
        return outcome
    return Sentence("{outcome} ({score})", outcome=outcome, score="{}–{}".format(*figures))


def _stand(facts):
    """Return the layout of the hall in words."""
    if facts["rows"]:
        return Sentence(
            "{tables} in {rows}",
            tables=Sentence.counted(
                "{count} table", "{count} tables", count=sum(map(bool, sum(facts["rows"], [])))
            ),
            rows=Sentence.counted("{count} row", "{count} rows", count=len(facts["rows"])),
        )
    return Sentence("{wide} in a row", wide=facts["wide"]) if facts["wide"] else Sentence("as fits")


def _claim(facts):
    return Sentence("{by} is on the way", by=facts["by"]) if facts["by"] else Sentence("released")


def _answer(facts):
    return Sentence("the time has passed") if facts["passed"] else Sentence("the clock is wrong")


def _off(facts):
    return Sentence("{minutes} min off", minutes=round(facts["off_ms"] / 60_000))


def _put_back(facts):
    return Sentence("waiting again") if facts["waits"] else Sentence("closed")


def _minutes(count):
    return Sentence("no limit") if int(count) == UNTIMED_MIN else _counted_minutes(count)


def _counted_minutes(count):
    return Sentence.counted("{count} minute", "{count} minutes", count=count)


def _length(told):
    before, after, reason = told["value"].split(" ", 2)
    said = Sentence("({reason})", reason=reason) if reason != "untimed" else ""
    return {
        "round": told["what"].removeprefix(_LENGTH),
        "before": _minutes(before),
        "after": _minutes(after),
        "reason": said,
    }


def _points(told):
    words = told["value"].split()
    pairs = zip(words[::2], words[1::2], strict=True)
    return {
        "worth": listed(
            [
                Sentence("{word} {number}", word=Sentence(word), number=number)
                for word, number in pairs
            ]
        )
    }


def _pods(told):
    facts = json.loads(told["value"])
    count = Sentence.counted("{count} pod", "{count} pods", count=len(facts["circles"]))
    return {"since": facts["since"], "count": count}


_LUCK = {"where": _where, "switches": _switches, "reason": lambda facts: facts.get("reason", "")}
_PLAIN = {
    "lengths": lambda told: {"minutes": ", ".join(told["value"].split())},
    _LENGTH: _length,
    "points": _points,
    "cut": lambda told: {"players": int(told["value"])},
    "system": lambda told: {},
    "pods": _pods,
    "teams": lambda told: {"count": len(json.loads(told["value"]))},
    "squads": lambda told: {"count": len(json.loads(told["value"]))},
    "rule pack": lambda told: {"pack": told["value"] or Sentence("none")},
    **dict.fromkeys(
        (ENTERED, LATE, DROPPED, RETURNED),
        lambda told: {"player": told["player"], "reason": told["reason"]},
    ),
}
_MADE = {
    "link made": {"role": lambda facts: Sentence(facts["role"])},
    "room extended": {"length": lambda facts: _counted_minutes(facts["minutes"])},
    "randomizers": _LUCK,
    "luck": _LUCK,
    "plan": {"stand": _stand},
    "call claimed": {"claim": _claim},
    **dict.fromkeys(("result code", "paper result", "announced result"), {"result": _result}),
    "call put back": {"state": _put_back},
    "clock judged": {"answer": _answer, "off": _off},
    "adopted": {"board": lambda facts: facts["board"][0]},
}  # fmt: skip
