"""What the tests of a board are done with: the board's console, a person, the PC's radio and clock.

A real bench has these (``serial_console``, ``bench``), and so has the virtual one.
"""

from typing import Protocol, TypeAlias

Answer: TypeAlias = int | str | bool | None | tuple["Answer", ...]
"""The value of an expression on a board: whatever prints as a literal."""


class BoardFailed(Exception):
    """The board raised an error, or said what nobody asked; the text is its last line."""


class Console(Protocol):
    """Runs expressions of ``hw/bench/selftest.py`` and ``gauge.py`` on the board."""

    def call(self, text: str, /) -> Answer:
        """Return the value of an expression. BoardFailed: it raised an error."""
        ...

    def restart(self) -> None:
        """Begin anew with an empty heap."""
        ...

    def load(self) -> None:
        """Send what expressions are asked of."""
        ...

    def fire(self, text: str, /) -> None:
        """Run what ends in a reset."""
        ...


class Operator(Protocol):
    """The person at the bench."""

    def prompt(self, text: str, key: int | None, /) -> None:
        """Tell the person to press ``key`` (0 A, 1 B, 2 J), or to let go (None)."""
        ...

    def ready(self, text: str, name: str, /) -> bool:
        """Tell the person what comes; return whether it shall be done."""
        ...

    def back(self, name: str, /) -> None:
        """Wait until the board is in service mode again."""
        ...

    def measured(self, question: str, what: str, /) -> int | None:
        """Return a number that the person measured, None without a meter."""
        ...

    def ask(self, question: str, what: str, /) -> int:
        """Return the number that the person counts."""
        ...


class Air(Protocol):
    """The PC's Bluetooth; ``flags`` are the last advert's, None where the system does not tell."""

    @property
    def flags(self) -> int | None:
        """Return the last advert's flags."""
        ...

    def heard(self, nonce: bytes, within_ms: int, /) -> int | bool | None:
        """Return the signal's strength in dBm, False: nothing came, None: there is no radio."""
        ...


class Clock(Protocol):
    """The PC's steady clock."""

    def now_ms(self) -> int:
        """Return milliseconds since some moment."""
        ...

    def rest(self, pause_ms: int, /) -> None:
        """Sleep for ``pause_ms``."""
        ...


def number(said: Answer) -> int:
    """Return a board's answer that is a whole number. BoardFailed: it is none."""
    if not isinstance(said, int):
        raise BoardFailed(f"it said {said!r}, which is no number")
    return said


def text(said: Answer) -> str:
    """Return a board's answer that is a text. BoardFailed: it is none."""
    if not isinstance(said, str):
        raise BoardFailed(f"it said {said!r}, which is no text")
    return said


def several(said: Answer) -> tuple[Answer, ...]:
    """Return a board's answer that has several parts. BoardFailed: it has none."""
    if not isinstance(said, tuple):
        raise BoardFailed(f"it said {said!r}, which has no parts")
    return said


def numbers(said: Answer, count: int) -> tuple[int, ...]:
    """Return a board's answer of ``count`` whole numbers. BoardFailed: it is something else."""
    found = tuple(number(one) for one in several(said))
    if len(found) != count:
        raise BoardFailed(f"it said {len(found)} numbers in place of {count}")
    return found
