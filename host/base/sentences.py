"""Sentences that know what they were made of, so that a page can say them in its own language.

The English text in the code is the key: ``Sentence("table {table} has no board", table=7)`` *is*
that English sentence; ``translation.rendered`` says it, and what it holds, in another language by
its catalogue.
"""

from typing import Self, TypeAlias

SentenceValue: TypeAlias = str | int | float | None


class Sentence(str):
    """An English text that was made from a ``template`` and ``values``, which may be Sentences,
    too.

    ``many`` is the template for more than one, where it was ``counted``.
    """

    template: str
    values: dict[str, SentenceValue]
    many: str | None

    def __new__(cls, template: str, /, **values: SentenceValue) -> Self:
        """Return ``template`` with its ``{places}`` filled; without values it is taken as it is."""
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values, made.many = template, values, None
        return made

    @classmethod
    def counted(cls, one: str, many: str, /, *, count: int | str, **values: SentenceValue) -> Self:
        """Return the template ``one`` or ``many`` as ``count`` asks for, which is a value of
        either.
        """
        made = cls(one if int(count) == 1 else many, count=count, **values)
        made.template, made.many = one, many
        return made
