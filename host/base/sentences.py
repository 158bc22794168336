"""Sentences that keep their template and values, so that a page can translate them.

The English text in the code is the key: ``Sentence("table {table} has no board", table=7)`` *is*
that English sentence. ``translation.rendered`` translates it, and the Sentences in it.
"""

from typing import Self, TypeAlias

SentenceValue: TypeAlias = str | int | float | None


class Sentence(str):
    """An English text made from a ``template`` and ``values``, which may be Sentences too.

    ``many`` is the plural template, if it was made by ``counted``.
    """

    template: str
    values: dict[str, SentenceValue]
    many: str | None

    def __new__(cls, template: str, /, **values: SentenceValue) -> Self:
        """Return ``template`` with its ``{placeholders}`` filled; without values, unchanged."""
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values, made.many = template, values, None
        return made

    @classmethod
    def counted(cls, one: str, many: str, /, *, count: int | str, **values: SentenceValue) -> Self:
        """Return ``one`` or ``many``, chosen by ``count``, which is also a value of both."""
        made = cls(one if int(count) == 1 else many, count=count, **values)
        made.template, made.many = one, many
        return made
