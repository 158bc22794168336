"""Typed acts, at one table, in the whole hall and of people: what each says and does."""

from dataclasses import replace

import pytest
from tabletop import Venue
from typed_evening import TypedEvening

from firmware.core import draft, events, intents, payload
from firmware.core.ledger import Ledger
from firmware.core.systems import d03, p18, xw15
from host.archive import receipt
from host.archive.people import People
from host.archive.roster import REVOKED
from host.event.judge_calls import calls

pytestmark = pytest.mark.archives


def test_help_lists_every_act(console):
    lines = console.run("help")
    assert len(lines) == len(console.acts)
    assert all(map(str.startswith, lines, [act.typed for act in console.acts]))


def test_help_tells_of_one_act(console):
    assert console.run("help Extend") == [
        "extend TABLE MINUTES [sure] [REASON…]  give a table more time, or take some back (-4)",
        "extend all MINUTES [sure] [REASON…]    give every table more time",
    ]
    assert "try: help" in console.run("help fly")[0]


class Ships(Venue):
    rules, bits = xw15, 0


class SingleGames(Venue):
    rules, bits = d03, 1 << 1


@pytest.mark.parametrize("lead", [
    pytest.param("2:20 at 2 tables, after the 2:00 of set-up"),
    pytest.param("0:20 at 2 tables", marks=pytest.mark.venue(of=Ships)),
    pytest.param("0:20 at 2 tables", marks=pytest.mark.venue(of=SingleGames)),
])  # fmt: skip
def test_a_start_waits_for_the_set_up_of_its_system(venue, console, lead):
    console.run("publish 1")
    venue.drain()
    assert console.run("start") == [f"the round starts in {lead}"]


def test_a_round_by_typing(venue, console):
    console.run("publish 1")
    venue.drain()
    assert "set the round: done" in console.news()[0]
    assert console.run("start 3") == [
        "the round starts in 3:00 at 2 tables, after the 2:00 of set-up"
    ]
    venue.air.run(200_000)
    console.news()
    assert console.run("freeze 2 deck check") == ["freeze: asked of table 2"]
    venue.drain()
    assert console.news() == ["table 2: freeze: done"] and console.news() == []
    assert "frozen" in console.run("show tables")[1]
    console.run("resume 2")
    console.run("extend all 5")
    console.run("late 1 a")
    venue.drain()
    assert console.news() == [
        "table 2: resume: done", "table 1: extend: done", "table 2: extend: done",
        "table 1: mark late: done",
    ]  # fmt: skip
    console.run("rule 1 A 2 1 final both agreed at the desk")
    venue.drain()
    assert console.run("show results")[0].endswith("Given0 Family wins 2–1 (ruled)  points unknown")
    assert venue.archive.orders.all[-1].reason == "both agreed at the desk"
    assert venue.archive.orders.all[-1].author == "Ann"


def test_a_start_is_changed_by_who_is_sure_and_never_in_mid_round(venue, console):
    console.run("publish 1")
    venue.drain()
    console.run("start 10")
    venue.drain()
    (asked,) = console.run("start 3")
    assert "Round 1 starts in " in asked and "'sure'" in asked
    assert console.run("start 3 sure")[0].startswith("the round starts in 3:00")
    venue.drain()
    assert {board.match.start_ms for board in venue.boards} == {venue.station.desk.start_ms}
    venue.air.run(400_000)
    before = len(venue.archive.orders.all)
    assert "round 1 began 3 min ago: give tables more time" in console.run("start 3")[0]
    assert len(venue.archive.orders.all) == before


