"""The face's input: facts, words and clocks of the table, updated only on change."""

from firmware.core import acts, countdown, frames, phases
from firmware.core.answers import VERSION
from firmware.core.match import JUDGE_IS_HERE
from firmware.ui import conductor, facts, lights, recall, squads, tones, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Draft, Journal, Ledger, Match, Seeds, Sync
    from firmware.ui.types import Board, Face, Words

_STALE_MS = 30000  # records that wait longer than this are called unsent
_LOW_PERCENT = 15
_GAUGE_MS = 10000
_IDLE_MS = 10000
_TONE_MS = 20
_EDGES_MS = (300000, 60000)  # when the clock's screen changes by itself

# the third to seventh fact, and one more (``facts.passing``)
UNSYNCED = 4
LOW = 8
WAITING = 16
UNCERTAIN = 32
LIT = 64
OLD = facts.OLD


class View:
    """Between an App's parts and its ``face``; ``changed``: match or names have changed."""

    def __init__(self, board: "Board", screens: "Face", journal: "Journal | None" = None):
        self.board, self.face, self.journal = board, screens, journal
        self.names = ["", ""]
        self.changed = True
        self.lit_ms = 0  # until when the board identifies itself
        self.passing = 0
        self.recalled = [""] * 5  # lines about earlier events, or when a stopped table ends
        self.pending = 0  # what somebody has begun (``hand``)
        self.draft: "Draft | None" = None  # one that this board conducts
        self.seeds: "Seeds | None" = None  # the match's, if rolls are allowed
        self._left_s = self._page = 0  # of its clock; of the lines about the past
        self._fresh_ms = self._gauge_ms = 0
        self._percent = board.battery.percent
        self._words: "Words" = [0] * word.COUNT
        self._late_s = -1  # the time in the line about a stopped table
        self._clocks = [0] * 8
        self._screen: "int | None" = None  # that the panel shows
        self.late = False  # it shows the second before: see ``show``
        self._bar, self._called_ms = 0, None
        self._lit = bytearray(3 * board.leds.size)
        self._tune = (0, 0)  # an event's kind and when it sounds; 0 ms: silence
        self._hz = 0

    def read(self, match: "Match", standing: int, now_ms: int) -> bool:
        """Update facts and words; return whether this changed the screen."""
        if self.draft is not None:
            return self._conducts(match, standing, now_ms)
        if match.frozen_ms is not None:
            self._lags(match, now_ms)
        else:
            self._sets_up(match, now_ms)
        passing = facts.clock(match, now_ms) | standing
        if not self.changed and passing == self.passing:
            return False
        news = self.face.news
        ill = self.seeds is not None and self.seeds.ill
        facts.lasting(news, match, self.board.keys_count > 2, self.pending, ill)
        facts.passing(news, passing)
        if match.squads:
            squads.facts_of(news, match)
        if self.changed:
            self._say(match)
        self.passing = passing
        return self.face.follow(match.phase)

    def _say(self, match):
        words = self._words
        facts.words(words, match, self.names, self.recalled)
        if match.squads and match.phase <= phases.PREGAME:
            squads.words_of(words, match)
        words[word.DEVICE], words[word.CODE] = self.board.settings["device"], ""
        if match.phase == phases.AGREED:
            words[word.CODE] = None  # pyright: ignore[reportCallIssue, reportArgumentType]  (``sign`` does, before it is drawn)
        elif self.seeds is not None and match.rolled in (1, 3):
            words[word.CODE] = self.seeds.named(match.roll)
        words[word.BATTERY] = self._percent or 0
        self.face.fresh, self.face.most = (
            facts.entered(match),
            match.cards or match.cap or match.best_of,
        )
        self.face.drawn = self.changed = False

    def look_back(self, what: int, older: int, ledger: "Ledger", now_ms: int) -> None:
        """Read lines about the past out of the journal; ``older``: the page after the last one."""
        self._page = self._page + 1 if older else 0
        # it leaves its own in the words, which are all said anew
        self.recalled[:4] = recall.lines(what, self._page, ledger, self.face, self._words, now_ms)
        self.changed = True

    def _lags(self, match, now_ms):
        """Show how long after the room's zero a stopped table will end (rules F1)."""
        late_s = match.extension_s + acts.lost_ms(match, now_ms) // 1000
        if late_s != self._late_s:
            self._late_s, self.changed = late_s, True
            self.recalled[4] = "%d:%02d" % (late_s // 60, late_s % 60)

    def _sets_up(self, match, now_ms):
        """Show what is left of the 2:00 between two games, on the texts that name it."""
        left_ms = acts.pregame_left_ms(match, now_ms)
        if left_ms is None:
            return
        left_s = max(0, countdown.seconds(left_ms))
        if self._late_s != -2 - left_s:
            self._late_s = -2 - left_s
            self.recalled[4] = self._words[word.RECALLED + 4] = "%d:%02d" % divmod(left_s, 60)
            self.face.drawn = False

    def _conducts(self, match, standing, now_ms):
        """Do the work of ``read`` while this board conducts a draft."""
        draft, news = self.draft, self.face.news
        assert draft is not None
        left_s = conductor.seconds(draft, now_ms)
        if not self.changed and left_s == self._left_s and standing == self.passing:
            return False
        self._left_s, self.passing = left_s, standing
        conductor.facts_of(news, draft, match, self.board.keys_count > 2, self.pending)
        facts.passing(news, standing)
        conductor.words(self._words, draft, left_s)
        self.face.fresh, self.face.most = (draft.cards, 0), conductor.MOST_CARDS
        self.face.drawn = self.changed = False
        return self.face.follow(conductor.PHASE + draft.phase)

    def sign(self, match: "Match") -> bool:
        """Compute the code of a result that cannot be sent; return whether it was missing."""
        if self._words[word.CODE] is not None or not self.passing & UNSYNCED:
            return False
        from firmware.core import code

        assert self.journal is not None
        told = code.result(self.journal, match)
        self._words[word.CODE] = told[:3] + " " + told[3:]
        self.face.drawn = False
        return True

    def standing(self, sync: "Sync", uptime_ms: int) -> int:
        """Return the board's own state, as facts."""
        waiting = sync.waiting
        if not waiting:
            self._fresh_ms = uptime_ms
        if uptime_ms - self._gauge_ms >= _GAUGE_MS:
            self._gauge_ms = uptime_ms
            self._percent = self.board.battery.percent
        low = self._percent is not None and self._percent < _LOW_PERCENT
        return (
            (UNSYNCED if uptime_ms - self._fresh_ms > _STALE_MS else 0)
            | (LOW if low else 0)
            | (WAITING if waiting else 0)
            | (UNCERTAIN if sync.timebase.guessed else 0)
            | (LIT if uptime_ms < self.lit_ms else 0)
            | (OLD if sync.refused[VERSION] else 0)
        )

    def flags(self, match: "Match") -> int:
        """Return the flags of a status, which the desk must know at once (docs/architecture.md)."""
        return (
            (frames.JUDGE_WANTED if match.call not in (None, JUDGE_IS_HERE) else 0)
            | (frames.RESULT_WAITING if match.phase == phases.PROPOSED else 0)
            | (frames.CLOCK_FROZEN if match.frozen_ms is not None else 0)
            | (frames.BATTERY_LOW if self.passing & LOW else 0)
            | (frames.IDENTIFYING if self.passing & LIT else 0)
        )

    def show(self, match: "Match", held: int, now_ms: int, fresh: bool = False) -> bool:
        """Draw what changed, once ``sign`` is done; return whether the panel was sent anything.

        ``held`` is the key that is down, or -1; ``fresh``: one went down so lately that it is not
        shown yet. Nobody who pressed waits for the digits of a second, which take longest: they
        come in the picture after the one that answers a key (``late``).
        """
        clocks = self._clocks
        clocks[7] = self._waits(match, now_ms)
        if not self.face.shown:
            self.face.drawn, self._screen, self.late = False, None, False
            return False
        left_s = whole_s = match.minutes * 60 + match.extension_s
        if match.start_ms is not None:
            left_s = countdown.seconds(match.remaining_ms(now_ms))  # pyright: ignore[reportArgumentType]  (there is a start)
            left_s = max(0, min(left_s, whole_s))
            clocks[1] = max(0, countdown.seconds(match.start_ms + match.lost_ms - now_ms))
        clocks[2] = match.table
        clocks[3] = match.turn
        clocks[4] = match.roll.face if match.roll else 0
        if not match.phase and match.said:
            clocks[1] = max(0, match.said.next_round_s - (now_ms - match.said.at_ms) // 1000)
        if self.draft is not None:
            clocks[1], clocks[3] = self._left_s, self.draft.seat
        answers = fresh or held != self.face.held or not self.face.drawn
        self.late = answers and clocks[0] - left_s == 1 and self._screen == self.face.number
        self._screen = self.face.number
        if not self.late:
            clocks[0] = left_s
        return self.face.show(self._words, clocks, held)

    def _waits(self, match, now_ms):
        """Return for how many seconds a judge has been called; also set the proposed extension."""
        if match.call is None:
            self._called_ms = None
            return 0
        if self._called_ms is None:
            self._called_ms = now_ms
        waited_s = (now_ms - self._called_ms) // 1000
        minutes = waited_s // 60 + 1
        if self._words[word.MINUTES] != minutes:
            self._words[word.MINUTES], self.face.drawn = minutes, False
            self.face.extension_s = match.extension_s + 60 * minutes
        return waited_s

    def glow(self, match: "Match", now_ms: int) -> None:
        """Light the bar; written only on change."""
        for_ms = now_ms - self._called_ms if self._called_ms is not None else 0
        phase = lights.standing(match, self.passing & LIT, self.passing & 1, for_ms)
        shown = lights.bar(phase, match.turn, now_ms, self.board.leds.size)
        if shown != self._bar:
            self._bar = shown
            self.board.leds.show(lights.colours(shown, self._lit))

    def tell(self, match: "Match", kind: int) -> None:
        """Play the tone of an event's kind (0: a refusal), if the venue has switched sound on."""
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
        if shown and self._called_ms is not None:
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
        if match.phase != phases.PREGAME and not facts.runs(match):
            return idle_ms
        left_ms = match.remaining_ms(now_ms)
        assert left_ms is not None
        if shown:
            return left_ms % 1000 + 1
        for edge_ms in _EDGES_MS:
            if left_ms > edge_ms:
                return left_ms - edge_ms
        return idle_ms
