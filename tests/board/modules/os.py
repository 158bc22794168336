"""``os`` as boards have it: MicroPython's program lacks ``sync`` and ``urandom`` by that name."""

synced = []


def sync():
    synced.append(1)


def urandom(size):
    return bytes(range(size))


def getenv(name):
    return {"NAME": "value"}.get(name)
