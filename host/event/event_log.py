"""The desk log: every act of staff, when it was done and by whom, as sentences.

It is made of what the archive stores anyway when it is read: notices (a word and facts, JSON),
orders to tables, players' entries, boards' keys and moves, links. What one transaction stored is
one act. Lines that an older plusthree wrote as text are shown unchanged.
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict

from firmware.core import intents, play
from host.archive import audited_tables, stored_acts
from host.archive.access_links import AccessLinks
from host.archive.audit_log import ROWS
from host.archive.audited_tables import RowKey
from host.archive.orders import Order
from host.archive.people import DROPPED, ENTERED, LATE, RETURNED
from host.archive.roster import UNTIMED_MIN
from host.archive.store import Archive
from host.archive.stored_acts import StoredAct
from host.base import commands
from host.base.json_values import parse
from host.base.sentences import Sentence
from host.base.words import clock
from host.event import points
from host.event.nonces import GIVEN, HOST

SWITCHES = ((1, "the head judge allows them"), (2, "informal event"), (4, "barred"))
BEACON = "beacon off", "beacon on"
DOOR = "door shut", "door open"
BELIEVED = "archive taken as right"
HANDING_ON = "handing on"
TOMS_FILE = "file of TOM"  # which copy lies beside the archive
IMPORTED, TAKEN_BACK, CODES = "imported", "extension taken back", "codes shown"
DRAFTED = "drafted"  # which round was drawn here
LENGTH = "length of round "
# not listed: a nonce; TOM's file, whose import has a line; the text of a rule pack, which another
# line names; links, which their own tables keep
UNLISTED = GIVEN, TOMS_FILE, "own rule pack", stored_acts.LINK_MADE, stored_acts.LINK_REVOKED

# stored with a change of pairings, whose line covers them
_PARTS_OF_CHANGE = "table fixed", "missed round"

# a notice's name: its title, and a template; placeholders are facts, or made by ``_WORDED``
LINES = {
    "begun": ("what is played", "{words}"),
    "parties": ("families and travel groups", "of {count} players"),
    DOOR[False]: ("players can no longer enter themselves", ""),
    DOOR[True]: ("players enter themselves", ""),
    "own entry": ("player's own entry", "{name} {number}"),
    "own entry taken": ("player's own entry accepted", "{name} {number}"),
    "own entry refused": ("player's own entry refused", "{name} {number}"),
    DRAFTED: ("round drafted", "round {round}, seed {seed}"),
    "draft dropped": ("draft discarded", "round {round}"),
    IMPORTED: ("file imported", "round {round}: {file}"),
    stored_acts.LINK_MADE: ("link made", "link {id}: {role}, {name}"),
    stored_acts.LINK_REVOKED: ("link revoked", "link {id}: {role}, {name}"),
    stored_acts.PROVISIONED: ("board provisioned", "board {board}: {place}"),
    stored_acts.MOVED: ("board given a table", "board {board}: {place} {reason}"),
    stored_acts.SPARED: ("board made a spare", "board {board} {reason}"),
    stored_acts.BOARD_REVOKED: ("board revoked", "board {board} {reason}"),
    HANDING_ON: ("board to go to another event", "board {board}: {event} {reason}"),
    stored_acts.HANDED_ON: ("board handed on", "board {board} {reason}"),
    stored_acts.RESTORED: ("archive restored from a copy", ""),
    TAKEN_BACK: ("extra time taken back", "table {table}: {length} {reason}"),
    "room paused": ("room stopped", "{reason}"),
    "room resumed": ("room resumed", ""),
    "room extended": ("extra time for all", "{length}: {reason}"),
    "randomizers": ("coins and dice", "{where}: {switches} {reason}"),
    "luck": ("coins and dice", "{where}: {switches} {reason}"),
    CODES: ("one-time codes shown", "table {table}"),
    BEACON[False]: ("beacon switched off", ""),
    BEACON[True]: ("beacon switched on", ""),
    BELIEVED: ("changed by another program", "{rows}: taken as right"),
    "event renamed": ("name of the event", "{before} → {after}"),
    "renamed": ("name changed", "{number}: {before} → {after}"),
    "renumbered": ("number changed", "{before} → {after}"),
    "paired anew": ("re-paired", "round {round}, table {table}: {a} – {b}"),
    "pairings changed": ("pairings changed", "round {round}: {change}"),
    "table fixed": ("table kept", "player {player}: {kept}"),
    "feature table": ("feature table", "table {table}: {mark}"),
    "missed round": ("missed round", "player {player}, round {round}: {counted}"),
    "closed": ("event closed", "{event}"),
    "plan": ("plan of the hall", "{stand}"),
    "call claimed": ("call", "table {table}: {claim}"),
    "result code tried": ("wrong result code", "round {round}, table {table}"),
    "result code": ("result code", "round {round}, table {table}: {result}"),
    "paper result": ("result from paper", "round {round}, table {table}: {result}: {reason}"),
    "announced result": ("announced result", "round {round}, table {table}: {result}"),
    "penalty": ("penalty", "{level}: player {player}, round {round}: {reason}"),
    "penalty withdrawn": ("penalty withdrawn", "number {penalty} {reason}"),
    "zone": ("tables of a judge", "{name}: {tables}"),
    "call put back": ("call put back", "table {table}: {state}"),
    "clock judged": ("this PC's clock", "{off}: {answer}"),
    "adopted": ("match taken over", "board {board}: round {round}, table {table}"),
    "deck checks planned": ("deck checks planned", "plan {drawn}"),
    "deck checked": ("deck checked", "player {player} {reason}"),
    "lengths": ("lengths of the rounds", "{minutes} minutes"),
    LENGTH: ("length of a round", "round {round}: {after} instead of {before} {reason}"),
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
    "standings published": ("standings for players", "{stand}"),
    "system": ("own rules", "the event brings its own table of rules"),
    ENTERED: ("player added", "player {player} {reason}"),
    LATE: ("late entry", "player {player} {reason}"),
    DROPPED: ("player dropped", "player {player} {reason}"),
    RETURNED: ("player returned", "player {player} {reason}"),
}
POLICY = (*SWITCHES, (8, "sound on"), (play.COUNTED, "every turn counted"))
CHANGES = {  # of a round's pairings, by hand
    "swap": "{a} ↔ {b}",
    "give": "{a}: {given}",
    "move": "{a} at table {table}",
    "release": "{a} keeps no table",
    "undo": "the last change undone",
}
COUNTED = {"bye": "a bye", "loss": "a loss", "out": "out of the round", "nothing": "nothing"}
OUTCOMES = {0: "withdrawn", 1: "▲ wins", 2: "● wins", 3: "a tie"}


class Line(TypedDict):
    """One entry: when (Unix ms), by whom, the role of that name's link ("" without a link);
    ``what`` and ``value`` are texts for people.
    """

    unix_ms: int
    author: str
    role: str
    what: Sentence
    value: str


class _Entry(NamedTuple):
    """The content of one line, and its sort key; ``position`` is that in the audit log."""

    position: int
    unix_ms: int
    row: RowKey
    author: str
    what: Sentence
    value: str


def lines(archive: Archive) -> list[Line]:
    """Return every line in the order of storage, even where the clock was set back."""
    acts = [act for act in stored_acts.notices(archive) if act.what not in UNLISTED]
    acts += [*stored_acts.entries(archive), *stored_acts.of_no_event(archive)]
    positions = stored_positions(archive, {*_SHEETS, "commands", "events"})
    entries = [*_of_acts(archive, acts, positions), *_of_orders(archive, acts, positions)]
    entries.sort(key=lambda entry: (entry.position, entry.unix_ms, str(entry.row)))
    roles = _roles(archive)
    return [
        {
            "unix_ms": entry.unix_ms,
            "author": entry.author,
            "role": roles.get(entry.author, ""),
            "what": entry.what,
            "value": entry.value,
        }
        for entry in entries
    ]


def _roles(archive):
    """Return the roles of each name that has links."""
    roles_by_name: dict[str, dict[str, None]] = {}
    for link in AccessLinks(archive).every:
        roles_by_name.setdefault(link.name, {})[link.role] = None
    return {name: join([Sentence(role) for role in roles]) for name, roles in roles_by_name.items()}


def _of_acts(archive, acts: Sequence[StoredAct], positions) -> Iterator[_Entry]:
    """Yield the entries of all acts but orders; acts of no event only since this event began."""
    tables = {
        (number, pairing.pairing): pairing.table
        for number in archive.roster.rounds
        for pairing in archive.roster.pairings_of(number)
    }
    event_began = 0
    events = archive.roster.events
    if len(events) > 1:
        event_began = positions.get(RowKey("events", (events[-1].number,)), 0)
    changes = {positions.get(act.row, 0) for act in acts if act.what == "pairings changed"} - {0}
    for act in acts:
        position = positions.get(act.row, 0)
        if act.what in _PARTS_OF_CHANGE and position in changes:
            continue
        if act.row.sheet in _OF_THE_EVENT or position >= event_began:
            yield _Entry(position, act.unix_ms, act.row, act.author, *texts(act, tables))


class _OrdersOfLine(NamedTuple):
    """What the orders have in common that one line is about."""

    title: str
    round: int
    asked_ms: int
    author: str
    reason: str


def _of_orders(archive, listed_acts: Iterable[StoredAct], positions) -> Iterator[_Entry]:
    """Yield an entry for each act that gave orders and has no other line."""
    event = archive.roster.event
    origin_unix_ms = event.origin_unix_ms if event else 0
    by_act: dict[tuple[int, int, str], list[Order]] = {}
    for position, order in _unlisted_orders(archive, listed_acts, positions):
        by_act.setdefault((position, order.asked_ms, order.author), []).append(order)
    # with the position of its first act; older programs stored the orders of an act one by one
    by_line: dict[_OrdersOfLine, tuple[int, list[Order]]] = {}
    for (position, asked_ms, author), orders in by_act.items():
        # of an act with several kinds of orders the first in our table stands for all
        title = min(map(_title, orders), key=_TITLES.index)
        for order in orders:
            if _title(order) == title:
                line = _OrdersOfLine(title, order.round, asked_ms, author, order.reason)
                _, orders_of_line = by_line.setdefault(line, (position, []))
                orders_of_line.append(order)
    for line, (position, orders) in by_line.items():
        row, unix_ms = RowKey("commands", (orders[0].id,)), origin_unix_ms + line.asked_ms
        what = Sentence(line.title)
        yield _Entry(position, unix_ms, row, line.author, what, _order_summary(orders))


def _unlisted_orders(
    archive, listed_acts: Iterable[StoredAct], positions
) -> Iterator[tuple[int, Order]]:
    """Yield position and order, for each order of a person that no listed act gave."""
    oldest = min(positions.values(), default=0)  # shared by all rows of before there was a log
    listed = {positions.get(act.row, 0) for act in listed_acts} - {0, oldest}
    for order in archive.orders.all:
        position = positions.get(RowKey("commands", (order.id,)), 0)
        if order.author != HOST and position not in listed and _title(order):
            yield position, order


def _title(order: Order) -> str:
    """Return the title of an order's line, "" for an order without one."""
    command = commands.of(order.kind)
    return command.title if command else ""


