"""``plusthree show results``: list the results of a round, and the tables that have none yet."""

import json
from argparse import ArgumentParser, Namespace

from host.base.standard_streams import printable
from host.cli import options, watch
from host.event import table_rows
from host.event.archive_view import view
from host.event.scores import rounds_of
from host.reports import exports


def add_arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments to ``parser``."""
    options.add_archive(parser)
    watch.add_arguments(parser)
    parser.add_argument("--round", type=int, help="the round (default: the last)")
    options.add_flag(parser, "--all", "every round")
    options.add_json(parser, "array")


def run(args: Namespace) -> int:
    """Print one line per pairing, or one JSON array; return 0."""
    return watch.show(args, _print)


def _print(args):
    with view(args.archive) as (archive, hall):
        rounds = rounds_of(archive, hall, args.round)
        chosen = rounds if args.all else rounds[-1:]
        if args.json:
            lines = [
                line
                for round_scores in chosen
                for line in exports.table_of(archive, hall, round_scores.number)
            ]
            print(json.dumps(lines, indent=1))
            return 0
        folds = {table: hall.fold_at(table) for table in _tables(chosen)}
        waiting = {table: fold.waiting for table, fold in folds.items() if fold and fold.waiting}
    for round_scores in chosen:
        print(f"round {round_scores.number}, {len(round_scores.open) or 'none'} outstanding")
        by_table = sorted(
            round_scores.scores, key=lambda score: (score.bye, score.pairing.table or 0)
        )
        for score in by_table:
            row = table_rows.Row(
                score.pairing, "open", turn=0, games=(0, 0), remaining_ms=None, extension_s=0,
                result=score.result, proposal=None, notes=(),
            )  # fmt: skip
            print(
                printable(
                    f"{table_rows.place(row)}  {table_rows.names(row)}  {table_rows.result(row)}"
                )
            )
    for table, count in sorted(waiting.items()):
        print(
            f"table {table}: {count} records wait for a gap; plusthree serve asks its board again"
        )
    return 0


def _tables(rounds):
    return {
        score.pairing.table
        for round_scores in rounds
        for score in round_scores.scores
        if not score.bye
    }
