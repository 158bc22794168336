"""The desk log names every act of staff with its author: on pages, typed, and from the shell.

What acts there are comes from the program: one that is in no table here fails.
"""

import ast
import base64
import importlib
import io
import json
from dataclasses import replace

import pytest
from tabletop import MASTER, SOON_MS, Venue
from typed_evening import TypedEvening
from webclient import Browser, office_of

from firmware.core import code, intents
from host.archive.roster import SPARE, Board, Event
from host.archive.store import Archive
from host.backup.restore import leap_counters
from host.base import commands
from host.cli import COMMANDS
from host.collector.host_clock import HostClock
from host.desk import registration
from host.desk.acts.table import ACTS
from host.desk.acts.table import ON_PAGES as PAGE_ACTS
from host.desk.board_handing import Handing
from host.desk.clock_check import ClockCheck
from host.desk.station import Station
from host.event import event_log, penalties, registrations
from host.server.console import Console
from host.tournament import rule_packs

LIMITED = 8  # a bit of a format
PACK, HOUR = "Pokémon Swiss, 3-1-0", 3_600_000


class Evening:
    """A venue of four tables whose staff are Olga, who has a link, and who types at the desk."""

    def __init__(self, path):
        self.venue = Venue(path, tables=4)
        packs = rule_packs.shipped_packs()
        self.service = office_of(self.venue, packs=packs, address="http://desk.test:8080")
        self.olga = Browser(self.service, "organiser", name="Olga")
        self.console = Console(self.venue.station, "desk")
        self.console.serve_pages(self.service)
        self.beside = []  # Stations of other events

    @property
    def station(self):
        return self.venue.station

    def settle(self):
        self.venue.drain()
        self.service.change_feed.touch()
        self.service.change_feed.step(self.venue.air.now_ms)

    def lines(self):
        return self.olga.get("/api/log").json["lines"]

    def new(self, act):
        """Return the lines that an act adds: sentences all of them, none the facts as stored."""
        before = len(self.lines())
        act()
        added = self.lines()[before:]
        assert not [one for one in added if one["value"][:1] in ("{", "[")]
        return added


@pytest.fixture
def evening(tmp_path):
    made = Evening(tmp_path / "a.db")
    yield made
    for station in (made.station, *made.beside):
        station.close()


# what has happened before an act


def draft(evening):
    pass


def roundless(evening):
    """The players are entered, and nobody has said what is played."""
    evening.station.archive.roster.forget_round(1)
    evening.station.refresh()


def planned(evening):
    """What is played is said, and round 1 is not drawn yet."""
    roundless(evening)
    assert evening.olga.act("begin", name="Test Cup", format="xw15 50").status == 200


def knocked(evening):
    assert evening.olga.act("door", on=True).status == 200
    registration.enter(evening.station, "99", "Zoe")


def beside(evening):
    """Another event is served, too, and the boards of this one were heard."""
    evening.venue.drain()
    league = Station(evening.station.archive.path.with_name("league.db"), MASTER)
    league.archive.roster.open_event(Event(9, "League", 0))
    evening.beside.append(league)
    Handing({"cup": evening.station, "league": league})


def the_entry(evening):
    return registrations.waiting(evening.station.archive)[0].id


def limited(evening):
    """Decks are drafted or built here: the round may have pods."""
    roster = evening.station.archive.roster
    form, pairings = roster.format_of(1), roster.pairings_of(1)
    roster.forget_round(1)
    roster.store_round(1, replace(form, bits=form.bits | LIMITED), pairings)
    evening.station.refresh()
    assert evening.olga.act("choose_pack", pack=PACK).status == 200


def published(evening):
    evening.station.desk.publish(1)
    evening.settle()


def begun(evening):
    evening.venue.begin(start_ms=SOON_MS)
    evening.settle()


def called(evening):
    begun(evening)
    evening.venue.boards[0].ask(evening.venue.air.now_ms, intents.CALL_JUDGE, 0, 1)
    evening.settle()


def claimed(evening):
    called(evening)
    assert evening.olga.act("claim", table=1).status == 200


