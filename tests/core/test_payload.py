"""Events and intents with names: where their fields lie in a record (``payload``)."""

import pytest

from firmware.core import events, frames, intents, payload

CLASSES = [*events.CLASSES, *intents.CLASSES]


def name_of(one):
    return one.__name__


def camel(constant):
    return "".join(part.capitalize() for part in constant.split("_"))


@pytest.mark.parametrize("one", CLASSES, ids=name_of)
def test_a_message_is_made_of_all_its_fields_and_no_more(one):
    values = [_nothing(one, at) for at in range(len(_names(one)))]
    assert one(*values).values == values
    for wrong in (values[:-1], [*values, 0]):
        with pytest.raises(TypeError, match=", ".join(_names(one))):
            one(*wrong)


@pytest.mark.parametrize("one", CLASSES, ids=name_of)
def test_each_field_has_a_place_of_its_own(one):
    taken = 0
    for at, name in enumerate(payload.layout(one.LAYOUT).names):
        size = payload.layout(one.LAYOUT).fields[at][2]
        full = bytes([255] * size) if payload.layout(one.LAYOUT).fields[at][1] is None else size
        values = [
            full if other == at else _nothing(one, other) for other in range(len(_names(one)))
        ]
        message = one(*values)
        assert getattr(message, name) == full
        bits = int.from_bytes(payload.pack(message), "little")
        assert bits and not bits & taken
        taken |= bits
    assert taken < 1 << 72


def _names(one):
    return payload.layout(one.LAYOUT).names


def _nothing(one, at):
    _, low, most = payload.layout(one.LAYOUT).fields[at]
    return bytes(most) if low is None else 0


@pytest.mark.parametrize("module", [events, intents], ids=name_of)
def test_what_was_packed_is_unpacked(module):
    for one in module.CLASSES:
        for data in (bytes(9), bytes([255] * 9), bytes(range(1, 10)), bytes(range(247, 256))):
            message = module.unpack(one.kind, b"before" + data + b"behind", 6)
            assert type(message) is one
            assert message == module.unpack(one.kind, payload.pack(message))
            assert message.fits


@pytest.mark.parametrize("one", CLASSES, ids=name_of)
def test_what_does_not_fit_is_refused(one):
    for at, (_, low, most) in enumerate(payload.layout(one.LAYOUT).fields):
        for wrong in (-1, most + 1) if low is not None else (bytes(most + 1), bytes(most - 1)):
            values = [_nothing(one, other) for other in range(len(_names(one)))]
            values[at] = wrong
            with pytest.raises(ValueError):
                payload.pack(one(*values))


@pytest.mark.parametrize("module", [events, intents], ids=name_of)
def test_each_kind_has_one_class_of_its_name(module):
    kinds = {
        name: value
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, int) and not name.endswith("_BASE")
    }
    assert {camel(name): number for name, number in kinds.items()} == {
        one.__name__: one.kind for one in module.CLASSES
    }
    assert len({one.kind for one in module.CLASSES}) == len(module.CLASSES)


def test_every_kind_that_a_record_can_have_is_an_event():
    kinds = {one.kind for one in events.CLASSES}
    assert set(range(8, frames.EXTENDED)) <= kinds <= set(range(8, 128))


@pytest.mark.parametrize("one", CLASSES, ids=name_of)
def test_a_number_from_64_on_keeps_byte_4_for_itself(one):
    names = payload.layout(one.LAYOUT).names
    module = events if issubclass(one, events.Event) else intents
    full = module.unpack(one.kind, bytes([255] * payload.SIZE))
    assert one.kind < frames.EXTENDED or not payload.pack(full)[4], names


@pytest.mark.parametrize("message, written", [
    (events.GameWon(0x04030201, 1, 0x11, 3, 7, 0), "01020304 01 1103 0700"),
    (events.Resumed(1, 3, 0x01020304), "01000000 03 0403 0201"),
    (events.StateTold(1, 1, 7, 2, 0, 2, 1), "01000000 2f 0200 0100"),
    (events.TurnTold(1, 3, 1, 1, 4, 6, 1), "01000000 13 0104 0601"),
    (events.Rolled(1, 1, 2, 6, 8, 0x0203), "01000000 21 0608 0302"),
    (events.SeedTold(b"abcd", 4, b"efgh"), "61626364 04 6566 6768"),
    (events.Sealed(0x0102, b"abcdefg"), "02016162 63 6465 6667"),
    (intents.RuleResult(1, 2, 1, 1, 40, 100), "01000000 c2 2800 6400"),
    (intents.TakeBack(1, 3, 2, 5), "01000000 03 0200 0500"),
], ids=repr)  # fmt: skip
def test_vectors(message, written):
    assert payload.pack(message) == bytes.fromhex(written)


def test_values_compare_and_kinds_do():
    won = events.GameWon(1, 0, 2, 0, 0, 0)
    assert won == events.GameWon(1, 0, 2, 0, 0, 0) and won != events.GameWon(2, 0, 2, 0, 0, 0)
    assert hash(won) == hash(events.GameWon(1, 0, 2, 0, 0, 0))
    assert intents.ConfirmSeat(1, 0) != intents.SetStarter(1, 0)
    assert won != (events.GAME_WON,) and won is not None
    assert repr(won) == "GameWon(at_ms=1, seat=0, section=2, penalty=0, situation=0, phase=0)"


def test_another_time_leaves_the_rest():
    won = events.GameWon(1, 0, 2, 0, 0, 0)
    assert won.at(5) == events.GameWon(5, 0, 2, 0, 0, 0) and won.at_ms == 1
