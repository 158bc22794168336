"""Completes a typed line: words of acts, then tables by number or player, then fixed words."""

from collections.abc import Callable, Iterable, Iterator

from anyascii import anyascii
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from host.base.errors import UserError
from host.desk.acts import typed_line
from host.desk.acts.act import Act

_HINT = "help lists the acts, Tab completes"


class ActCompleter(Completer):
    """Completes lines of ``acts``; ``seated()`` returns {table number: the names of its
    players}.
    """

    def __init__(self, acts: Iterable[Act], seated: Callable[[], dict[int, list[str]]]) -> None:
        self._acts, self._seated = [act for act in acts if act.typed], seated

    def get_completions(
        self, document: Document, complete_event: CompleteEvent | None
    ) -> Iterator[Completion]:
        """Yield the completions at the cursor, each with its meaning."""
        words, begun = split(document.text_before_cursor)
        for text, meaning in self._choices(words, begun):
            yield Completion(text, -len(begun), display_meta=meaning)

    def hint(self, text: str) -> str:
        """Return how a line's act is typed, or a pointer to the list of acts."""
        words, begun = split(text)
        act = typed_line.find(self._acts, [*words, begun])
        return f"{typed_line.full_usage(act)}  {act.help}" if act else _HINT

    def _choices(self, words: list[str], begun: str) -> list[tuple[str, str]]:
        """Return ``(text, its meaning)`` of each completion of ``begun`` after ``words``."""
        if not words:
            return self._first_words(begun.casefold())
        choices: dict[str, str] = {}
        for act in self._acts:
            if act.typed.split()[0] != words[0].casefold():
                continue
            for option in self._options(act, len(words)):
                if option == "TABLE":
                    choices |= dict(self._tables(begun))
                elif option.casefold().startswith(begun.casefold()):
                    choices[option] = ""
        return [*choices.items()]

    def _first_words(self, begun: str) -> list[tuple[str, str]]:
        choices: dict[str, str] = {}
        for act in self._acts:
            word = act.typed.split()[0]
            if word.startswith(begun) and word not in choices:
                choices[word] = typed_line.usage(act) if act.typed == word else ""
        return [*choices.items()]

    def _options(self, act: Act, at: int) -> list[str]:
        """Return the possible words after ``at`` words: TABLE, the words of a choice, or the act's
        own next word.
        """
        expected = typed_line.full_usage(act).split()
        if at >= len(expected):
            return []
        options = expected[at].strip("[]…").split("|")
        is_own_word = at < len(act.typed.split())
        if is_own_word or len(options) > 1:
            return options
        return [option for option in options if option == "TABLE"]  # else a field's name

    def _tables(self, begun: str) -> list[tuple[str, str]]:
        sought = fold(begun)
        return [
            (str(table), " – ".join(names))
            for table, names in sorted(self._seated().items())
            if str(table).startswith(begun) or any(sought in fold(name) for name in names)
        ]


def split(text: str) -> tuple[list[str], str]:
    """Return the complete words of a line, and the one being typed."""
    finished, gap, begun = text.rpartition(" ")
    try:
        return typed_line.words_of(finished) if gap else [], begun
    except UserError:  # an unclosed quotation mark
        return finished.split(), begun


def fold(name: str) -> str:
    """Return a name without case and accents, as people type it."""
    return anyascii(name).casefold()
