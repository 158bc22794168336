"""The ports of a board's tests: the board's console, a person, the PC's radio and clock.

The real bench implements them (``serial_console``, ``bench``), and so does the virtual one.
"""

from typing import Protocol, TypeAlias

Answer: TypeAlias = int | str | bool | None | tuple["Answer", ...]
"""The value of an expression on a board: whatever prints as a literal."""


class BoardFailed(Exception):
    """The board raised an error, or printed no answer; the text is its last line."""


class Console(Protocol):
    """Runs expressions of ``hw/bench/selftest.py`` and ``gauge.py`` on the board."""

    def call(self, text: str, /) -> Answer:
        """Return the value of an expression. BoardFailed: it raised an error."""
        ...

    def restart(self) -> None:
        """Restart the interpreter, with an empty heap."""

    def load(self) -> None:
        """Load the modules that the expressions use."""

    def fire(self, text: str, /) -> None:
        """Run a statement that ends in a reset."""


class Operator(Protocol):
    """The person at the bench."""

    def prompt(self, text: str, key: int | None, /) -> None:
        """Tell the person to press ``key`` (0 A, 1 B, 2 J), or to let go (None)."""

    def ready(self, text: str, name: str, /) -> bool:
        """Announce the next step to the person; return False if it is to be skipped."""
        ...

    def back(self, name: str, /) -> None:
        """Wait until the board is in service mode again."""

    def measured(self, question: str, what: str, /) -> int | None:
        """Return a number that the person measured, None without a meter."""

    def ask(self, question: str, what: str, /) -> int:
        """Return the number that the person counts."""
        ...


class Air(Protocol):
    """The PC's Bluetooth; ``flags`` are the last advert's, None where the system does not tell."""

    @property
    def flags(self) -> int | None:
        """Return the last advert's flags."""

    def heard(self, nonce: bytes, within_ms: int, /) -> int | bool | None:
        """Return the board's signal strength in dBm; False: no advert came, None: no radio."""


class Clock(Protocol):
    """The PC's steady clock."""

    def now_ms(self) -> int:
        """Return milliseconds since some moment."""
        ...

    def rest(self, pause_ms: int, /) -> None:
        """Sleep for ``pause_ms``."""


def number(answer: Answer) -> int:
    """Return a board's answer that is a whole number. Raises BoardFailed for any other."""
    if not isinstance(answer, int):
        raise BoardFailed(f"it said {answer!r}, which is no number")
    return answer


def text(answer: Answer) -> str:
    """Return a board's answer that is a text. Raises BoardFailed for any other."""
    if not isinstance(answer, str):
        raise BoardFailed(f"it said {answer!r}, which is no text")
    return answer


def parts(answer: Answer) -> tuple[Answer, ...]:
    """Return a board's answer that has several parts. Raises BoardFailed for any other."""
    if not isinstance(answer, tuple):
        raise BoardFailed(f"it said {answer!r}, which has no parts")
    return answer


def numbers(answer: Answer, count: int) -> tuple[int, ...]:
    """Return a board's answer of ``count`` whole numbers. Raises BoardFailed for any other."""
    values = tuple(number(part) for part in parts(answer))
    if len(values) != count:
        raise BoardFailed(f"it said {len(values)} numbers in place of {count}")
    return values
