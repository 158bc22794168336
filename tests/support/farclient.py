"""A characteristic of a board that has no radio, and a client of it: for packet buffers alone."""

from firmware.core import frames


class Client:
    att_mtu = 23


class Characteristic:
    """A characteristic whose service and adapter are its own, and whose board sleeps on."""

    max_length = frames.SIZE

    def __init__(self):
        self.watchers = []
        self.service = self.adapter = self

    def wake_soon(self):
        pass

    def mtu(self, client):
        return client.att_mtu
