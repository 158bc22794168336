"""One word for one thing: the decisions in host/locale/README.md, in every catalogue."""

import re

import pytest

from host.archive.roster import Pairing, Player
from host.base import catalogues
from host.base.words import amount
from host.cli.dev import extraction
from host.event import table_rows
from host.event.match_results import AGREED, Result

NEVER = re.compile(
    r"tavolett|\bpatt[ae]\b|\bparità\b|squadron|episodi|tagliand|\bparete\b|estension|oltre il tempo",
    re.IGNORECASE,
)
TURN, ROUND = re.compile(r"\bturn[oi]\b", re.IGNORECASE), re.compile(r"\bround\b", re.IGNORECASE)
GAME_ROUNDS = (  # X-Wing's rounds of play are turns in Italian
    "told_round", "told_between", "go_note", "round_on", "round_off", "xw_ask", "xw_finish_line",
)  # fmt: skip
CLUMSY = re.compile(
    r"\bI go\b|I am there|[Gg]ive it back|run on\b|[Ww]ho meets whom|[Tt]rust it|at room|"
    r"judge asked|is no \S+ die|told apart by nothing|\btie \{?\d?\w*\}?–"
)


def forms(domain):
    """Yield ``(key, English, Italian)`` of every form of every text of a domain."""
    italian = catalogues.catalogue("it", domain).texts
    for entry in extraction.entries(domain):
        said = italian[entry.context, entry.english]
        for one in (said,) if isinstance(said, str) else said:
            yield entry.context or entry.english, entry.english, one


@pytest.mark.parametrize("domain", catalogues.DOMAINS)
def test_italian_has_no_second_word_for_a_thing(domain):
    assert [(key, text) for key, _, text in forms(domain) if NEVER.search(text)] == []


@pytest.mark.parametrize("domain", catalogues.DOMAINS)
def test_a_round_is_a_round_and_a_turn_is_a_turno(domain):
    wrong = []
    for key, english, italian in forms(domain):
        plays = key in GAME_ROUNDS or re.search(r"\bturns?\b|overtime", english, re.IGNORECASE)
        if TURN.search(italian) and not plays or TURN.search(italian) and ROUND.search(italian):
            wrong.append((key, italian))
        if ROUND.search(italian) and not re.search(r"\brounds?\b|pre-game", english, re.IGNORECASE):
            wrong.append((key, italian))
    assert wrong == []


@pytest.mark.parametrize("domain", catalogues.DOMAINS)
def test_english_is_the_trades(domain):
    texts = [text for one in extraction.entries(domain) for text in (one.english, one.many) if text]
    assert [text for text in texts if CLUMSY.search(text)] == []


def test_an_amount_carries_its_noun():
    assert [amount(n, "match", "matches") for n in (0, 1, 2)] == [
        "no matches", "1 match", "2 matches",
    ]  # fmt: skip
    assert amount(0, "bye") == "no byes" and amount(1, "bye") == "1 bye"


def test_a_tie_has_its_score_in_brackets():
    pairing = Pairing(1, 1, 1, Player("1", "Ann"), Player("2", "Bo"))
    said = [
        table_rows.result(
            table_rows.Row(pairing, "open", 0, (0, 0), None, 0,
                           Result(1, 1, outcome, games, None, AGREED, 0, False), None, ())
        )
        for outcome, games in (("tie", (1, 0)), ("A", (2, 1)))
    ]  # fmt: skip
    assert said == ["tie (1–0; agreed)", "Ann wins 2–1 (agreed)"]
