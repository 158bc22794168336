"""Every kind of paper by its name: ``page(kind, content, language)`` is a file that prints itself."""

import functools

from host.base import catalogues
from host.base.errors import UserError
from host.event.incident_log import incidents
from host.event.scores import rounds_of
from host.formats.round_format import UNTIMED_MIN
from host.keys import judge_codes
from host.reports.paper import lists, sheet
from host.reports.paper.slips import slips
from host.reports.paper.words import Say
from host.tournament.ranking import ranking

CODES = 20  # for each board


KINDS = {
    "pairings": lists.pairings,
    "names": lists.by_name,
    "slips": slips,
    "outstanding": lists.outstanding,
    "incidents": lists.incidents,
    "standings": lists.standings,
    "codes": lists.codes,
}


class Content:
    """What pages are made of: an archive and its hall at one moment, a round (the last when None).

    ``keyring`` is wanted for the one-time codes alone.
    """

    def __init__(self, archive, hall, round_number=None, pack=None, keyring=None):
        self._archive, self._hall, self._pack, self._keyring = archive, hall, pack, keyring
        self._rounds = rounds_of(archive, hall, round_number)
        self.round = self._rounds[-1]
        self.event = archive.roster.event.name
        self.origin_unix_ms = archive.roster.event.origin_unix_ms

    @functools.cached_property
    def ranking(self):
        """The standings after the round; raises UserError where a pack is wanted."""
        return ranking(self._rounds, self._pack)

    @functools.cached_property
    def incidents(self):
        """The incident log of all rounds up to this one."""
        return [one for one in incidents(self._archive) if one.round <= self.round.number]

    @property
    def codes(self):
        """The judge's next codes as ``[(Board, [(number, six digits)])]``, by table; UserError without a board."""
        boards = sorted(
            self._archive.roster.current_boards.values(), key=lambda board: board.address
        )
        if not boards or self._keyring is None:
            raise UserError(
                "this archive holds no one-time codes to print: it has no board or no key"
            )
        return [
            (board, judge_codes.codes(self._keyring, self._archive, board, CODES))
            for board in boards
        ]

    @property
    def moment(self):
        """The latest moment that the archive knows, unix ms."""
        return self.origin_unix_ms + self._archive.latest_ms

    def extension_s(self, table):
        """Return the seconds that a table was given in this round."""
        return self._hall.match_at(table, self.round.number, "extension_s", 0)


def page(kind, content, language="en"):
    """Return a kind's whole HTML file; raises UserError where there is nothing to print it from."""
    say = Say(language)
    minutes = content.round.format.minutes
    length = say("untimed") if minutes == UNTIMED_MIN else f"{minutes} {say('minutes')}"
    under = " · ".join((
        sheet.name(content.event),
        sheet.text(f"{say('round')} {content.round.number}"),
        sheet.text(length),
        sheet.text(f"{say('as_of')} {lists.clock_of(content.moment)}"),
    ))  # fmt: skip
    return sheet.page(catalogues.tag(language), say(kind), under, KINDS[kind](content, say))