def test_what_a_table_cannot_take_is_said_of_that_table_and_the_others_take_it(venue, console):
    venue.begin()
    venue.station.desk.extend(2, 1090)
    assert console.run("extend all 5 storm") == [
        "extend: asked of table 1",
        "not done: table 2 cannot have 1095 minutes of extension: give fewer",
    ]
    venue.archive.roster.move(101, REVOKED, "Ann", "broken", 0)
    venue.station.refresh()
    none = "table 1 has no board for that: swap a spare in, or type its result from paper"
    for line in ("freeze 1 broken", "resume 1", "late 1 AB", "loss 1 A tardy", "rule 1 A 2 0 slip",
                 "reopen 1 slip", "takeback 1", "adjust 1 1 0", "roll 1 again", "approve 1"):  # fmt: skip
        told = "result 1 A 2 0 sure slip" if line.startswith("rule") else "result 1 A|B|tie … slip"
        assert console.run(line) == [f"not done: {none}: {told}"], line
    assert console.run("penalty 0 game_loss deck 59 cards")[0].endswith(
        "is in the register. Table 1 has no board: count the lost game in its result from paper"
    )
    assert console.run("freeze all storm") == ["freeze: asked of table 2",
        "table 1: it has no board: stop its clock by hand"]  # fmt: skip
    refused = "no board at table 1 can add the time: swap a spare in, or tell both players the new"
    assert console.run("extend 1 5 storm") == [f"not done: {refused} end and note it on the slip"]
    assert console.run("extend all 5 storm")[0].startswith(f"not done: {refused}")


def test_more_time_for_all_reaches_a_board_that_is_heard_later(venue, console):
    console.run("publish 1")
    assert console.run("extend all 5 storm") == ["extend: asked of 2 tables"]
    venue.drain()
    assert [board.match.extension_s for board in venue.boards] == [300, 300]


BO1, BO3 = "p18 swiss bo1 constructed 30", "p18 swiss bo3 constructed 50"
HEAD = (
    "# event: Cup\n# format: {}\ntable,number_a,name_a,number_b,name_b\n1,1,Ann,2,Bo\n2,3,Cy,4,Di\n"
)


def without_boards(tmp_path, capsys, form):
    evening = TypedEvening(tmp_path, capsys)
    evening.done("import", evening.file("r1.csv", HEAD.format(form)))
    return evening


@pytest.mark.parametrize(("form", "typed", "line", "result"), [
    (BO3, "rule 1 B disqualified: stalling", "result 1 B 0 0 sure disqualified: stalling", (0, 0)),
    (BO3, "rule 1 B 1 0 final disqualified", "result 1 B 1 0 sure disqualified", (1, 0)),
    (BO3, "rule 1 tie 1 1 why", "result 1 tie 1 1 sure why", (1, 1)),
    (BO1, "rule 1 B disqualified", "result 1 B disqualified", (0, 1)),
    (BO1, "rule 1 A final", "result 1 A slip", (1, 0)),
])  # fmt: skip
def test_a_ruling_without_a_board_is_told_as_the_line_that_takes_it(
    tmp_path, capsys, form, typed, line, result
):
    """A judge disqualifies somebody at a table without a board: its result comes from paper."""
    evening = without_boards(tmp_path, capsys, form)
    evening.typed("publish 1")
    (refused,) = evening.desk(typed)
    assert refused == (
        "not done: table 1 has no board for that: swap a spare in, or type its result from paper: "
        + line
    )
    evening.typed(line)
    told = evening.objects("show results")[0]
    assert (told["outcome"], told["games_a"], told["games_b"]) == (typed.split()[2], *result)


def test_an_order_that_no_board_takes_is_said_with_what_to_do(tmp_path, capsys):
    evening = without_boards(tmp_path, capsys, BO3)
    evening.done("board provision", "--device", 7, "--table", 1)
    none = "no board is there to take it; swap a spare in, or: result 2 … slip"
    assert evening.desk("publish 1") == ["publish: asked of 2 tables", f"table 2: {none}"]
    assert evening.desk("arrive 2") == ["arrive: asked of table 2", f"table 2: {none}"]
    assert evening.desk("arrive 1") == ["arrive: asked of table 1"]


@pytest.mark.parametrize(
    "count, named", ((2, "1, 2"), (5, "1, 2, 3, 4, 5"), (6, "1, 2, 3, 4, 5 and 1 more"))
)
def test_tables_without_a_board_are_one_line(tmp_path, capsys, count, named):
    evening = TypedEvening(tmp_path, capsys)
    pairings = "".join(f"{n},{2 * n},A{n},{2 * n + 1},B{n}\n" for n in range(1, count + 1))
    head = HEAD.format(BO3).partition("1,1,Ann")[0]
    evening.done("import", evening.file("r1.csv", head + pairings))
    assert evening.desk("publish 1") == [
        f"publish: asked of {count} tables",
        f"tables {named}: no board is there to take it; swap a spare in, or: result TABLE … slip",
    ]


