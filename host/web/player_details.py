"""What a table's card tells staff of its players beside name and number: the obstacles of a squad
(XW15), a team's home and members with the prizes that each sets out (D03 App. B 5-6).
"""

from host.archive.roster import Format
from host.archive.store import Archive
from host.event import squad_lists, team_lines
from host.systems.rules import Rules
from host.web.cards import MemberCard, PlayerCard


class PlayerDetails:
    """The details of all players of a round, read in one go; ``rules`` are its system's."""

    def __init__(self, archive: Archive, form: Format, rules: Rules):
        self._form, self._teams = form, team_lines.of_round(archive, form)
        self._squads = squad_lists.of(archive) if rules.CAPS else {}

    def added(self, card: PlayerCard) -> PlayerCard:
        """Return a player's card with all that is known."""
        squad, team = self._squads.get(card["number"]), self._teams.get(card["number"])
        more: PlayerCard = {**card}
        if squad is not None and squad.obstacles:
            more["obstacles"] = list(squad.obstacles)
        if team is not None:
            more["home"] = team_lines.home(team)
            more["members"] = [_member(one) for one in team_lines.members(team, self._form)]
        return more


def _member(one: team_lines.Member) -> MemberCard:
    return {
        "position": one.position,
        "name": one.player.name,
        "number": one.player.number,
        "prizes": one.prizes,
    }
