"""Words of the command line that have changed: the old ones work for one version more, and say the
new ones.
"""

from collections.abc import Sequence

from host.archive import places
from host.base import installation

COMMANDS = {  # old first word: what it is now; one with further words is in ``_TURNED``
    "status": "show status",
    "tables": "show tables",
    "calls": "show calls",
    "results": "show results",
    "standings": "show standings",
    "top": "show --watch",
    "codes": "paper codes --text",
    "luck": "audit luck",
    "teams": "import",
    "squads": "import",
    "report": "doctor report",
    "window": "demo window",
    "provision": "board provision",
    "deploy": "board deploy",
    "bringup": "board bringup",
    "gateway": "board gateway",
}
DEV = {  # the same of ``plusthree dev``, whose words did without "dev", too
    "torture": "simulate torture",
    "shots": "screens shots",
    "words": "screens words",
    "flow": "rules flow",
    "imports": "rules imports",
    "tether": "simulate tether",
    **{word: word for word in ("rules", "simulate", "screens", "bench")},
}
_OPTIONS = {"--lang": "--language"}
_PAPER_FLAGS = "--no-pdf", "--json"  # options of ``paper`` without a value


def in_new_words(argv: Sequence[str]) -> list[str]:
    """Return a line in the words of today; equal to ``argv`` where nothing in it is old."""
    if not argv:
        return []
    old, *words = map(_option, argv)
    if old in DEV:
        return ["dev", *DEV[old].split(), *words]
    if old == "dev" and words:
        return ["dev", *DEV.get(words[0], words[0]).split(), *words[1:]]
    first = COMMANDS.get(old, old).split()
    words, archives = _take_option(words, "--archive")
    if old == "squads" and not archives:
        words.append("--check")
    if old == "bringup" and "--virtual" in words:
        archives = []  # a virtual board needs none, and the word alone would be a port
    if old == "paper":
        words = _codes_first(words)
        if words[:1] == ["codes"]:
            words, _ = _take_option(words, "--pack")  # no code depends on it
    if old == "link":
        words, roles = _take_option(words, "--role")
        words, names = _take_option(words, "--name")
        if roles or names:  # with --revoke they are refused: two commands do that now
            first += [*roles, *names]
        else:
            words, revoked = _take_option(words, "--revoke")
            if revoked:
                first += ["revoke", *revoked]
            elif archives and not words:
                first.append("list")
    if old == "export":
        words, forms = _take_option(words, "--format")
        first += forms
    return [*first, *words, *archives]


def _option(word: str) -> str:
    """Return an option under its name of today; any other word as it is."""
    name, equals, value = word.partition("=")
    return _OPTIONS.get(name, name) + equals + value


def _codes_first(words: list[str]) -> list[str]:
    """Return the words of ``paper`` with the kind ``codes`` before its options: a command of two
    words now.
    """
    before = ""
    for at, word in enumerate(words):
        is_value = before.startswith("--") and "=" not in before and before not in _PAPER_FLAGS
        is_kind = not word.startswith("-") and not is_value
        if is_kind and word == "codes":
            return [word, *words[:at], *words[at + 1 :]]
        if is_kind:
            return words
        before = word
    return words


def _take_option(words: list[str], option: str) -> tuple[list[str], list[str]]:
    """Return words without an option, and a list of its last value. The option may be shortened to
    four characters, which no other option shared.
    """
    other_words, last_value = list[str](), list[str]()
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if len(name) < 4 or not option.startswith(name):
            other_words.append(word)
        elif equals:
            last_value = [value]
        else:
            following = next(rest, None)
            if following is None:
                return words, []  # a line that was wrong stays wrong
            last_value = [following]
    return other_words, last_value


def notice(new: Sequence[str]) -> str:
    """Return the sentence that says the new words of a line."""
    shown = [places.display_name(word) if word.startswith(places.SCHEMES) else word for word in new]
    line = " ".join([installation.command(), *map(installation.quote, shown)])
    return f"plusthree: old words, dropped in the next version; use: {line}"
