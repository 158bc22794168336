"""The live view of an archive that another program writes: folded again only after a write."""

from rich.console import Group
from rich.text import Text

from host.base.words import clock, last_record_text
from host.event.archive_view import ArchiveView
from host.event.fold import Hall
from host.event.judge_calls import Call
from host.event.overview import overview
from host.server import live_view

_FRAME = 9  # title, header, borders, caption, and the lines above
_CALLS = 5


class Monitor:
    """Reads an ``ArchiveView``; it takes no lock and keeps no snapshot open."""

    def __init__(self, archive: ArchiveView):
        self._archive, self._version = archive, None
        self._hall: Hall | None = None

    def view(self, unix_ms: int, height: int | None = None) -> Group:
        """Return the view for a terminal of ``height`` lines (None: any) at a wall time."""
        with self._archive.snapshot():
            if self._hall is None or self._archive.version != self._version:
                self._version, self._hall = self._archive.version, Hall(self._archive)
            now_ms = self._archive.now_ms(unix_ms)
            summary, rows = overview(self._archive, self._hall, now_ms)
        call_lines = [self._call(call, now_ms) for call in summary.calls[:_CALLS]]
        most = None if height is None else height - len(call_lines) - _FRAME
        return Group(
            Text(f"{summary.results} of {summary.tables} results · "
                 f"{summary.overtime} in overtime · {summary.frozen} stopped · "
                 f"{summary.extended} with an extension · "
                 f"{last_record_text(summary.heard_ms, now_ms)}"),
            *call_lines,
            live_view.table_view(rows, f"{summary.event}, round {summary.round}: {summary.state}",
                                 most),
        )  # fmt: skip

    @staticmethod
    def _call(call: Call, now_ms: int) -> Text:
        judge_note = ", a judge is there" if call.arrived_ms is not None else ""
        return Text(
            f"JUDGE  table {call.table}  {call.type}  {clock(call.waited_ms(now_ms))}{judge_note}",
            style="bold reverse",
        )
