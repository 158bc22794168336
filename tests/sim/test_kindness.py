"""No helping hand: every kindness that a double could show a board is found by a test of
its own.
"""

import asyncio
import importlib.util
import inspect
import pathlib
import signal

import barechip
import bugs
import pytest

from host.sim import clock, prices

_GATT, _BOARD = "host.sim.bleio:", "host.sim.board:"
_BOTH, _RADIO = _GATT + "BoardRadio.", "host.sim.bumble_adapter:Adapter."
_PANEL = "host.sim.panel:Panel.image"
_ESP = "sim/test_bleio.py:"
_LINK, _BLEIO = "sim/test_link.py:", "sim/test_bleio.py:"
_PARTS = "sim/test_virtual_board.py:"
_STATION, _CHANNEL = "host.sim.ether.ether:Station.", "host.sim.ether.ether:Channel."
_LINKS = "host.sim.ether.connection:"
_ETHER, _EAIR = "sim/test_ether.py:", "sim/test_ether_air.py:"
_ELINKS = "sim/test_ether.py:"
_SET = _BLEIO + "test_one_advertising_set_of_31_bytes"
_REFUSED = _PARTS + "test_what_the_parts_of_a_board_refuse"
_OVERFLOW = _PARTS + "test_of_more_edges_than_are_kept_none_counts_and_what_is_down_is_pressed_anew"