def _order_summary(orders: Sequence[Order]) -> Sentence:
    """Return the tables of an act's orders, the detail of the order if it is short, and the
    reason.
    """
    order, count = orders[0], len({each.table for each in orders})
    where = Sentence("table {table}", table=order.table) if count == 1 else _tables(count)
    if order.round:
        where = Sentence("round {round}, {where}", round=order.round, where=where)
    detail = _ORDER_DETAILS[order.kind](order) if order.kind in _ORDER_DETAILS else None
    return join([part for part in (where, detail, order.reason) if part])


def texts(act: StoredAct, tables: Mapping[tuple[int, int], int | None]) -> tuple[Sentence, str]:
    """Return the title and the value of an act; ``tables`` are keyed by round and pairing."""
    name = LENGTH if act.what.startswith(LENGTH) else act.what
    title, template = LINES.get(name, (act.what, None))
    return Sentence(title), act.value if template is None else _value(name, template, act, tables)


def _value(name, template, act, tables):
    """Return an act's facts as a Sentence; return a line that was stored as text unchanged."""
    try:
        facts = _FACTS_OF_TEXT[name](act) if name in _FACTS_OF_TEXT else parse(act.value)
        if "pairing" in facts:
            facts.setdefault("table", tables.get((facts["round"], facts["pairing"])))
        worded = {field: word(facts) for field, word in _WORDED.get(name, {}).items()}
        return Sentence(template, **facts | worded)
    except (ValueError, TypeError, LookupError, AttributeError):  # not written by this program
        return act.value


