"""The host's voice to one board: signed frames whose counter never comes twice in an epoch."""

from firmware.core import frames


class FrameSigner:
    """Signs down frames for the board's present epoch; counters are on the disk before use."""

    def __init__(self, archive, keyring, watch):
        self._archive, self._keyring, self._watch = archive, keyring, watch
        self._epoch = None
        self._next = self._below = 0

    def sign(self, event, kind, payload):
        """Return ``(frame, counter)`` under ``event``'s key; None when no counter is left."""
        watch = self._watch
        place = watch.device, watch.generation, watch.epoch
        if self._epoch != watch.epoch or self._next >= self._below:
            self._epoch = watch.epoch
            self._next, self._below = self._archive.reserve(*place)
        if self._next >= self._below:
            return None
        counter, self._next = self._next, self._next + 1
        key = self._keyring.stream(*place[:2], event, frames.DOWN, watch.epoch)
        rest = kind, watch.device, watch.epoch, counter
        frame = frames.sign(key, *rest, payload)
        if kind == frames.NAME:  # children's names do not go over the air in clear
            hidden = frames.mask_name(self._keyring.board(*place[:2]), frame, payload[1:])
            frame = frames.sign(key, *rest, payload[:1] + hidden)
        return frame, counter

    def frame(self, kind, payload):
        """Return a frame under the key of the event that the board is in, or None."""
        signed = self.sign(self._watch.event, kind, payload)
        return signed and signed[0]
