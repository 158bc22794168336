"""Sentences with their template and values, so that pages can translate them.

The English template in the code is the key of the translation: ``Sentence("table {table} has no
board", table=7)`` is that English text as a str. ``translation.render`` translates it, and the
Sentences among its values.
"""

from typing import Self, TypeAlias

SentenceValue: TypeAlias = str | int | float | None


class Sentence(str):
    """An English text made from a ``template`` and ``values``, which may also be Sentences.

    ``plural`` is the plural template of a Sentence made by ``counted``, else None.
    """

    template: str
    values: dict[str, SentenceValue]
    plural: str | None

    def __new__(cls, template: str, /, **values: SentenceValue) -> Self:
        """Return ``template`` with its ``{placeholders}`` filled; without values, unchanged."""
        sentence = super().__new__(cls, template.format(**values) if values else template)
        sentence.template, sentence.values, sentence.plural = template, values, None
        return sentence

    @classmethod
    def counted(
        cls, singular: str, plural: str, /, *, count: int | str, **values: SentenceValue
    ) -> Self:
        """Return the ``singular`` or the ``plural``, by ``count``, which is also a value of
        both.
        """
        sentence = cls(singular if int(count) == 1 else plural, count=count, **values)
        sentence.template, sentence.plural = singular, plural
        return sentence
