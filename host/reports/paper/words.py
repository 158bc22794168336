"""The texts on paper: English here, by key; other languages are in ``host/locale``."""

from host.base import catalogues, commands

DOMAIN = "paper"
TEXTS = {
    "pairings": "Pairings by table",
    "names": "Seats by surname",
    "slips": "Result slips",
    "pods": "Draft: pods and seats",
    "pod": "Pod",
    "seat": "Seat",
    "no_pods": "This round has no draft.",
    "outstanding": "Outstanding results",
    "incidents": "Incident log",
    "standings": "Standings",
    "codes": "One-time codes",
    "commitments": "Commitments of the boards",
    "commitment": "Commitment",
    "no_commitment": "none yet",
    "commitment_why": "Each board has committed to a secret seed before it rolls, and tells it when"
    " the match is over. The page Check rolls shows whether it fits the code printed here.",
    "cross_out": "Keep this sheet to yourself. Use each code once, in order, and cross it out.",
    "round": "Round",
    "table": "Table",
    "player": "Player",
    "opponent": "Opponent",
    "number": "Number",
    "bye": "bye",
    "rank": "Rank",
    "swiss": "Swiss rank",
    "champion": "Champion",
    "for_place": "For place",
    "minutes": "min",
    "untimed": "untimed",
    "wins": "wins",
    "tie": "tie",
    "drop": "drop",
    "prizes": "Prizes at time",
    "narrow": "narrow win",
    "extra_minutes": "extra minutes",
    "games": "Games won",
    "destroyed": "Points destroyed",
    "signature": "Signature",
    "judge": "Judge",
    "extension": "Extension",
    "none_open": "Every result is in.",
    "none_happened": "No incidents so far.",
    "time": "Time",
    "what": "What",
    "who": "By",
    "why": "Reason",
    "receipt": "Receipt",
    "receipt_why": "Keep these words: they show later that nothing of this event was changed.",
    "state": "State",
    "as_of": "as of",
    "still_open": "outstanding",
    "points": "Points",
    "margin": "Margin",
    "sos": "Strength of schedule",
    "opponents_wins": "Opponents’ wins",
    "opponents_opponents_wins": "Their opponents’ wins",
    "game_wins": "Games won",
    "opponents_game_wins": "Opponents’ games",
    "done": "done",
    "pending": "pending",
    "refused": "refused",
    "dropped": "abandoned",
    "at_table": "at the table",
    "by": "by",
    "shared": "Nothing separates players who share a rank: the organiser decides.",
    # what an incident comes to
    "happened.extension": "extension, {minutes} min in total",
    "happened.late": "late or away: {seats}",
    "happened.game_loss": "game loss: {seat}",
    "happened.ruling": "result ruled: {outcome}",
    "happened.paper": "result from paper: {outcome}",
    "happened.prizes": "prize penalty: ▲ +{a}, ● +{b}",
    "happened.roll": "disputed roll ruled: {roll}",
    "happened.taken_back": "taken back",
    "happened.refused": "result refused: {seat}",
    "happened.disputed": "roll disputed: {seat}",
    "happened.call": "judge called",
    "happened.code": "judge’s code entered at the table",
    "happened.wrong_code": "wrong judge’s code at the table",
    "happened.penalty": "penalty: {seat}",
    "penalty.level.caution": "Caution",
    "penalty.level.warning": "Warning",
    "penalty.level.prizes": "Prize penalty",
    "penalty.level.game_loss": "Game loss",
    "penalty.level.match_loss": "Match loss",
    "penalty.level.disqualification": "Disqualification",
    "penalty.category.play": "Error in play",
    "penalty.category.tardy": "Late",
    "penalty.category.slow": "Slow play",
    "penalty.category.deck": "Deck or list",
    "penalty.category.conduct": "Unsporting conduct",
    "penalty.category.cheating": "Cheating",
    "penalty.category.other": "Other",
    "reason.tardy": "Late",
    "reason.deck_error": "Deck error",
    "reason.slow": "Slow play",
    "reason.conduct": "Unsporting conduct",
    "happened.turns": "turns timed: {a}",
    "roll.conclusive": "conclusive",
    "roll.again": "again",
    "outcome.0": "withdrawn",
    "outcome.1": "▲ wins",
    "outcome.2": "● wins",
    "outcome.3": "tie",
}


class Say:
    """The texts of one language: ``say("round")``."""

    def __init__(self, language: str):
        self.language = language
        self._paper = catalogues.catalogue(language, DOMAIN)
        self._acts = catalogues.catalogue(language, "host")

    def __call__(self, key: str) -> str:
        """Return the text of a key of ``TEXTS``, or the title of an incident's act if ``TEXTS`` has
        no own text for it (``commands``).
        """
        if key in TEXTS:
            return self._paper.text(TEXTS[key], key)
        for command in commands.COMMANDS:
            if key == f"happened.{command.incident}":
                return self._acts.text(command.title)
        raise LookupError(key)
