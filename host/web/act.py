"""An act of the web desk: its name, the least role, its fields, and what it does."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class WebAct:
    """``does(service, who, **values)`` returns order ids, or a dict that is sent back as it is.

    ``who`` is the Link of the person, whose name is the author of everything that comes of it.
    """

    name: str
    least: str
    does: object
    fields: dict = field(default_factory=dict)


def answer(found):
    """Return what an act gave as the object that goes back."""
    if isinstance(found, dict):
        return {"orders": [], "said": []} | found
    return {"orders": list(found or ()), "said": []}
