"""What the host tells of seeds, and a page's own hash functions give what boards roll and commit to."""

import random

import pytest
from fair import Fair
from tabletop import EVENT
from virtualdesk import VirtualDesk
from webclient import Browser, office_of

from firmware.core import events, frames, intents, luck, seeds
from firmware.core.seeds import Chance
from host.archive.access_links import ROLES, VIEWER
from host.archive.records import ArchivedRecord
from host.archive.roster import Format, Pairing, Player
from host.event.seed_periods import commitments, seed_periods
from host.server.console import Console
from host.web.recent_results import COMMITMENTS_KEPT_MS


@pytest.fixture
def venue(tmp_path):
    """A round under D03 in which one table has flipped, and a draft of the next."""
    fair = Fair(tmp_path / "a.db")
    fair.begin()
    Console(fair.station, "Anna").run("luck all on")  # for a card, D03 leaves it to the judge
    fair.drain()
    for purpose, many in ((luck.FIRST_PLAYER, 0), (luck.CARD, 4)):
        assert fair.boards[0].ask(fair.air.now_ms, intents.ROLL, purpose << 4, many)
        for seat in (0, 1):
            assert fair.boards[0].ask(fair.air.now_ms, intents.AGREE_ROLL, seat)
    fair.drain()
    pairing = Pairing(2, 1, 1, Player("77", "Zacharias Only"), Player("1", "Given1 Family"))
    fair.archive.roster.store_round(2, Format(1, 3 << 1, 50), [pairing])
    yield fair
    fair.station.close()


def told(venue, query="", role=VIEWER):
    answer = Browser(office_of(venue), role).get(f"/api/check{query}")
    return answer.json if answer.status == 200 else answer.json["error"]


def seed_of(board):
    return board.ledger.seeds.seed.hex()


def test_commitments_are_told_as_soon_as_they_are_archived(venue):
    lines = told(venue)["lines"]
    assert [line["table"] for line in lines] == [1, 2]
    for board, line in zip(venue.boards, lines, strict=True):
        place = board.device, EVENT, 1, line["table"], line["table"]
        (match,) = line["matches"]
        assert match["commitment"] == seeds.commitment(place, board.ledger.seeds.seed).hex()
        assert 0 < match["heard_ms"] <= venue.air.now_ms and not match["over"]


@pytest.mark.parametrize("role", ROLES)
def test_no_seed_is_told_to_anybody_before_the_match_is_over(venue, role):
    secret = seed_of(venue.boards[0])
    for query in ("", "?table=1", "?round=1&table=1"):
        answer = Browser(office_of(venue), role).get(f"/api/check{query}")
        text, (match, *_) = answer.body.decode(), answer.json["lines"][0]["matches"]
        assert secret not in text and '"face"' not in text
        assert match["seed"] is match["rolls"] is None and not match["told"]


def test_a_seed_that_a_board_tells_too_early_is_not_passed_on(venue):
    board, secret = venue.boards[0], seed_of(venue.boards[0])
    early = [
        ArchivedRecord(board.device, 1, *frames.head(one)[2:], EVENT, venue.air.now_ms, one)
        for one in board.history()
        if isinstance(part := events.of_record(one), events.SeedStored)
        and part.part in range(seeds.SEED, 8)
    ]
    venue.archive.commit(early)
    (period, _), *_ = commitments(venue.archive, 1)[1]
    assert period.seed is not None and period.seed.hex() == secret
    for role in ROLES:
        assert secret not in str(told(venue, "?table=1", role))


def test_after_the_match_the_seed_gives_every_roll(venue):
    board, secret = venue.boards[0], seed_of(venue.boards[0])
    venue.win(board)
    venue.drain()
    (line,) = told(venue, "?table=1")["lines"]
    (match,) = line["matches"]
    found = match["seed"]
    assert match["over"] and match["told"] and match["rolls"] == 2 and found["seed"] == secret
    for number, roll in enumerate(found["rolls"], 1):
        a = roll["randomizer"] | roll["purpose"] << 4
        chance = seeds.chance(bytes.fromhex(secret), bytes.fromhex(found["nonce"]), number, a)
        fallen = luck.draw(chance, roll["randomizer"], roll["many"])
        assert fallen == (roll["face"], roll["many"]) and roll["number"] == number
        assert roll["id"] == seeds.audit_id(bytes.fromhex(match["commitment"]), number)
    assert [one["many"] for one in found["rolls"]] == [0, 4]
    other = told(venue, "?table=2")["lines"][0]["matches"][0]
    assert not other["over"] and other["seed"] is None
    assert all(one["seed"] is None for line in told(venue)["lines"] for one in line["matches"])


@pytest.mark.parametrize("role", ROLES)
def test_a_draft_is_nobodys_here(venue, role):
    for query in ("?round=2", "?round=2&table=1", "?round=x", "?round=99"):
        assert told(venue, query, role) == "there is no such round in this event"


@pytest.mark.parametrize("table", ["", "0", "3", "x", "1 ", "٣", "9" * 99])
def test_a_table_that_does_not_play_has_a_sentence(venue, table):
    assert "does not play in round 1" in told(venue, f"?table={table}")


def test_before_any_round_is_published_there_is_nothing(tmp_path):
    fair = Fair(tmp_path / "b.db")
    assert told(fair) == {"round": None, "lines": []}
    fair.station.close()


