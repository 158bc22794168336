"""Prepares standard input and output, so that every command can use them in any environment.

A character that the output cannot encode becomes ``?``, bytes that the input cannot decode become
U+FFFD. Output to a closed pipe is dropped (``| head``); a closed or missing stream (a service,
pythonw) is replaced by the null device. Control characters are not printed, as names come from
other people's files.
"""

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

_UNREAD = errno.EPIPE, errno.EINVAL  # of a pipe without a reader; EINVAL on Windows
_LAYOUT = "\n\t"  # surrogates in a file's name pass, too, and are shown as "?"


def _is_plain(char: str) -> bool:
    return char in _LAYOUT or "\ud800" <= char <= "\udfff" or bool(printable(char))


class PlainOutput:
    """A text stream that drops control characters; its ``stream`` can print colours, too."""

    def __init__(self, stream: TextIO):
        self.stream = stream

    def write(self, text: str) -> int:
        """Write the printable characters of ``text``; return the length of ``text``."""
        self.stream.write("".join(filter(_is_plain, text)))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write each of ``lines``."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def colour_stream(file: TextIO | None = None) -> TextIO:
    """Return the stream that prints colours to ``file`` (None: standard output), without
    PlainOutput's filter; a caller removes control characters from other people's texts itself
    (``printable``).
    """
    found: TextIO = file or sys.stdout
    return found.stream if isinstance(found, PlainOutput) else found


class _Pipe(io.FileIO):
    """A file or pipe for output; once nobody reads it, output is dropped."""

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
def prepare() -> Iterator[None]:
    """Prepare ``sys.stdin``, ``sys.stdout`` and ``sys.stderr`` for the block."""
    before = sys.stdin, sys.stdout, sys.stderr
    with contextlib.ExitStack() as stack:
        sys.stdin = _input(sys.stdin, stack)
        sys.stdout, sys.stderr = (_output(stream, stack) for stream in before[1:])
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
        stream = _until_unread(stream, stack)
    return PlainOutput(stream)


def _until_unread(stream: io.TextIOWrapper, stack: contextlib.ExitStack) -> TextIO:
    """Return another writer for a stream's file, which drops output that nobody reads."""
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
    """Flush ``writer``; drop the rest if that fails, as the command has reported the error."""
    with contextlib.suppress(OSError):
        writer.flush()
    pipe.unread = True


def printable(line: str) -> str:
    """Return a line without control characters, which a player's name may have."""
    return "".join(char for char in line if char.isprintable())


def can_show(text: str) -> bool:
    """Return whether standard output can encode ``text``."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
