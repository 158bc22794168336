"""One row says all that is said of an intent."""

import pytest

from firmware.core import intents, payload
from host.archive.orders import Order
from host.base import commands
from host.server.console import order_text
from host.web import tablecard


def order(intent):
    return Order(1, 1, 1, 4, intent.kind, *payload.numbers(intent), "Jo", "", 0, "pending", 0)


def test_an_order_is_said_by_its_row():
    assert order_text(order(intents.SetPolicy(5, 8))) == "table 4: set the switches: pending"
    assert tablecard.order_card(order(intents.SetPolicy(5, 8)))["what"] == "policy"


def test_no_two_rows_are_of_one_intent_or_one_incident():
    kinds = [one.kind for one in commands.COMMANDS]
    made = [kind for one in commands.COMMANDS for kind in one.becomes]
    assert len({*kinds}) == len(kinds) and len({*made}) == len(made)


def test_a_number_without_a_row_is_said_as_it_is():
    assert commands.of(intents.TICK) is None
    assert order_text(order(intents.Tick(0))) == f"table 4: {intents.TICK}: pending"


@pytest.mark.parametrize("one", [one for one in commands.COMMANDS if intents.from_desk(one.kind)])
def test_every_order_has_its_own_row_words_and_events(one):
    """Also what the desk log and the incident log call it."""
    assert one.asked and (one.word or one.kind == intents.SET_NONCE)
    assert bool(one.incident) == bool(one.becomes)