def _switches(facts):
    """Return the roll switches in words."""
    words = [Sentence(word) for bit, word in SWITCHES if facts["bits"] & bit]
    return join(words or [Sentence("as the rules say")])


def join(sentences: Sequence[str]) -> Sentence:
    """Join Sentences and other texts with commas."""
    return Sentence(
        ", ".join(f"{{n{at}}}" for at in range(len(sentences))),
        **{f"n{at}": sentence for at, sentence in enumerate(sentences)},
    )


def _table_or(other, table):
    """Return a table in words, ``other`` for none (None, or a number that is no table's)."""
    return Sentence("table {table}", table=table) if table and table > 0 else other


def _result(facts):
    """Return who won in words, with the games or destroyed points if there were any."""
    outcome = Sentence(OUTCOMES[facts["won"]])
    figures = facts.get("destroyed") or facts["games"]
    if not any(figures):
        return outcome
    return Sentence("{outcome} ({score})", outcome=outcome, score="{}–{}".format(*figures))


def _layout(facts):
    """Return the layout of the hall in words."""
    rows = facts["rows"]
    if rows:
        tables = [table for row in rows for table in row if table]  # without aisles
        return Sentence(
            "{tables} in {rows}",
            tables=_tables(len(tables)),
            rows=Sentence.counted("{count} row", "{count} rows", count=len(rows)),
        )
    return Sentence("{wide} in a row", wide=facts["wide"]) if facts["wide"] else Sentence("as fits")


