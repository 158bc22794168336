"""The face's input: how the board stands (its battery, for one) and what changed at its table."""

from firmware.core import acts, code, events, frames, phases
from firmware.core.answers import VERSION
from firmware.core.match import JUDGE_IS_HERE
from firmware.ui import lights, table, tones

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Journal, Ledger, Match, Seeds, Sync
    from firmware.ui.types import Board, Face

_STALE_MS = 30000  # records that wait longer than this are called unsent
_LOW_PERCENT = 15
_GAUGE_MS = 10000
_IDLE_MS = 10000
_UNSEEN_MS = _IDLE_MS << 9  # where no picture is drawn
_TONE_MS = 20
_DRAFT_MS = 250


class View:
    """Between an App's parts and its ``face``; ``changed``: match or names have changed."""

    def __init__(self, board: "Board", face: "Face", journal: "Journal | None" = None):
        self.board, self.face, self.table, self.journal = board, face, face.table, journal
        self.table.three = board.keys_count > 2
        self.table.device = board.settings["device"]
        self.changed = True
        self.lit_ms = 0  # until when the board identifies itself
        self.seeds: "Seeds | None" = None  # the match's, if rolls are allowed
        self._page = 0  # of the lines about the past
        self._synced_ms = self._gauge_ms = 0
        self._percent = board.battery.percent
        self._times = None  # the parts of the texts shown that time alone changes
        self._bar = 0
        self._lit = bytearray(3 * board.leds.size)
        self._tune = (0, 0)  # an event's kind and when it sounds; 0 ms: silence
        self._hz = 0

    def read(self, match: "Match", board_state: int, now_ms: int) -> bool:
        """Update what the screens read; return whether another screen comes on by that."""
        shown = self.table
        shown.match, shown.now_ms = match, now_ms
        passing = board_state
        if shown.draft is None:
            passing |= table.clock_warnings(match, now_ms)
        if not self.changed and passing == shown.passing:
            return False
        if self.changed:  # take over what the match alone does not say
            seeds, roll = self.seeds, (match.roll if shown.rolled else None)
            shown.generator_failed = seeds is not None and seeds.ill
            shown.roll_name = "" if seeds is None or roll is None else seeds.named(roll)
            shown.battery = self._percent or 0
            if match.phase == phases.AGREED:
                shown.result_code = ""  # ``make_result_code`` is called before it is drawn
        shown.passing, self.changed = passing, False
        return self.face.follow()

    def look_back(self, what: int, older: int, ledger: "Ledger", now_ms: int) -> None:
        """Read lines about the past out of the journal; ``older``: the page after the last one."""
        from firmware.ui import recall  # rarely needed, and a board is ready the sooner

        self._page = self._page + 1 if older else 0
        self.table.lines = recall.lines(what, self._page, ledger, self.table, now_ms)
        self.changed = True

    def make_result_code(self, match: "Match") -> bool:
        """Compute the code of a result that cannot be sent; return whether it was missing."""
        shown = self.table
        unsent = match.phase == phases.AGREED and shown.unsynced
        if not unsent or shown.result_code:
            return False
        assert self.journal is not None
        text = code.result(self.journal, match)
        shown.result_code = text[:3] + " " + text[3:]
        self.face.drawn = False
        return True

    def board_state(self, sync: "Sync", uptime_ms: int) -> int:
        """Return what is to be said of the board itself, as bits (``table``)."""
        waiting = sync.waiting
        if not waiting:
            self._synced_ms = uptime_ms
        if uptime_ms - self._gauge_ms >= _GAUGE_MS:
            self._gauge_ms = uptime_ms
            self._percent = self.board.battery.percent
        low = self._percent is not None and self._percent < _LOW_PERCENT
        return (
            (table.UNSYNCED if uptime_ms - self._synced_ms > _STALE_MS else 0)
            | (table.LOW if low else 0)
            | (table.WAITING if waiting else 0)
            | (table.UNCERTAIN if sync.timebase.guessed else 0)
            | (table.LIT if uptime_ms < self.lit_ms else 0)
            | (table.OLD if sync.refused[VERSION] else 0)
        )

    def board_state_changed(self, sync: "Sync", uptime_ms: int) -> bool:
        """Return whether the board's own state differs from what the screens have read."""
        changed = self.board_state(sync, uptime_ms) ^ self.table.passing
        return changed & ~(table.WARN | table.LAST) != 0

    def flags(self, match: "Match") -> int:
        """Return the flags of a status, which the desk must know at once (docs/architecture.md)."""
        return (
            (frames.JUDGE_WANTED if match.call not in (None, JUDGE_IS_HERE) else 0)
            | (frames.RESULT_WAITING if match.phase == phases.PROPOSED else 0)
            | (frames.CLOCK_FROZEN if match.frozen_ms is not None else 0)
            | (frames.BATTERY_LOW if self.table.low else 0)
            | (frames.IDENTIFYING if self.table.lit else 0)
        )

    def show(self, match: "Match", held: int, now_ms: int, fresh: bool = False) -> bool:
        """Draw what changed; return whether the panel was sent anything. ``held`` is the key that
        is down, or -1; ``fresh``: as the face's ``show``.
        """
        shown = self.table
        shown.now_ms = now_ms
        if match.call is None:
            shown.called_ms = None
        elif shown.called_ms is None:
            shown.called_ms = now_ms
        if shown.shown_times != self._times:
            self._times, self.face.drawn = shown.shown_times, False
        return self.face.show(held, fresh)

    def show_lights(self, match: "Match", now_ms: int) -> int:
        """Light the bar, written only on change; return in how many ms it may change by itself."""
        called_ms = self.table.called_ms
        for_ms = now_ms - called_ms if called_ms is not None else 0
        state = lights.standing(match, self.table.lit, self.table.warn, for_ms)
        shown = lights.bar(state, match.turn, now_ms, self.board.leds.size)
        if shown != self._bar:
            self._bar = shown
            self.board.leds.show(lights.colours(shown, self._lit))
        return lights.STEP_MS if lights.moves(state, self.board.leds.size) else _UNSEEN_MS

    def play_tone(self, match: "Match", kind: int) -> None:
        """Play the tone of an event's kind (0: a refusal), if the venue has switched sound on. The
        end of deck building sounds as the end of a round.
        """
        draft = self.table.draft
        if kind == events.DRAFTED and draft is not None and draft.built:
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

    def unchanged_ms(self, match: "Match", now_ms: int) -> int:
        """Return how long the picture stays unchanged if nothing happens."""
        if self._tune[1]:
            return _TONE_MS
        if self.table.draft is not None:
            return _DRAFT_MS
        left_ms = None
        if match.phase == phases.PREGAME or table.runs(match):
            left_ms = match.remaining_ms(now_ms)
        if not self.face.shown:  # only the clock's screen changes
            for edge_ms in (table.WARN_MS, table.LAST_MS):
                if left_ms is not None and left_ms > edge_ms:
                    return left_ms - edge_ms
            return _UNSEEN_MS
        if _text_counts(match, now_ms):
            return 1000
        return _IDLE_MS if left_ms is None else left_ms % 1000 + 1


def _text_counts(match, now_ms):
    """Return whether a text counts seconds, beside the big clock or without one."""
    if match.frozen_ms is not None:
        return True
    if match.phase == phases.IDLE:
        return match.notice is not None
    return match.called and acts.pregame_left_ms(match, now_ms) is not None
