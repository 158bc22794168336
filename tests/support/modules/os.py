"""``os`` as boards have it; MicroPython lacks ``sync`` and ``urandom`` by that name."""

synced = []
settings = {
    "PLUSTHREE_DEVICE": "7",
    "PLUSTHREE_KEY": "5f" * 32,
    "PLUSTHREE_GENERATION": "1",
    "PLUSTHREE_LANGUAGE": "it",
}


def sync():
    synced.append(1)
    del synced[9:]


def urandom(size):
    return bytes([(i * 37 + i // 256) & 255 for i in range(size)])


def getenv(name):
    return settings.get(name)
