"""A ruling that cannot be is refused where it is made; an odd one is asked about."""

import pytest
from webclient import Browser

from host.base.errors import UserError
from host.desk import rulings

pytestmark = pytest.mark.archives

SWISS3, CUT3, SWISS1, CUT1 = 3 << 1, 3 << 1 | 1, 1 << 1, 1 << 1 | 1
CANNOT = [(SWISS3, "A", (0, 2)), (SWISS3, "tie", (2, 0)), (SWISS3, "B", (2, 1)),
          (SWISS3, "tie", (9, 9)), (SWISS3, "A", (3, 0)),
          (SWISS3, "A", (2, 2)), (CUT3, "tie", (1, 1)), (CUT1, "tie", (0, 0)),
          (SWISS1, "A", (0, 1)), (SWISS1, "A", (2, 0))]  # fmt: skip
ODD = [(SWISS3, "B", (0, 0)), (SWISS3, "A", (0, 1)), (CUT3, "A", (1, 1)), (SWISS3, "tie", (1, 0))]
PLAIN = [(SWISS3, "A", (1, 0)), (SWISS3, "A", (2, 1)), (SWISS3, "tie", (0, 0)),
         (SWISS3, "tie", (1, 1)), (SWISS1, "B", (0, 0)), (SWISS1, "tie", (0, 0)),
         (CUT1, "A", (1, 0))]  # fmt: skip


@pytest.mark.parametrize("told", CANNOT)
def test_what_cannot_be_is_refused_in_one_sentence(told):
    with pytest.raises(UserError):
        rulings.check(*told, told[0] >> 1 & 3)


@pytest.mark.parametrize("told", ODD + PLAIN)
def test_what_the_rules_allow_is_allowed_and_only_the_odd_is_asked_about(told):
    rulings.check(*told, told[0] >> 1 & 3)
    assert bool(rulings.question(*told, told[0] >> 1 & 3)) == (told in ODD)


@pytest.mark.venue(begun=True)
def test_the_page_refuses_and_asks(venue, service):
    judge = Browser(service, "judge")
    told = {"table": 1, "final": True, "reason": "seen"}
    for outcome, games in (("A", [0, 2]), ("tie", [2, 0]), ("tie", [9, 9])):
        answer = judge.act("rule", outcome=outcome, games=games, **told)
        assert answer.status == 409 and answer.json["error"]
    asked = judge.act("rule", outcome="B", games=[0, 0], **told)
    assert asked.json["orders"] == [] and "concession" in asked.json["ask"]
    assert not service.archive.orders.pending
    assert judge.act("rule", outcome="B", games=[0, 0], sure=True, **told).json["orders"]
    venue.drain()
    assert venue.station.hall.results(1)[1].outcome == "B"


@pytest.mark.venue(begun=True)
def test_without_games_the_tables_own_count(venue, console):
    from firmware.core import intents

    board = venue.boards[0]
    assert board.ask(venue.air.now_ms, intents.SET_STARTER, 0)
    assert board.ask(venue.air.now_ms, intents.WIN_GAME, 1)
    venue.drain()
    assert "●" not in console.run("rule 1 B time was called")[0]
    order = venue.archive.orders.all[-1]
    assert order.intent == intents.RuleResult(order.at_ms, 2, 0, 0, 0, 1)
    assert order.reason == "time was called"


@pytest.mark.venue(begun=True)
def test_typed_it_is_refused_and_asked_alike(venue, console):
    before = len(venue.archive.orders.all)
    assert "cannot be" in console.run("rule 1 tie 9 9 final")[0]
    assert "has won" in console.run("rule 1 A 0 2 final")[0]
    assert "sure" in console.run("rule 1 B 0 0 final left")[0]
    assert len(venue.archive.orders.all) == before
    console.run("rule 1 B 0 0 final sure left")
    assert venue.archive.orders.all[-1].reason == "left"
