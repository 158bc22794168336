"""A board's resets: how soon it is back, and how much of its sleep memory is left.

The board leaves a mark and its ticks in the sleep memory; its program adds the ticks at which all
of it had come on for the first time (``firmware/board/chip.py``). Then somebody brings it back
into service mode, where both are read. Ticks run on over every reset but the loss of power.
"""

from collections.abc import Iterator, Mapping

from host.boards.bringup.figures import Figure
from host.boards.bringup.ports import Console, Operator, numbers, parts, text

TICKS = 1 << 29
AT_POWER = 0x1FFF0000  # what the tick counter shows at power-on (supervisor/__init__.c:250)
NEVER = 0xFFFFFFFF
HANG_MS = 2000  # until the watchdog ends ``gauge.hang``
_BACK = "When it shows its screen, hold J (on a T-Display-S3: ▲) and press reset."
_KINDS = (  # name, what the person is to do, what runs on the board, its price
    ("warm", "It starts anew by itself. ", "leave(False)", "start_warm_ms"),
    ("armed", "It starts anew, its watchdog running. ", "leave(True)", None),
    ("crash", "It hangs now, until its watchdog ends that. ", "hang()", "start_crash_ms"),
    ("cold",
     "Take all its power away, cable and battery, for ten seconds; then give it power, no key "
     "held. ",
     "leave_mark()", "start_cold_ms"),
)  # fmt: skip
_COLD = "cold"  # the one that loses the sleep memory


class Resets:
    """Runs the four; ``busy_ms`` is the model's for imports and opening, ``found`` takes prices."""

    def __init__(
        self,
        console: Console,
        operator: Operator,
        prices: Mapping[str, int],
        busy_ms: int,
        found: dict[str, int],
    ):
        self._console, self._operator = console, operator
        self._prices, self._busy_ms, self._found = prices, busy_ms, found

    def run(self) -> Iterator[Figure]:
        """Yield Figures; a reset that the person skips is not measured."""
        for name, instruction, act, price in _KINDS:
            if not self._operator.ready(f"{instruction}{_BACK}", name):
                yield Figure(f"seconds from reset to play, {name}", None, None, "s")
                continue
            self._do(name, act)
            yield from self._measure(name, price)

    def _do(self, name, act):
        run = self._console.call if name == _COLD else self._console.fire  # cold: by the person
        run(f"gauge.{act}")
        self._operator.back(name)
        self._console.restart()
        self._console.load()

    def _measure(self, name, price):
        *trace, reason = parts(self._console.call("gauge.trace()"))
        kept, left_ticks, on_ticks = numbers(tuple(trace), 3)
        if name == _COLD:
            left_ticks = AT_POWER
        model_ms = self._prices[price or "start_warm_ms"] + self._busy_ms
        title = f"seconds from reset to play, {name}"
        if on_ticks == NEVER:
            note = f"it never came on; last reset: {text(reason)}"
            yield Figure(title, None, model_ms / 1000, "s", note)
        else:
            hung_ms = HANG_MS if name == "crash" else 0
            spent_ms = (on_ticks - left_ticks) % TICKS - hung_ms
            yield Figure(title, spent_ms / 1000, model_ms / 1000, "s")
            if price:
                self._found[price] = max(0, spent_ms - self._busy_ms)
        memory = "kept" if kept else "lost"
        model = "lost" if name == _COLD else "kept"
        yield Figure(f"sleep memory after that, {name}", memory, model, "")