def penalized(evening):
    begun(evening)
    told = {"number": "0", "level": "warning", "category": "slow", "reason": "why"}
    assert evening.olga.act("penalize", **told).status == 200


def the_penalty(evening):
    return penalties.standing(evening.station.archive)[0].id


def ended(evening):
    called(evening)
    evening.station.desk.command(intents.EndCall, 1)
    evening.settle()


def ranked(evening):
    over(evening)
    assert evening.olga.act("choose_pack", pack=PACK).status == 200


def seen(evening):
    ranked(evening)
    assert evening.olga.act("publish_standings").status == 200


def stopped(evening):
    begun(evening)
    assert evening.olga.act("pause_all", reason="alarm").status == 200
    evening.settle()


def over(evening):
    begun(evening)
    for board in evening.venue.boards:
        evening.venue.win(board)
    evening.settle()


def drafted(evening):
    over(evening)
    assert evening.olga.act("draft", pack=PACK, seed=5).status == 200, "no draft"


def odd(evening):
    """Nobody sits opposite of player 7, and somebody comes late."""
    drafted(evening)
    number = evening.station.desk.round + 1
    evening.station.archive.roster.forget_round(number)
    assert evening.olga.act("drop", number="7", sure=True).status == 200
    assert evening.olga.act("draft", seed=5).status == 200
    assert evening.olga.act("add_player", number="77", name="Late Lee").status == 200


def changed(evening):
    done(evening.olga.act("swap_players", round=1, a="0", b="2", sure=True))


def kept(evening):
    done(evening.olga.act("seat_at", number="0", table=2, stays=True, sure=True))


def late(evening):
    published(evening)
    done(evening.olga.act("add_player", number="77", name="Late Lee"))


def spare(evening):
    evening.station.archive.roster.add_board(Board(200, 1, SPARE), 0)
    evening.station.refresh()
    published(evening)


def dropped(evening):
    assert evening.olga.act("drop", number="7", sure=True).status == 200


def linked(evening):
    assert evening.olga.act("make_link", role="judge", name="Jo").status == 200


def beacon(evening):
    evening.station.beacon_on = True


def clock(evening):
    begun(evening)
    now_ms = evening.venue.air.now_ms
    host = HostClock(0, now_ms + HOUR, lambda: 0, now_ms)
    evening.station.clock_check = ClockCheck(evening.station, host, lambda: now_ms + HOUR, now_ms)


def unsent(evening):
    """Table 1 ends its match out of reach of the host."""
    begun(evening)
    evening.venue.win_unheard()


def silent(evening):
    """Minutes were given to a table that nobody hears: they can be withdrawn."""
    begun(evening)
    evening.venue.air.away.update(f"radio {board.device}" for board in evening.venue.boards)
    for board in evening.venue.boards:
        evening.venue.air.cut(board)
    evening.station.desk.extend(1, 4)


def shown_code(evening):
    board = evening.venue.boards[0]
    return code.result(board.journal, board.match)