def _tables(count):
    return Sentence.counted("{count} table", "{count} tables", count=count)


def _change(facts):
    """Return a change of a round's pairings in words, its players by number."""
    values = {name: facts[name] for name in ("a", "b", "table") if name in facts}
    given = Sentence(COUNTED[facts["gives"]]) if "gives" in facts else ""
    return Sentence(CHANGES[facts["what"]], **values, given=given)


def _policy(order):
    """Return the switches that a table has from then on."""
    switches = order.asks(intents.SetPolicy).switches
    words = [Sentence(word) for bit, word in POLICY if switches & bit]
    return join(words or [Sentence("all off")])


def _claim(facts):
    if facts.get("head"):
        return Sentence("waits for the head judge")
    return Sentence("{by} is on the way", by=facts["by"]) if facts["by"] else Sentence("released")


def _zone(facts):
    if not facts["first"]:
        return Sentence("all tables")
    return Sentence("tables {first} to {last}", first=facts["first"], last=facts["last"])


def _minutes(count):
    return Sentence("no limit") if int(count) == UNTIMED_MIN else _minute_count(count)


def _minute_count(count):
    return Sentence.counted("{count} minute", "{count} minutes", count=count)


def _length(act):
    before, after, reason = act.value.split(" ", 2)
    reason_text = Sentence("({reason})", reason=reason) if reason != "untimed" else ""
    return {
        "round": act.what.removeprefix(LENGTH),
        "before": _minutes(before),
        "after": _minutes(after),
        "reason": reason_text,
    }


def _points(act):
    sentences = [
        Sentence("{word} {number}", word=Sentence(word), number=number)
        for word, number in points.read(act.value).items()
    ]
    return {"worth": join(sentences)}


def _pods(act):
    facts = parse(act.value)
    count = Sentence.counted("{count} pod", "{count} pods", count=len(facts["circles"]))
    return {"since": facts["since"], "count": count}


