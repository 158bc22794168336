"""Cases of rounds' lengths: what the text gives, and what was announced (P18 8.3, D03 212, XW15)."""

from host import lengths, rules_match, rules_steps
from host.cases.need import listing, mapping, truth, whole, word
from host.errors import Mistake
from host.roster import Format


def run(subject, systems):
    """Return ``usual``, ``least``, ``most`` minutes; with ``minutes`` also ``allowed`` and ``remark``.

    ``round``, ``announced`` (every round's minutes) and ``begun`` say how the event stands.
    """
    mapping(subject, "lengths")
    rules = systems[word(subject.get("system"), "system", systems)]
    wanted = rules_steps.check_format(subject.get("format", {}), rules, "lengths")
    number = whole(subject.get("round", wanted.get("round", 1)), "round", 1, 4 if rules.CAPS else 255)
    bits = rules_match.format_bits({**wanted, "round": number} if rules.CAPS else wanted, rules)
    least, usual, most = lengths.bounds(rules, bits)
    got = {"usual": usual, "least": least, "most": most, "firm": lengths.is_firm(rules)}
    if "minutes" not in subject:
        return got
    form = Format(rules.NUMBER, bits, whole(subject["minutes"], "minutes", 1, 999))
    told = [whole(n, "announced", 1, 999) for n in listing(subject.get("announced", []), "announced")]
    try:
        remark = lengths.judge(rules, form, number, told, truth(subject.get("begun", False), "begun"))
    except Mistake as mistake:
        return got | {"allowed": False, "remark": str(mistake)}
    return got | {"allowed": True, "remark": remark}
