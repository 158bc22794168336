"""The effect of each kind of fault on the venue, and its repair."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from firmware.core import intents
from firmware.core.luck import CARD, COIN
from host.sim.torture.attackers import DELAY_S, EVERY_S, Impostor, Relay
from host.sim.torture.board_swaps import BoardSwap
from host.sim.torture.fault_plan import WHOLE_VENUE
from host.sim.torture.faulty_tables import MODES, PowerCut
from host.sim.torture.invariants import DRIFT_PPM

if TYPE_CHECKING:
    from host.sim.torture.types import Fault, FaultyTable, FaultyVenue


_AT_NONCE = 0.5
_AIR = ("loss", "burst", "twice", "late", "flip")
_WHEN_DONE = ("swap", "relay", "phone", "impostor")  # counted only when they have an effect
_BACK_S = (5, 40)
_CAUGHT_UP_S = 120  # for fetching what the other laptop has acknowledged
_LOOSE_S = (20, 55)
_AGAIN_S = (4, 12)
_ROLL_S = 5
_HOUR_MS = 3_600_000


class FaultInjector:
    """Carries out Faults in ``venue``; ``counts`` holds, by kind, how many had an effect."""

    def __init__(self, venue: FaultyVenue, seed: int):
        self._venue, self._seed = venue, seed
        self.counts: dict[str, int] = {}
        self.over = False
        self._swaps: list[asyncio.Task[None]] = []  # asyncio keeps only weak references to tasks
        venue.program_ended = self._program_ended
        self._kinds = {
            "replay": self._attack, "forge": self._attack, "garbage": self._attack,
            "phone": self._phone,
            "cut": self._cut, "yank": self._yank, "reset": self._reset, "back": self._back,
            "drift": self._drift, "roll": self._roll, "kill": self._kill, "full": self._full,
            "sleep": self._sleep, "step": self._step, "second": self._second, "swap": self._swap,
            "relay": self._relay, "crash": self._crash, "impostor": self._impostor,
        } | dict.fromkeys(_AIR, self._disturb_air)  # fmt: skip

    def begin(self, fault: Fault) -> None:
        """Start ``fault`` now."""
        if self.over:
            return
        if fault.kind not in _WHEN_DONE:
            self.count(fault.kind)
        self._kinds[fault.kind](fault, fault.luck(self._seed))

    def count(self, kind: str) -> None:
        """Count a fault of a kind."""
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def end_faults(self) -> None:
        """End all faults and repair the damage."""
        self.over = True
        venue = self._venue
        venue.air.end_all()
        for laptop in venue.laptops:
            laptop.cancel_faults()
            laptop.wake()
        for laptop in venue.laptops[:-1]:
            laptop.retire()
        venue.laptop.start()
        for table in venue.boards.values():
            table.store.cancel_cut()

    def _later(self, seconds, act, *args):
        self._venue.loop.call_later(seconds, act, *args)

    def _disturb_air(self, fault, luck):
        place = self._address(fault)
        self._venue.air.begin(fault.kind, place)
        self._later(fault.length_s, self._venue.air.end, fault.kind, place)

    def _address(self, fault):
        """Return the radio address of a fault's table, or WHOLE_VENUE."""
        return self._venue.tables[fault.table].device if fault.table else WHOLE_VENUE

    def _attack(self, fault, luck):
        attackers = self._venue.attackers
        acts = {"replay": attackers.replay, "forge": attackers.forge, "garbage": attackers.garbage}
        act = acts[fault.kind]
        if fault.kind == "forge":
            attackers.forge_match(luck)
        self._repeat(act, luck, self._venue.loop.time() + fault.length_s)

    def _repeat(self, act, luck, until_s):
        if not self.over and self._venue.loop.time() < until_s:
            act(luck)
            self._later(EVERY_S, self._repeat, act, luck, until_s)

    def _phone(self, fault, luck):
        counted = False

        def write(luck):
            nonlocal counted
            connected = self._venue.attackers.write_by_phone(self._address(fault), luck)
            if connected and not counted:
                counted = True
                self.count("phone")

        self._repeat(write, luck, self._venue.loop.time() + fault.length_s)

    def _relay(self, fault, luck):
        """Relay a board's adverts and its connection for a while."""
        air, address = self._venue.air, self._address(fault)
        if address not in air.relays:
            relay = Relay(air, address, luck.uniform(*DELAY_S), lambda: self.count("relay"))
            self._later(fault.length_s, relay.stop)

    def _impostor(self, fault, luck):
        """Keep a board's answers back; once an order was done unheard, kill the host and replay."""
        air, address, laptop = self._venue.air, self._address(fault), self._venue.laptop
        if address in air.relays:
            return
        impostor = Impostor(air, address, lambda: self._later(0, self._end_program, laptop))
        if not impostor.able:
            impostor.stop()
            return
        self._later(fault.length_s, impostor.stop)

    def _end_program(self, laptop):
        self.count("impostor")
        if laptop.running:
            laptop.end_program()

    # boards

    def _cut(self, fault, luck):
        self._venue.tables[fault.table].store.cut(luck.randrange(12), luck.choice(MODES), luck)

    def _crash(self, fault, luck):
        """Reset the program during a write; sleep memory survives."""
        self._venue.tables[fault.table].store.cut(
            luck.randrange(12), luck.choice(MODES), luck, powered=True
        )

    def _yank(self, fault, luck):
        """Pull the power cable; in half of the cases it loses contact once more."""
        table = self._venue.tables[fault.table]
        table.go_down(powered=False)
        if luck.random() < 0.5:
            self._later(luck.uniform(*_LOOSE_S), self._down_again, table)

    def _reset(self, fault, luck):
        """Restart the program; in half of the cases once more before a host has sent the time."""
        table = self._venue.tables[fault.table]
        table.go_down(powered=True)
        if luck.random() < 0.5:
            self._later(luck.uniform(*_AGAIN_S), self._down_again, table)

    def _down_again(self, table):
        """Take a board down once more, unless the faults are over: then it has time to drain."""
        if not self.over:
            table.go_down(powered=True)

    def _back(self, fault, luck):
        table = self._venue.tables[fault.table]
        if not table.down:
            table.board.clock.step_back()

    def _drift(self, fault, luck):
        """Let the RC oscillator run free: 2 % off, far more than is declared."""
        table = self._venue.tables[fault.table]
        if table.down:
            return
        clock = table.board.clock
        table.clock_checker.begin_drift(fault.length_s)
        clock.drift(luck.choice((-1, 1)) * DRIFT_PPM)
        self._later(fault.length_s, clock.drift, table.skew_ppm)

    def _roll(self, fault, luck):
        """The players ask the board for a roll."""
        table = self._venue.tables[fault.table]
        self.ask(
            table, intents.Consent(0, 0), intents.Consent(0, 1), intents.Roll(0, COIN, CARD, 0)
        )
        self._later(_ROLL_S, self._agree, table)

    def _agree(self, table):
        """Both seats agree to the roll, again and again while it is open."""
        self.ask(table, intents.AgreeRoll(0, 0), intents.AgreeRoll(0, 1))
        if table.down or table.app.match.rolled in (1, 3):
            self._later(_ROLL_S, self._agree, table)

    def _swap(self, fault, luck):
        """A board fails (coffee), and a spare replaces it."""
        self._swaps.append(self._venue.loop.create_task(BoardSwap(self._venue, self, luck).run()))

    def ask(self, table: FaultyTable, *asked: intents.Intent) -> None:
        """Let a table's players ask for these, as of now, if its board is running."""
        if table.down:
            return
        app = table.app
        now_ms = app.timebase.now_ms(table.board.clock.now_ms())
        try:
            for intent in asked:
                app._ask(intent.at(now_ms), now_ms)
        except PowerCut as cut:
            table.go_down(cut.powered)
            return
        table.wake()

    # laptops

    def _kill(self, fault, luck):
        self._venue.laptop.kill_after(luck.randrange(30), luck.random() < 0.5)
        if luck.random() < _AT_NONCE:
            self._venue.laptop.kill_when_nonce_owed(luck.randrange(8), luck.random() < 0.5)

    def _program_ended(self, laptop):
        """A laptop's program has ended; somebody restarts it after a while."""
        if laptop.ended_in_start:
            laptop.ended_in_start = False
            self.count("kill at start")
        luck = random.Random(f"back {self._seed} {laptop.endings}")
        self._later(luck.uniform(*_BACK_S), self._restart, laptop)

    def _restart(self, laptop):
        """Start the program, again and again until that succeeds."""
        if not laptop.full:
            laptop.start()
        if not laptop.running and not laptop.retired:
            self._later(10, self._restart, laptop)

    def _full(self, fault, luck):
        laptop = self._venue.laptop
        laptop.full = True
        self._later(fault.length_s, self._free_disk, laptop)

    def _free_disk(self, laptop):
        laptop.full = False
        self._restart(laptop)

    def _sleep(self, fault, luck):
        laptop = self._venue.laptop
        laptop.sleep()
        self._later(fault.length_s, laptop.wake)

    def _step(self, fault, luck):
        """Somebody changes the wall clock; the program reads it when it next starts."""
        laptop = self._venue.laptop
        laptop.wall_ms += luck.choice((-1, 1)) * _HOUR_MS
        if laptop.running:
            laptop.end_program()

    def _second(self, fault, luck):
        venue = self._venue
        if venue.two_laptops:
            return
        first = venue.add_laptop()
        self._later(fault.length_s, self._retire_first, first)

    def _retire_first(self, first):
        first.retire()
        self._later(_CAUGHT_UP_S, self._end_two_laptops)

    def _end_two_laptops(self):
        self._venue.two_laptops = False
