"""Records that a stolen board has signed well and that make no sense count for nothing."""

import pathlib
import random
from collections import Counter

import pytest
from commands import plusthree
from tabletop import EVENT
from thief import SPARE, Thief

from firmware.core import events, frames, phases
from firmware.core.match import FIELDS, Match
from firmware.core.systems import p18, xw15
from host.audit import roll_check
from host.audit.inspection import inspect
from host.base.errors import UserError
from host.desk.station import Station
from host.event import fold, overview, record_bounds, scores, table_rows
from host.event.fold import MOST_TAKE_BACKS
from host.reports import export_forms, exports
from host.server.console import Console
from host.tournament import rule_packs
from host.tournament.ranking import ranking
from host.web.snapshot import OrderSheet, Snapshot

PACK = pathlib.Path(rule_packs.__file__).parent / "rulepacks" / "pokemon-swiss.toml"
FORMATS = ("p18 swiss bo3 constructed 50", "p18 elimination bo3 constructed 50",
           "d03 swiss bo1 constructed 30",
           "xw15 swiss bo1 constructed 50")  # fmt: skip
TYPED = (
    "tables", "boards", "calls", "results", "status", "rolls 1", "log", "presses 1", "codes 1",
    "swap 1 3",
)  # fmt: skip
ENDED = events.MatchEnded(3)
# each with the outcome or another number that no board writes, and an end after it
STORIES = {
    "an outcome beyond the last": events.ResultClaimed(2, 9, 0, 0),
    "a ruling that play goes on": events.ResultRuled(2, 5, 0, 1, 0),
    "a proposal to ask": events.OutcomeProposed(2, 6, 1, 0, 0),
    "a section that is not there": events.OutcomeProposed(2, 1, 99, 0, 0),
    "a phase that is not there": events.TimeCalled(2, 31, 0, 0, 0),
    "an end out of nothing": events.Resumed(2, phases.AGREED, 0),
    "a system that is not there": events.FormatSet(2, 77, 6, 50),
    "a seat that is not there": events.GameWon(2, 7, 0, 0, 0, 0),
}


@pytest.fixture(params=(1, SPARE), ids=("at a table", "the spare"))
def thief(tmp_path, request):
    made = Thief(tmp_path / "a.db", request.param)
    yield made
    made.station.close()


@pytest.mark.parametrize("story", STORIES)
def test_a_well_signed_record_that_makes_no_sense_ends_nothing(thief, story, capsys):
    thief.begin()
    thief.say(STORIES[story], ENDED)
    station = thief.station
    assert len(station.archive.records()) == thief.said, "what is signed is evidence"
    assert not station.hall.results(1)
    assert [device for _, device, _ in station.collector.alarms] == [thief.device]
    thief.say(STORIES[story])
    assert len(station.collector.alarms) == 1, "one alarm a board"
    station.close()
    with Station(thief.path) as again:
        assert [device for _, device, _ in again.collector.alarms] == [thief.device]
        assert again.hall.invalid_records == station.hall.invalid_records
    commands = ((0, "show", "results"), (0, "export", "cryodex", "--out",
                                 str(thief.path.parent)),
                (0, "show", "standings", "--pack", str(PACK)),
                (0, "board", "provision", "--revoke", str(thief.device)))  # fmt: skip
    for code, *words in commands:
        assert plusthree(*words, thief.path) == code
    assert plusthree("audit", thief.path) == 1
    told = capsys.readouterr().out
    assert f"board {thief.device} (key 1), record 1/" in told
    assert "with numbers that no board writes" in told


def test_its_table_wants_a_judge_and_the_others_go_on(tmp_path):
    thief = Thief(tmp_path / "a.db", 1)
    thief.begin()
    thief.say(events.ResultRuled(2, 1, 1, 2, 0), ENDED)
    assert not thief.station.hall.results(1)[1].incomplete
    thief.say(events.TurnTold(4, 9, 0, 0, 0, 255, 255))
    hall = thief.station.hall
    assert hall.results(1)[1].incomplete and hall.fold_at(1).doubtful
    first, second = table_rows.rows(thief.station.archive, hall, thief.station.collector, 1, 5000)
    assert "1 invalid record" in first.notes and second.notes == ("not heard yet",)
    thief.station.close()