ROWS = (
    ("the panel refreshes by itself", "BusDisplay.c:330",
     ((_PANEL, "return ...", "self.display.refresh(); return ..."),),
     "ui/test_figures.py:test_a_panel_shows_nothing_before_the_program_refreshes_it"),
    ("a length is told that nobody asked for", "PacketBuffer.c:186",
     ((_GATT + "PacketBuffer.outgoing_packet_length", "raise ValueError(_NO_LINK)", "return 0"),),
     _LINK + "test_a_board_asks_nothing_of_a_link_that_nobody_has"),
    ("a queue without end in the pure air", "Characteristic.c:48",
     (("host.sim.pure:PureLink.send", "len(leave_s) >= PLACES", "False"),),
     "sim/test_pure.py:test_a_link_takes_five_frames_at_once_and_more_when_they_have_left"),
    ("what waits for a dead host goes away", "Characteristic.c:48",
     ((_BOTH + "notify", "self._waiting(client) < NOTIFY_QUEUE", "True"),
      ("firmware.radio.link:Link._notify", "self._in_flight.append(...)", "pass")),
     _LINK + "test_never_more_than_the_queue_holds_goes_to_a_host_that_has_vanished", 32),
    ("a nRF52840 scans while it advertises", "common-hal/_bleio/Adapter.c",
     ((_STATION + "scan", "self._exclusive and self.advertising", "False"),),
     _ETHER + "test_nrf_refuses_to_scan_while_it_advertises_and_the_other_way"),
    ("one radio hears while it sends", "one radio",
     ((_STATION + "free", "start_us < until_us and from_us < end_us", "False"),),
     _ETHER + "test_one_radio_hears_nothing_while_it_sends"),
    ("connections cost a scan nothing", "Core, Vol 6 Part B 4.5",
     ((_LINKS + "Connection.takes", "return ... or ...", "return False"),),
     _ELINKS + "test_events_take_their_time_from_the_scan"),
    ("the strong one is heard although the weak one came first", "data sheets, co-channel",
     ((_CHANNEL + "level", "came_first and other_dbm >= SENSITIVITY_DBM", "False"),),
     "sim/test_ether.py:test_the_stronger_survives_only_if_it_came_first"),
    ("any difference is enough to capture", "data sheets, co-channel",
     ((_CHANNEL + "level", "own_dbm - self._capture_db", "own_dbm"),),
     "sim/test_ether.py:test_a_little_stronger_is_not_enough"),
    ("a connection request cannot collide", "Core, Vol 6 Part B 4.5",
     ((_LINKS + "Initiation._received", "channel.level(...) is not None", "True"),),
     _ELINKS + "test_a_lost_request_shows_six_events_later"),
    ("a connection loses nothing", "Core, Vol 6 Part B 4.5",
     ((_LINKS + "Connection._arrives", "return ... and ...", "return True"),),
     _ELINKS + "test_packets_arrive_once_in_order_and_events_carry_few", 0.25),
    ("an event carries all that waits", "nordic's BLE_GAP_EVENT_LENGTH",
     ((_LINKS + "Connection._event", "min(len(queue), _PACKETS)", "len(queue)"),
      (_LINKS + "Connection._event", "place > 0 and used_us > _LONGEST_US", "False")),
     _ELINKS + "test_packets_arrive_once_in_order_and_events_carry_few", 0),
    ("a vanished peer is missed at once", "Adapter.c:263",
     ((_LINKS + "Connection.vanish", "self._later(self.timeout_us, self._end, other)", "self._end(other)"),),
     _ELINKS + "test_who_vanishes_is_missed_after_the_supervision_time_out", 1),
    ("a queue without end over the modelled air", "Characteristic.c:48",
     ((_BOTH + "notify", "self._waiting(client) < NOTIFY_QUEUE", "True"),),
     _EAIR + "test_the_sixth_notification_that_nobody_takes_is_dropped"),
    ("an advert is put in place of another over the modelled air", "Adapter.c:846",
     ((_BOTH + "start_advertising", "self.advertising", "False"),),
     _EAIR + "test_a_bad_advert_is_refused_as_on_the_chip"),
    ("an advert of any length over the modelled air", "Adapter.c:702",
     ((_BOTH + "start_advertising", "len(data) > ADVERT_MAX", "False"),
      (_STATION + "advertise", "len(data) > ADVERT_MOST or ...", "False")),
     _EAIR + "test_a_bad_advert_is_refused_as_on_the_chip"),
    ("an advert is put in place of another", "Adapter.c:846",
     ((_BOTH + "start_advertising", "self.advertising", "False"),), _SET),
    ("an advert of any length", "Adapter.c:702",
     ((_BOTH + "start_advertising", "len(data) > ADVERT_MAX", "False"),), _SET),
    ("an advert at any interval", "shared-bindings Adapter.c:254",
     ((_BOTH + "start_advertising", "not 0.02 <= interval <= 10.24", "False"),), _SET),
    ("the radio never refuses", "__init__.c:27, espressif __init__.c:94",
     ((_BOTH + "start_advertising", "if self.refusals: ...", "pass"),),
     _BLEIO + "test_a_refusal_of_the_chip_is_one_of_the_contracts"),
    ("links without end", "Adapter.c:57,132",
     ((_BOTH + "start_advertising", "connectable and ...", "False"),), _BLEIO + "test_a_radio_holds_four_links"),
    ("a link leaves the advert on", "Adapter.c:715",
     (("host.sim.ether.adapter:StationRadio.advertising", "self.station.advertising", "True"),),
     _BLEIO + "test_a_connection_stops_the_advert"),
    ("a full buffer keeps its oldest packets", "PacketBuffer.c:33",
     ((_GATT + "PacketBuffer.put", "self._packets.popleft()", "self._packets.pop()"),),
     _BLEIO + "test_a_full_packet_buffer_drops_its_oldest"),
    ("a packet buffer without end", "PacketBuffer.c:33",
     ((_GATT + "PacketBuffer.put", "self._filled + _HEADER + len(packet) > self._room", "False"),),
     _BLEIO + "test_a_full_packet_buffer_drops_its_oldest"),
    ("a packet buffer for everybody", "PacketBuffer.c:163",
     ((_GATT + "PacketBuffer.put", "client is not self._client", "False"),),
     _BLEIO + "test_a_packet_buffer_has_one_client"),
    ("who has gone stays a client's heir", "PacketBuffer.c:199",
     ((_GATT + "PacketBuffer.disconnected", "self._client = None", "pass"),),
     _BLEIO + "test_a_packet_buffer_has_one_client"),
    ("who unsubscribes stays the client", "espressif PacketBuffer.c:140",
     ((_GATT + "PacketBuffer.subscribed", "client if notify else None", "client if notify else self._client"),),
     _BLEIO + "test_who_unsubscribes_gets_no_more_packets"),
    ("the MTU is granted at once", "Connection.c:340",
     ((_GATT + "PacketBuffer.outgoing_packet_length", "mtu - 3", "512"),),
     _BLEIO + "test_nothing_goes_out_before_a_whole_frame_fits"),
    ("a value of any length", "Characteristic.c:165",
     ((_GATT + "Characteristic._check", "size > self.max_length", "False"),),
     _BLEIO + "test_a_value_has_its_length"),
    ("a write of any length", "ble_gatts.h, max_len",
     ((_RADIO + "_written", "len(value) > characteristic.max_length", "False"),),
     _BLEIO + "test_what_is_written_too_long_is_refused"),
    ("what has gone is hung up without harm", "espressif Connection.c:126",
     ((_GATT + "Connection.disconnect", "raise Hung(...)", "return"),),
     _ESP + "test_who_has_gone_stays_in_the_connections_until_another_comes"),
    ("an espressif keeps what nobody subscribed for", "espressif PacketBuffer.c:27",
     ((_GATT + "PacketBuffer.put", "client is not self._client", "self._client not in (None, client)"),),
     _ESP + "test_what_is_written_before_a_subscription_is_dropped"),
    ("an espressif knows what was subscribed to", "espressif PacketBuffer.c:140",
     ((_RADIO + "_subscribed", "characteristic.elsewhere(bumble, notify or indicate)", "pass"),),
     _ESP + "test_any_subscription_counts_as_ours"),
    ("an espressif drops no notification", "espressif Characteristic.c:196",
     ((_BOTH + "notify", "self._waiting(client) < NOTIFY_QUEUE", "True"),),
     _ESP + "test_a_full_queue_of_notifications_drops_the_newest"),
    ("an espressif forgets who has gone", "espressif Adapter.c:749",
     ((_BOTH + "connections", "self._listed is None", "True"),),
     _ESP + "test_who_has_gone_stays_in_the_connections_until_another_comes"),
    ("an espressif shows a guest at once", "espressif Adapter.c:740",
     ((_GATT + "Connection.__init__", "self.agreed = False", "self.agreed = True"),),
     _ESP + "test_a_guest_is_shown_once_its_mtu_is_known"),
    ("a guest who pairs leaves no bond", "Connection.c:37,235",
     ((_RADIO + "_bond", "self.bonds[str(connection.client.peer_address)] = True", "pass"),),
     _LINK + "test_a_guest_who_pairs_is_shown_out_and_forgotten"),
    ("a reset forgets the bonds", "bonding.c:22",
     (("host.sim.air:BleAir._adapter", "self._bonds.setdefault(address, {})", "{}"),),
     _BLEIO + "test_bonds_outlive_a_reset"),
    ("a crash goes unnoticed", "main.c",
     (("host.sim.clock:_of_a_board", "not isinstance(error, Exception) or any(...)", "False"),),
     "sim/test_clock.py:test_what_a_boards_program_raises_ends_the_run"),
    ("edges without end", "EventQueue.c:82",
     ((_BOARD + "BoardKeys._scan", "... < WAITING", "True"),), _OVERFLOW),
    ("keys need no scan", "keypad Keys.c",
     ((_BOARD + "BoardKeys.turn", "self._scan_s", "0"),),
     _PARTS + "test_a_finger_makes_two_edges_and_wakes_the_board_twice"),
    ("every bounce is an edge", "keypad Keys.c",
     ((_BOARD + "BoardKeys.turn", "self._loop.call_later(self._scan_s, self._scan, key)", "self._scan(key)"),),
     _PARTS + "test_an_edge_that_does_not_last_is_none"),
    ("work takes no time", "internal_flash.c:86",
     ((_BOARD + "VirtualBoard.pay", "self.busy_us += self.prices[price] * times", "pass"),),
     _PARTS + "test_a_board_is_busy_for_as_long_as_its_work_takes"),
    ("tags cost nothing", "mbedtls' SHA-256",
     (("host.sim.table:Tap.receive", 'self._pay("hmac_us", 2)', "pass"),), "sim/test_venue.py:test_a_board_pays_for_every_tag"),
    ("a busy board answers", "main.c",
     (("host.sim.table:Table._run", "now_s < self._free_s", "False"),),
     _PARTS + "test_a_board_is_busy_for_as_long_as_its_work_takes"),
    ("a block is written without an erase", "internal_flash.c:86",
     ((_BOARD + "RamStore.write", 'self.pay("flash_erase_us")', "pass"),), _PARTS + "test_a_block_costs_an_erase"),
    ("what looks erased is erased", "external_flash.c:107",
     ((_BOARD + "RamStore.write", "written(old, data)", "bytes(data)"),),
     _PARTS + "test_a_block_that_looks_erased_is_programmed_as_it_is"),
    ("part of a block is written", "internal_flash.c:107",
     ((_BOARD + "RamStore.write", "len(data) != BLOCK_SIZE", "False"),),
     _PARTS + "test_the_store_reads_erased_until_written_and_refuses_half_blocks"),
    ("a watchdog that does not bite", "WatchDogTimer.c:76",
     ((_BOARD + "VirtualBoard.alive", "... > LIMIT_MS", "False"),), _PARTS + "test_a_watchdog_that_was_armed_bites"),
    ("any pitch", "PWMOut.c:82", ((_BOARD + "Sound.tone", "hz not in HZ", "False"),), _REFUSED),
    ("sleep memory of any size", "alarm/SleepMemory.c",
     ((_BOARD + "Heartbeat.write", "not 0 < len(data) <= LONGEST_BEAT", "False"),), _REFUSED),
    ("half a pixel", "neopixel_write.c",
     ((_BOARD + "Leds.show", "len(colours) % 3 or len(colours) > 3 * self.size", "False"),), _REFUSED),
    ("keys are scanned while the flash is written", "port.c:124",
     (("host.sim.chip.chip:Chip._pass", "self._stalled", "False"),),
     "chip/test_memory.py:test_no_key_is_scanned_while_an_s3_writes", 2, False),
    ("a collection costs the same whatever is alive", "gc.c gc_collect_root",
     (("host.sim.chip.chip:Chip._collect_loaded", '1000 * self.prices["gc_ms"] * min(alive, whole) // whole', "1000"),),
     "chip/test_memory.py:test_an_import_ends_in_a_collection_of_what_is_loaded_by_then"),
    ("a heap without end", "gc.c gc_try_add_heap",
     (("host.sim.chip.natives:Memory.allocate", "min(self._outer, self.size)", "self.size"),),
     "chip/test_memory.py:test_a_heap_that_collects_nothing_grows_and_then_fails"),
)  # fmt: skip


