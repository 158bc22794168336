"""``plusthree dev rules --explain``: a system's tables for one format, as readable tables."""

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from firmware.core import acts, phases
from firmware.core.match import Match
from host.base.words import amount
from host.systems import catalogue, diagram, explore, round_limits, sentences
from host.systems import vocabulary as words
from host.systems.match_facts import PHASES
from host.systems.rules import Rules

_MINUTES = 2  # of the explored rounds
_MOMENTS = ("in game 1", "after a won game", "after a drawn one")


def explain(name: str, rules: Rules, bits: int, minutes: int) -> RenderableType:
    """Return a system's rules in a format (FORMAT_SET's bits and minutes) for ``rich`` to print."""
    match = Match(rules)
    match.format, match.minutes = bits, minutes
    return Group(
        Panel(Text(_title(name, rules, match), style="bold"), expand=False),
        _times(rules, match),
        _phases(rules, match),
        _outcomes(rules, match),
        _randomizers(rules),
        Text(_points(rules, match)),
        Text("\n".join(_notes(rules, match)), style="dim"),
    )


def _title(name, rules, match):
    title = catalogue.title_of(name, rules)
    stage = "elimination" if match.elimination else "Swiss"
    games = "single game" if match.best_of == 1 else f"best of {match.best_of}"
    parts = [stage, games, "Limited" if match.limited else "Constructed"]
    if match.team:
        parts.append("teams")
    return f"{name}: {title}\n{', '.join(parts)}, {match.minutes} minutes"


def _table(title, *columns):
    table = Table(title=title, title_justify="left", title_style="bold", show_lines=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _times(rules, match):
    table = _table("Times", "what", "how long")
    rows = [*_clock_rows(rules, match), *_overtime_rows(rules, match), *_game_rows(rules, match)]
    for row in rows:
        table.add_row(*row)
    return table


def _clock_rows(rules, match):
    """Yield ``(what, how long)`` for each period up to the end of the round."""
    least, usual, most = round_limits.bounds(rules, match.format)
    _, _, text_section, _ = rules.SLACK
    section = f" ({text_section})" if text_section else ""
    limits = []
    if least:
        limits.append(f"at least {least}")
    if most:
        limits.append(f"at most {most}")
    length = ", ".join(limits or [f"{usual} recommended"])
    yield "before the round", _pregame(rules.PREGAME_S)
    locked = "; locked once the event has begun" if round_limits.is_firm(rules) else ""
    yield "the round", f"{match.minutes} minutes; {length}{section}{locked}"
    if match.hides_clock:
        yield "the clock", "hidden from the players; a judge sees it"


def _pregame(seconds):
    if not seconds:
        return "nothing"
    if seconds == acts.UNTIMED_S:
        return "from the pairing on"
    return f"{seconds // 60}:{seconds % 60:02}"


def _overtime_rows(rules, match):
    """Yield ``(what, how long)`` for each overtime option, and for this format's own."""
    what = "after time"
    for turns, clock_s in rules.OVERTIME:
        yield what, _overtime(turns, clock_s)
        what = "  or, by setting"
    if match.overtime not in rules.OVERTIME:
        yield "  in this format", _overtime(*match.overtime)


def _game_rows(rules, match):
    """Yield ``(what, how many or who)`` for prizes, the first player and squad points."""
    if match.cards:
        yield "prizes", f"{match.cards}; a Tiebreaker Game {rules.FIRST_PRIZE or 'is not known'}"
    if rules.FIRST:
        first = (sentences.FIRST[letter] for letter in rules.FIRST)
        yield "who plays first", "; ".join(f"{a} {b}" for a, b in zip(_MOMENTS, first, strict=True))
    if rules.CAPS:
        yield "squad points", f"{match.cap} in this round ({', '.join(map(str, rules.CAPS))})"


def _overtime(turns, clock_s):
    text = "what is in progress is finished, nothing more"
    if turns:
        text = amount(turns, "turn")
    if clock_s:
        text += f", with a clock of {clock_s // 60} minutes"
    return text


def _phases(rules, match):
    explored = explore.explore(rules, match.format, _MINUTES)
    table = _table("Phases", "phase", "what ends it", "what may be done in it")
    of_tables = [acts for phase, acts in explored.acts.items() if phase != phases.IDLE]
    everywhere = set.intersection(*of_tables)
    table.caption = f"In every phase of a table: {_acts(everywhere)}; a judge is called."
    table.caption_justify = "left"
    reached = {phase for before, _, after in explored.moves for phase in (before, after)}
    for phase in sorted(reached):
        events_by_target = {}
        for before, event, after in sorted(explored.moves):
            if before == phase:
                events_by_target.setdefault(PHASES[after], []).append(diagram.words_of(event))
        ends = [f"→ {after}: {', '.join(events)}" for after, events in events_by_target.items()]
        acts = _acts(explored.acts.get(phase, set()) - everywhere)
        name = PHASES[phase]
        head = Text(name, style="bold") + Text(f"\n{sentences.PHASES[name]}", style="dim")
        table.add_row(head, "\n".join(ends), acts)
        table.add_section()
    return table


def _acts(kinds):
    return "; ".join(filter(None, (sentences.ACTS[kind] for kind in sorted(kinds))))


def _index(match):
    """Return the index of a match's format in ``words.TREES``."""
    if match.team:
        return words.TREES.index("team")
    stage = "elimination" if match.elimination else "swiss"
    return words.TREES.index(f"{stage}_bo1" if match.best_of == 1 else f"{stage}_bo3")


def _outcomes(rules, match):
    table = _table("Who has won", "when", "outcome (proposed; both seats confirm it)", "section")
    index = _index(match)
    tree = rules.TREES[index if index < len(rules.TREES) else 0]  # the only one may be for all
    for row in sentences.tree(tree.decode(), rules.SECTIONS, match.best_of):
        table.add_row(*row)
    return table


def _randomizers(rules):
    table = _table("Randomizers", "what", "for what", "when")
    for row in sentences.policy(rules.POLICY):
        table.add_row(*row)
    return table


def _points(rules, match):
    """Return the points of a match's format in a sentence; no system has any for teams."""
    index = _index(match)
    row = rules.POINTS[index] if index < len(rules.POINTS) else None
    return f"Points: {sentences.points(row)}."


def _notes(rules, match):
    """Yield a sentence on each thing that only some systems have."""
    asked = ", ".join(words.words_of(words.ASKED, rules.ASKED)) or "nothing"
    yield f"A table that nobody touched is asked at zero: {asked}."
    if rules.LOSES_IF_LATE:
        yield (
            "A player stamped late or away before the end loses a match that is unresolved; both:"
            " it is ignored."
        )
    if match.needs_approval:
        yield "A judge approves every result before it counts."
    if rules.LEAD:
        yield f"A lead of {rules.LEAD} points makes a full win."
    if b"g" in b"".join(rules.TREES):
        yield (
            f"A Tiebreaker Game is played with {rules.FIRST_PRIZE} prizes; the first one taken"
            " wins."
        )