def test_every_field_that_an_event_writes_has_its_range():
    told = [
        *record_bounds.FREE, *record_bounds.FIXED, *record_bounds.OF_RULES, *record_bounds.PAIRS,
    ]  # fmt: skip
    assert len(told) == len(set(told)) and set(told) <= set(FIELDS)
    match = Match(p18)
    for name in set(FIELDS) - set(told):  # what no table names is off or on
        for value, possible in ((0, True), (1, True), (2, False)):
            setattr(match, name, value)
            assert record_bounds.plausible(match, [name]) == possible, name
        setattr(match, name, 0)


@pytest.mark.parametrize("rules", (p18, xw15))
def test_a_match_that_begins_is_one_that_a_board_can_have(rules):
    match = Match(rules)
    for event in (events.RoundSet(1, 1, 1, 1), events.FormatSet(1, rules.NUMBER, 2, 50)):
        match.apply(event)
        assert record_bounds.plausible(match)


@pytest.mark.parametrize(("rules", "odd"), (
    (p18, {"format": 2 << 1}), (p18, {"format": 0}),
    (xw15, {"system": 9}),
    (p18, {"score": (4, 0)}), (p18, {"score": (0, 4)}),
    (p18, {"turn": 16}),
    (p18, {"phase": 99}), (p18, {"phase": phases.AGREED, "outcome": 0}),
    (p18, {"seat": 9}), (p18, {"wiped": 16}),
    (p18, {"outcome": 200}),
))  # fmt: skip
def test_a_match_that_no_board_can_have_does_not_fit(rules, odd):
    match = Match(rules)
    for event in (events.RoundSet(1, 1, 1, 1), events.FormatSet(1, rules.NUMBER, 6, 50)):
        match.apply(event)
    before = dict(vars(match))
    assert record_bounds.plausible(match)
    vars(match).update(odd)
    assert not record_bounds.plausible(match, record_bounds.changed_fields(match, before))


def test_what_raises_while_it_is_folded_is_one_table_s_concern(tmp_path, monkeypatch):
    def torn(match, event):
        if event.kind == events.JUDGE_CALLED:
            match.phase = 99
            raise RuntimeError("a fault of our own")
        whole(match, event)

    whole = Match.apply
    monkeypatch.setattr(Match, "apply", torn)
    thief = Thief(tmp_path / "a.db", 1)
    thief.begin()
    thief.say(events.JudgeCalled(2, 1))
    table = thief.station.hall.fold_at(1)
    assert table.match.phase == phases.SEATED
    assert list(table.invalid_records.values()) == [events.JUDGE_CALLED]
    thief.station.close()


def _looks(thief, folder):
    """Yield ``(name, function)`` of all that reads what a host has folded."""
    station, pack = thief.station, rule_packs.load(PACK)
    archive, hall = station.archive, station.hall

    def rows():
        return table_rows.rows(archive, hall, station.collector, 1, 5000)

    yield "reload", hall.reload
    yield "results", lambda: hall.results(1)
    yield "rows", lambda: [table_rows.result(row) for row in rows()]
    yield "overview", lambda: overview.overview(archive, hall, 5000)
    yield "pages", lambda: Snapshot(station, OrderSheet(archive.orders)).whole(5000)
    yield "results files", lambda: exports.write_results(archive, hall, folder)
    yield "rolls", lambda: roll_check.check(archive, station.keyring.nonces)
    yield "audit", lambda: inspect(archive, station.keyring)
    yield "standings", lambda: ranking(scores.rounds_of(archive, hall), pack)
    for form, write in export_forms.FORMS.items():
        yield form, lambda write=write: write(archive, hall, pack)
    console = Console(station, "Ann")
    for words in TYPED:
        yield words, lambda words=words: console.run(words)


