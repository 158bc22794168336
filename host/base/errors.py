"""The exception for a user's mistake."""

from host.base.sentences import Sentence, SentenceValue


class UserError(Exception):
    """A user's mistake or a missing resource, as one Sentence; a command ends with exit code 2.

    ``sentence`` is a template, ``values`` fill its placeholders; a Sentence is used as it is.
    ``option`` is what a command can add instead; pages have a choice of their own for it.
    """

    option = ""

    def __init__(self, sentence: str, /, **values: SentenceValue):
        super().__init__(
            sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values)
        )

    @property
    def sentence(self) -> Sentence:
        """The message; a page renders it in its own language."""
        return self.args[0]


def at_table(said: UserError | Sentence, table: int) -> Sentence:
    """Return a refusal or a question about a table as a Sentence that names it."""
    sentence = said.sentence if isinstance(said, UserError) else said
    if not {"table", "tables"}.isdisjoint(sentence.values) or f"table {table}" in sentence:
        return sentence
    return Sentence("table {table}: {why}", table=table, why=sentence)
