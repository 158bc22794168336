"""Settings read the same from strings and numbers on every interpreter."""

from firmware.core import settings

SKEWS = {"feathers3": 50, "lilygo": 500}
GOOD = {
    "PLUSTHREE_DEVICE": 7,
    "PLUSTHREE_KEY": "0f" * 32,
    "PLUSTHREE_GENERATION": "2",
    "PLUSTHREE_ROLE": None,
}


def test_good_settings_are_read():
    found = settings.read(GOOD, SKEWS)
    assert (found["device"], found["generation"], found["key"]) == (7, 2, b"\x0f" * 32)
    others = [found[name] for name in ("language", "role", "board", "ppm")]
    assert others == ["en", "table", "feathers3", 50]


def test_wrong_settings_are_named():
    for name, value in (
        ("KEY", "zz" * 32),
        ("KEY", None),
        ("KEY", "0f"),
        ("DEVICE", "x"),
        ("ROLE", "boss"),
    ):
        raw = GOOD.copy()
        raw["PLUSTHREE_" + name] = value
        try:
            settings.read(raw, SKEWS)
        except ValueError as error:
            assert str(error).startswith("PLUSTHREE_" + name)
            continue
        raise AssertionError(name)
