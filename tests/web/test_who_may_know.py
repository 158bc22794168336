"""What each role may know, field by field: every read of the web desk is walked with every role.

``KNOWN`` names each field of each read under the least role that may see it. A new field belongs
to nobody until it stands here.
"""

import dataclasses
import itertools
import json

import pytest
from tabletop import Venue
from webclient import Browser, office_of

from firmware.core import intents
from host.archive.access_links import HEAD, JUDGE, ORGANISER, ROLES, VIEWER
from host.archive.roster import Format, Pairing, Player
from host.desk import public_standings
from host.reports.paper import pages
from host.tournament import event_pack, rule_packs
from host.web.routes import READS

PLAYER = "name number"
ROUND = """best_of counts_turns elimination format hidden minutes narrow number points_cap results state system tables
    untimed"""
TABLE = """table a.name b.name best_of boardless called extension_s feature frozen_ms games[] phase turn turns zero_ms
    call.since_ms call.arrived_ms call.table
    result.outcome result.games[] result.destroyed"""
STAFFS_TABLE = """offers[] a.number b.number call.type call.again call.asked call.claimed device
    adjusted[] extend_proposed incomplete kept late low missing_board need needs[] pairing policy
    present proposal swapped
    roll seen silent turn_times uncertain
    result.against result.author result.by result.ended_ms result.incomplete result.points[]
    result.narrow result.reason result.section"""
RANK = "rank place swiss name byes values[] tally[] dropped"
ORDER = "asked_ms author id reason state table what why"
INCIDENT = "at_ms author numbers[] reason round state table what"


def under(place, names):
    return " ".join(f"{place}.{name}" for name in names.split())


KNOWN = {
    ("/api/me", VIEWER): """id role name csrf may[] event virtual speed exports[]
        buttons[].act buttons[].part buttons[].label buttons[].judged buttons[].fields[].kind
        buttons[].fields[].label buttons[].fields[].least buttons[].fields[].most
        buttons[].fields[].name buttons[].fields[].required""",
    ("/api/state", VIEWER): " ".join((
        "now_ms event.name event.origin_unix_ms byes[].name hall.rows hall.turning hall.wide",
        under("calls.*", "since_ms arrived_ms table"), under("expected.*", "end_ms why"),
        "standings forecast.end_ms forecast.holding message.number message.at_ms message.next_ms paused",
        under("past_calls[]", "table since_ms arrived_ms ended_ms"), "troubles",
        under("round", ROUND + " extended overtime seated start_ms stood_ms zero_ms"),
        under("rounds.*", ROUND), under("tables.*", TABLE),
    )),
    ("/api/state", JUDGE): " ".join((
        under("calls.*", "again asked claimed type"), under("tables.*", STAFFS_TABLE),
        under("orders.*", ORDER), "byes[].number alarms beacon door",
        under("penalties[]", """at_ms by category id level name player reason round seat
            table"""), under("zones.*", "first last name"),
        under("boards.*", """battery device firmware head heard_ms linked listens refused silent table
            unarchived unsent"""),
    )),
    ("/api/results", VIEWER): "round " + under("lines[]", """round table name_a name_b outcome
        games_a games_b destroyed_a destroyed_b state"""),
    ("/api/results", JUDGE): under("lines[]", """number_a number_b by event margin_a margin_b
        points_a points_b section"""),
    ("/api/standings", JUDGE): """ask pack packs[] source columns[] shared[] differs open[] pods
        after left_out bracket top notes ruled """ + under("lines[]", RANK + " number"),
    ("/api/published", VIEWER): """round source columns[] shared[] open[] pods bracket top notes
        """ + under("lines[]", RANK),
    ("/api/player", VIEWER): "points tally[] " + under("rounds[]", """round table opponent how
        figures[]"""),
    ("/api/seating", VIEWER): "round " + under("lines[]", """surname given plain pairing table seat
        opponent"""),
    ("/api/seating", JUDGE): "lines[].number",
    ("/api/check", VIEWER): " ".join((
        "round lines[].table", under("lines[].matches[]", "commitment heard_ms over told rolls"),
        under("lines[].matches[].seed", "seed nonce place[] after"),
        under("lines[].matches[].seed.rolls[]", "number randomizer purpose many face id"),
    )),
    ("/api/table/1", JUDGE): " ".join((
        under("table", TABLE), under("table", STAFFS_TABLE), under("orders[]", ORDER),
        under("history[]", INCIDENT),
    )),
    ("/api/incidents", JUDGE): under("lines[]", INCIDENT),
    ("/api/outstanding", JUDGE): under("lines[]", "table phase needs[] a.name a.number b.name b.number"),
    ("/api/checks", JUDGE): "done lists.may_change lists.seen_by[] " + " ".join((
        under("plan", "checked drawn left mandatory needed"),
        under("players[]", "avoid name now number table"),
    )),
    ("/api/rounds", HEAD): "pack packs[] unread pods drafts open kept features",
    ("/api/rounds", ORGANISER): " ".join((
        under("open.*", "version published undo losses seats[].table"),
        *(under(f"open.*.{seat}", f"{PLAYER} points keeps dropped")
          for seat in ("seats[].a", "seats[].b", "absent[]")),
    )),
    ("/api/people", ORGANISER): under("people[]", "dropped late missed name number rounds[] squads"),
    ("/api/files", ORGANISER): "tom",
    ("/api/begin", ORGANISER): " ".join((
        "cut cuts[] door entries format pack people rounds",
        under("systems[]", "name title rounds after[] packs kinds[].words kinds[].minutes"),
        under("systems[].packs[]", "name dated source"),
    )),
    ("/api/packing", ORGANISER): "low may_close open[] ready unarchived unseen waiting[]",
    ("/api/links", ORGANISER): under("links[]", "id made_unix_ms name revoked role"),
    ("/api/log", ORGANISER): under("lines[]", "unix_ms author role what value") + " lines",
}  # fmt: skip

