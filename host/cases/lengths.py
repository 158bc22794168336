"""Cases on round lengths (P18 8.3, D03 212, XW15) and on who plays first (P18 10, D03 213)."""

from firmware.core import first_player, phases
from firmware.core.match import Match
from host.archive.roster import Format
from host.base.errors import UserError
from host.base.json_values import Json
from host.cases import match_case, match_steps
from host.cases.need import Got, listing, mapping, truth, whole, word
from host.desk import round_lengths
from host.systems import round_limits
from host.systems.rules import Catalogue


def run(subject: Json, systems: Catalogue) -> Got:
    """Return a round's ``usual``, ``least`` and ``most`` minutes and whether they are ``firm``.

    If ``subject`` has ``minutes``, also ``allowed`` and ``remark`` for that length. Its other keys:
    ``system``, ``format``, ``round``, ``announced`` (minutes of every round) and ``begun`` (the
    event has begun). Raises ValueError for bad data.
    """
    subject = mapping(subject, "lengths")
    rules = systems[word(subject.get("system"), "system", systems)]
    wanted = match_steps.check_format(subject.get("format", {}), rules, "lengths")
    last = 4 if rules.CAPS else 255
    number = whole(subject.get("round", wanted.get("round", 1)), "round", 1, last)
    bits = match_case.format_bits({**wanted, "round": number}, rules)
    least, usual, most = round_limits.bounds(rules, bits)
    got = {"usual": usual, "least": least, "most": most, "firm": round_limits.is_firm(rules)}
    if "minutes" not in subject:
        return got
    form = Format(rules.NUMBER, bits, whole(subject["minutes"], "minutes", 1, 999))
    listed = listing(subject.get("announced", []), "announced")
    announced = [whole(minutes, "announced", 1, 999) for minutes in listed]
    begun = truth(subject.get("begun", False), "begun")
    try:
        remark = round_lengths.check(rules, form, number, announced, begun)
    except UserError as mistake:
        return got | {"allowed": False, "remark": str(mistake)}
    return got | {"allowed": True, "remark": remark}


def run_first(subject: Json, systems: Catalogue) -> Got:
    """Return who ``decides`` the first player after ``games``.

    Each game has ``won`` (A, B, none) and ``chose``. Raises ValueError for bad data.
    """
    subject = mapping(subject, "first")
    rules = systems[word(subject.get("system"), "system", systems)]
    if truth(subject.get("tiebreaker", False), "tiebreaker"):
        match = Match(rules)
        match.phase = phases.TIEBREAKER
        decides = first_player.of(match)
    else:
        last = chose = 0
        for i, game in enumerate(listing(subject.get("games", []), "games"), 1):
            last, chose = _game(game, f"game {i}")
        decides = first_player.who(rules.FIRST, last, chose)
    return {"decides": _DECIDES[decides]}


_DECIDES = (None, "A", "B", "flip", "toss winner", "ask")  # by the numbers of ``first_player``


def _game(game: Json, where: str) -> tuple[int, int]:
    """Return how a game ended, and who chose its first player, as numbers of ``first_player``."""
    game = mapping(game, where)
    won = word(game.get("won"), f"{where}: won", ("A", "B", "none"))
    chose = game.get("chose")
    chooser = word(chose, f"{where}: chose", match_case.SIDES) if chose else None
    return {"A": 1, "B": 2, "none": 3}[won], {None: 0, "A": 1, "B": 2}[chooser]