_TITLES = [command.title for command in commands.COMMANDS]
_SHEETS = "notices", "entries", "boards", "moves", "links", "revoked_links", "restores"
_OF_THE_EVENT = "notices", "entries"  # sheets of which only the current event's rows are read
_ORDER_DETAILS = {
    intents.SET_START: lambda order: Sentence(
        "begins in {left}", left=clock(order.at_ms - order.asked_ms)
    ),
    intents.EXTEND: lambda order: _minute_count(order.asks(intents.Extend).total_s // 60),
    intents.SET_POLICY: _policy,
}
_LUCK = {
    "where": lambda facts: _table_or(Sentence("the hall"), facts.get("table")),
    "switches": _switches,
    "reason": lambda facts: facts.get("reason", ""),
}
_FACTS_OF_TEXT = {  # of notices whose value is no JSON object of facts
    "lengths": lambda act: {"minutes": ", ".join(act.value.split())},
    LENGTH: _length,
    "points": _points,
    "cut": lambda act: {"players": int(act.value)},
    "system": lambda act: {},
    "pods": _pods,
    "teams": lambda act: {"count": len(parse(act.value))},
    "squads": lambda act: {"count": len(parse(act.value))},
    "parties": lambda act: {"count": len(parse(act.value))},
    "rule pack": lambda act: {"pack": act.value or Sentence("none")},
}
_WORDED = {  # facts in words, by the name of their placeholder
    **dict.fromkeys(
        (stored_acts.LINK_MADE, stored_acts.LINK_REVOKED),
        {"role": lambda facts: Sentence(facts["role"])},
    ),
    **dict.fromkeys(
        (stored_acts.PROVISIONED, stored_acts.MOVED),
        {"place": lambda facts: _table_or(Sentence("a spare"), facts["table"])},
    ),
    TAKEN_BACK: {"length": lambda facts: _minute_count(facts["minutes"])},
    "room extended": {"length": lambda facts: _minute_count(facts["minutes"])},
    "randomizers": _LUCK,
    "luck": _LUCK,
    "plan": {"stand": _layout},
    "pairings changed": {"change": _change},
    "table fixed": {"kept": lambda facts: _table_or(Sentence("none"), facts["table"])},
    "feature table": {"mark": lambda facts: Sentence("yes") if facts["on"] else Sentence("no")},
    "missed round": {"counted": lambda facts: Sentence(COUNTED[facts["counts"]])},
    "standings published": {
        "stand": lambda facts: Sentence("withdrawn") if facts["round"] is None
        else Sentence("after round {round}", round=facts["round"]),
    },
    "call claimed": {"claim": _claim},
    "penalty": {"level": lambda facts: Sentence(facts["level"].replace("_", " "))},
    "zone": {"tables": _zone},
    **dict.fromkeys(("result code", "paper result", "announced result"), {"result": _result}),
    "call put back": {
        "state": lambda facts: Sentence("waiting again") if facts["waits"] else Sentence("closed"),
    },
    "clock judged": {
        "answer": lambda facts: Sentence("the time has passed") if facts["passed"]
        else Sentence("the clock is wrong"),
        "off": lambda facts: Sentence("{minutes} min off", minutes=round(facts["off_ms"] / 60_000)),
    },
    "adopted": {"board": lambda facts: facts["board"][0]},
}  # fmt: skip


def stored_positions(archive: Archive, sheets: Iterable[str]) -> dict[RowKey, int]:
    """Return the position of each row of ``sheets`` (``audited_tables``) in the audit log, from 1.

    Rows that an older plusthree stored without an audit log have no position, or share the first.
    """
    wanted, positions = {*sheets}, dict[RowKey, int]()
    for number, row in enumerate(archive.audit_log.rows, 1):
        if row.what == ROWS:
            # a row of another program, which the audit reports
            with contextlib.suppress(ValueError, TypeError):
                for key in audited_tables.unpack(row.body):
                    if key.sheet in wanted:
                        positions.setdefault(key, number)
    return positions
