"""Checks XW15 squad lists from a spreadsheet: four squads per player, each containing the last.

Source: XW15 Formazione delle Squadriglie Escalation, Navi di Fazioni Multiple, Prodotti Ammessi.
A sheet (``csv_reader``), one line per ship of a squad, with this header (any order; other columns
are ignored)::

    player,squad,faction,ship,size,pilot,upgrades,points
    1001,1,Rebel,X-wing,small,Luke Skywalker,R2-D2; Proton Torpedoes,36

``squad``: 1 to 4, the round in which it is flown; ``size``: small or large; ``upgrades``: separated
by ``;`` or ``|``, may be empty; ``points``: of the ship with its upgrades. An optional column
``obstacles`` has a player's three, separated in the same way, on one line or on several; if the
column exists, every player must have them (names: ``xwing_setup.OBSTACLES``). All mistakes are
reported, each as one sentence with file and line.
"""

import pathlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from firmware.core.systems import xw15
from host.base.sentences import Sentence
from host.event.squad_lists import SquadList
from host.formats import csv_reader, player_numbers
from host.formats.csv_reader import SheetError
from host.tournament import xwing_setup

COLUMNS = ("player", "squad", "faction", "ship", "size", "pilot", "upgrades", "points")
OBSTACLES = "obstacles"  # an optional column
ALIKE = {"small": 8, "large": 4}
LEAST_SHIPS = 2
_MOST_ROWS = 50_000
Fault: TypeAlias = tuple[int, Sentence]
"""A line number of the file, and a sentence on the fault there."""


@dataclass(frozen=True)
class Ship:
    """One ship of one squad: ``upgrades`` sorted, ``points`` including them, ``line`` in the file.

    ``obstacles``: the player's obstacles on this line; None if the list has no such column.
    """

    player: str
    squad: int
    faction: str
    ship: str
    size: str
    pilot: str
    upgrades: tuple[str, ...]
    points: int
    line: int
    obstacles: tuple[str, ...] | None = None

    def grew_from(self, other: "Ship") -> bool:
        """Return whether this may be ``other`` one round later, with at least its upgrades."""
        same_ship = self.ship.casefold() == other.ship.casefold()
        same_pilot = self.pilot.casefold() == other.pilot.casefold()
        lost_upgrades = Counter(other.upgrades) - Counter(self.upgrades)
        return same_ship and same_pilot and not lost_upgrades


def read(path: str | pathlib.Path, raw: bytes | None = None) -> tuple[list[Ship], list[Fault]]:
    """Return ``(ships, faults)`` of a file; ``raw``: its bytes, None to read them there. Raises
    SheetError if it is not a squad list at all.
    """
    path = pathlib.Path(path)
    ships, faults = [], []
    rows = csv_reader.read(path, COLUMNS, (OBSTACLES,), raw).rows
    if len(rows) > _MOST_ROWS:
        raise SheetError(path, rows[_MOST_ROWS][0], "more than {most} lines", most=_MOST_ROWS)
    for line, cell in rows:
        _read_row(cell, line, ships, faults)
    return ships, faults


def _read_row(cell, line, ships, faults):
    """Add a line's ship to ``ships``, or a Fault to ``faults``."""
    try:
        player = player_numbers.restore(cell["player"])
    except ValueError as mistake:
        faults.append((line, mistake.args[0]))
        return
    fault = _cell_fault(cell)
    if fault is not None:
        faults.append((line, fault))
        return
    ship = Ship(
        player=player,
        squad=int(cell["squad"]),
        faction=cell["faction"],
        ship=cell["ship"],
        size=cell["size"].casefold(),
        pilot=cell["pilot"],
        upgrades=_names(cell["upgrades"]),
        points=int(cell["points"]),
        line=line,
        obstacles=_names(cell[OBSTACLES]) if OBSTACLES in cell else None,
    )
    ships.append(ship)


def _cell_fault(cell):
    """Return a sentence on the first cell of a line that no ship can have, None without one."""
    for column in COLUMNS:
        if column != "upgrades" and not cell[column]:
            return Sentence("{column} is empty", column=column)
    squad, points, size = cell["squad"], cell["points"], cell["size"]
    if squad not in ("1", "2", "3", "4"):
        return Sentence("{squad!r} is no squad: 1 to 4", squad=squad)
    if not (points.isascii() and points.isdigit() and len(points) <= 4):
        return Sentence("{points!r} are no points: a whole number", points=points)
    if size.casefold() not in ALIKE:
        return Sentence("{size!r} is no size: small or large", size=size)
    return None


def _names(cell):
    """Return the names in a cell, sorted."""
    names = (name.strip().casefold() for name in cell.replace("|", ";").split(";"))
    return tuple(sorted(name for name in names if name))


def lists_of(ships: Iterable[Ship]) -> dict[str, SquadList]:
    """Return each player's SquadList, by number, of ships that have no faults."""
    return {number: _list(of_player) for number, of_player in _by_player(ships).items()}


def _by_player(ships: Iterable[Ship]) -> dict[str, list[Ship]]:
    players: dict[str, list[Ship]] = {}
    for ship in ships:
        players.setdefault(ship.player, []).append(ship)
    return players


def _list(ships: list[Ship]) -> SquadList:
    """Return one player's SquadList."""
    squads = tuple(
        tuple(ship.points for ship in ships if ship.squad == number)
        for number in range(1, len(xw15.CAPS) + 1)
    )
    obstacles = next((ship.obstacles for ship in ships if ship.obstacles), ())
    return SquadList(ships[0].faction, squads, tuple(obstacles))


