"""The one exception for a person's mistake."""

from host.base.sentences import Sentence, SentenceValue


class UserError(Exception):
    """A person's mistake or a missing thing, as one Sentence; a command then ends with exit code 2.

    ``sentence`` is a template, ``values`` fill its places; a finished Sentence is taken as it is.
    """

    def __init__(self, sentence: str, /, **values: SentenceValue):
        super().__init__(
            sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values)
        )

    @property
    def sentence(self) -> Sentence:
        """What is wrong; a page renders it in its own language."""
        return self.args[0]
