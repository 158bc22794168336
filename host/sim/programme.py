"""The programme of an evening, from a seed: pairings, how players play, and judges' acts."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

from host.archive.roster import Event, Format, Pairing, Player
from host.archive.store import Archive
from host.event import event_systems
from host.formats.round_format import parse_format
from host.sim.story import Story
from host.systems.match_facts import usual_minutes
from host.systems.rules import OwnRules

if TYPE_CHECKING:
    from collections.abc import Callable

    from host.desk.desk import Desk
    from host.sim.types import TimedAct

BY = "virtual"
_GAMES = ("bo3", "bo2", "bo1")  # the first that a system has
FORMATS = {
    "p18": "p18 swiss bo3 constructed 50",
    "d03": "d03 swiss bo1 constructed 30",
    "xw15": "xw15 swiss bo1 constructed 50",
}
GIVEN = ("Ada", "Björn", "Chiara", "Dùng", "Eloïse", "Fatima", "Giulia", "Hana", "Igor", "João")
FAMILY = ("Álvarez", "Bianchi", "Çelik", "Dupont", "Eriksson", "Ferrari", "García", "Hughes")
ACT_CHANCE = 0.06
ACT_S = (300, 2400)
FREEZE_S = (60, 400)


def usual_format(rules: OwnRules) -> Format:
    """Return a Swiss round of a system, of several games where it has them."""
    form: Format | None = None
    for games in _GAMES:
        try:
            form = _swiss(rules, games, 1)
        except ValueError:  # such as a tree for single games alone
            continue
        break
    assert form is not None  # every system has single games
    return Format(form.system, form.bits, usual_minutes(form.bits, rules))


def _swiss(rules: OwnRules, games: str, minutes: int) -> Format:
    return parse_format(f"{rules.name} swiss {games} {minutes}", {rules.name: rules})


def begin(path: Path, name: str, rules: OwnRules, unix_ms: int) -> None:
    """Open an event with its own system in a new archive, as an import of its first round would."""
    with Archive(path) as archive:
        archive.roster.open_event(Event(1, name, unix_ms))
        event_systems.store(archive, rules, BY, unix_ms, begun=False)


class RandomProgramme:
    """An ordinary evening of a ``system`` at ``tables`` tables; each round is drawn anew."""

    event = "Virtual Cup"

    def __init__(self, tables: int, seed: int, system: str = "p18", own: OwnRules | None = None):
        """Have a built-in ``system`` played, or an organiser's ``own`` in its usual round."""
        self.tables, self._seed = tables, seed
        self.format = usual_format(own) if own else parse_format(FORMATS[system])

    def model(self, table: int) -> str:
        """Return the model of the board at a table."""
        return "feathers3"

    def pairings(self, number: int) -> list[Pairing]:
        """Return a round's Pairings, two players a table."""
        players = [
            Player(str(1000 + i), f"{GIVEN[i % 10]} {FAMILY[i // 10 % 8]} {i // 80 + 1}")
            for i in range(2 * self.tables)
        ]
        random.Random(f"pairings {self._seed} {number}").shuffle(players)
        return [
            Pairing(number, table, table, players[2 * table - 2], players[2 * table - 1])
            for table in range(1, self.tables + 1)
        ]

    def story(self, number: int, table: int) -> Story:
        """Return the Story of a table in a round."""
        return Story.drawn(f"{self._seed} {number} {table}")

    def acts(self, number: int) -> list[TimedAct]:
        """Return the judges' acts of a round, ``(seconds after the start, function of a Desk)``."""
        rng, acts = random.Random(f"judges {self._seed} {number}"), []
        for table in range(1, self.tables + 1):
            at_s, length_s = rng.uniform(*ACT_S), rng.uniform(*FREEZE_S)
            chance = rng.random()
            if chance < ACT_CHANCE:
                acts += freeze_acts(table, at_s, length_s)
            elif chance < 2 * ACT_CHANCE:
                acts.append(extension_act(table, at_s, 1 + int(length_s) // 60))
        return acts


def freeze_acts(table: int, at_s: float, length_s: float) -> list[TimedAct]:
    """Return the acts of a judge who stops a table's clock at ``at_s`` for ``length_s`` seconds."""
    return [
        (at_s, lambda desk: _act_if_playing(desk, table, desk.freeze)),
        (at_s + length_s, lambda desk: _act_if_playing(desk, table, desk.resume)),
    ]


def extension_act(table: int, at_s: float, minutes: int) -> TimedAct:
    """Return the act of a judge who gives a table more time."""
    return at_s, lambda desk: _act_if_playing(desk, table, desk.extend, minutes)


def _act_if_playing(
    desk: Desk, table: int, act: Callable[..., list[int]], *numbers: int
) -> list[int]:
    """Let a judge act at a table that still plays."""
    return act(table, *numbers, author="judge") if table in desk.open else []