def test_who_has_not_seen_an_extension_is_told(venue, console):
    venue.begin()
    console.run("extend 1 4")
    venue.drain()
    assert "(+4) unseen by ▲●" in console.run("show tables")[0]
    assert venue.boards[0].ask(venue.air.now_ms, intents.SEE_EXTENSION, 1)
    venue.drain()
    assert "(+4) unseen by ▲" in console.run("show tables")[0]
    assert venue.boards[0].ask(venue.air.now_ms, intents.SEE_EXTENSION, 0)
    venue.drain()
    assert "unseen" not in console.run("show tables")[0]


def test_who_has_not_seen_an_extension_is_told_as_paired_whoever_sits_where(venue, console):
    venue.publish(1)
    board = venue.boards[0]
    assert board.ask(venue.air.now_ms, intents.CONFIRM_SEAT, 2) and board.match.swapped
    venue.begin()
    console.run("extend 1 4")
    venue.drain()
    assert board.ask(venue.air.now_ms, intents.SEE_EXTENSION, 1)
    venue.drain()
    assert "(+4) unseen by ●" in console.run("show tables")[0]


def test_a_refusal_is_told_with_its_reason(venue, console):
    console.run("publish 1")
    venue.drain()
    console.news()
    console.run("resume 1")
    venue.drain()
    assert console.news() == ["table 1: resume: refused, not possible at that table now"]


@pytest.mark.parametrize(("line", "words"), [
    ("fly", "'fly' is not known here; try: help"),
    ("freeze", "say: freeze TABLE [REASON…]"),
    ("freeze x", "'x' is not a whole number; say: freeze TABLE [REASON…]"),
    ("freeze 7", "table 7 does not play in round 1"),
    ("extend 1", "say: extend TABLE MINUTES"),
    ("extend 1 0", "table 1: an extension is some whole minutes"),
    ("extend all 0", "not done: an extension is some whole minutes"),
    ("extend all 40", "Give 40 minutes at once? Type it again with the word 'sure'"),
    ("extend 1 40 storm", "table 1: Give 40 minutes at once? Type it again"),
    ("late 1 C", "'C' is none of A B AB -; say: late TABLE A|B|AB|-"),
    ("rule 1 C", "'C' is none of A B tie"),
    ("rule 1 A 0 2", "table 1: at 0–2 games ● has won: rule that, or other games"),
    ("roll 1 perhaps", "is none of conclusive again"),
    ("start soon", "'soon' is not a number of minutes from 0 to 600; say: start"),
    ("start nan", "is not a number of minutes"),
    ("start -5", "is not a number of minutes"),
    ("start 90", "Start the round only in 90:00? Type it again with the word 'sure'"),
    ("publish 9", "there is no round 9"),
    ('freeze 1 "open', "a quotation mark is open: close it, or leave it out"),
    ("say hello", "'hello' is none of next seats"),
    ("say lunch 2000", "minutes: must be a whole number from 0 to 1092; say: say next|"),
    ("sound all loud", "'loud' is none of on off"),
    ("draft 1 rochester", "how many packs: draft 1 rochester 8 3, or draft 1 booster pod1 3"),
    ("draft 1 booster 9 3", "a Booster pod 2-8"),
    ("draft 1 rochester 8 1 90", "1-3 groups and a pick clock"),
])  # fmt: skip
def test_a_slip_is_answered_and_does_nothing(venue, console, line, words):
    console.run("publish 1")
    before = len(venue.archive.orders.all)
    (told,) = console.run(line)
    assert told.startswith("not done: ") and words in told
    assert len(venue.archive.orders.all) == before


def test_an_apostrophe_is_a_letter_of_a_name(venue, console):
    console.run("enter 77 Nicolò D'Angelo")
    assert console.run("drop D'Angelo sure") == ["Nicolò D'Angelo, 77 has dropped"]


def test_what_changes_nothing_says_so(venue, console):
    console.run("publish 1")
    assert console.run("publish 1") == ["round 1 is published already"]
    console.run("extend 1 4")
    assert console.run("extend 1 -4") == ["Table 1: 0 min more in all."]