def test_a_match_that_is_opened_again_has_a_second_commitment(venue):
    board = venue.boards[0]
    venue.win(board)
    venue.drain()
    venue.station.desk.command(intents.ReopenResult, 1, (0,), "Rosa", "wrong")
    venue.drain()
    assert board.ask(venue.air.now_ms, intents.ROLL, luck.CARD << 4)
    venue.drain()
    first, second = told(venue, "?table=1")["lines"][0]["matches"]
    assert first["told"] and not second["told"] and second["seed"] is None
    assert first["commitment"] != second["commitment"]
    assert seed_of(board) not in str(told(venue, "?table=1"))


def test_many_who_look_at_once_read_the_archive_once(venue):
    service = office_of(venue)
    first = service.commitments.of_round(1, 0)
    assert service.commitments.of_round(1, COMMITMENTS_KEPT_MS - 1) is first
    assert service.commitments.of_round(1, COMMITMENTS_KEPT_MS) is not first
    assert service.commitments.of_round(1, 0) is not first


def test_a_rounds_records_are_those_of_the_whole_event(venue):
    venue.win(venue.boards[0])
    venue.drain()
    venue.publish(2)
    for number in (1, 2):
        there = [one for ones in commitments(venue.archive, number).values() for one in ones]
        whole = [one for one in seed_periods(venue.archive.records()) if one.match.round == number]
        assert [one.period.commitment for one in there] == [one.commitment for one in whole]
        assert [one.period.seed for one in there] == [one.seed for one in whole]
        assert [one.period.rolls for one in there] == [one.rolls for one in whole]
    assert told(venue, "?round=1&table=1")["lines"][0]["matches"][0]["told"]


_AGREES = """
async (cases) => {
  const { auditId, commitment, fallen } = await import("/static/today/js/recompute.js");
  return Promise.all(cases.map(async ({ place, seed, nonce, roll, said }) =>
    [await commitment(place, seed), await fallen({ seed, nonce }, roll), auditId(said, roll.number)]));
}
"""

_SKIPS = """
async (roll) => {
  const { fallen } = await import("/static/today/js/recompute.js");
  const sign = crypto.subtle.sign;
  crypto.subtle.sign = async (name, key, data) =>
    (data.at(-2) < 2 ? new Uint8Array(32).fill(255).buffer : sign.call(crypto.subtle, name, key, data));
  const found = await fallen({ seed: "07".repeat(32), nonce: null }, roll);
  crypto.subtle.sign = sign;
  return found;
}
"""


@pytest.fixture(scope="module")
def page(module_chromium, tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("recompute"), tables=1) as desk:
        page = module_chromium.open(desk.links["viewer"], at=f"{desk.url}/check")
        yield page
        page.context.close()


def test_the_browser_recomputes_as_boards_do(page):
    some, cases, wanted = random.Random(1), [], []
    for number in range(600):
        device, event, table, pairing = (some.randrange(1, 1 << 16) for _ in range(4))
        place = device, event, some.randrange(1, 256), table, pairing
        seed, nonce = some.randbytes(32), some.choice((b"", some.randbytes(8)))
        randomizer, purpose = number % 4, number % 5 + 1
        many = 0 if randomizer else some.choice((0, 2, 5, 8, luck.UNTIL))
        said = seeds.commitment(place, seed)
        roll = {"number": some.randrange(1, 1 << 16), "randomizer": randomizer,
                "purpose": purpose, "many": many}  # fmt: skip
        chance = seeds.chance(seed, nonce, roll["number"], randomizer | purpose << 4)
        face, _ = luck.draw(chance, randomizer, many)
        cases.append({"place": place, "seed": seed.hex(), "nonce": nonce.hex() or None,
                      "roll": roll, "said": said.hex()})  # fmt: skip
        wanted.append([said.hex(), face, seeds.audit_id(said, roll["number"])])
    assert page.evaluate(_AGREES, cases) == wanted


def test_the_browser_skips_the_bytes_that_a_board_skips(page):
    """A d6 skips 252 to 255."""
    cases, wanted, place, skipped = [], [], (7, 5, 1, 1, 1), 0
    for number in range(1, 4000):
        seed = number.to_bytes(32, "little")
        raw = seeds.chance(seed, b"", number, 0x21).source(0)
        if raw[0] < 252:
            continue
        skipped += 1
        said = seeds.commitment(place, seed)
        roll = {"number": number, "randomizer": 1, "purpose": 2, "many": 0}
        cases.append({"place": place, "seed": seed.hex(), "nonce": None, "roll": roll,
                      "said": said.hex()})  # fmt: skip
        face, _ = luck.draw(seeds.chance(seed, b"", number, 0x21), 1, 0)
        wanted.append([said.hex(), face, seeds.audit_id(said, number)])
    assert skipped > 30
    assert page.evaluate(_AGREES, cases) == wanted


@pytest.mark.parametrize("number", range(1, 9))
def test_the_browser_asks_for_more_bytes_when_all_were_skipped(page, number):
    seed = bytes([7] * 32)

    def source(attempt):
        return (
            b"\xff" * 32 if attempt < 2 else seeds.chance(seed, b"", number, 0x11).source(attempt)
        )

    roll = {"number": number, "randomizer": 1, "purpose": 1, "many": 0}
    assert page.evaluate(_SKIPS, roll) == luck.draw(Chance(source), 1, 0)[0]
