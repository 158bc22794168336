"""What pages are told and when: deltas, resuming, hidden clocks, and bounds that hold."""

import asyncio
import json

import pytest
from announcing import hear, status
from webclient import HOST, Browser, office_of

from firmware.core import events, intents
from host.archive.access_links import AccessLink
from host.archive.roster import Format, Pairing, Player
from host.desk.announcements import Announcements
from host.sim import clock
from host.web import http_loop, stream, streams, views
from host.web.streams import Listener, Streams

pytestmark = pytest.mark.venue(tables=3, begun=True)

WHOLE = b"whole"


def listener(service, role="judge", link=1, last_id=None):
    found = Listener(link, views.view_of(role), lambda: None)
    service.change_feed.streams.join(found, last_id)
    return found, found.take(lambda: service.change_feed.message(found.view, service.now_ms))


def told(messages):
    """Return ``[(kind, data)]`` of messages as they go over the wire."""
    found = []
    for message in messages:
        fields = dict(line.split(": ", 1) for line in message.decode().strip().split("\n"))
        found.append((fields["event"], json.loads(fields["data"])))
    return found


def steps_until_told(venue, service, page, holds):
    """Let 20 ms pass at a time, the change feed beating every 50 ms; return the ms until
    ``holds(section, id, value)``.
    """
    began_ms = venue.air.now_ms
    for _ in range(400):
        venue.air.run(20)
        if (venue.air.now_ms - began_ms) % 60 == 0:
            service.change_feed.step(venue.air.now_ms)
        for kind, data in told(page.take(lambda: WHOLE)):
            if kind == "delta" and any(holds(*one) for one in data["set"]):
                return venue.air.now_ms - began_ms
    return None


def test_a_change_is_told_at_the_next_beat_after_its_arrival(venue, service):
    venue.drain()
    service.change_feed.step(venue.air.now_ms)
    page, first = listener(service)
    assert told(first)[0][0] == "state"
    arrived_ms, call = {}, []

    def stored(entries):
        arrived_ms.update({entry.counter: venue.air.now_ms for entry in entries})
        call.extend(entry.counter for entry in entries if entry.kind == events.JUDGE_CALLED)

    venue.station.listeners.append(stored)
    venue.boards[0].ask(venue.air.now_ms, intents.CALL_JUDGE, 2)
    began_ms = venue.air.now_ms
    took_ms = steps_until_told(
        venue,
        service,
        page,
        lambda section, key, value: section == "calls" and value["type"] == "deck",
    )
    # the air reorders: the call counts once its board's records before it are there too
    complete_ms = max(ms for counter, ms in arrived_ms.items() if counter <= call[0])
    assert 0 <= began_ms + took_ms - complete_ms <= 60  # a beat of this test


def test_the_host_says_that_it_is_there_though_its_events_time_stands_still(service):
    page, _ = listener(service)

    async def ten_seconds():
        task = asyncio.ensure_future(http_loop.tick(service))
        await asyncio.sleep(10)  # so long pages wait before they call a line lost
        task.cancel()

    clock.run(ten_seconds())
    beats = [data for kind, data in told(page.take(lambda: WHOLE)) if kind == "beat"]
    assert beats == [{"now_ms": service.now_ms}] * 3


def test_an_announced_result_is_told_at_the_next_beat_after_it_is_stored(venue, service):
    venue.drain()
    venue.air.away.add("radio 101")
    venue.win(venue.boards[0])
    hear(venue, status(venue.boards[0]))
    service.change_feed.step(venue.air.now_ms)
    page, _ = listener(service)
    assert Announcements(venue.station).store(venue.air.now_ms)
    assert service.change_feed.step(venue.air.now_ms)
    cards = [data["set"] for kind, data in told(page.take(lambda: WHOLE)) if kind == "delta"]
    (card,) = (value for section, key, value in cards[0] if (section, key) == ("tables", "1"))
    assert card["result"]["by"] == "announced"


def test_many_changes_of_a_table_between_two_beats_are_one(venue, service):
    venue.drain()
    service.change_feed.step(venue.air.now_ms)
    page, _ = listener(service)
    for kind in (intents.SET_STARTER, intents.END_TURN, intents.END_TURN):
        venue.boards[0].ask(venue.air.now_ms, kind, 0)
    venue.drain()
    service.change_feed.step(venue.air.now_ms)
    found = [data for kind, data in told(page.take(lambda: WHOLE)) if kind == "delta"]
    assert len(found) == 1
    places = [(section, key) for section, key, _ in found[0]["set"]]
    assert len(places) == len(set(places))


def test_a_quiet_room_says_nothing(venue, service):
    venue.drain()
    service.change_feed.touch()
    service.change_feed.step(venue.air.now_ms)
    assert service.change_feed.step(venue.air.now_ms + 50) == 0
    # and a look at the whole finds nothing new
    assert service.change_feed.step(venue.air.now_ms + 1100) == 0


