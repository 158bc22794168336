"""Standard input and output as every command may use them, whatever started the program.

A letter that the output cannot show becomes ``?``, bytes that the input cannot read U+FFFD. Output
that nobody reads any more is dropped (``| head``); a stream that is closed or missing (a service,
pythonw) is empty. Control characters are not printed: names come from other people's files.
"""

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

_UNREAD = errno.EPIPE, errno.EINVAL  # Windows says EINVAL where nobody reads a pipe
_LAYOUT = "\n\t"  # half characters of a file's name are kept, too: they are shown as "?"


def _is_plain(char: str) -> bool:
    return char in _LAYOUT or "\ud800" <= char <= "\udfff" or bool(printable(char))


class PlainOutput:
    """A text stream without control characters; its ``stream`` prints colours, too."""

    def __init__(self, stream: TextIO):
        self.stream = stream

    def write(self, text: str) -> int:
        """Write what is printable in ``text``; return the length of ``text``."""
        self.stream.write("".join(filter(_is_plain, text)))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of ``lines``."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def coloured(file: TextIO | None = None) -> TextIO:
    """Return what prints colours to ``file`` (None: standard output), which PlainOutput leaves out;
    whoever prints there takes the control characters of others out (``printable``).
    """
    found: TextIO = file or sys.stdout
    return found.stream if isinstance(found, PlainOutput) else found


class _Pipe(io.FileIO):
    """A file or pipe to write to; what nobody reads any more is dropped."""

    unread = False

    def write(self, data: Any) -> int:
        if not self.unread:
            try:
                return super().write(data)
            except OSError as failure:
                if failure.errno not in _UNREAD:
                    raise
                self.unread = True
        return memoryview(data).nbytes


@contextlib.contextmanager
def prepared() -> Iterator[None]:
    """Prepare ``sys.stdin``, ``sys.stdout`` and ``sys.stderr`` for the block."""
    before = sys.stdin, sys.stdout, sys.stderr
    with contextlib.ExitStack() as stack:
        sys.stdin = _input(sys.stdin, stack)
        sys.stdout, sys.stderr = (_output(one, stack) for one in before[1:])
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = before


def _input(stream: TextIO | None, stack: contextlib.ExitStack) -> TextIO:
    if stream is None:
        return stack.enter_context(open(os.devnull, encoding="utf-8"))
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream


def _output(stream: TextIO | None, stack: contextlib.ExitStack) -> Any:
    if stream is None:
        return stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    if type(stream) is io.TextIOWrapper and not stream.isatty():
        stream = _patient(stream, stack)
    return PlainOutput(stream)


def _patient(stream: io.TextIOWrapper, stack: contextlib.ExitStack) -> TextIO:
    """Return another writer for a stream's file, which drops what nobody reads any more."""
    stream.flush()
    pipe = _Pipe(stream.fileno(), "w", closefd=False)
    direct = stream.write_through  # python -u
    writer = io.TextIOWrapper(
        pipe if direct else io.BufferedWriter(pipe),  # pyright: ignore[reportArgumentType]
        stream.encoding, "replace", None, stream.line_buffering, direct,
    )  # fmt: skip
    stack.callback(_end, writer, pipe)
    return writer


def _end(writer: TextIO, pipe: _Pipe) -> None:
    """Write what is left; what cannot be written then is dropped: the command has said so."""
    with contextlib.suppress(OSError):
        writer.flush()
    pipe.unread = True


def printable(line: str) -> str:
    """Return a line without control characters: a player's name may hold anything."""
    return "".join(char for char in line if char.isprintable())


def can_show(text: str) -> bool:
    """Return whether the standard output has every letter of ``text``."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