TESTS = pathlib.Path(__file__).resolve().parent.parent


def test_of(where):
    path, name = where.split(":")
    spec = importlib.util.spec_from_file_location(
        f"kind_{path[:-3].replace('/', '_')}", TESTS / path
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


test_of.__test__ = False


def arguments(test, given, folder):
    """Return what a test is called with: what the row gives, a panel that is blank, or what makes a
    chip in a folder before it.
    """
    names = inspect.signature(test).parameters
    if "blank" in names:
        from host.sim import panel

        return ((panel.Panel("320x240"), "320x240"),)
    return (barechip.on(folder), *given) if "bare" in names else given


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_kindness_is_found(row, tmp_path):
    name, read_in, changes, where, *given = row
    test = test_of(where)
    test(*arguments(test, given, tmp_path))
    with bugs.row(name, changes), pytest.raises(BaseException) as found:
        test(*arguments(test, given, tmp_path))
    assert not isinstance(found.value, (KeyboardInterrupt, SystemExit)), str(found.value)
    test(*arguments(test, given, tmp_path))


STANDS = (
    "one that stands still",
    (("host.sim.prices:alike", "return ...", "while True: pass"),),
)
WAITS = ("one that waits", (("host.sim.prices:alike", "return ...", "return 1"),))


def standing():
    return prices.alike(0)


async def waiting():
    while prices.alike(0):
        await asyncio.sleep(1)


@pytest.mark.parametrize("row, run", [(STANDS, standing), (WAITS, lambda: clock.run(waiting()))])
def test_a_row_that_never_ends_fails_by_its_name(row, run):
    told = pytest.raises(pytest.fail.Exception, match=f"'{row[0]}' never ends")
    with told, bugs.row(*row, longest_s=0.1):
        run()
    run()
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


def test_every_kindness_fits_the_source():
    assert bugs.stale([row[2] for row in ROWS]) == []


def test_there_are_enough_of_them():
    names = [row[0] for row in ROWS]
    assert len(names) == len(set(names)) >= 20
    assert all(row[1] for row in ROWS), "each names the C file that is not so kind"