def test_deltas_lead_to_the_same_state_as_a_fresh_start(venue, service):
    page, first = listener(service)
    state = told(first)[0][1]
    for kind, a in (
        (intents.SET_STARTER, 0),
        (intents.WIN_GAME, 0),
        (intents.CALL_JUDGE, 1),
        (intents.SET_STARTER, 1),
    ):
        venue.boards[1].ask(venue.air.now_ms, kind, a)
        venue.drain()
        venue.station.desk.extend(2, 2, reason="call")
        service.change_feed.step(venue.air.now_ms)
    venue.station.desk.command(intents.EndCall, 2)
    venue.drain()
    service.change_feed.step(venue.air.now_ms)
    for kind, data in told(page.take(lambda: WHOLE)):
        assert kind == "delta"
        for section, key, value in data["set"]:
            if key is None:
                state[section] = value
            elif value is None:
                state[section].pop(key, None)
            else:
                state[section][key] = value
    fresh = json.loads(json.dumps(service.change_feed.state("staff", venue.air.now_ms)))
    assert state | {"now_ms": 0} == fresh | {"now_ms": 0}


def test_a_page_that_comes_back_goes_on_where_it_was(venue, service):
    venue.drain()
    service.change_feed.step(venue.air.now_ms)
    mark = service.change_feed.streams.mark
    venue.boards[0].ask(venue.air.now_ms, intents.SET_STARTER, 0)
    venue.drain()
    service.change_feed.step(venue.air.now_ms)
    _, found = listener(service, last_id=mark)
    assert [kind for kind, _ in told(found)] == ["delta"]
    for strange in ("other-1", "boot-999999", "boot-", "boot-x", "\u00b2", "boot-\u00b2", ""):
        _, found = listener(service, last_id=strange)
        assert [kind for kind, _ in told(found)] == ["state"]


def test_a_slow_page_is_told_everything_anew_and_nothing_piles_up():
    sent = Streams("b", ("staff",))
    slow = Listener(1, "staff", lambda: None)
    sent.join(slow)
    assert slow.take(lambda: WHOLE) == [WHOLE]
    for number in range(10 * streams.KEPT):
        sent.send({"staff": {"n": number}})
    assert len(sent._kept["staff"]) == streams.KEPT and len(slow._waiting) <= streams.WAITING
    assert slow.take(lambda: WHOLE) == [WHOLE] and slow.take(lambda: WHOLE) == []
    sent.remove(slow)
    assert sent.listeners == []


def test_as_many_messages_wait_as_the_bound_says_and_one_more_is_the_whole_state():
    woken = []
    page = Listener(1, "staff", lambda: woken.append(1))
    assert page.take(lambda: WHOLE) == [WHOLE]
    messages = [bytes([number]) for number in range(64)]
    for message in messages:
        page.put(message)
    assert len(woken) == 64 and page.take(lambda: WHOLE) == messages
    for message in (*messages, b"one more"):
        page.put(message)
    assert len(woken) == 64 + 65 and not page._waiting  # nothing is kept that is not sent
    page.put(b"after it")
    assert page.take(lambda: WHOLE) == [WHOLE] and page.take(lambda: WHOLE) == []


def test_a_page_that_missed_no_more_than_is_kept_goes_on_and_one_more_is_too_many():
    sent = Streams("b", ("staff", "plain"))
    marks = [sent.mark]
    for number in range(256 + 1):
        sent.send({"staff": {"n": number}})
        marks.append(sent.mark)
    for missed, whole in ((0, False), (1, False), (256, False), (257, True)):
        page = Listener(1, "staff", lambda: None)
        sent.join(page, marks[-1 - missed])
        found = page.take(lambda: WHOLE)
        assert found == [WHOLE] if whole else len(found) == missed
    ahead = Listener(1, "staff", lambda: None)
    sent.join(ahead, "b-258")  # of a delta that never was
    assert ahead.take(lambda: WHOLE) == [WHOLE]


def test_a_page_of_a_view_without_changes_goes_on_too():
    sent = Streams("b", ("staff", "plain"))
    sent.send({"staff": {"n": 1}})
    page = Listener(1, "plain", lambda: None)
    sent.join(page, sent.mark)
    assert page.take(lambda: WHOLE) == []


def test_a_restart_is_the_whole_state_to_open_pages_and_to_those_that_come_back():
    sent = Streams("b", ("staff",))
    woken = []
    page = Listener(1, "staff", lambda: woken.append(1))
    sent.join(page)
    assert page.take(lambda: WHOLE) == [WHOLE]
    sent.send({"staff": {"n": 1}})
    before = sent.mark
    sent.restart()
    assert len(woken) == 2 and page.take(lambda: WHOLE) == [WHOLE]
    back = Listener(1, "staff", lambda: None)
    sent.join(back, before)
    assert back.take(lambda: WHOLE) == [WHOLE]
    sent.remove(back)
    sent.send({"staff": {"n": 2}})
    back = Listener(1, "staff", lambda: None)
    sent.join(back, before)  # what is kept is of after the restart
    assert back.take(lambda: WHOLE) == [WHOLE]


