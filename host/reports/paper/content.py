"""The data of printed pages: an event at one moment."""

import functools
from collections.abc import Mapping

from host.archive import draft_pods, receipt
from host.archive.draft_pods import Pods
from host.archive.people import People
from host.archive.roster import Board
from host.archive.store import Archive
from host.archive.teams import Team
from host.base.errors import UserError
from host.event import seed_periods, team_lines
from host.event.fold import Hall
from host.event.incident_log import Incident, incidents
from host.event.scores import rounds_of
from host.event.seed_periods import Commitment
from host.keys import judge_codes
from host.keys.judge_codes import CodeRequest
from host.keys.keyring import Keyring
from host.tournament import final_places, pods, ranking
from host.tournament.ranking import Ranking, tiebreak_text
from host.tournament.rule_packs import Pack


class Content:
    """The data of printed pages: an archive and its hall at one moment, and a round (or the last).

    ``keyring`` is needed only for the one-time codes, which ``codes`` selects.
    """

    def __init__(
        self,
        archive: Archive,
        hall: Hall,
        round_number: int | None = None,
        pack: Pack | None = None,
        keyring: Keyring | None = None,
        code_request: CodeRequest = CodeRequest(),  # noqa: B008 - it never changes
    ):
        self._archive, self._hall, self._pack = archive, hall, pack
        self._keyring, self._code_request = keyring, code_request
        self._rounds = rounds_of(archive, hall, round_number)
        self.round = self._rounds[-1]
        self._is_last_round = self.round.number == max(archive.roster.rounds)
        event = archive.roster.event
        assert event is not None  # there is a round
        self.event, self.origin_unix_ms = event.name, event.origin_unix_ms

    @functools.cached_property
    def ranking(self) -> Ranking:
        """The standings after the round. Raises UserError if they need a rule pack."""
        return final_places.standings(self._rounds, self._pack)

    @functools.cached_property
    def points(self) -> Mapping[str, str]:
        """Everybody's points before a Swiss round, by number; empty before an elimination, or if
        the rules define none.
        """
        before = [] if self.round.elimination else self._rounds[:-1]
        shares = ranking.points(before, self._pack) if before else {}
        return {number: tiebreak_text(share) for number, share in shares.items()}

    @functools.cached_property
    def incidents(self) -> list[Incident]:
        """The incident log of all rounds up to and including this one."""
        return [
            incident for incident in incidents(self._archive) if incident.round <= self.round.number
        ]

    @property
    def pods(self) -> Pods | None:
        """The pods of the draft that the round is played in."""
        return draft_pods.in_force(self._archive, self.round.number)

    @functools.cached_property
    def by_pod(self) -> list[Ranking]:
        """Each pod's own standings after the round, [] without pods."""
        return pods.tables_of(self._archive, self._rounds, self._pack)

    @functools.cached_property
    def teams(self) -> Mapping[str, Team]:
        """The teams that play the round, by number."""
        return team_lines.of_round(self._archive, self.round.format)

    @functools.cached_property
    def commitments(self) -> Mapping[int, list[Commitment]]:
        """The boards' commitments to the round's seeds, by table."""
        return seed_periods.commitments(self._archive, self.round.number)

    @property
    def receipt(self) -> str | None:
        """The words of the closed event's receipt, None before the close and for earlier rounds."""
        return receipt.receipt(self._archive) if self._is_last_round else None

    @property
    def names(self) -> dict[str, str]:
        """Everybody's name, by number."""
        return {person.player.number: person.player.name for person in People(self._archive).every}

    @property
    def codes(self) -> list[tuple[Board, list[tuple[int, str]]]]:
        """The judge's next codes as ``[(Board, [(number, six digits)])]``, by table.

        Raises UserError if there is no board.
        """
        boards = self._code_request.boards(self._archive)
        if not boards or self._keyring is None:
            raise UserError(
                "this archive holds no one-time codes to print: it has no board or no key"
            )
        request = self._code_request
        listed = []
        for board in boards:
            codes = judge_codes.codes(
                self._keyring, self._archive, board, request.count, request.first
            )
            listed.append((board, codes))
        return listed

    @property
    def moment(self) -> int:
        """The latest moment in the archive, in Unix ms."""
        return self.origin_unix_ms + self._archive.latest_ms

    def extension_s(self, table: int | None) -> int:
        """Return a table's extension in this round, in seconds."""
        return self._hall.match_at(table, self.round.number, lambda match: match.extension_s, 0)