WHY, SURE = {"reason": "why"}, {"sure": True}
LATE_LIST = "number,name\n77,Late Lee\n78,Later Lu\n"
LATE_FILE = {"name": "late.csv", "content": base64.b64encode(LATE_LIST.encode()).decode()}
ON_PAGES = [
    # act, what was before, what the page sends, the line's title
    ("claim", called, {"table": 1}, "call"),
    ("unclaim", claimed, {"table": 1}, "call"),
    ("arrive", called, {"table": 1}, "judge at the table"),
    ("resolve", called, {"table": 1}, "call ended"),
    ("put_back", ended, {"table": 1}, "call put back"),
    ("extend", begun, {"table": 1, "minutes": 4, **WHY}, "extra time"),
    ("extend", silent, {"table": 1, "minutes": -4, **WHY}, "extra time taken back"),
    ("late", begun, {"table": 1, "seats": "A"}, "late or away"),
    ("roll", begun, {"table": 1, "ruling": "again"}, "disputed roll ruled"),
    ("rule", begun, {"table": 1, "outcome": "A", "games": [2, 0], **WHY}, "result ruled"),
    ("loss", begun, {"table": 1, "seat": "A", **WHY}, "game loss"),
    ("result", begun, {"table": 1, "outcome": "A", "numbers": [2, 0], **WHY}, "result from paper"),
    ("turns", begun, {"table": 1, "on": True}, "sound, rolls and counted turns"),
    ("prizes", begun, {"table": 1, "a": 1, "b": 0}, "prize penalty"),
    ("code", unsent, {"table": 1, "text": shown_code}, "result code"),
    ("freeze", begun, {"table": 1, **WHY}, "clock stopped"),
    ("resume", begun, {"table": 1}, "clock resumed"),
    ("reopen", over, {"table": 1, **WHY}, "result reopened"),
    ("take_back", begun, {"table": 1}, "key press taken back"),
    ("approve", begun, {"table": 1}, "result approved"),
    ("plan_checks", published, {}, "deck checks planned"),
    ("checked", published, {"player": "0"}, "deck checked"),
    ("to_head", called, {"table": 1}, "call"),
    ("penalize", begun, {"number": "0", "level": "warning", "category": "slow", **WHY}, "penalty"),
    ("withdraw_penalty", penalized, {"id": the_penalty}, "penalty withdrawn"),
    ("zone", draft, {"name": "Olga", "first": 1, "last": 2}, "tables of a judge"),
    ("clock", clock, {"passed": True}, "this PC's clock"),
    ("pause_all", begun, WHY, "room stopped"),
    ("resume_all", stopped, {}, "room resumed"),
    ("extend_all", begun, {"minutes": 3, **WHY}, "extra time for all"),
    ("policy", published, {"bits": 1, **WHY}, "coins and dice"),
    ("policy", published, {"table": 2, "bits": 1, **WHY}, "sound, rolls and counted turns"),
    ("length", draft, {"round": 1, "minutes": 40, **WHY}, "length of a round"),
    ("length", published, {"round": 1, "minutes": 40, **WHY}, "length of a round"),
    ("codes", draft, {"table": 1}, "one-time codes shown"),
    ("lay_out", draft, {"plan": "1 2 3 4"}, "plan of the hall"),
    ("say", published, {"message": 2}, "message to the boards"),
    ("rename_event", draft, {"name": "Spring Cup"}, "name of the event"),
    ("begin", roundless, {"name": "Test Cup", "format": "xw15 50"}, "what is played"),
    ("enter_players", draft, {"players": "Ada\nBo"}, "player added"),
    ("draw_first", planned, {"seed": 5}, "round drafted"),
    ("door", draft, {"on": True}, "players enter themselves"),
    ("accept_entry", knocked, {"entry": the_entry}, "player's own entry accepted"),
    ("refuse_entry", knocked, {"entry": the_entry}, "player's own entry refused"),
    ("draft", over, {"pack": PACK, "seed": 5}, "round drafted"),
    ("draw_pods", limited, {"kind": "booster", "seed": 5}, "round drafted"),
    ("conduct", draft, {"table": 1, "step": "build"}, "draft at a board"),
    ("choose_pack", draft, {"pack": PACK}, "rule pack"),
    ("publish_standings", ranked, {}, "standings for players"),
    ("withdraw_standings", seen, {}, "standings for players"),
    ("drop_draft", drafted, {"round": 2}, "draft discarded"),
    ("publish", draft, {"round": 1}, "round published"),
    ("start", published, {}, "start of the round set"),
    ("untimed", published, {"round": 1}, "length of a round"),
    ("swap_players", draft, {"round": 1, "a": "0", "b": "2", **SURE}, "pairings changed"),
    ("swap_players", published, {"round": 1, "a": "0", "b": "2", **SURE}, "pairings changed"),
    ("swap_players", odd, {"round": 2, "a": "77", "b": "1", **SURE}, "pairings changed"),
    ("give", draft, {"round": 1, "number": "0", "gives": "loss", **SURE}, "pairings changed"),
    ("seat_at", draft, {"number": "0", "table": 2, **SURE}, "pairings changed"),
    ("seat_at", begun, {"number": "0", "table": 2, "stays": True}, "table kept"),
    ("undo_pairing", changed, {"round": 1}, "pairings changed"),
    ("release", kept, {"number": "0"}, "pairings changed"),
    ("feature", draft, {"table": 2}, "feature table"),
    ("count_missed", late, {"number": "77", "missed": "loss"}, "missed round"),
    ("clear", over, {}, "round cleared from the boards"),
    ("read_file", published, {"file": LATE_FILE, "take": True}, "late entry"),
    ("add_player", draft, {"name": "Ada"}, "player added"),
    ("drop", draft, {"number": "1", "sure": True}, "player dropped"),
    ("undrop", dropped, {"number": "7"}, "player returned"),
    ("rename", draft, {"number": "1", "name": "Ada"}, "name changed"),
    ("make_link", draft, {"role": "judge", "name": "Jo"}, "link made"),
    ("revoke_link", linked, {"id": 2}, "link revoked"),
    ("swap", spare, {"table": 1, "device": 200, **WHY}, "board given a table"),
    ("adopt", spare, {"table": 1, "device": 200}, "match taken over"),
    ("revoke", draft, {"device": 101, **WHY}, "board revoked"),
    ("hand_on", beside, {"device": 101, "event": "league"}, "board to go to another event"),
    ("beacon", beacon, {"on": False}, "beacon switched off"),
    ("close_event", over, {}, "event closed"),
]  # fmt: skip
# a light for ten seconds, and a list that is only looked at: nothing is kept of them
SHOWN_ON_PAGES = {"blink", "look_at_players"}


