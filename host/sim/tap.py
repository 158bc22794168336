"""A listener between a board's program and its link: every frame that leaves passes here."""

from firmware.core import frames


class Tap:
    """The Link port over another Link; notes frames that use a number a second time.

    ``pay`` is told what the tags of frames cost the board, as in ``VirtualBoard``.
    """

    def __init__(self, link, pay=lambda price, times=1: None):
        self._link, self._pay = link, pay
        self._seen = {}  # (stream, epoch, counter) -> frame
        self.reused = []
        self._shown = None

    def _note(self, frame):
        kind, _, epoch, counter = frames.head(frame)
        place = kind >= frames.FIRST_RECORD, epoch, counter
        if self._seen.setdefault(place, frame) != frame:
            self.reused.append(place)

    def advertise(self, frame, welcome=True):
        """As the Link's."""
        if frame is not self._shown:
            self._shown = frame
            self._pay("hmac_us")
            self._note(frame)
        self._link.advertise(frame, welcome)

    def send(self, frame):
        """As the Link's."""
        self._note(frame)
        return self._link.send(frame)

    def receive(self):
        """As the Link's; a frame's tag is checked under two keys at the most."""
        frame = self._link.receive()
        if frame is not None:
            self._pay("hmac_us", 2)
        return frame

    def __getattr__(self, name):
        return getattr(self._link, name)
