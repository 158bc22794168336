"""Translates Sentences, and values that contain them (``host/locale``)."""

from host.base import catalogues
from host.base.json_values import Json
from host.base.sentences import Sentence

_DOMAIN = "host"
_LONGEST_HEADER = 200


def rendered(value: Json, language: str) -> Json:
    """Return a JSON value with every Sentence in it translated."""
    if language == catalogues.ENGLISH:
        return value
    if isinstance(value, Sentence):
        told = {name: rendered(one, language) for name, one in value.values.items()}
        template = _template(value, language)
        return template.format(**told) if told else template
    if isinstance(value, dict):
        return {key: rendered(one, language) for key, one in value.items()}
    return [rendered(one, language) for one in value] if isinstance(value, (list, tuple)) else value


def _template(sentence: Sentence, language: str) -> str:
    spoken = catalogues.catalogue(language, _DOMAIN)
    if sentence.many is None:
        return spoken.text(sentence.template)
    return spoken.counted(sentence.template, sentence.many, int(sentence.values["count"] or 0))


def in_each(sentence: Sentence) -> dict[str, Json]:
    """Return a Sentence in every language, for messages to all pages."""
    return {
        catalogues.tag(language): rendered(sentence, language)
        for language in catalogues.languages()
    }


def language_of(accepted: str | None) -> str:
    """Return the first available language in an Accept-Language header, else English."""
    told = (accepted or "")[:_LONGEST_HEADER].split(",")
    return catalogues.matching(part.partition(";")[0] for part in told)