def _by_row(act):
    """Return the line that an act of a table and a reason makes: its intent's title."""
    return next(one.title for one in commands.COMMANDS if one.kind == act.intent)


def _plain(acts):
    """Return the acts that order an intent for a table, with a reason and nothing else."""
    return [act for act in acts if act.intent is not None and {*act.fields} == {"table", "reason"}]


ON_PAGES += [
    (act.name, begun, {"table": 1, **WHY}, _by_row(act))
    for act in _plain(PAGE_ACTS)
    if act.name not in {one[0] for one in ON_PAGES}
]


def test_no_act_of_a_page_is_left_out():
    assert {one[0] for one in ON_PAGES} | SHOWN_ON_PAGES == {act.name for act in PAGE_ACTS}


@pytest.mark.parametrize(("act", "before", "body", "title"), ON_PAGES)
def test_an_act_on_a_page_is_one_line_with_its_author(evening, act, before, body, title):
    before(evening)
    body = {name: one(evening) if callable(one) else one for name, one in body.items()}
    found = evening.new(lambda: done(evening.olga.act(act, **body)))
    assert {(one["author"], one["role"]) for one in found} == {("Olga", "organiser")}
    assert title in [one["what"] for one in found] and all(one["unix_ms"] for one in found)


def done(answer):
    assert answer.status == 200 and "ask" not in answer.json, answer.body
    return answer


