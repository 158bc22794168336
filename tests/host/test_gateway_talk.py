"""The PC's half of a gateway's protocol, and its clock: no port, no time but what is told."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.core import usb
from host.collector.carriers.gateway_clock import GatewayClock
from host.collector.carriers.gateway_talk import GatewayTalk, Heard

ADDRESS = bytes((9, 8, 7, 6, 5, 0xC4))
HELLO = usb.pack(usb.HELLO, 0, usb.VERSION, 8, 1000, ADDRESS)
S = 1_000_000
DELAYS = st.integers(200, 70_000)  # us


def asked(talk, now_us):
    """Return the messages that the PC writes now."""
    return [(kind, *values) for kind, _, values in usb.Splitter().feed(talk.output(now_us))]


def met(ticks=1000, now_us=0):
    """Return a talk with a gateway that stands at ``ticks`` and has answered at once."""
    talk = GatewayTalk(now_us)
    talk.received(HELLO, now_us)
    ((_, nonce),) = asked(talk, now_us)
    talk.received(usb.pack(usb.PONG, 1, nonce, ticks, 0, 0), now_us)
    return talk


def test_nothing_is_written_before_it_has_introduced_itself():
    talk = GatewayTalk(0)
    assert not talk.output(S) and not talk.received(usb.pack(usb.PONG, 1, 1, 1, 0, 0), S)
    assert talk.received(b"AT\r\n\x00" + usb.pack(usb.HEARD, 2, 1, 1, ADDRESS, b"x"), S) == []
    assert not talk.output(2 * S) and talk.version is None
    talk.received(HELLO, 2 * S)
    assert talk.listening and talk.address == "C4:05:06:07:08:09"
    assert [kind for kind, *_ in asked(talk, 2 * S)] == [usb.PING]


def test_another_version_is_known_and_not_spoken_to():
    talk = GatewayTalk(0)
    talk.received(usb.pack(usb.HELLO, 0, 2, 8, 0, ADDRESS), 0)
    assert talk.version == 2 and not talk.listening and not talk.output(S)


def test_it_is_asked_twice_a_second_and_gone_before_two_seconds_of_silence():
    talk = met()
    assert [bool(talk.output(at_us)) for at_us in range(0, S, 100_000)].count(True) == 1
    assert not talk.gone(3 * S // 2) and talk.gone(2 * S - 100_000)
    talk.received(usb.pack(usb.PLACES, 2, 8, 0, 0), 2 * S)
    assert not talk.gone(7 * S // 2)


def test_what_it_hears_has_the_pcs_time():
    talk = met(ticks=5000, now_us=7 * S)
    message = usb.pack(usb.HEARD, 2, 5900, -70, ADDRESS, bytes(24))
    assert talk.received(message, 8 * S) == [
        Heard("C4:05:06:07:08:09", bytes(24), -70, 7 * S + 900_000)
    ]
    assert not talk.doubtful


@given(st.integers(0, (1 << 29) - 1))
def test_a_time_that_cannot_be_is_counted_and_never_believed(ticks):
    talk = met(ticks=5000, now_us=7 * S)
    (heard,) = talk.received(usb.pack(usb.HEARD, 2, ticks, -70, ADDRESS, b"x"), 8 * S)
    assert 8 * S - 2_100_000 <= heard.at_us <= 8 * S
    # 1.6 ms: a tick, and a second of drift
    assert talk.lies == (not -1001 <= usb.since_ms(ticks, 5000) <= 1001)


def test_a_clock_that_jumps_is_noticed_and_taken_anew():
    talk = met(ticks=5000, now_us=0)
    ((_, nonce),) = asked(talk, S)
    talk.received(usb.pack(usb.PONG, 2, nonce, 9000, 3, 1), S)
    assert talk.clock.steps == 1 and talk.doubtful and (talk.heard, talk.lost) == (3, 1)
    assert talk.clock.at_us(9000) == S


def test_an_answer_to_nothing_that_was_asked_changes_no_clock():
    talk = met(ticks=5000)
    before = talk.clock.at_us(5000)
    talk.received(usb.pack(usb.PONG, 2, 999, 1, 0, 0), S)
    assert talk.clock.at_us(5000) == before and not talk.clock.steps


def test_as_many_adverts_are_under_way_as_there_are_places():
    talk = met(ticks=1000)
    at_us = 2 * S
    assert [talk.send(bytes(31), at_us, 60, S) for _ in range(9)] == [True] * 8 + [False]
    sent = usb.Splitter().feed(talk.output(S))
    sends = [(counter, values) for kind, counter, values in sent if kind == usb.SEND]
    assert [values for _, values in sends] == [(3000, 60, bytes(31))] * 8
    # it has taken three of them, and two of its places are in use by now
    talk.received(usb.pack(usb.PLACES, 2, 6, sends[2][0], 4), S)
    assert talk.late == 4 and talk.send(b"x", at_us, 60, S) and not talk.send(b"x", at_us, 60, S)


def test_an_advert_for_the_past_or_for_a_clock_that_is_not_known_is_refused():
    talk = met()
    assert not talk.send(b"x", S - 1, 60, S) and not talk.send(b"x", 7 * S, 60, S)
    new = GatewayTalk(0)
    new.received(HELLO, 0)
    assert not new.send(b"x", 2 * S, 60, S)


@given(st.integers(-500, 500), st.integers(0, (1 << 29) - 1), st.lists(st.tuples(DELAYS, DELAYS)))
def test_the_clock_is_never_further_off_than_it_says(ppm, begun, delays):
    """Whatever the two ways take, at any drift that a board can have, over a wrap of its ticks."""
    clock, now_us = GatewayClock(), 0

    def ticks_at(at_us):
        return usb.later(begun, int(at_us * (1 + ppm / 1e6)) // 1000)

    for there_us, back_us in delays:
        read_us, end_us = now_us + there_us, now_us + there_us + back_us
        clock.answered(now_us, end_us, ticks_at(read_us))
        for later_us in (0, 30 * S):
            at_us = read_us + later_us
            assert abs(clock.at_us(ticks_at(at_us)) - at_us) <= clock.error_us(at_us) + 1000
        now_us = end_us + 500_000
    assert clock.steps == 0


@given(st.binary(max_size=300))
def test_any_bytes_are_survived(data):
    talk = met()
    for heard in talk.received(data, S):
        assert isinstance(heard, Heard)
    talk.output(S)