def test_an_act_that_went_well_is_told_whatever_it_was(venue, console):
    assert console.run("rename 1 Ada Byron") == ["rename: done"]
    assert console.run("sound all on") == ["sound: asked of 2 tables"]
    assert console.run("say break 5") == ["say: asked of 2 tables"]
    for board in venue.boards:
        venue.archive.roster.move(board.device, REVOKED, "Ann", unix_ms=0)
    venue.station.refresh()
    for line in ("sound all on", "say break 5"):
        assert console.run(line) == [f"{line.split()[0]}: nothing was sent to any board"]


def test_before_a_round_is_published_nothing_can_be_asked(console):
    assert console.run("freeze all") == ["not done: no round is published yet: publish one first"]
    assert console.run("show results") == ["no round is published yet"]
    assert "not done: table 9 has no board" in console.run("luck 9 on")[0]
    assert "not done: of table 7 nothing was heard yet" in console.run("presses 7")[0]
    assert console.run("") == []


def test_refused_frames_are_shown(venue, console):
    venue.station.collector.on_advert("x", bytes(24), 0)
    assert "1 frame of unknown boards or other versions refused" in console.run("show boards")


def test_a_closed_event_has_a_receipt(venue, console):
    assert console.run("receipt") == ["not done: the event is not closed yet: close"]
    console.run("publish 1")
    console.run("close anyway")
    assert console.run("receipt") == [receipt.receipt(venue.archive)]


def test_old_words_do_the_same_and_say_the_new(console):
    said = "old words, dropped in the next version; use:"
    for old, new in (
        ("links", "link list"), ("results", "show results"), ("tables", "show tables"),
        ("boards", "show boards"),
    ):  # fmt: skip
        assert console.run(old) == [*console.run(new), f"{said} {new}"]
    assert console.run("unlink 9") == [*console.run("link revoke 9"), f"{said} link revoke 9"]
    assert console.refused
    assert console.word("unlink 1") == "link revoke"


def asked(venue):
    return [payload.numbers(order.intent)[1:] for order in venue.archive.orders.all if order.kind in (
        intents.SAY, intents.SET_POLICY, intents.SET_DRAFT)]  # fmt: skip


def test_a_message_with_the_next_rounds_time_reaches_every_board(venue, console):
    assert console.run("say pairings 10") == ["say: asked of 2 tables"]
    venue.drain()
    said = [board.match.notice for board in venue.boards]
    assert {(one.message, one.next_round_s) for one in said} == {(6, 600)}
    assert [line.split(": ", 1)[1] for line in console.news()] == ["say: done", "say: done"]


def test_sound_and_luck_are_switched_each_without_the_other(venue, console):
    console.run("sound all on")
    console.run("luck 1 on")
    venue.drain()
    assert [board.match.policy for board in venue.boards] == [9, 8]
    console.run("luck 1 barred")
    console.run("sound 1 off")
    venue.drain()
    assert [board.match.policy for board in venue.boards] == [4, 8]


def test_a_board_is_asked_to_conduct_a_draft_to_build_and_to_end(venue, console):
    for line in (
        "draft 1 rochester 8 3",
        "draft 1 rochester 7 1 3",
        "draft 2 booster 8 3",
        "draft 1 build",
        "draft 1 end",
    ):
        assert console.run(line)[0].startswith("draft: asked of table")
    assert asked(venue) == [
        (draft.SET, 0 | 8 << 1 | 3 << 5, 4000), (draft.SET, 7 << 1 | 1 << 5, 3000),
        (draft.SET, 1 | 8 << 1 | 3 << 5, 0), (draft.BUILT, 0, 0), (draft.ENDED, 0, 0),
    ]  # fmt: skip
    ledger = Ledger(None, p18, None)
    (event,) = ledger.ask(venue.archive.orders.all[0].intent, 5)
    assert event == events.Drafted(5, draft.SET, 8 << 1 | 3 << 5, 4000)