TYPED_ACTS = [
    # line, what was before, the line's title
    ("start", published, "start of the round set"),
    ("freeze 1 why", begun, "clock stopped"),
    ("freeze all alarm", begun, "room stopped"),
    ("resume 1", begun, "clock resumed"),
    ("resume all", stopped, "room resumed"),
    ("takeback 1", begun, "key press taken back"),
    ("extend 1 4 why", begun, "extra time"),
    ("extend all 4 why", begun, "extra time for all"),
    ("extend 1 -4 why", silent, "extra time taken back"),
    ("late 1 A", begun, "late or away"),
    ("rule 1 A 2 0 why", begun, "result ruled"),
    ("loss 1 A why", begun, "game loss"),
    ("result 1 A 2 0 slip", begun, "result from paper"),
    ("approve 1", begun, "result approved"),
    ("reopen 1 why", over, "result reopened"),
    ("adjust 1 1 0", begun, "prize penalty"),
    ("roll 1 again", begun, "disputed roll ruled"),
    ("arrive 1", called, "judge at the table"),
    ("done 1", called, "call ended"),
    ("putback 1", ended, "call put back"),
    ("length 1 40 why", published, "length of a round"),
    ("publish 1", draft, "round published"),
    ("standings publish", ranked, "standings for players"),
    ("clear all", over, "round cleared from the boards"),
    ("swap 1 200 why", spare, "board given a table"),
    ("adopt 1 200", spare, "match taken over"),
    ("revoke 101 why", draft, "board revoked"),
    ("hand on 101 league why", beside, "board to go to another event"),
    ("code 1 {code}", unsent, "result code"),
    ("codes 1", draft, "one-time codes shown"),
    ("time all", published, "this PC's time given to boards again"),
    ("close", over, "event closed"),
    ("draw 5", planned, "round drafted"),
    ("say lunch", published, "message to the boards"),
    ("draft 1 build", draft, "draft at a board"),
    ("sound all on", published, "sound, rolls and counted turns"),
    ("turns 1 on", begun, "sound, rolls and counted turns"),
    ("luck all on", published, "coins and dice"),
    ("luck 1 on", published, "sound, rolls and counted turns"),
    ("beacon off", beacon, "beacon switched off"),
    ("clock passed", clock, "this PC's clock"),
    ("import {late} take", published, "late entry"),
    ("enter 77 Late Lee", draft, "player added"),
    ("exchange 0 2 sure", draft, "pairings changed"),
    ("give 0 loss sure", published, "pairings changed"),
    ("seat 0 2 stays sure", draft, "pairings changed"),
    ("seat 0 2 stays", begun, "table kept"),
    ("undo", changed, "pairings changed"),
    ("release 0", kept, "pairings changed"),
    ("feature 2", draft, "feature table"),
    ("missed 77 bye", late, "missed round"),
    ("drop 1 sure :why", draft, "player dropped"),
    ("return 7", dropped, "player returned"),
    ("rename 7 Bo", draft, "name changed"),
    ("title Spring Cup", draft, "name of the event"),
    ("penalty 0 warning slow why", begun, "penalty"),
    ("unpenalty {penalty} why", penalized, "penalty withdrawn"),
    ("zone Olga 1 2", draft, "tables of a judge"),
    ("link judge Jo", draft, "link made"),
    ("link revoke 2", linked, "link revoked"),
]
TYPED_ACTS += [
    (f"{act.typed} 1 why", begun, _by_row(act))
    for act in _plain(ACTS)
    if act.typed and act.typed not in {line.split()[0] for line, *_ in TYPED_ACTS}
]
# those that show something; the last two have tests of their own: pages show no log before
# ``archive mine`` (test_desk_goes_on.py)
SHOWN = {"show", "help", "quit", "receipt", "presses", "blink", "export"}


def test_no_typed_act_is_left_out(evening):
    named = {line.split()[0] for line, *_ in TYPED_ACTS}
    assert named | SHOWN | {"walk", "archive"} == {
        act.typed.split()[0] for act in evening.console.acts
    }


@pytest.mark.parametrize(("line", "before", "title"), TYPED_ACTS)
def test_a_typed_act_is_one_line_of_the_desk(evening, line, before, title):
    before(evening)
    if "{code}" in line:
        line = line.format(code=shown_code(evening))
    if "{penalty}" in line:
        line = line.format(penalty=the_penalty(evening))
    if "{late}" in line:
        late = evening.station.archive.path.with_name("late.csv")
        late.write_text(LATE_LIST, encoding="utf-8")
        line = line.format(late=f'"{late}"')
    found = evening.new(lambda: typed(evening.console, line))
    assert {(one["author"], one["role"]) for one in found} == {("desk", "")}
    assert title in [one["what"] for one in found]


def typed(console, line):
    told = console.run(line)
    assert not console.refused, told


def test_a_walk_names_who_numbered_the_tables(evening):
    def walk():
        typed(evening.console, "walk 5")
        evening.venue.boards[0].ask(evening.venue.air.now_ms, intents.CALL_JUDGE, 0)
        evening.venue.drain()
        assert evening.console.news() == ["table 5: board 101"]

    evening.venue.drain()
    found = evening.new(walk)
    assert {one["author"] for one in found} == {"desk"}
    assert ("board given a table", "board 101: table 5 walk") in told(found)


