"""An archive's records of one match, as the board's ``takeback`` reads them."""


class Log:
    """Over a list of (place, event), the places rising."""

    first = 0

    def __init__(self, told):
        self._told = told
        self.end = len(told)

    def kind(self, at):
        """Return the kind of a record."""
        return self._told[at][1][0]

    def told(self, at):
        """Return its event."""
        return self._told[at][1]

    def order(self, at):
        """Return what a TAKEN_BACK names it by."""
        epoch, counter = self._told[at][0]
        return epoch << 16 | counter
