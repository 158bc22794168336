"""The machines with gateways, over a broker: their messages, and whether they are online.

Nothing here is trusted: a frame is verified later, and an invalid message is only counted.
"""

from collections.abc import Callable

from firmware.core import frames
from host.base.sentences import Sentence
from host.collector.carriers.gateways import FrameReceiver
from host.hall import broker_messages
from host.hall.broker_messages import GONE, MachineState

KEEP_ALIVE_S = 2  # of a machine's connection: the broker sends its will after 1.5 times that
GONE_S = 1.5  # without a message, whatever the broker says: a machine sends two a second
LATEST_S = 0.2  # that a message takes to arrive
_MOST = 64  # machines, and sessions of each that are counted
_WITHOUT_GATEWAY = Sentence("the machine {machine} is there, and no gateway of it hears boards")
_LEFT = Sentence("the machine {machine} is gone: see to its power and its network")
_MISSED = Sentence(
    "the broker has dropped messages of the machine {machine}: give it more room (docs/hall.md);"
    " the boards tell everything again"
)
_DROPPED = Sentence(
    "the machine {machine} could not reach the broker for so long that it dropped frames: the"
    " boards tell everything again"
)
_CLOCK = Sentence(
    "the clock of the machine {machine} is {seconds} s off, so its gateways send no beacon: set it"
    " there (timedatectl)"
)


class Machine:
    """One machine: its newest state, and the message numbers received of each session."""

    def __init__(self) -> None:
        self.state, self.heard_s = GONE, 0.0
        self.missed = self.repeated = 0
        self._next: dict[int, int] = {}  # by session

    def note_number(self, session: int, number: int) -> bool:
        """Note a message's number; return whether earlier ones are missing."""
        expected = self._next.pop(session, None)  # so that the newest session stands last again
        self._next[session] = max(number + 1, expected or 0)
        while len(self._next) > _MOST:
            oldest = next(iter(self._next))
            del self._next[oldest]
        if expected is None or number == expected:
            return False
        if number < expected:
            self.repeated += 1
            return False
        self.missed += number - expected
        return True


class Machines:
    """All machines of a hall, for ``receiver``; ``report`` gets what the desk should know.

    ``strange`` counts invalid messages.
    """

    def __init__(self, receiver: FrameReceiver, report: Callable[[Sentence], None]):
        self._receiver, self._report = receiver, report
        self.known: dict[str, Machine] = {}
        self.strange = 0

    def take_frames(self, name: str, payload: bytes, now_s: float) -> None:
        """Process a message with frames; ``now_s`` is the time of any steady clock."""
        message, machine = broker_messages.unpack_up(payload), self._machine(name)
        if message is None or machine is None:
            self.strange += 1
            return
        if machine.state.online:
            machine.heard_s = now_s
        if machine.note_number(message.session, message.number):
            self._say(_MISSED, name)
        for frame in message.frames:
            if len(frame) == frames.SIZE:
                self._receiver.take("heard", None, frame)

    def take_state(self, name: str, payload: bytes, now_s: float, kept: bool = False) -> None:
        """Process a machine's state; ``kept``: the broker had stored it, so it may be old."""
        state, machine = broker_messages.unpack_state(payload), self._machine(name)
        if state is None or machine is None:
            self.strange += 1
        elif not kept:
            machine.heard_s = now_s
            self._change(name, machine, state)

    def tick(self, now_s: float) -> None:
        """Count machines as offline that have been silent for too long."""
        for name, machine in self.known.items():
            if machine.state.online and now_s - machine.heard_s > GONE_S:
                self._change(name, machine, GONE)

    def cut_off(self) -> None:
        """Note that the broker cannot be reached: no machine is heard."""
        for machine in self.known.values():
            machine.state = GONE
        self._receiver.listens("broker", False)

    def _change(self, name: str, machine: Machine, state: MachineState):
        """Take a machine's new state, and say what has changed for the desk."""
        before, machine.state = machine.state, state
        hears, heard_before = state.gateways > 0, before.gateways > 0
        if before.online and not state.online:
            self._say(_LEFT, name)
        elif before.online != state.online or heard_before != hears:
            self._report(_arrival(name, state.gateways))
        if state.online and state.dropped > before.dropped:
            self._say(_DROPPED, name)
        if state.clock_s and not before.clock_s:
            self._report(Sentence(_CLOCK.template, machine=name, seconds=state.clock_s))
        any_hears = any(known.state.gateways for known in self.known.values())
        self._receiver.listens("broker", any_hears)

    def _say(self, sentence: Sentence, name: str):
        self._report(Sentence(sentence.template, machine=name))

    def _machine(self, name: str) -> Machine | None:
        """Return the machine of a name, None for an invalid name or one too many."""
        if name in self.known:
            return self.known[name]
        if len(self.known) >= _MOST or not broker_messages.is_name(name):
            return None
        self.known[name] = Machine()
        return self.known[name]


def _arrival(name: str, gateways: int) -> Sentence:
    """Return the sentence on a machine that has come online, or whose gateways have changed."""
    if not gateways:
        return Sentence(_WITHOUT_GATEWAY.template, machine=name)
    return Sentence.counted(
        "the machine {machine} is there: {count} gateway hears boards",
        "the machine {machine} is there: {count} gateways hear boards",
        machine=name,
        count=gateways,
    )
