"""Lines typed by a person: from a terminal key by key (so that a view can stand above), or whole."""

import asyncio
import contextlib
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator

ERASE = ("\x7f", "\b")
END = "\x04"
_ESCAPES = re.compile(r"\x1b(\[[0-9;]*[A-Za-z~]|O[A-Za-z])?")  # arrow and function keys


class Prompt:
    """Collects characters into lines; ``typed`` is the unfinished one."""

    def __init__(self) -> None:
        self.typed = ""

    def feed(self, text: str) -> list[str]:
        """Take characters; return the lines they finish."""
        lines = []
        for char in _ESCAPES.sub("", text):
            if char in "\r\n":
                lines.append(self.typed)
                self.typed = ""
            elif char in ERASE:
                self.typed = self.typed[:-1]
            elif char == "\x15":
                self.typed = ""
            elif char == END and not self.typed:
                lines.append("quit")
            elif char.isprintable():
                self.typed += char
        return lines


@contextlib.contextmanager
def keys(loop: asyncio.AbstractEventLoop, take: Callable[[str], None]) -> Iterator[bool]:
    """While open, give what is typed at once to ``take(text)``; False where that cannot be."""
    try:
        import termios
        import tty

        handle = sys.stdin.fileno()
        before = termios.tcgetattr(handle)
    except (ImportError, OSError, ValueError):
        yield False
        return
    tty.setcbreak(handle)
    loop.add_reader(handle, lambda: take(os.read(handle, 4096).decode("utf-8", "ignore")))
    try:
        yield True
    finally:
        loop.remove_reader(handle)
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def lines(loop: asyncio.AbstractEventLoop, file: Iterable[str]) -> asyncio.Queue[str | None]:
    """Return an asyncio queue of the lines of ``file``, and None at its end; works everywhere."""
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    def read():
        with contextlib.suppress(RuntimeError, ValueError):  # the loop may be over before the file
            for line in file:
                loop.call_soon_threadsafe(queue.put_nowait, line)
            loop.call_soon_threadsafe(queue.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    return queue