SECRETS = {  # words that stand in this event's archive, and who may read them
    "Zacharias": ORGANISER,  # plays in the draft alone
    "slow play": JUDGE,
    "Olga": JUDGE,  # who gave the minutes
    "4711": JUDGE,  # a player's number
    "Lucinda": ORGANISER,  # has a link
}
QUERIES = (
    "", "?round=1", "?round=2", "?round=3", "?number=4711", "?pairing=1&seat=A",
    "?pairing=2&seat=B", "?pack=", "?language=it", "?table=2",
)  # fmt: skip


@pytest.fixture(scope="module")
def venue(tmp_path_factory):
    """A round with a message, minutes, calls and a result, and the next one drafted."""
    made = Venue(tmp_path_factory.mktemp("known") / "a.db", tables=3)
    roster = made.archive.roster
    first = roster.pairings_of(1)
    bye = Pairing(1, 4, None, Player("9", "Given9 Family"), None)
    ann = dataclasses.replace(first[0], a=Player("4711", "Ann Family"))
    form = roster.format_of(1)
    roster.forget_round(1)
    roster.store_round(1, form, [ann, *first[1:], bye])
    made.station.refresh()
    made.begin()
    desk, board = made.station.desk, made.boards[0]
    made.win(made.boards[1])
    event_pack.choose(made.archive, rule_packs.load("pokemon-swiss"), "Olga", 0)
    board.ask(made.air.now_ms, intents.CALL_JUDGE, 2)
    made.drain()
    desk.command(intents.EndCall, 1)
    desk.extend(3, 2, "Olga", "slow play")
    for table in desk.tables:
        desk.command(intents.Say, table, (1, 600))
    made.drain()
    board.ask(made.air.now_ms, intents.CALL_JUDGE, 1)
    made.drain()
    secret = Pairing(2, 1, 1, Player("77", "Zacharias Only"), Player("1", "Given1 Family"))
    roster.store_round(2, Format(0, 3 << 1, 50), [secret])
    made.archive.notices.add(public_standings.PUBLIC, '{"round": 1}', "Olga", 0)
    made.station.refresh()
    yield made
    made.station.close()


@pytest.fixture(scope="module")
def service(venue):
    made = office_of(venue)
    made.links.make("judge", "Lucinda", "test", 0)
    made.change_feed.touch()
    made.change_feed.step(venue.air.now_ms)
    return made


@pytest.fixture(scope="module")
def browsers(service):
    return {role: Browser(service, role) for role in ROLES}


def fields_of(value, place=""):
    """Yield the place of each value that tells something; ``*`` stands for a number or a pod."""
    if isinstance(value, dict):
        for name, one in value.items():
            word = "*" if name.isdigit() else name
            yield from fields_of(one, f"{place}.{word}".lstrip("."))
    elif isinstance(value, list):
        for one in value:
            yield from fields_of(one, place + "[]")
    elif value is not None:
        yield place


def paths():
    for read in READS:
        kinds = [""] if "{kind}" not in read.path else sorted(pages.KINDS)
        for kind in kinds:
            yield (
                read.path.replace("{table:int}", "1")
                .replace("{form}", "json")
                .replace("{kind}", kind)
            )


def answers(browser):
    """Yield each read's path and answer, by each query."""
    for path, query in itertools.product(paths(), QUERIES):
        answer = browser.get(path + query)
        if answer.status == 200:
            yield path, answer
        else:
            assert answer.status in (403, 409), path + query


@pytest.mark.parametrize("role", ROLES)
def test_a_role_gets_the_fields_that_it_may_know_and_no_other(browsers, role):
    lower = ROLES[: ROLES.index(role) + 1]
    told = {}
    for path, answer in answers(browsers[role]):
        if answer.headers["content-type"].startswith("application/json"):
            told.setdefault(path, set()).update(fields_of(answer.json))
    for path, found in told.items():
        may = {one for least in lower for one in KNOWN.get((path, least), "").split()}
        assert not found - may, (path, sorted(found - may))
    for (path, least), names in KNOWN.items():
        assert (path in told) or least not in lower, (path, least, names)


@pytest.mark.parametrize("role", ROLES)
def test_a_secret_is_read_by_whom_it_concerns(browsers, role):
    lower, seen = ROLES[: ROLES.index(role) + 1], set()
    for path, answer in answers(browsers[role]):
        text = answer.body.decode()
        seen |= {word for word in SECRETS if word in text}
        leaked = [word for word, least in SECRETS.items() if word in text and least not in lower]
        assert not leaked, (path, leaked)
    assert seen == {word for word, least in SECRETS.items() if least in lower}


@pytest.mark.parametrize("role", (VIEWER, JUDGE, HEAD))
@pytest.mark.parametrize("read", ("results", "standings", "incidents", "paper/names"))
def test_a_draft_is_the_organisers(browsers, role, read):
    answer = browsers[role].get(f"/api/{read}?round=2")
    assert answer.status in (403, 409)
    assert answer.status == 403 or answer.json["error"] == "there is no such round in this event"
    assert browsers[ORGANISER].get(f"/api/{read}?round=2").status == 200
    assert "2" not in json.dumps(list(browsers[HEAD].get("/api/rounds").json["open"]))
