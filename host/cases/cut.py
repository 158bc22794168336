"""Cases of an elimination phase after the Swiss rounds (XW15 Regole Escalation)."""

from host.base.errors import UserError
from host.base.json_values import Json
from host.cases.need import Got, listing, mapping, whole, word
from host.desk import round_lengths
from host.formats.round_format import parse_format, with_round
from host.systems import catalogue
from host.systems.match_facts import points_cap
from host.systems.rules import Catalogue
from host.tournament import bracket


def run(subject: Json, systems: Catalogue) -> Got:
    """Return whether a round of a format is allowed, with its ``cap``, ``remark`` and ``pairs``.

    Keys of ``subject``: ``format`` (words), ``round``, ``announced`` (how many players the cut has,
    if that was announced before the event) and ``ranked`` (the players in it, best first). A
    refused round gives ``{"allowed": False, "ask": sentence}``. Raises ValueError for bad data.
    """
    subject = mapping(subject, "a cut")
    form = parse_format(word(subject.get("format"), "format"), systems)
    rules = catalogue.known(systems, form.system)  # the format was read with these systems
    announced = subject.get("announced")
    size = None if announced is None else whole(announced, "announced", 2, 64)
    try:
        form = with_round(form, whole(subject.get("round"), "round", 1, 255), rules)
        names = [word(name, "ranked") for name in listing(subject.get("ranked", []), "ranked")]
        pairs = bracket.first_pairs(names) if names else []
    except (ValueError, UserError) as refusal:
        return {"allowed": False, "ask": str(refusal)}
    remark = round_lengths.cut_remark(rules, form.bits, size)
    return {
        "allowed": True,
        "cap": points_cap(form.bits, rules) or None,
        "remark": remark and str(remark),
        "pairs": [list(pair) for pair in pairs],
    }