def _random(luck):
    kind = luck.choice(
        [kind for kind in range(8, 64) if kind not in (events.BOOTED, events.EVENT_JOINED)]
    )
    if luck.random() < 0.5:
        return kind, luck.randbytes(9)
    small, wide = (
        (0, 1, 2, 3, 5, 7, 8, 9, 16, 128, 129, 255),
        (0, 1, 2, 3, 4, 5, 9, 12, 255, 256, 65535),
    )
    numbers = luck.randrange(100000), luck.choice(small), luck.choice(wide), luck.choice(wide)
    return kind, frames.plain(*numbers)


def _fuzzed(seed, folder):
    """Sign nonsense for a while, look at everything; return how many records made no sense."""
    luck = random.Random(f"nonsense {seed}")
    folder.mkdir()
    thief = Thief(folder / "a.db", 1, luck.choice(FORMATS))
    try:
        thief.begin()
        for _ in range(luck.randrange(1, 40)):
            thief.say(_random(luck), *([ENDED] if luck.random() < 0.1 else []))
        for name, look in _looks(thief, folder):
            try:
                look()
            except UserError:
                pass
            except Exception as failure:
                raise AssertionError(f"seed {seed}, {name}: {failure!r}") from failure
        assert all(
            one.outcome in ("A", "B", "tie") for one in thief.station.hall.results(1).values()
        )
        return Counter(
            kind for odd in thief.station.hall.invalid_records.values() for kind in odd.values()
        )
    finally:
        thief.station.close()


def test_nonsense_well_signed_is_never_more_than_nonsense(tmp_path, proving, printed):
    seeds, found = range(2000 if proving else 60), Counter()
    for seed in seeds:
        found += _fuzzed(seed, tmp_path / str(seed))
    assert sum(found.values()) > len(seeds)
    printed(
        f"signed nonsense, {len(seeds)} boards",
        [f"{sum(found.values())} records of {len(found)} kinds not applied"],
    )


def test_a_board_that_takes_back_for_ever_costs_no_more_than_its_records(tmp_path, monkeypatch):
    applied, whole = [], Match.apply
    monkeypatch.setattr(
        Match, "apply", lambda match, event: (applied.append(event), whole(match, event))
    )
    thief = Thief(tmp_path / "a.db", 1)
    thief.begin()
    for _ in range(3):
        before = len(applied)
        for _ in range(120):
            thief.hear(events.GameWon(5, 0, 0, 0, 0, 0))
            thief.hear(events.TakenBack(5, 0, 1, thief.said - 1))
        thief.station.collector.poll(thief.now_ms)
        assert len(applied) - before <= thief.said
    odd = thief.station.hall.fold_at(1).invalid_records
    assert sum(kind == events.TAKEN_BACK for kind in odd.values()) == 360 - MOST_TAKE_BACKS
    thief.station.close()


def test_a_match_has_only_so_many_records(tmp_path, monkeypatch):
    monkeypatch.setattr(fold, "MOST_EVENTS", 20)
    thief = Thief(tmp_path / "a.db", 1)
    thief.begin()
    thief.say(*[events.JudgeCalled(5, 1)] * 30)
    assert len(thief.station.hall.fold_at(1).invalid_records) == 12
    thief.say(events.RoundSet(9, 1, 1, 1), events.JudgeCalled(9, 2))
    assert thief.station.hall.fold_at(1).match.call == 2, "the next match begins anew"
    thief.station.close()


def test_a_result_claimed_for_another_table_is_no_result(venue):
    venue.begin()
    thief = venue.boards[1]
    thief.happen(events.RoundSet(1000, 1, 1, 1), events.FormatSet(1000, 0, 6, 50))
    thief.happen(events.ResultRuled(1000, 1, 1, 2, 0), events.MatchEnded(1000))
    venue.drain()
    assert len(venue.archive.records(EVENT)) > 4 and not venue.station.hall.results(1)
    venue.win(venue.boards[0], seat=1)
    venue.drain()
    assert venue.station.hall.results(1)[1].outcome == "B"


def test_a_board_heard_only_from_anothers_address_is_not_called(venue):
    collector, air = venue.station.collector, venue.air
    near, far = air.boards
    collector.sessions[near] = None  # a link stands there
    collector.on_advert(near, air.boards[far].status(air.now_ms), air.now_ms)
    del collector.sessions[near]
    assert all(action[1] is not None for action in collector.poll(air.now_ms))
