"""One table's match with its journal: events are stored first, then applied.

It connects the match machine with the program: ``tick`` for time, ``ask`` for an intent, ``record``
for other events.
"""

from firmware.core import draft, events, intents, legal, luck, seeds, takeback
from firmware.core.journal import OVER
from firmware.core.match import Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Draft, Entropy, Event, Events, Intent, Journal, Rules, Seeds

_OWN_ACT = 4  # ``by`` of a TAKE_BACK: a judge at the table takes back their own last act


class Ledger:
    """``match`` (and ``draft``, None without one), folded from ``journal``. ``seeds`` are the
    match's, None if rolls are not allowed; ``entropy(n)`` returns n random bytes.
    """

    def __init__(self, journal: "Journal", rules: "Rules", entropy: "Entropy"):
        self.journal, self.entropy = journal, entropy
        self.match, self._recorded = Match(rules), seeds.Seeds()  # what records say of a seed
        self.restart(rules)

    def restart(self, rules: "Rules") -> None:
        """Start over with an idle table."""
        self.match.rules = rules
        self.match.clear()
        self.draft: Draft | None = None
        self.seeds: Seeds | None = None
        self.due_ms: int | None = 0  # event time at which something is due; 0: ask, None: never

    def resume(self) -> None:
        """Resume the match from the journal, after a reset."""
        journal, taken_back = self.journal, False
        journal.verify()
        for place in range(journal.first, journal.end):
            if journal.kind(place):
                event = journal.event_at(place)
                self._apply(event)
                taken_back = taken_back or event.kind == events.TAKEN_BACK
        if taken_back:
            self._rebuild()

    def tick(self, now_ms: int, whole: bool = True) -> "Events":
        """Carry out what is due by time; return the events. Unless ``whole``, long work is split
        over several ticks; ``due_ms`` is 0 while some of it is left.
        """
        if self.due_ms is None or now_ms < self.due_ms:
            return ()
        table = self.match if self.draft is None else self.draft  # with a draft the match is idle
        happened = table.decide(intents.Tick(now_ms), now_ms)
        if not happened and self._seed_wanted():
            fits = self._recorded.committed or self.journal.fits(seeds.RECORDS)
            if not whole and not fits:
                self.journal.close_block()  # a seed and its commitment are written in one block
                return ()
            happened = self._seed()
        if happened:
            self.record(happened)
            return happened
        due_ms = self.match.due_ms(now_ms) if self.draft is None else self.draft.due_ms
        self.due_ms = due_ms if due_ms is None else max(due_ms, now_ms + 1)
        return ()

    def _seed_wanted(self):
        """Return whether the match may need a seed, and ``seeds`` is not set yet."""
        if self.seeds is not None:
            return False
        return legal.possible(self.match, intents.ROLL) and luck.any_offered(self.match)

    def record(self, happened: "Events", answer: "Event | None" = None) -> None:
        """Journal events, then apply them; an event that is not stored has not happened."""
        answers = () if answer is None else (answer,)
        self.journal.append(*happened, *answers)
        for event in happened:
            self._apply(event)
            if event.kind == events.TAKEN_BACK:
                self._rebuild()
        self.due_ms = 0

    def ask(self, intent: "Intent", now_ms: int) -> "Events":
        """Return an intent's events, () if it is not legal; changes nothing."""
        if isinstance(intent, intents.SetDraft):
            intent = intents.Conduct(intent.at_ms, intent.step, intent.first, intent.second)
        if isinstance(intent, intents.Conduct):
            return () if self.match.phase else self._draft().decide(intent, now_ms)
        if isinstance(intent, intents.TakeBack):
            return self._take_back(intent, now_ms)
        if isinstance(intent, intents.SetNonce):
            return self.seeds.nonce(intent) if self.seeds else ()
        if not isinstance(intent, intents.Roll):
            return self._keep_roll_ban(self.match.decide(intent, now_ms))
        if self.seeds is None or self.seeds.ill or not self.seeds.committed:
            return ()
        happened = self.match.decide(intent, now_ms, self.seeds)
        return self.seeds.before_roll() + happened if happened else ()

    def _take_back(self, intent: intents.Intent, now_ms: int) -> "Events":
        """Return what takes back a judge's last act or a press, () if it is not allowed."""
        if intent.by == _OWN_ACT:
            return takeback.act_taken_back(self.journal, self.match, now_ms)
        named = intent.epoch << 16 | intent.counter
        order = takeback.order_of(self.journal, named) if self.match.phase else None
        if not order:
            return ()
        return (events.TakenBack(now_ms, intent.by, order >> 16, order & 0xFFFF),)

    def _keep_roll_ban(self, happened):
        """Return events with the head judge's ban on rolls, which a new round must not undo."""
        if not happened:
            return ()
        first, *_ = happened
        if first.kind in OVER and self.match.policy & luck.BARRED:
            return happened + (events.PolicySet(first.at_ms, luck.BARRED),)
        return happened

    def _seed(self):
        """Return the events that commit to a seed; nothing is rolled until they are journalled."""
        self.seeds, match = self._recorded, self.match
        if not self.seeds.tested:
            self.seeds.test(self.entropy)
        place = self.journal.device, self.journal.event, match.round, match.table, match.pairing
        return self.seeds.draw(place)

    def _draft(self):
        return self.draft or draft.Draft()

    def _apply(self, event):
        kind = event.kind
        if kind in OVER:
            self.seeds = None
        self._recorded.take(event)
        if kind == events.ROUND_SET:
            self.draft = None
        elif kind == events.DRAFTED:
            self.draft = self._draft()
        if self.draft is not None:
            self.draft.apply(event)
        self.match.apply(event)

    def _rebuild(self):
        """Fold the match again without what was taken back."""
        self.match.clear()
        for place in takeback.in_force(self.journal):
            self.match.apply(self.journal.event_at(place))