def told(lines):
    return [(one["what"], one["value"]) for one in lines]


def test_an_act_at_every_table_is_one_line(evening):
    assert told(evening.new(lambda: typed(evening.console, "publish 1"))) == [
        ("round published", "round 1, 4 tables")
    ]
    evening.settle()
    assert told(evening.new(lambda: typed(evening.console, "start 10"))) == [
        ("start of the round set", "round 1, 4 tables, begins in 10:00")
    ]
    evening.settle()
    assert told(evening.new(lambda: typed(evening.console, "sound all on"))) == [
        ("sound, rolls and counted turns", "round 1, 4 tables, sound on")
    ]
    assert told(evening.new(lambda: done(evening.olga.act("policy", bits=4, reason="noise")))) == [
        ("coins and dice", "the hall: barred noise")
    ]


def test_a_name_with_two_links_has_both_roles(evening):
    Browser(evening.service, "judge", name="Olga")
    evening.olga.act("publish", round=1)
    assert evening.lines()[-1]["role"] == "organiser, judge"
    evening.olga.language = "it"
    assert evening.lines()[-1]["role"] == "organizzatore, arbitro"


def test_what_the_program_does_by_itself_is_nobodys_act(evening):
    evening.station.desk.publish(1)
    evening.settle()  # boards join, take nonces and settings that they had lost
    assert "host" not in {one["author"] for one in evening.lines()}


STORES = "notices.add", "notices.add_facts", "staff.log"


def stored_kinds(root):
    """Yield the kind of every notice that the program stores, as its sources say it."""
    for path in sorted((root / "host").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(name in text for name in STORES):
            continue
        for node in _kinds(ast.parse(text)):
            module = importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts))
            for switch in (False, True):  # two kinds by a switch: ``DOOR[on]``
                yield eval(ast.unparse(node), {}, _Names(vars(module), switch))


def _kinds(tree):
    """Yield the expressions for the kinds of notices, of calls where they are passed on."""
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for kind in _stored_in(function):
            names = [one.arg for one in function.args.args]
            if not (isinstance(kind, ast.Name) and kind.id in names):
                yield kind
            elif names[0] != "self":  # ``Staff.log``: its calls are found by its name
                yield from (call.args[names.index(kind.id)] for call in _calls(tree, function.name))


def _stored_in(function):
    for call in _calls(function):
        to = ast.unparse(call.func)
        if to.endswith(STORES) and len(call.args) > 1:
            yield call.args[0]


def _calls(tree, name=None):
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [one for one in found if name in (None, getattr(one.func, "id", None))]


class _Names(dict):
    """A module's names; each other one is ``switch``."""

    def __init__(self, names, switch):
        super().__init__(names)
        self._switch = switch

    def __missing__(self, name):
        return self._switch


def test_every_kind_of_notice_has_a_line_of_its_own(root):
    kinds = {*stored_kinds(root)}
    assert {"begun", "parties", *event_log.DOOR, "luck", "paper result", "drafted"} <= kinds
    lengths = {one for one in kinds if one.startswith(event_log.LENGTH)}
    assert lengths and kinds - lengths <= event_log.LINES.keys() | {*event_log.UNLISTED}


# the shell

ROUND = (
    "# event: Cup\n# format: {form}\n# rounds: {minutes}\n"
    "table,number_a,name_a,number_b,name_b\n1,1,Ann,2,Bo\n"
)
TEAMS = (
    "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
    "1,Reds,Club,Torino,11,Ada,12,Zoe\n"
)
SQUADS = "player,squad,faction,ship,size,pilot,upgrades,points,obstacles\n" + "".join(
    f"1,{number},Rebel,X-wing,small,{pilot},{'; '.join('abc'[: number - 1])},{points},"
    "coreasteroid0; coreasteroid1; yt2400debris2\n"
    for number, (luke, wedge) in enumerate(((30, 28), (30, 58), (60, 59), (90, 59)), 1)
    for pilot, points in (("Luke", luke), ("Wedge", wedge))
)


@pytest.fixture
def shell(tmp_path, capsys):
    return TypedEvening(tmp_path, capsys)


