"""Acts before the first round: begin an event, preview a list of players or its faults (as one
sentence), enter them or let them register, draft round 1; and at any time: correct the event's
name.
"""

import pathlib
import secrets

from host.archive.access_links import ORGANISER
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import beginning, event_name, registration
from host.desk.acts.act import Act
from host.desk.acts.fields import NAME, SURE, Field, block, text, whole, yes
from host.desk.acts.file_acts import FILE, LARGEST_FILE
from host.desk.beginning import NewEvent
from host.desk.staff import Done, Staff
from host.event import event_log, event_systems
from host.formats import csv_reader, pasted_players, people_file
from host.formats.import_file import SHEETS
from host.formats.pasted_players import PlayerList
from host.tournament import event_pack
from host.tournament.round_draft import DraftRequest

_SEEDS = 2**32
_LONGEST_LIST = 400_000  # characters: ten thousand players, a line each
_LARGEST = 1_500_000  # bytes of the body with such a list
_SHOWN = 8  # lines of a list in its preview


def _begin(
    staff: Staff,
    name: str,
    format: str,
    rounds: int,
    cut: int | None,
    pack: str,
    players: str,
    sure: bool,
) -> Done:
    """Open an event with its format, and enter a first list of players."""
    if pack and pack not in staff.packs:
        raise UserError("there is no such rule pack: choose one of the list")
    new = NewEvent(name, format, rounds, cut, staff.packs.get(pack))
    systems = event_systems.of(staff.archive) | staff.station.systems
    found = pasted_players.read(players) if players.strip() else PlayerList([])
    sentences, done = beginning.begin(
        staff.station, new, found.people, systems, staff.author, sure, found.teams
    )
    if not done:
        return Done(ask=sentences[0])
    if not found.people:
        return Done(remarks=sentences)
    message = Sentence("{event} is open: {entered}", event=name, entered=sentences[0])
    return Done(message=message, remarks=sentences[1:])


def _preview(staff: Staff, players: str, file: tuple[str, bytes] | None) -> Done:
    """Preview a list of players, or the list in a file, or its fault; nothing is stored."""
    try:
        if file is not None:
            return Done(facts={"players": _as_list(*file)})
        found = pasted_players.read(players)
    except UserError as error:
        return Done(facts={"fault": error.sentence})
    shown = found.people[:_SHOWN]
    lines = [[person.player.number, person.player.name] for person in shown]
    # a list is of players, with no teams, or of teams, with one for each line
    for line, team in zip(lines, found.teams, strict=False):
        line.append(f"{team.a.name}, {team.b.name}")
    left_out = [*found.left_out]
    return Done(facts={"count": len(found.people), "lines": lines, "left_out": left_out})


def _as_list(name: str, raw: bytes) -> str:
    """Return the players in a file as a list: a sheet as it stands, or a line for each of TOM's or
    Cryodex's players. Raises UserError.
    """
    if pathlib.PurePath(name).suffix.casefold() in SHEETS:
        return csv_reader.text_of(pathlib.Path(name), raw)
    players = [person.player for person in people_file.read(name, raw)]
    return "".join(f"{player.number}\t{player.name}\n" for player in players)


def _enter(staff: Staff, players: str, sure: bool) -> Done:
    """Enter a list of players."""
    found = pasted_players.read(players)
    (first, *remarks), done = beginning.enter(
        staff.station, found.people, staff.author, sure, found.teams
    )
    return Done(message=first, remarks=remarks) if done else Done(ask=first)


def _draw(staff: Staff, seed: int | None) -> Done:
    """Draft round 1."""
    seed = secrets.randbelow(_SEEDS) if seed is None else seed
    pack = event_pack.pack_of(staff.archive, staff.packs.values())
    remarks = beginning.draw(staff.station, DraftRequest(pack, seed), staff.author)
    staff.log(event_log.DRAFTED, {"round": 1, "seed": seed})
    message = Sentence("round 1 is drawn: look through it, then publish it")
    return Done(message=message, remarks=remarks, facts={"round": 1, "seed": seed})


_LIST = Field(block(_LONGEST_LIST))
_ENTRY = whole(1, 2**53)
ACTS = (
    Act("begin", ORGANISER, _begin,
        {"name": NAME, "format": Field(text(1, 100)), "rounds": Field(whole(0, 30), 0),
         "cut": Field(whole(2, 64), None), "pack": Field(text(0, 60), ""),
         "players": Field(_LIST.kind, ""), "sure": SURE}, largest=_LARGEST),
    Act("rename_event", ORGANISER, event_name.change, {"name": NAME}, "title",
        "correct the event's name"),
    Act("look_at_players", ORGANISER, _preview,
        {"players": Field(_LIST.kind, ""), "file": Field(FILE, None)}, largest=LARGEST_FILE),
    Act("enter_players", ORGANISER, _enter, {"players": _LIST, "sure": SURE}, largest=_LARGEST),
    Act("draw_first", ORGANISER, _draw, {"seed": Field(whole(0, _SEEDS - 1), None)}, "draw",
        "draw round 1 from everybody who is entered"),
    Act("door", ORGANISER, registration.switch, {"on": Field(yes)}),
    Act("accept_entry", ORGANISER, registration.accept, {"entry": Field(_ENTRY, None)}),
    Act("refuse_entry", ORGANISER, registration.refuse, {"entry": Field(_ENTRY)}),
)  # fmt: skip
