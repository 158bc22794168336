"""What each kind of fault does to the hall when its time has come, and how it is put right."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

from firmware.core import intents, policy
from host.sim.torture.foes import EVERY_S
from host.sim.torture.frail import MODES, PowerCut
from host.sim.torture.plan import HALL
from host.sim.torture.relay import DELAY_S, Relay
from host.sim.torture.spares import Swap
from host.sim.torture.timekeeper import DRIFT_PPM

if TYPE_CHECKING:
    from host.sim.torture.types import Fault, FrailTable, Hall


_TWICE = 0.5
_AIR = ("loss", "burst", "twice", "late", "flip")
_WHEN_DONE = ("swap", "relay", "phone")  # counted when they come to something
_BACK_S = (5, 40)
_CAUGHT_UP_S = 120  # what the one has acknowledged, the other has to fetch
_LOOSE_S = (20, 55)
_AGAIN_S = (4, 12)
_ROLL_S = 5
_HOUR_MS = 3_600_000


class Acts:
    """Carries out Faults in ``hall``; ``counts`` by kind, of those that did something."""

    def __init__(self, hall: Hall, seed: int):
        self._hall, self._seed = hall, seed
        self.counts: dict[str, int] = {}
        self.over = False
        self._swaps: list[asyncio.Task[None]] = []  # tasks are kept while they run
        hall.fallen = self._fallen
        self._kinds = {
            "replay": self._foe, "forge": self._foe, "garbage": self._foe, "phone": self._phone,
            "cut": self._cut, "yank": self._yank, "reset": self._reset, "back": self._back,
            "drift": self._drift, "roll": self._roll, "kill": self._kill, "full": self._full,
            "sleep": self._sleep, "step": self._step, "second": self._second, "swap": self._swap,
            "relay": self._relay, "crash": self._crash,
        } | dict.fromkeys(_AIR, self._trouble)  # fmt: skip

    def begin(self, fault: Fault) -> None:
        """Let ``fault`` happen now."""
        if self.over:
            return
        if fault.kind not in _WHEN_DONE:
            self.count(fault.kind)
        self._kinds[fault.kind](fault, fault.luck(self._seed))

    def count(self, kind: str) -> None:
        """Note that a fault of a kind has happened."""
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def calm(self) -> None:
        """All faults end; what is broken is put right."""
        self.over = True
        hall = self._hall
        hall.air.calm()
        for laptop in hall.laptops:
            laptop.spare()
            laptop.wake()
        for laptop in hall.laptops[:-1]:
            laptop.retire()
        hall.laptop.start()
        for table in hall.boards.values():
            table.store.spare()

    def _later(self, seconds, act, *args):
        self._hall.loop.call_later(seconds, act, *args)

    def _trouble(self, fault, luck):
        place = self._address(fault)
        self._hall.air.begin(fault.kind, place)
        self._later(fault.length_s, self._hall.air.end, fault.kind, place)

    def _address(self, fault):
        """Return where on the air a fault's table is now: its board; or the hall."""
        return self._hall.tables[fault.table].device if fault.table else HALL

    def _foe(self, fault, luck):
        foes = self._hall.foes
        act = {"replay": foes.replay, "forge": foes.forge, "garbage": foes.garbage}[fault.kind]
        if fault.kind == "forge":
            foes.claim(luck)
        self._again(act, luck, self._hall.loop.time() + fault.length_s)

    def _again(self, act, luck, until_s):
        if not self.over and self._hall.loop.time() < until_s:
            act(luck)
            self._later(EVERY_S, self._again, act, luck, until_s)

    def _phone(self, fault, luck):
        held = []

        def ring(luck):
            foes, address = self._hall.foes, self._address(fault)
            if foes.whisper(address, luck) and not held:
                held.append(address)
                self.count("phone")

        self._again(ring, luck, self._hall.loop.time() + fault.length_s)

    def _relay(self, fault, luck):
        """A box passes a board's adverts on, and its link."""
        air, address = self._hall.air, self._address(fault)
        if address not in air.relays:
            relay = Relay(air, address, luck.uniform(*DELAY_S), lambda: self.count("relay"))
            self._later(fault.length_s, relay.stop)

    # boards

    def _cut(self, fault, luck):
        self._hall.tables[fault.table].store.cut(luck.randrange(12), luck.choice(MODES), luck)

    def _crash(self, fault, luck):
        """The program is reset inside a write, and its sleep memory lives on."""
        self._hall.tables[fault.table].store.cut(
            luck.randrange(12), luck.choice(MODES), luck, powered=True
        )

    def _yank(self, fault, luck):
        """The cable is pulled, and may be loose from then on."""
        table = self._hall.tables[fault.table]
        table.die(powered=False)
        if luck.random() < 0.5:
            self._later(luck.uniform(*_LOOSE_S), table.die, True)

    def _reset(self, fault, luck):
        """The program ends, and may end again before a host has spoken to it."""
        table = self._hall.tables[fault.table]
        table.die(powered=True)
        if luck.random() < 0.5:
            self._later(luck.uniform(*_AGAIN_S), table.die, True)

    def _back(self, fault, luck):
        table = self._hall.tables[fault.table]
        if not table.dark:
            table.counter.step_back()

    def _drift(self, fault, luck):
        """The RC oscillator runs free: 2 % off, far more than is declared."""
        table = self._hall.tables[fault.table]
        if table.dark:
            return
        clock = table.counter
        table.keeper.runs_free(fault.length_s)
        clock.drift(luck.choice((-1, 1)) * DRIFT_PPM)
        self._later(fault.length_s, clock.drift, table.skew_ppm)

    def _roll(self, fault, luck):
        """The players ask the board for a roll."""
        table = self._hall.tables[fault.table]
        self.ask(
            table, (intents.CONSENT, 0), (intents.CONSENT, 1), (intents.ROLL, policy.CARD << 4)
        )
        self._later(_ROLL_S, self._agree, table)

    def _agree(self, table):
        self.ask(table, (intents.AGREE_ROLL, 0), (intents.AGREE_ROLL, 1))
        if table.dark or table.app.match.rolled in (1, 3):
            self._later(_ROLL_S, self._agree, table)

    def _swap(self, fault, luck):
        """Coffee: a spare takes a table over."""
        self._swaps.append(self._hall.loop.create_task(Swap(self._hall, self, luck).run()))

    def ask(self, table: FrailTable, *asked: tuple[int, int]) -> None:
        """Let the players of a table ask for something, if its board is on."""
        if table.dark:
            return
        app = table.app
        now_ms = app.timebase.now_ms(table.board.clock.now_ms())
        try:
            for kind, a in asked:
                app._ask((kind, now_ms, a, 0, 0), now_ms)
        except PowerCut as cut:
            table.die(cut.powered)
            return
        table.wake()

    # laptops

    def _kill(self, fault, luck):
        self._hall.laptop.kill(luck.randrange(30), luck.random() < 0.5)
        if luck.random() < _TWICE:
            self._hall.laptop.kill_twice(luck.randrange(8), luck.random() < 0.5)

    def _fallen(self, laptop):
        """A program has ended: somebody sees it and starts it again."""
        if laptop.unborn:
            laptop.unborn = False
            self.count("kill at start")
        luck = random.Random(f"back {self._seed} {laptop.falls}")
        self._later(luck.uniform(*_BACK_S), self._back_up, laptop)

    def _back_up(self, laptop):
        if not laptop.full:
            laptop.start()
        if not laptop.running and not laptop.retired:
            self._later(10, self._back_up, laptop)

    def _full(self, fault, luck):
        laptop = self._hall.laptop
        laptop.full = True
        self._later(fault.length_s, self._space, laptop)

    def _space(self, laptop):
        laptop.full = False
        self._back_up(laptop)

    def _sleep(self, fault, luck):
        laptop = self._hall.laptop
        laptop.sleep()
        self._later(fault.length_s, laptop.wake)

    def _step(self, fault, luck):
        """Somebody sets the wall clock; the program learns of it when it next starts."""
        laptop = self._hall.laptop
        laptop.wall_ms += luck.choice((-1, 1)) * _HOUR_MS
        if laptop.running:
            laptop.fall()

    def _second(self, fault, luck):
        hall = self._hall
        if hall.doubled:
            return
        first = hall.double()
        self._later(fault.length_s, self._single, first)

    def _single(self, first):
        first.retire()
        self._later(_CAUGHT_UP_S, self._alone)

    def _alone(self):
        self._hall.doubled = False