def sentences(
    path: str | pathlib.Path, ships: Iterable[Ship], faults: Iterable[Fault]
) -> list[str]:
    """Return all faults of the result of ``read``, as ``file:line: sentence`` in line order."""
    return [f"{path}:{line}: {sentence}" for line, sentence in sorted([*faults, *faults_of(ships)])]


def check(path: str | pathlib.Path) -> list[str]:
    """Return every fault of a file as a sentence with file and line."""
    try:
        return sentences(path, *read(path))
    except SheetError as mistake:
        return [str(mistake)]


def faults_of(ships: Iterable[Ship]) -> list[Fault]:
    """Return one Fault for every rule that a player's squads break."""
    return [
        fault
        for player, of_player in _by_player(ships).items()
        for fault in _player_faults(player, of_player)
    ]


def _player_faults(player, ships):
    """Yield the faults of all squads of one player."""
    in_lines = sorted(ships, key=lambda ship: ship.line)
    yield from _faction_faults(player, in_lines)
    yield from _obstacle_faults(player, in_lines)
    before, number_before = None, 0
    for number in range(1, len(xw15.CAPS) + 1):
        squad = [ship for ship in ships if ship.squad == number]
        if not squad:
            text = "{player} has no squad {number}"
            yield in_lines[0].line, Sentence(text, player=player, number=number)
            continue
        yield from _squad_faults(player, number, squad)
        if before is not None:
            yield from _missing_ships(player, number_before, before, number, squad)
        before, number_before = squad, number


def _faction_faults(player, ships):
    """Yield a fault for the first of a player's ships that is of another faction."""
    first = ships[0]
    for ship in ships:
        if ship.faction.casefold() != first.faction.casefold():
            text = "{player} flies {first} and {other}: one faction in all four squads"
            values = {"player": player, "first": first.faction, "other": ship.faction}
            yield ship.line, Sentence(text, **values)
            return


def _obstacle_faults(player, ships):
    """Yield the faults of a player's obstacles: three, the same for the whole event."""
    with_obstacles = [ship for ship in ships if ship.obstacles]
    if not with_obstacles:
        if ships[0].obstacles is not None:  # the list has that column
            each = xwing_setup.OBSTACLES_EACH
            text = "{player} brings no obstacles: exactly {each}"
            yield ships[0].line, Sentence(text, player=player, each=each)
        return
    first = with_obstacles[0]
    for ship in with_obstacles:
        if ship.obstacles != first.obstacles:
            text = "{player} brings other obstacles than in line {before}: the same all event"
            yield ship.line, Sentence(text, player=player, before=first.line)
    for sentence in xwing_setup.obstacle_faults(first.obstacles):
        yield first.line, Sentence("{player}: {said}", player=player, said=sentence)


def _squad_faults(player, number, squad):
    """Yield the faults of one squad."""
    who, last = {"player": player, "squad": number}, squad[-1].line
    total, cap = total_of(squad), xw15.CAPS[number - 1]
    if total > cap:
        text = "{player}'s squad {squad} has {total} points: at most {most}"
        yield last, Sentence(text, **who, total=total, most=cap)
    if len(squad) < LEAST_SHIPS:
        text = "{player}'s squad {squad} has {count} ship: at least {least}"
        yield last, Sentence(text, **who, count=len(squad), least=LEAST_SHIPS)
    yield from _size_faults(who, squad)
    yield from _alike_faults(who, squad)


def _size_faults(who, squad):
    """Yield a fault for each ship that is of another size than the first one of its name."""
    sizes = {}
    for ship in squad:
        size = sizes.setdefault(ship.ship.casefold(), ship.size)
        if size != ship.size:
            text = "{player}'s squad {squad} has {ship} as {size} and {other}"
            values = {"ship": ship.ship, "size": size, "other": ship.size}
            yield ship.line, Sentence(text, **who, **values)


def _alike_faults(who, squad):
    """Yield a fault for each ship of which a squad has too many."""
    alike = {}
    for ship in squad:
        alike.setdefault((ship.ship.casefold(), ship.size), []).append(ship)
    for (_, size), ships in alike.items():
        if len(ships) > ALIKE[size]:
            text = "{player}'s squad {squad} has {count} {ship}: at most {most} {size} ships alike"
            values = {"ship": ships[0].ship, "most": ALIKE[size], "size": size}
            yield ships[-1].line, Sentence(text, **who, count=len(ships), **values)


def _missing_ships(player, number_before, before, number, squad):
    """Yield a fault for each ship of ``before`` that ``squad`` lacks or has with fewer upgrades."""
    for ship in _without_successor(before, squad):
        ship_text = f"{ship.ship} {ship.pilot}"
        if ship.upgrades:
            ship_text += f" with {', '.join(ship.upgrades)}"
        text = "{player}'s squad {squad} lacks {what}, which squad {before} has"
        values = {"squad": number, "what": ship_text, "before": number_before}
        yield squad[0].line, Sentence(text, player=player, **values)


def _without_successor(before, squad):
    """Return the ships of ``before`` without a successor of their own in ``squad``.

    As many as possible get one: a maximum matching, found by augmenting paths.
    """
    predecessors = {}  # index in ``squad`` → the ship of ``before`` that grew into it

    def match(ship, visited):
        """Find a successor, if need be one whose predecessor finds another; return whether there
        is one.
        """
        for index, successor in enumerate(squad):
            if index not in visited and successor.grew_from(ship):
                visited.add(index)
                if index not in predecessors or match(predecessors[index], visited):
                    predecessors[index] = ship
                    return True
        return False

    return [ship for ship in before if not match(ship, set())]


def total_of(squad: Iterable[Ship]) -> int:
    """Return a squad's total points."""
    return sum(ship.points for ship in squad)
