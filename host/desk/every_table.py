"""An act at every table of the room: each that cannot take it says why, and the others take it."""

from collections.abc import Callable, Iterable

from host.base.errors import UserError, at_table
from host.base.sentences import Sentence


def order(
    tables: Iterable[int], act: Callable[[int], list[int]]
) -> tuple[list[int], list[Sentence]]:
    """Do an act at every table; return the orders' ids, and why some tables cannot take it.

    Raises UserError where none can.
    """
    made: list[int] = []
    refused: list[tuple[int, UserError]] = []
    for table in tables:
        try:
            made += act(table)
        except UserError as mistake:
            refused.append((table, mistake))
    if refused and not made:
        said = {mistake.sentence for _, mistake in refused}
        raise refused[0][1] if len(said) == 1 else UserError(at_table(refused[0][1], refused[0][0]))
    return made, [at_table(mistake, table) for table, mistake in refused]
