"""The machines whose gateways are heard over a broker: what they send, and whether they are there.

Nothing here is trusted: a frame proves itself, and what is no message is counted.
"""

from collections.abc import Callable

from firmware.core import frames
from host.base.sentences import Sentence
from host.collector.carriers.gateways import Ears
from host.hall import broker_messages
from host.hall.broker_messages import GONE, MachineState

KEEP_ALIVE_S = 2  # of a machine's connection: the broker tells its will after 1.5 times that
GONE_S = 1.5  # without a word, whatever the broker says: a word comes twice a second
LATEST_S = 0.2  # that a word takes to come
_MOST = 64  # machines, and sessions of one that are told apart
_DEAF = Sentence("the machine {machine} is there, and no gateway of it hears boards")
_LEFT = Sentence("the machine {machine} is gone: see to its power and its network")
_MISSED = Sentence(
    "the broker has dropped messages of the machine {machine}: give it more room (docs/hall.md);"
    " the boards tell everything again"
)
_DROPPED = Sentence(
    "the machine {machine} could not reach the broker for so long that it dropped frames: the"
    " boards tell everything again"
)


class Machine:
    """One machine: its newest state, and which numbers have come of each session."""

    def __init__(self) -> None:
        self.state, self.heard_s = GONE, 0.0
        self.missed = self.repeated = 0
        self._next: dict[int, int] = {}  # by session

    def took(self, session: int, number: int) -> bool:
        """Note a message's number; return whether some before it are missing."""
        wanted = self._next.pop(session, None)
        self._next[session] = max(number + 1, wanted or 0)
        while len(self._next) > _MOST:
            del self._next[next(iter(self._next))]
        if wanted is None or number == wanted:
            return False
        if number < wanted:
            self.repeated += 1
            return False
        self.missed += number - wanted
        return True


class Machines:
    """All machines of a hall, for ``ears``; ``report`` gets what the desk should know.

    ``strange`` counts messages that were none.
    """

    def __init__(self, ears: Ears, report: Callable[[Sentence], None]):
        self._ears, self._report = ears, report
        self.known: dict[str, Machine] = {}
        self.strange = 0

    def up(self, name: str, payload: bytes, now_s: float) -> None:
        """Take a message with frames; ``now_s`` is of any steady clock."""
        told, machine = broker_messages.unpack_up(payload), self._machine(name)
        if told is None or machine is None:
            self.strange += 1
            return
        if machine.state.there:
            machine.heard_s = now_s
        if machine.took(told.session, told.number):
            self._say(_MISSED, name)
        for one in told.frames:
            if len(one) == frames.SIZE:
                self._ears.take("heard", None, one)

    def state(self, name: str, payload: bytes, now_s: float, kept: bool = False) -> None:
        """Take a machine's state; ``kept``: the broker has kept it, so it may be long gone."""
        state, machine = broker_messages.unpack_state(payload), self._machine(name)
        if state is None or machine is None:
            self.strange += 1
        elif not kept:
            machine.heard_s = now_s
            self._change(name, machine, state)

    def tick(self, now_s: float) -> None:
        """Miss those that have been silent for too long."""
        for name, machine in self.known.items():
            if machine.state.there and now_s - machine.heard_s > GONE_S:
                self._change(name, machine, GONE)

    def cut_off(self) -> None:
        """Note that the broker cannot be reached: nobody is heard."""
        for machine in self.known.values():
            machine.state = GONE
        self._ears.listens("broker", False)

    def _change(self, name: str, machine: Machine, state: MachineState):
        before, machine.state = machine.state, state
        if before.there and not state.there:
            self._say(_LEFT, name)
        elif (before.there, bool(before.gateways)) != (state.there, bool(state.gateways)):
            self._report(_there(name, state.gateways))
        if state.there and state.dropped > before.dropped:
            self._say(_DROPPED, name)
        hears = any(one.state.gateways for one in self.known.values())
        self._ears.listens("broker", hears)

    def _say(self, sentence: Sentence, name: str):
        self._report(Sentence(sentence.template, machine=name))

    def _machine(self, name: str) -> Machine | None:
        if name not in self.known and (
            len(self.known) >= _MOST or not broker_messages.is_name(name)
        ):
            return None
        return self.known.setdefault(name, Machine())


def _there(name: str, gateways: int) -> Sentence:
    """Return what to say of a machine that has come, or whose gateways have."""
    if not gateways:
        return Sentence(_DEAF.template, machine=name)
    return Sentence.counted(
        "the machine {machine} is there: {count} gateway hears boards",
        "the machine {machine} is there: {count} gateways hear boards",
        machine=name,
        count=gateways,
    )
