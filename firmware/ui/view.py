"""The face's input: how the board stands, and what changed at its table; lights and tones."""

from firmware.core import acts, code, events, frames, phases
from firmware.core.answers import VERSION
from firmware.core.match import JUDGE_IS_HERE, seconds
from firmware.ui import lights, table, tones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Draft, Journal, Ledger, Match, Seeds, Sync
    from firmware.ui.types import Board, Face

_STALE_MS = 30000  # records that wait longer than this are called unsent
_LOW_PERCENT = 15
_GAUGE_MS = 10000
_IDLE_MS = 10000
_TONE_MS = 20
_EDGES_MS = (300000, 60000)  # when the clock's screen changes by itself


class View:
    """Between an App's parts and its ``face``; ``changed``: match or names have changed."""

    def __init__(self, board: "Board", face: "Face", journal: "Journal | None" = None):
        self.board, self.face, self.table, self.journal = board, face, face.table, journal
        self.table.three = board.keys_count > 2
        self.table.device = board.settings["device"]
        self.names = ["", ""]  # of both seats, empty while they are unknown
        self.changed = True
        self.lit_ms = 0  # until when the board identifies itself
        self.pending = 0  # what somebody has begun (``hand``)
        self.draft: "Draft | None" = None  # one that this board conducts
        self.seeds: "Seeds | None" = None  # the match's, if rolls are allowed
        self._page = 0  # of the lines about the past
        self._fresh_ms = self._gauge_ms = 0
        self._percent = board.battery.percent
        self._shown_s = None  # the seconds that a text shows now
        self._called_minutes = 0
        self._bar = 0
        self._lit = bytearray(3 * board.leds.size)
        self._tune = (0, 0)  # an event's kind and when it sounds; 0 ms: silence
        self._hz = 0

    @property
    def passing(self) -> int:
        """What time alone has changed (``table``)."""
        return self.table.passing

    def read(self, match: "Match", standing: int, now_ms: int) -> bool:
        """Let the table's screen follow what has changed; return whether it is another one."""
        shown = self.table
        shown.match, shown.now_ms = match, now_ms
        passing = standing
        if self.draft is None:
            passing |= table.clock(match, now_ms)
        self._count_seconds(match, now_ms)
        if not self.changed and passing == shown.passing:
            return False
        if self.changed:
            self._take(match)
        shown.passing, self.changed = passing, False
        return self.face.follow()

    def _take(self, match):
        """Take over what the match alone does not say."""
        shown, seeds = self.table, self.seeds
        shown.pending, shown.draft, shown.names = self.pending, self.draft, self.names
        shown.sick = seeds is not None and seeds.ill
        shown.roll_name = seeds.named(match.roll) if seeds is not None and shown.rolled else ""
        shown.battery = self._percent or 0
        if match.phase == phases.AGREED:
            shown.result_code = ""  # ``sign`` computes it, before it is drawn

    def _count_seconds(self, match, now_ms):
        """Keep the seconds that stand in texts: those of a draft's pick, how long after the room's
        zero a stopped table will end (rules F1), what is left of the 2:00 between two games.
        """
        shown, before = self.table, self._shown_s
        self._shown_s = None
        if self.draft is not None:
            self._shown_s = table.draft_left_s(self.draft, now_ms)
        elif match.frozen_ms is not None:
            self._shown_s = shown.late_s = match.extension_s + acts.lost_ms(match, now_ms) // 1000
        else:
            left_ms = acts.pregame_left_ms(match, now_ms)
            if left_ms is not None:
                self._shown_s = shown.set_up_s = max(0, seconds(left_ms))
        if self._shown_s != before:
            self.face.drawn = False

    def look_back(self, what: int, older: int, ledger: "Ledger", now_ms: int) -> None:
        """Read lines about the past out of the journal; ``older``: the page after the last one."""
        from firmware.ui import recall  # rarely needed, and a board is ready the sooner

        self._page = self._page + 1 if older else 0
        self.table.lines = recall.lines(what, self._page, ledger, self.table, now_ms)
        self.changed = True

    def sign(self, match: "Match") -> bool:
        """Compute the code of a result that cannot be sent; return whether it was missing."""
        shown = self.table
        unsent = match.phase == phases.AGREED and shown.unsynced
        if not unsent or shown.result_code:
            return False
        assert self.journal is not None
        told = code.result(self.journal, match)
        shown.result_code = told[:3] + " " + told[3:]
        self.face.drawn = False
        return True

    def standing(self, sync: "Sync", uptime_ms: int) -> int:
        """Return the board's own state, as bits (``table``)."""
        waiting = sync.waiting
        if not waiting:
            self._fresh_ms = uptime_ms
        if uptime_ms - self._gauge_ms >= _GAUGE_MS:
            self._gauge_ms = uptime_ms
            self._percent = self.board.battery.percent
        low = self._percent is not None and self._percent < _LOW_PERCENT
        return (
            (table.UNSYNCED if uptime_ms - self._fresh_ms > _STALE_MS else 0)
            | (table.LOW if low else 0)
            | (table.WAITING if waiting else 0)
            | (table.UNCERTAIN if sync.timebase.guessed else 0)
            | (table.LIT if uptime_ms < self.lit_ms else 0)
            | (table.OLD if sync.refused[VERSION] else 0)
        )

    def flags(self, match: "Match") -> int:
        """Return the flags of a status, which the desk must know at once (docs/architecture.md)."""
        return (
            (frames.JUDGE_WANTED if match.call not in (None, JUDGE_IS_HERE) else 0)
            | (frames.RESULT_WAITING if match.phase == phases.PROPOSED else 0)
            | (frames.CLOCK_FROZEN if match.frozen_ms is not None else 0)
            | (frames.BATTERY_LOW if self.passing & table.LOW else 0)
            | (frames.IDENTIFYING if self.passing & table.LIT else 0)
        )

    def show(self, match: "Match", held: int, now_ms: int, fresh: bool = False) -> bool:
        """Draw what changed, once ``sign`` is done; return whether the panel was sent anything.

        ``held`` is the key that is down, or -1; ``fresh``: as the face's ``show``.
        """
        self.table.now_ms = now_ms
        self._count_call(match, now_ms)
        return self.face.show(held, fresh)

    def _count_call(self, match, now_ms):
        """Keep since when a judge has been called; texts show the minutes."""
        shown = self.table
        if match.call is None:
            shown.called_ms = None
            return
        if shown.called_ms is None:
            shown.called_ms = now_ms
        if self._called_minutes != shown.call_minutes:
            self._called_minutes = shown.call_minutes
            self.face.drawn = False

    def glow(self, match: "Match", now_ms: int) -> None:
        """Light the bar; written only on change."""
        called_ms = self.table.called_ms
        for_ms = now_ms - called_ms if called_ms is not None else 0
        phase = lights.standing(match, self.passing & table.LIT, self.passing & table.WARN, for_ms)
        shown = lights.bar(phase, match.turn, now_ms, self.board.leds.size)
        if shown != self._bar:
            self._bar = shown
            self.board.leds.show(lights.colours(shown, self._lit))

    def tell(self, match: "Match", kind: int) -> None:
        """Play the tone of an event's kind (0: a refusal), if the venue has switched sound on.

        The end of deck building sounds as the end of a round.
        """
        if kind == events.DRAFTED and self.draft is not None and self.draft.built:
            kind = events.TIME_CALLED
        if match.policy & tones.SWITCH and tones.tone(kind, 0) > 0:
            self._tune = kind, self.board.clock.now_ms()

    def sound(self, uptime_ms: int) -> None:
        """Continue the tone, without blocking."""
        kind, from_ms = self._tune
        if not from_ms:
            return
        hz = tones.tone(kind, uptime_ms - from_ms)
        if hz < 0:
            self._tune, hz = (0, 0), 0
        if hz != self._hz:
            self._hz = hz
            if hz:
                self.board.sound.tone(hz)
            else:
                self.board.sound.off()

    def lasts_ms(self, match: "Match", now_ms: int) -> int:
        """Return how long the picture stays unchanged if nothing happens."""
        if self._tune[1]:
            return _TONE_MS
        shown = self.face.shown
        idle_ms = _IDLE_MS if shown else _IDLE_MS << 9
        if shown and self.table.called_ms is not None:
            return lights.STEP_MS
        if self.draft is not None:
            return 250
        if shown and (
            match.frozen_ms is not None
            or not match.phase
            and match.said
            or match.called
            and acts.pregame_left_ms(match, now_ms) is not None
        ):
            return 1000
        if match.phase != phases.PREGAME and not table.runs(match):
            return idle_ms
        left_ms = match.remaining_ms(now_ms)
        assert left_ms is not None
        if shown:
            return left_ms % 1000 + 1
        for edge_ms in _EDGES_MS:
            if left_ms > edge_ms:
                return left_ms - edge_ms
        return idle_ms