def imported(shell, form="p18 swiss bo1 constructed 30", minutes="30 30"):
    text = ROUND.format(form=form, minutes=minutes)
    shell.done("import", shell.file("r1.csv", text))


def teams(shell):
    imported(shell, "d03 swiss bo1 constructed 50 team", "50 50")
    shell.done("import", shell.file("teams.csv", TEAMS))


def squads(shell):
    imported(shell, "xw15 swiss 50", "50 60")
    shell.done("import", shell.file("squads.csv", SQUADS))


def provision(shell):
    imported(shell)
    shell.done("board", "provision", "--device", 7, "--table", 1)


def board_revoked(shell):
    provision(shell)
    shell.done("board", "provision", "--revoke", 7)


def link(shell):
    imported(shell)
    shell.done("link", "judge", "Jo")


def unlink(shell):
    link(shell)
    shell.done("link", "revoke", 1)


def restored(shell):
    imported(shell)
    with Archive(shell.archive) as archive:
        leap_counters(archive, 5)


def served(shell):
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(shell.folder)
        patched.setattr("sys.stdin", io.StringIO("quit\n"))
        file = shell.file("r1.csv", ROUND.format(form="p18 swiss bo1 constructed 30", minutes="30"))
        shell.done("serve", file, "--no-radio", "--no-web", "--name", "Olga")


FROM_THE_SHELL = [
    # command, what it does, the line's title and author
    ("import", imported, "file imported", "command line"),
    ("import", imported, "lengths of the rounds", "event file"),
    ("import", teams, "teams", "teams file"),
    ("import", squads, "squad lists", "squad lists"),
    ("board provision", provision, "board provisioned", "command line"),
    ("board provision", board_revoked, "board revoked", "provision"),
    ("link", link, "link made", "command line"),
    ("link", unlink, "link revoked", "command line"),
    ("restore", restored, "archive restored from a copy", "command line"),
    ("serve", served, "file imported", "command line"),
    ("serve", served, "round published", "Olga"),
]
# commands that change no archive of an event
OTHERS = {
    "backup", "audit", "audit luck", "export", "show status", "show tables", "show calls",
    "show results", "show standings", "paper", "paper codes", "pair", "doctor", "doctor report",
    "demo", "demo window", "board gateway", "board deploy", "board bringup",
}  # fmt: skip


def test_no_command_is_left_out():
    assert {one[0] for one in FROM_THE_SHELL} | OTHERS == {name for name, *_ in COMMANDS}


@pytest.mark.parametrize(("command", "does", "title", "author"), FROM_THE_SHELL)
def test_a_command_has_a_line_with_its_author(shell, command, does, title, author):
    does(shell)
    with Archive(shell.archive) as archive:
        lines = event_log.lines(archive)
    assert (title, author) in [(one["what"], one["author"]) for one in lines]
    assert not [one for one in lines if one["value"][:1] in ("{", "[")]


def test_a_file_that_says_nothing_new_is_no_act(shell):
    imported(shell)
    with Archive(shell.archive) as archive:
        before = event_log.lines(archive)
    imported(shell)
    with Archive(shell.archive) as archive:
        assert event_log.lines(archive) == before


def test_what_was_done_in_an_earlier_event_of_the_archive_is_not_in_this_ones_log(shell):
    link(shell)
    shell.done("import", shell.file("b.csv", ROUND.format(form="xw15 50", minutes="50")), "--event",
               "Other")  # fmt: skip
    shell.done("link", "viewer", "Vi")
    with Archive(shell.archive) as archive:
        found = [one["value"] for one in event_log.lines(archive) if "link" in one["what"]]
    assert found == ["link 2: viewer, Vi"]


def test_the_log_is_taken_home(shell):
    imported(shell)
    shell.typed("publish 1")
    shell.done("export", "json", "--out", shell.folder)
    told = json.loads((shell.folder / "everything.json").read_text(encoding="utf-8"))["desk_log"]
    (line,) = [one for one in told if one["what"] == "round published"]
    assert (line["author"], line["value"]) == ("Olga", "round 1, table 1")
