"""The values of JSON, and the one way to read them from what others may have written."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"


def parsed(text: str | bytes) -> Any:
    """Return the value of a JSON text. Raises ValueError for anything else, also for one that is
    nested deeper than Python reads.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
