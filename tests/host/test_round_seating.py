"""A round's seating changed by hand: values in, values out; and nobody is ever lost or seated twice."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.archive.fixed_tables import place
from host.archive.roster import Pairing, Player
from host.base.errors import UserError
from host.desk.round_seating import BYE, LOSS, OUT, RoundSeating
from host.desk.seating_effects import Past, effects, players_of, warnings

ADA, BEA, CY, DAN, EVE, FAY = (Player(str(n), name) for n, name in enumerate(
    ("Ada", "Bea", "Cy", "Dan", "Eve", "Fay"), 1
))  # fmt: skip


def seating(*pairs, losses=(), fixed=None, elimination=False):
    """A seating of pairs at tables 1, 2 and so on; one player alone has the bye."""
    pairings = [
        Pairing(2, at, at if len(pair) > 1 else None, pair[0], pair[1] if len(pair) > 1 else None)
        for at, pair in enumerate(pairs, 1)
    ]
    return RoundSeating(2, tuple(pairings), losses, fixed or {}, elimination)


def shown(found):
    """The seating by table: names, "bye" and "loss"."""
    lines = {one.table or f"bye {one.a.name}": (one.a.name, one.b and one.b.name)
             for one in found.pairings}  # fmt: skip
    return lines | {f"loss {one.name}": None for one in found.losses}


FIVE = seating((ADA, BEA), (CY, DAN), (EVE,))


def test_two_players_change_places():
    assert shown(FIVE.with_swap(ADA, CY, ())) == {
        1: ("Cy", "Bea"), 2: ("Ada", "Dan"), "bye Eve": ("Eve", None),
    }  # fmt: skip
    assert shown(FIVE.with_swap(ADA, BEA, ()))[1] == ("Bea", "Ada")
    with_bye = shown(FIVE.with_swap(EVE, BEA, ()))
    assert with_bye[1] == ("Ada", "Eve") and "bye Bea" in with_bye
    with pytest.raises(UserError, match="one player"):
        FIVE.with_swap(ADA, ADA, ())


def test_a_latecomer_plays_who_has_the_bye_or_takes_a_seat():
    assert shown(FIVE.with_swap(FAY, EVE, ())) == {
        1: ("Ada", "Bea"), 2: ("Cy", "Dan"), 3: ("Fay", "Eve"),
    }  # fmt: skip
    assert 9 in shown(FIVE.with_swap(FAY, EVE, (1, 2, 9))), "a table with a board before others"
    taken = shown(FIVE.with_swap(FAY, ADA, ()))
    assert taken[1] == ("Fay", "Bea") and "bye Ada" in taken and "bye Eve" in taken
    both = seating((ADA, BEA), (CY,), (DAN,)).with_swap(CY, DAN, ())
    assert shown(both) == {1: ("Ada", "Bea"), 2: ("Cy", "Dan")}


def test_who_has_a_loss_changes_places_too():
    lost = seating((ADA, BEA), losses=(CY,))
    assert shown(lost.with_swap(CY, BEA, ())) == {1: ("Ada", "Cy"), "loss Bea": None}
    assert shown(lost.with_swap(CY, DAN, ()))[2] == ("Cy", "Dan")


@pytest.mark.parametrize("what, whom, after", [
    (BYE, ADA, {1: ("Eve", "Bea"), 2: ("Cy", "Dan"), "bye Ada": ("Ada", None)}),
    (LOSS, BEA, {1: ("Ada", "Eve"), 2: ("Cy", "Dan"), "loss Bea": None}),
    (OUT, DAN, {1: ("Ada", "Bea"), 2: ("Cy", "Eve")}),
    (LOSS, EVE, {1: ("Ada", "Bea"), 2: ("Cy", "Dan"), "loss Eve": None}),
    (BYE, FAY, {1: ("Ada", "Bea"), 2: ("Cy", "Dan"), "bye Eve": ("Eve", None), "bye Fay": ("Fay", None)}),
])  # fmt: skip
def test_who_is_left_alone_plays_who_has_the_bye(what, whom, after):
    assert shown(FIVE.without_match(whom, what)) == after


def test_without_a_bye_who_is_left_alone_has_one():
    assert shown(seating((ADA, BEA)).without_match(ADA, LOSS)) == {
        "bye Bea": ("Bea", None), "loss Ada": None,
    }  # fmt: skip
    bracket = seating((ADA, BEA), (CY,), elimination=True).without_match(ADA, OUT)
    assert shown(bracket) == {"bye Bea": ("Bea", None), "bye Cy": ("Cy", None)}
    for what, whom in ((BYE, EVE), (OUT, FAY)):
        with pytest.raises(UserError, match="already"):
            FIVE.without_match(whom, what)
    with pytest.raises(UserError, match="already"):
        seating((ADA, BEA), losses=(CY,)).without_match(CY, LOSS)


def test_a_match_moves_to_a_table_once_or_from_now_on():
    once = FIVE.with_move(ADA, 2, stays=False)
    assert shown(once)[2] == ("Ada", "Bea") and shown(once)[1] == ("Cy", "Dan")
    assert once.fixed == {}
    kept = FIVE.with_move(ADA, 7, stays=True)
    assert shown(kept)[7] == ("Ada", "Bea") and 1 not in shown(kept)
    assert kept.fixed == {"1": 7}
    swapped = kept.with_swap(ADA, CY, ())
    assert shown(swapped)[7] == ("Ada", "Dan"), "who keeps a table stays there"
    assert kept.without_fixed_table("1").fixed == {}
    assert FIVE.with_move(EVE, 4, stays=True).fixed == {"5": 4}, "from the next round on"
    with pytest.raises(UserError, match="no table"):
        FIVE.with_move(EVE, 4, stays=False)


def test_a_table_is_kept_for_one():
    kept = seating((ADA, BEA), (CY, DAN), fixed={"1": 1})
    for stays in (True, False):
        with pytest.raises(UserError, match="kept for player 1"):
            kept.with_move(CY, 1, stays)
    assert shown(kept.with_move(CY, 1, True, dropped={"1"}))[2] == ("Cy", "Dan"), (
        "the first kept it"
    )
    with pytest.raises(UserError, match="Ada keeps table 1"):
        kept.with_move(ADA, 2, stays=False)
    away = seating((BEA, DAN), fixed={"1": 1})
    assert 1 in shown(away.with_move(BEA, 1, stays=False)), "nobody keeps it in this round"


def test_a_draft_is_placed_at_the_tables_that_are_kept():
    pairings = [
        Pairing(1, 1, 1, ADA, BEA), Pairing(1, 2, 2, CY, DAN), Pairing(1, 3, None, EVE, None),
    ]  # fmt: skip
    tables = {one.pairing: one.table for one in place(pairings, {"3": 1, "5": 2})}
    assert tables == {1: 2, 2: 1, 3: None}
    assert [one.table for one in place(pairings, {"1": 9, "2": 2})] == [9, 2, None]
    assert place(pairings, {"77": 1}) == pairings


PAST = Past(
    points={"1": 6, "2": 6, "3": 3, "4": 3},
    met={frozenset("13"): [1], frozenset("12"): [2, 3]},
    byes={"2": [1]},
    pods={},
    affiliations={"1": "Club", "4": "Club"},
)


def told(after, before=FIVE, known=PAST):
    return [str(one) for one in (*effects(before, after), *warnings(before, after, known))]


def test_a_change_says_what_it_does():
    assert told(FIVE.with_swap(BEA, CY, ())) == [
        "table 1: Ada – Cy", "table 2: Bea – Dan", "a rematch: Ada and Cy met in round 1",
        "Ada (6) and Cy (3) are 3 points apart", "Bea (6) and Dan (3) are 3 points apart",
    ]  # fmt: skip
    assert told(FIVE.with_swap(ADA, BEA, ())) == ["table 1: Bea is ▲ and Ada is ●"]
    assert told(FIVE.with_swap(EVE, BEA, ())) == [
        "table 1: Ada – Eve", "Bea has a bye", "Ada (6) and Eve (0) are 6 points apart",
        "a second bye: Bea had one in round 1",
    ]  # fmt: skip
    assert told(FIVE.without_match(CY, LOSS), known=Past()) == [
        "table 2: Eve – Dan",
        "Cy has a loss in this round",
    ]
    assert told(FIVE.without_match(DAN, OUT), known=Past()) == [
        "table 2: Cy – Eve",
        "Dan does not play in this round",
    ]
    assert "Ada and Dan are both of Club" in told(FIVE.with_swap(BEA, DAN, ()))
    apart = Past(points={"1": 1, "4": 0})
    assert "Ada (1) and Dan (0) are one point apart" in told(
        FIVE.with_swap(BEA, DAN, ()), known=apart
    )
    pods = Past(pods={"1": 1, "2": 1, "3": 2, "4": 2})
    assert told(FIVE.with_swap(BEA, CY, ()), known=pods)[2] == (
        "Ada and Cy are of different pods: matches stay inside the pod (D03 App. A 1)"
    )


def test_a_change_says_what_becomes_of_tables_and_byes():
    assert told(FIVE.with_move(ADA, 2, stays=False)) == [
        "Cy – Dan: from table 2 to table 1",
        "Ada – Bea: from table 1 to table 2",
    ]
    assert told(FIVE.with_move(ADA, 1, stays=True)) == [
        "Ada stays at table 1 in every round from now on"
    ]
    kept = seating((ADA, BEA), (CY, DAN), fixed={"1": 1, "3": 2})
    assert "Cy keeps table 2, and would play at table 1" in told(kept.with_swap(BEA, CY, ()), kept)
    assert told(kept.without_fixed_table("1"), kept) == [
        "Ada no longer keeps table 1; in this round nothing moves"
    ]
    assert told(FIVE.with_swap(FAY, DAN, ()), known=Past()) == [
        "table 2: Cy – Fay",
        "Dan has a bye",
        "Eve, Dan have byes: choose two of them to let them play each other",
    ]
    bracket = seating((ADA, BEA), (CY, DAN), elimination=True)
    assert told(bracket.with_swap(FAY, DAN, ()), bracket, Past()) == [
        "table 2: Cy – Fay",
        "Dan does not play in this round",
        "this is an elimination: the next rounds follow from who meets here",
    ]
    assert told(bracket.with_swap(ADA, CY, ()), bracket, Past())[-1].startswith(
        "this is an elimination"
    )


def test_a_version_tells_seatings_apart():
    swapped = FIVE.with_swap(ADA, CY, ())
    assert FIVE.version(False) not in (FIVE.version(True), swapped.version(False))
    assert swapped.with_swap(ADA, CY, ()).version(False) == FIVE.version(False)
    assert FIVE.with_move(ADA, 1, stays=True).version(False) != FIVE.version(False)


PEOPLE = [Player(str(n), f"P{n}") for n in range(9)]
WHO = st.sampled_from(PEOPLE)
EDITS = st.one_of(
    st.tuples(st.just("with_swap"), WHO, WHO, st.just(())),
    st.tuples(st.just("without_match"), WHO, st.sampled_from((BYE, LOSS))),
    st.tuples(st.just("with_move"), WHO, st.integers(1, 6), st.booleans()),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(EDITS, max_size=12), st.booleans())
def test_after_any_changes_everybody_sits_once_or_has_a_bye_or_a_loss(edits, elimination):
    pairs = [PEOPLE[n : n + 2] for n in range(0, 7, 2)]
    now = seating(*pairs[:3], (PEOPLE[6],), elimination=elimination)
    inside = {one.number for one in PEOPLE[:7]}
    for name, who, *more in edits:
        playing = {one.number for pair in now.pairings if pair.b for one in pair.players}
        try:
            now = getattr(now, name)(who, *more)
        except UserError:
            continue
        if name == "without_match":
            inside.add(who.number)
        if name == "with_swap":
            both = {who.number, more[0].number}
            takes_a_place = elimination and both & playing and both - inside
            inside = inside ^ both if takes_a_place else inside | both
        numbers = [one.number for one in players_of(now)]
        assert sorted(numbers) == sorted(inside)
        tables = [one.table for one in now.pairings if one.b is not None]
        assert None not in tables and len(set(tables)) == len(tables)
        assert all(one.table is None for one in now.pairings if one.b is None)
        assert len({one.pairing for one in now.pairings}) == len(now.pairings)
