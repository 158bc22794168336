"""What a board is advertising, and when it changes its advert (``radio.advertiser``)."""


class Advertising:
    """The state of a board's advert, kept between two pictures.

    ``turn_ms``: uptime in ms of the next turn, at which another frame may follow. ``guests``: how
    many had connected when the host was last heard, or when nobody came.
    """

    status: "bytes | None"  # the last status

    def __init__(self):
        self.turn_ms = 0
        self.connectable = True
        self.place = 0  # of the next record to advertise
        self.status = None
        self.frame = b""  # the last one
        self.guests = 0
        self.turn_guests = -1  # how many had connected as this turn began; -1 while a link was open
        self.heard_ms = 0  # uptime at which the host was last heard
