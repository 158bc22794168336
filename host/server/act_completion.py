"""Completes a typed line: words of acts, then tables by number or player, then fixed choices."""

from collections.abc import Callable, Iterable, Iterator

from anyascii import anyascii
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from host.base.errors import UserError
from host.server.act import Act, words_of


class ActCompleter(Completer):
    """Completes lines of ``acts``; ``seated()`` returns {table number: the names of who sits
    there}.
    """

    def __init__(self, acts: Iterable[Act], seated: Callable[[], dict[int, list[str]]]) -> None:
        self._acts, self._seated = {act.word: act for act in acts}, seated

    def get_completions(
        self, document: Document, complete_event: CompleteEvent | None
    ) -> Iterator[Completion]:
        """Yield the completions at the cursor, each with its meaning."""
        words, begun = split(document.text_before_cursor)
        for text, meaning in self._choices(words, begun):
            yield Completion(text, -len(begun), display_meta=meaning)

    def hint(self, text: str) -> str:
        """Return the usage of a line's act, or a pointer to the list of acts."""
        words, begun = split(text)
        act = self._acts.get((words or [begun])[0].casefold())
        return (
            f"{act.word} {act.usage}  {act.help}" if act else "help lists the acts, Tab completes"
        )

    def _choices(self, words: list[str], begun: str) -> list[tuple[str, str]]:
        if not words:
            return [
                (act.word, act.usage)
                for act in self._acts.values()
                if act.word.startswith(begun.casefold())
            ]
        act, follows = self._acts.get(words[0].casefold()), []
        if act:
            follows = act.usage.split()[len(words) - 1 : len(words)]
        options = follows[0].strip("[]…").split("|") if follows else []
        found = self._tables(begun) if "TABLE" in options else []
        fixed = [one for one in options if len(options) > 1 and one != "TABLE"]
        return found + [(one, "") for one in fixed if one.casefold().startswith(begun.casefold())]

    def _tables(self, begun: str) -> list[tuple[str, str]]:
        sought = folded(begun)
        return [
            (str(table), " – ".join(names))
            for table, names in sorted(self._seated().items())
            if str(table).startswith(begun) or any(sought in folded(name) for name in names)
        ]


def split(text: str) -> tuple[list[str], str]:
    """Return the complete words of a line, and the one being typed."""
    finished, gap, begun = text.rpartition(" ")
    try:
        return words_of(finished) if gap else [], begun
    except UserError:  # an unclosed quotation mark
        return finished.split(), begun


def folded(name: str) -> str:
    """Return a name without case and accents, as people type it."""
    return anyascii(name).casefold()
