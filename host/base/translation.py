"""Translates Sentences, and JSON values that contain them (``host/locale``)."""

from host.base import catalogues
from host.base.json_values import Json
from host.base.sentences import Sentence

_DOMAIN = "host"
_LONGEST_HEADER = 200


def render(value: Json, language: str) -> Json:
    """Return a JSON value with every Sentence in it translated."""
    if language == catalogues.ENGLISH:
        return value
    if isinstance(value, Sentence):
        values = {name: render(each, language) for name, each in value.values.items()}
        template = _template(value, language)
        return template.format(**values) if values else template
    if isinstance(value, dict):
        return {key: render(each, language) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [render(each, language) for each in value]
    return value


def _template(sentence: Sentence, language: str) -> str:
    """Return a Sentence's template in a language; of two, the one for its count."""
    catalogue = catalogues.catalogue(language, _DOMAIN)
    if sentence.plural is None:
        return catalogue.text(sentence.template)
    count = int(sentence.values["count"] or 0)
    return catalogue.counted(sentence.template, sentence.plural, count)


def in_each(sentence: Sentence) -> dict[str, Json]:
    """Return a Sentence in every language, for messages to all pages."""
    return {
        catalogues.tag(language): render(sentence, language) for language in catalogues.languages()
    }


def language_of(accepted: str | None) -> str:
    """Return the first available language in an Accept-Language header, else English."""
    parts = (accepted or "")[:_LONGEST_HEADER].split(",")
    return catalogues.matching(part.partition(";")[0] for part in parts)