def test_a_revoked_page_is_woken():
    woken = []
    page = Listener(7, "staff", lambda: woken.append(1))
    page.end()
    assert woken == [1]


def test_a_page_that_comes_while_the_desk_ends_is_ended_too(service):
    service.change_feed.streams.end_all()
    assert told(listener(service)[1]) == [("gone", {})]


def test_only_so_many_pages_are_served(service):
    for _ in range(stream.MOST):
        listener(service)
    answer = Browser(service, "judge").get("/api/events")
    assert answer.status == 503 and "too many pages" in answer.json["error"]


def test_viewers_leave_room_for_judges(service):
    for _ in range(stream.MOST_PLAIN):
        listener(service, "viewer")
    assert Browser(service, "viewer").get("/api/events").status == 503
    assert not stream.full(service, AccessLink(1, "judge", "Ada", 0, False))


def test_many_viewers_at_once_do_not_pass_the_limit_together(service):
    viewer, judge, told = Browser(service, "viewer"), Browser(service, "judge"), []
    answered = asyncio.Event()

    async def open_one(who, hung_up):
        async def send(message):
            told.extend([message["status"]] if "status" in message else [])
            if len(told) > 2 * stream.MOST:
                answered.set()

        async def receive():
            await hung_up.wait()
            return {"type": "http.disconnect"}

        scope = who.scope("GET", "/api/events", {"host": HOST}) | {"client": (str(id(send)), 1)}
        await who.app(scope, receive, send)

    async def crowd():
        hung_up = asyncio.Event()
        opened = [open_one(viewer, hung_up) for _ in range(2 * stream.MOST)]
        opened.append(open_one(judge, hung_up))
        asked = asyncio.gather(*opened)
        await answered.wait()
        hung_up.set()
        await asked

    asyncio.run(crowd())
    assert told.count(200) == stream.MOST_PLAIN + 1  # the judge came last and was let in
    assert service.change_feed.streams.listeners == []


def test_a_revoked_link_ends_its_streams(service):
    page, _ = listener(service, link=7)
    service.change_feed.streams.end(7)
    assert told(page.take(lambda: WHOLE)) == [("gone", {})] and page.gone


def deck_check_in_round_2(venue):
    """End round 1, start round 2, and stop table 1 for a reason that viewers are not told."""
    for board in venue.boards:
        venue.win(board)
    desk = venue.station.desk
    for act in (
        lambda: None,
        desk.clear,
        lambda: desk.publish(2),
        lambda: desk.start(venue.air.now_ms + 1000),
        lambda: venue.boards[0].ask(venue.air.now_ms, intents.CALL_JUDGE, 2),
        lambda: desk.freeze(1, reason="deck check"),
    ):
        act()
        venue.drain()


def test_viewers_are_never_told_what_is_hidden(venue):
    pairing = Pairing(2, 1, 1, Player("1", "Ann"), Player("2", "Bo"))
    venue.archive.roster.store_round(2, Format(0, 3 << 1 | 1 << 14, 50), [pairing])
    venue.station.refresh()
    service = office_of(venue)
    page, _ = listener(service, "viewer")
    deck_check_in_round_2(venue)
    service.change_feed.touch()
    service.change_feed.step(venue.air.now_ms)
    staff = service.change_feed.state("staff", service.now_ms)
    round_, table = staff["round"], staff["tables"]["1"]
    assert round_["hidden"] and table["zero_ms"] and table["frozen_ms"]
    secrets = (
        *map(str, (table["zero_ms"], round_["zero_ms"], round_["start_ms"])), "deck", "reason",
        "author",
    )  # fmt: skip
    for text in (
        json.dumps(service.change_feed.state("plain", service.now_ms)),
        str(told(page.take(lambda: service.change_feed.message("plain", 0)))),
    ):
        assert not [secret for secret in secrets if secret in text]


def test_a_page_is_opened_and_closed_over_http(service):
    judge = Browser(service, "judge")

    async def listen():
        got, hung_up = [], asyncio.Event()

        async def send(message):
            got.append(message)
            if message.get("body"):
                hung_up.set()

        async def receive():
            await hung_up.wait()
            return {"type": "http.disconnect"}

        await judge.app(
            judge.scope("GET", "/api/events", {"host": "desk.test:8080"}), receive, send
        )
        return got

    got = asyncio.run(listen())
    assert (b"content-type", b"text/event-stream; charset=utf-8") in got[0]["headers"]
    assert got[1]["body"].startswith(b"id: boot-") and b"\nevent: state\n" in got[1]["body"]
    assert service.change_feed.streams.listeners == []


def test_a_revoked_link_ends_no_other_links_streams(service):
    gone, page = listener(service, link=7)[0], listener(service, link=8)[0]
    service.change_feed.streams.end(7)
    assert gone.gone and not page.gone
    service.change_feed.streams.beat(5)
    assert told(page.take(lambda: WHOLE)) == [("beat", {"now_ms": 5})]
