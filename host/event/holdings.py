"""Which records of each board are archived, and so which are missing."""

from firmware.core import events, frames
from host.event.unrevealed_seeds import UnrevealedSeeds

BOOTS = 256  # of a board at one event: what lies before so many is not asked for


class Epoch:
    """One boot of one board: every counter below ``below`` is held, and those in ``beyond``."""

    def __init__(self):
        self.below, self.beyond = 0, set()
        self.boot_event = None  # under whose key its first record was signed
        self.before = None  # (the epoch before, how many records that one has)

    def add(self, counter):
        """Note a held counter."""
        if counter >= self.below:
            self.beyond.add(counter)
        while self.below in self.beyond:
            self.beyond.remove(self.below)
            self.below += 1

    def missing(self, size, withheld=()):
        """Return the runs ``(first, count)`` not held among counters below ``size``, nor ``withheld``."""
        runs, first = [], self.below
        there = {counter for counter in (*self.beyond, *withheld) if self.below <= counter < size}
        for counter in [
            *sorted(there),
            size,
        ]:  # a board may claim any size: it is not walked through
            if counter > first:
                runs.append((first, counter - first))
            first = counter + 1
        return runs

    @property
    def seen(self):
        """1 + the highest counter held."""
        return max(self.beyond) + 1 if self.beyond else self.below


class Holdings:
    """The archive's records as counters, built from ``entries`` and fed with each new record."""

    def __init__(self, entries=()):
        self._epochs, self._withheld = {}, {}
        self.gone = set()  # (device, generation, epoch, counter) that boards have lost
        for entry in entries:
            self.add(entry)

    def add(self, entry):
        """Note an archived record."""
        epoch = self.epoch(*entry.id[:3])
        epoch.add(entry.counter)
        self.withheld(*entry.id[:2]).add(*entry.id[2:], entry.frame)
        if entry.counter == 0:
            epoch.boot_event = entry.event
        kind, _, _, before, count = frames.event_of(entry.frame)
        if kind == events.EPOCH_CLOSED:
            epoch.before = before, count

    def epoch(self, device, generation, number):
        """Return the Epoch, an empty one when nothing of it is held."""
        return self._epochs.setdefault((device, generation, number), Epoch())

    def withheld(self, device, generation):
        """Return the UnrevealedSeeds of a board."""
        return self._withheld.setdefault((device, generation), UnrevealedSeeds())

    def give_up(self, device, generation, number, counter):
        """Note that the board has not got this record any more."""
        self.gone.add((device, generation, number, counter))
        self.epoch(device, generation, number).add(counter)

    def lacks(self, device, generation, number, news_head):
        """Whether the archive has not what a board has told of, though it is not withheld."""
        back = _of(self.withheld(device, generation).now, number)
        return bool(self.epoch(device, generation, number).missing(news_head, back))

    def gaps(self, device, generation, number, news_head, event):
        """Return what a board at epoch ``number`` still owes: runs ``(epoch, first, count)``.

        Epochs before are owed as far back as the board was at ``event`` when it booted.
        """
        epoch, back = self.epoch(device, generation, number), self.withheld(device, generation).now
        runs = [
            (number, *run) for run in epoch.missing(max(news_head, epoch.seen), _of(back, number))
        ]
        for _ in range(BOOTS):
            if epoch.boot_event != event or epoch.before is None or not epoch.before[1]:
                break
            older, count = epoch.before
            if older >= number:
                break
            number, epoch = older, self.epoch(device, generation, older)
            runs = [(number, *run) for run in epoch.missing(count, _of(back, number))] + runs
        return runs


def _of(places, number):
    return {counter for epoch, counter in places if epoch == number}
