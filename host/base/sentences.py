"""Sentences that know what they were made of, so that a page can say them in its own language.

The English text in the code is the key: ``Sentence("table {table} has no board", table=7)`` *is* that English
sentence; ``rendered`` says it, and what it holds, in another language by ``sentences-it.json``. What is
stored are keys and values, and what no table knows is said in English (a test finds none).
"""

import functools
import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Self, TypeAlias

SentenceValue: TypeAlias = str | int | float | None
Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"
LANGUAGES = ("en", "it")
_HERE = pathlib.Path(__file__).parent


class Sentence(str):
    """An English text that was made from a ``template`` and ``values``, which may be Sentences, too."""

    template: str
    values: dict[str, SentenceValue]

    def __new__(cls, template: str, /, **values: SentenceValue) -> Self:
        """Return ``template`` with its ``{places}`` filled; without values it is taken as it is."""
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values = template, values
        return made


@functools.cache
def table(language: str) -> dict[str, str]:
    """Return ``{English template: template}`` of a language; empty for English."""
    if language == LANGUAGES[0]:
        return {}
    return json.loads((_HERE / f"sentences-{language}.json").read_text("utf-8"))


def rendered(value: Json, language: str) -> Json:
    """Return a value as JSON has it, with every Sentence in it said in a language."""
    if language == LANGUAGES[0]:
        return value
    if isinstance(value, Sentence):
        told = {name: rendered(one, language) for name, one in value.values.items()}
        template = table(language).get(value.template, value.template)
        return template.format(**told) if told else template
    if isinstance(value, dict):
        return {key: rendered(one, language) for key, one in value.items()}
    return [rendered(one, language) for one in value] if isinstance(value, (list, tuple)) else value


def in_each(sentence: Sentence) -> dict[str, Json]:
    """Return a Sentence by language, for what goes to pages of all of them."""
    return {language: rendered(sentence, language) for language in LANGUAGES}


def language_of(accepted: str | None) -> str:
    """Return the first language of ours in an Accept-Language header, English where there is none."""
    told = (
        part.partition(";")[0].strip().casefold()[:2] for part in (accepted or "")[:200].split(",")
    )
    return next((one for one in told if one in LANGUAGES), LANGUAGES[0])
