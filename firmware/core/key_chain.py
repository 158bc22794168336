"""The keys of a beacon as a board learns them: a newer key counts once its hashes lead to a known
one.

Hashing is bounded: each call is told how many hashes it may make, and goes on next time where it
stopped, however long the gap is. A forged key costs as many hashes as a true one and no more; while
one is being hashed, others are not looked at.
"""

from firmware.core import beacon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes

_KEY = 5  # where a walker's key begins


class KeyChain:
    """The chain whose key of ``index`` is ``key``; ``index`` rises with each key that is proven.

    While ``goal`` is later than ``index``, that key is being hashed. ``earlier`` is a ``walker`` at
    the key that ``lead`` came to.
    """

    def __init__(self, index: int, key: "Bytes"):
        self.index = index
        self._key, self._walk = beacon.walker(key), beacon.walker(key)
        self.earlier = beacon.walker(key)
        self._earlier_at = index  # the interval of that key
        self._offered = bytearray(key)
        self.goal = self._at = index  # the offered key's index, and where its hashing stands

    def offer(self, index: int, key: "Bytes") -> bool:
        """Take a later key to be proven; False if it is not later, or another is in hand."""
        if self.goal > self.index or index <= self.index:
            return False
        self._offered[:] = key
        self._walk[_KEY:] = key
        self.goal = self._at = index
        return True

    def prove(self, hashes: int) -> "tuple[int, bool | None]":
        """Go on with the offered key: ``(hashes left, whether it is the chain's)``; None: not over.

        A key that is not the chain's is forgotten.
        """
        while self._at > self.index:
            if not hashes:
                return 0, None
            beacon.up(self._walk)
            self._at -= 1
            hashes -= 1
        true = self._walk == self._key
        if true:
            self._key[_KEY:] = self._offered
            self.index = self._earlier_at = self.goal
            self.earlier[:] = self._key
        self.goal = self.index
        return hashes, true

    def lead(self, index: int, hashes: int) -> bool:
        """Go back from the newest key to that of ``index``; True once ``earlier`` is there.

        Ask for the latest interval first: each next one begins where the last one ended.
        """
        if index > self._earlier_at:
            self.earlier[:] = self._key
            self._earlier_at = self.index
        while self._earlier_at > index and hashes:
            beacon.up(self.earlier)
            self._earlier_at -= 1
            hashes -= 1
        return self._earlier_at == index
