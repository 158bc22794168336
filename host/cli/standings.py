"""``plusthree show standings``: rank the players, by XW15's text or by a chosen rule pack."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from host.base.standard_streams import printable
from host.cli import options, watch
from host.event import squad_lists
from host.event.archive_view import view
from host.event.scores import rounds_of
from host.tournament import bracket_view, file_standings, final_places, odd_scores, pods
from host.tournament.ranking import Ranking, ruled_against_points, tiebreak_text

EPILOG = (
    "P18 and D03 leave points, byes and tie-breaks open: they come from a pack, such as"
    " pokemon-swiss."
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_archive(parser)
    watch.add_arguments(parser)
    options.add_pack(parser)
    parser.add_argument(
        "--round", type=int, help="as they were after this round (default: the last finished one)"
    )
    options.add_json(parser)
    parser.epilog = EPILOG


def run(args: Namespace) -> int:
    """Print the standings; return 1 where results of the rounds shown are missing or ranks are
    shared, else 0: also before a round is finished.
    """
    return watch.show(args, _print)


def _print(args):
    with view(args.archive) as (archive, hall):
        pack = options.pack_of(args, archive)
        every = rounds_of(archive, hall, args.round)
        rounds = every if args.round else final_places.finished_rounds(every)
        left_out = final_places.running(every, rounds)
        table = final_places.standings(rounds or every, pack)
        if not rounds:  # source and columns alone
            table = replace(table, lines=(), level=(), open=())
        by_pod = pods.tables_of(archive, rounds, pack)
        differs = file_standings.differences(archive, table, rounds)
        odd = list(map(str, odd_scores.of_rounds(every, squad_lists.of(archive))))
    if args.json:
        answer = _object(table) | {
            "after": rounds[-1].number if rounds else None,
            "file_says_otherwise": differs,
            "odd_scores": odd,
        }
        if by_pod:
            answer["pods"] = [_object(table_of_pod) for table_of_pod in by_pod]
        print(json.dumps(answer, indent=1))
    else:
        lines = [f"{left_out} (--round)"] if left_out else []
        if by_pod:
            lines += _by_pod(table, by_pod)
        elif rounds:
            lines += _lines(table)
        print("\n".join(map(printable, [*lines, *differs, *odd])))
    return int(bool(table.level or table.open or final_places.open_places(table)))


def _by_pod(standings: Ranking, of_pods: Sequence[Ranking]) -> Iterator[str]:
    """Yield the lines of the places that the cut decides, then those of each pod's standings."""
    if standings.bracket:
        yield from _lines(final_places.of_bracket(standings))
    for pod, of_pod in enumerate(of_pods, 1):
        yield f"pod {pod}"
        yield from _lines(of_pod)


def _lines(table):
    yield f"by {table.source}"
    yield from _bracket(table)
    swiss_title = ["swiss"] if table.bracket else []
    yield "  ".join(["rank", "player", *swiss_title, *table.columns])
    for line in table.lines:
        bye = " (bye)" if line.byes else ""
        cells = [f"{line.place:>4}", f"{line.name} ({line.number}){bye}"]
        if table.bracket:
            cells.append(str(line.swiss or ""))
        yield "  ".join([*cells, *map(tiebreak_text, line.values)])
    yield from map(str, (*final_places.open_places(table), *final_places.beside(table)))
    for rank in table.level:
        yield f"nothing tells the players at rank {rank} apart: ask the organiser"
    yield from map(str, ruled_against_points(table))
    if table.open:
        yield f"still to come: table {', '.join(str(score.pairing.table) for score in table.open)}"


def _bracket(table):
    if table.bracket is None:
        return
    for column in bracket_view.columns(table.bracket):
        for box in column.boxes:
            if box is not None and (box.a or box.b):
                yield f"{column.name}: {_match(box)}"
    for place, box in bracket_view.places(table):
        yield f"For place {place}: {_match(box)}"
    if table.bracket.champion is not None:
        yield f"Champion: {_name(table.bracket.champion)}"


def _match(box):
    a, b = _name(box.a), _name(box.b)
    if box.bye:
        return f"{a} has a bye"
    if not box.won:
        return f"{a} – {b}"
    winner, loser, figures = a, b, box.figures
    if box.won == "B":
        winner, loser, figures = b, a, figures and figures[::-1]
    score = " ({}–{})".format(*figures) if figures else ""
    return f"{winner} beats {loser}{score}"


def _name(player):
    return f"{player.name} ({player.number})" if player else "?"


def _object(table):
    return {
        "source": table.source,
        "columns": table.columns,
        "lines": [
            {
                "rank": line.rank, "place": line.place, "swiss": line.swiss,
                "number": line.number, "name": line.name, "byes": line.byes,
                **dict(zip(table.columns, map(_plain, line.values), strict=True)),
            }
            for line in table.lines
        ],
        "shared_ranks": table.level,
        "bracket": bracket_view.plain(table),
        "open_tables": [score.pairing.table for score in table.open],
        "expelled": [{"round": score.pairing.round,
                      "table": score.pairing.table} for score in table.expelled],
    }  # fmt: skip


def _plain(value):
    return float(value) if isinstance(value, Fraction) else value
