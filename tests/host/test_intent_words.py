"""One row says all that is said of an intent, also where several share a number."""

import pytest

from firmware.core import events, intents, payload
from host.archive.orders import Order
from host.base import commands
from host.base.words import order_text
from host.web import tablecard


def order(intent):
    """Return an order of an intent that waits at table 4."""
    return Order(1, 1, 1, 4, intent.kind, *payload.numbers(intent), "Jo", "", 0, "pending", 0)


@pytest.fixture
def shared(monkeypatch):
    """Give the number of SET_POLICY to another intent, too: its highest bit."""
    row = commands.Command(
        intents.SET_POLICY, "hush", "hush", title="silence", incident="hushed",
        becomes=(events.POLICY_SET,), when=lambda message: message.switches & 128,
    )  # fmt: skip
    monkeypatch.setattr(commands, "COMMANDS", (row, *commands.COMMANDS))
    return row


def test_intents_that_share_a_number_have_a_row_each(shared):
    hush, plain = order(intents.SetPolicy(5, 128)), order(intents.SetPolicy(5, 8))
    assert commands.of(hush) is shared
    found = commands.of(plain)
    assert found is not None and found.asked == "set the switches"
    assert order_text(hush) == "table 4: hush: pending"
    assert order_text(plain) == "table 4: set the switches: pending"
    assert [tablecard.order_card(one)["what"] for one in (hush, plain)] == ["hush", "policy"]


def test_so_have_the_events_that_they_become(shared):
    assert commands.behind(events.PolicySet(5, 128)) is shared
    assert commands.behind(events.PolicySet(5, 8)) is None


def test_a_number_without_a_row_is_said_as_it_is():
    assert commands.of(order(intents.Tick(0))) is None
    assert order_text(order(intents.Tick(0))) == f"table 4: {intents.TICK}: pending"


@pytest.mark.parametrize(
    "one", [one for one in commands.COMMANDS if one.kind < intents.SEATED_BASE]
)
def test_every_order_has_its_own_row_words_and_events(one):
    """Also what the desk log and the incident log call it."""
    assert one.asked and (one.word or one.kind == intents.SET_NONCE)
    assert bool(one.incident) == bool(one.becomes)
