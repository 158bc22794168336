"""What is told to a person who asked for something that cannot be."""

from host.base.sentences import Sentence


class UserError(Exception):
    """A person's mistake or an absent thing, in one clear Sentence; ends a command with exit 2."""

    def __init__(self, sentence, /, **values):
        super().__init__(
            sentence if isinstance(sentence, Sentence) else Sentence(sentence, **values)
        )

    @property
    def sentence(self):
        """What is wrong, for a page to say in its own language."""
        return self.args[0]
