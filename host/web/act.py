"""An act of the web desk: its name, the least role, its fields, and what it does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from host.base.json_values import Json
from host.web.fields import Field

Found: TypeAlias = dict[str, Json] | list[int] | None
"""What an act returns: a JSON object that is sent back, or the ids of the orders that it made."""


@dataclass(frozen=True)
class WebAct:
    """``does(service, who, **values)`` returns order ids, or an object to send back.

    ``who`` is the person's AccessLink; its name is the author of everything that follows.
    """

    name: str
    least: str
    does: Callable[..., Found]
    fields: Mapping[str, Field] = field(default_factory=dict)


def answer(found: Found) -> dict[str, Json]:
    """Return the object to send back for an act's return value."""
    if not isinstance(found, dict):
        return {"orders": found or [], "said": []}
    answered: dict[str, Json] = {"orders": [], "said": []}
    return answered | found
