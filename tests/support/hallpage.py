"""``docs/hall.md`` as what it is made of: sections with blocks of lines, and words in between."""

import re

import tree

_BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NUMBERED = re.compile(r"^## \d+\. (.*)$", re.MULTILINE)


class HallPage:
    """The page; ``here`` are the words of it that stand for something else where it is walked, and
    lines that begin with one of ``untyped`` are left out there.
    """

    def __init__(self, here, untyped):
        text = (tree.ROOT / "docs" / "hall.md").read_text(encoding="utf-8")
        titles = list(_NUMBERED.finditer(text))
        ends = [one.start() for one in titles[1:]] + [text.index("\n## When something fails")]
        self._parts = {one[1]: text[one.end() : end] for one, end in zip(titles, ends, strict=True)}
        self._here, self._untyped, self._walked = here, untyped, set()

    def block(self, title, first):
        """Return the block of a section that begins so, as it is walked here."""
        (found,) = [one for one in self._blocks(title) if one.startswith(first)]
        self._walked.add(found)
        lines = [one for one in found.splitlines() if not one.startswith(self._untyped)]
        return self.translated("\n".join(lines) + "\n")

    def words(self, title, first):
        """Return the words `` `…` `` of a section that begin so, as they are walked here."""
        (found,) = [
            one for one in re.findall(r"`([^`\n]+)`", self._parts[title]) if one.startswith(first)
        ]
        return self.translated(found)

    def translated(self, text):
        """Return a text of the page with what stands for something else here."""
        for there, here in self._here.items():
            text = text.replace(there, here)
        return text

    def left(self):
        return [one for title in self._parts for one in self._blocks(title)
                if one not in self._walked]  # fmt: skip

    def _blocks(self, title):
        return _BLOCK.findall(self._parts[title])