def test_a_judge_reads_the_last_ten_presses_with_their_times(venue, console):
    venue.begin()
    board = venue.boards[0]
    assert console.run("presses 1") == ["table 1: no press stands"]
    for kind, a in ((intents.SET_STARTER, 1), (intents.START_TURN, 1), (intents.END_TURN, 1)):
        assert board.ask(venue.air.now_ms, kind, a)
        venue.air.run(20_000)
    venue.drain()
    said = [line.split(": ", 1)[1] for line in console.run("presses 1")]
    assert said == [
        "the turn is over, Given0 Family (▲) is next", "Given1 Family (●)'s turn begins",
        "Given1 Family (●) starts game 1",
    ]  # fmt: skip
    assert console.run("presses 1")[0].startswith("0:2")
    assert " into the round: " in console.run("presses 1")[0]
    for _ in range(6):
        assert board.ask(venue.air.now_ms, intents.START_TURN, 0)
        assert board.ask(venue.air.now_ms, intents.END_TURN)
    venue.drain()
    assert len(console.run("presses 1")) == 10


@pytest.fixture
def people(venue):
    return lambda: {one.player.number: one for one in People(venue.archive).every}


def test_new_and_late_are_one_act(venue, console, people):
    assert console.run("enter 77 Zoë Früh") == [
        "Zoë Früh is entered as 77, and paired from the next draft on"
    ]
    console.run("publish 1")
    assert console.run("enter Ada Bianchi")[0].startswith("Ada Bianchi is entered as 78")
    assert not people()["77"].late and people()["78"].late
    assert "is taken" in console.run("enter 77 Again")[0]
    assert (
        "say the name" in console.run("enter 79 ")[0] or "say: enter" in console.run("enter 79")[0]
    )


def test_a_drop_names_the_person_and_the_table_before_it_is_done(venue, console, people):
    console.run("enter 77 Zoë Früh")
    assert console.run("drop zoe") == [
        "not done: Drop Zoë Früh, 77? Type it again with the word 'sure'"
    ]
    assert console.run("drop Given3") == [
        "not done: Drop Given3 Family, 3, at table 2 of the draft? "
        "Type it again with the word 'sure'"
    ]
    assert not people()["3"].dropped
    assert console.run("drop Given3 sure: ill") == ["Given3 Family, 3 has dropped"]
    assert people()["3"].dropped
    assert "has dropped and sits at table 2" in console.run("publish 1")[0]
    assert console.run("return family given3")[0].startswith("Given3 Family, 3 is back")
    assert not people()["3"].dropped and people()["3"].returned
    console.run("publish 1")
    assert console.run("drop given3") == [
        "not done: Drop Given3 Family, 3, at table 2 of round 1? Type it again with the word 'sure'"
    ]


def test_a_drop_names_no_table_that_others_play_at_in_this_round(venue, console):
    """Who was not paired in this round leaves none."""
    roster = venue.archive.roster
    others = replace(roster.pairing_at(1, 1), round=2, table=2)
    roster.store_round(2, roster.format_of(1), [others])
    console.run("publish 2")
    assert venue.station.desk.open == [2]
    assert console.run("drop given3")[0].startswith("not done: Drop Given3 Family, 3? ")


def test_a_name_that_may_mean_many_is_asked_about(venue, console):
    (told,) = console.run("drop family")
    assert "who do you mean: Given0 Family (0), Given1 Family (1)" in told and "number" in told
    assert "there is no player nobody" in console.run("drop nobody")[0]


@pytest.fixture
def call(venue):
    assert venue.boards[0].ask(venue.air.now_ms, intents.CALL_JUDGE, 1)
    venue.drain()
    venue.air.run(60_000)
    venue.station.desk.command(intents.Arrive, 1)
    venue.station.desk.command(intents.EndCall, 1)
    venue.drain()
    (call,) = calls(venue.archive)
    assert not call.open
    return call


@pytest.mark.venue(begun=True)
def test_it_waits_again_since_it_called(venue, console, call):
    assert console.run("putback 1") == ["table 1 is waiting for a judge again"]
    (again,) = calls(venue.archive)
    assert again.open and (again.called_ms, again.type) == (call.called_ms, "rules")
    assert again.waited_ms(venue.air.now_ms) > 60_000
    assert "is waiting for a judge already" in console.run("putback 1")[0]
    console.run("done 1")
    venue.drain()
    assert not calls(venue.archive)[0].open


@pytest.mark.venue(begun=True)
def test_only_a_call_that_ended_is_put_back(venue, console):
    assert "no call of table 2 has ended" in console.run("putback 2")[0]
    assert venue.boards[1].ask(venue.air.now_ms, intents.CALL_JUDGE, 1)
    venue.drain()
    assert "is waiting for a judge already" in console.run("putback 2")[0]
