"""Settings are right or refused in a sentence that names the culprit and never shows a key."""

import pytest

from firmware.core import settings

KEY = "00112233445566778899aabbccddeeff" * 2
SKEWS = {"feathers3": 50, "lilygo": 500}
GOOD = {"PLUSTHREE_DEVICE": "7", "PLUSTHREE_KEY": KEY, "PLUSTHREE_GENERATION": 2}


def test_what_is_missing_has_its_default():
    assert settings.read(GOOD, SKEWS) == {
        "device": 7, "key": bytes.fromhex(KEY), "generation": 2,
        "language": "en", "role": "table", "board": "feathers3", "system": "p18", "ppm": 50,
    }  # fmt: skip
    asked = {name: GOOD.get(name) for name in settings.names()}
    assert settings.read(asked, SKEWS) == settings.read(GOOD, SKEWS)


def test_the_events_system_is_a_name():
    assert settings.read(GOOD | {"PLUSTHREE_SYSTEM": "league_75"}, SKEWS)["system"] == "league_75"


def test_a_name_without_quotes_that_is_a_number_is_a_name_all_the_same():
    found = settings.read(GOOD | {"PLUSTHREE_SYSTEM": 75, "PLUSTHREE_LANGUAGE": 49}, SKEWS)
    assert (found["system"], found["language"]) == ("75", "49")


def test_a_language_is_any_code():
    """A board goes on in English where it has no file of it."""
    assert settings.read(GOOD | {"PLUSTHREE_LANGUAGE": "pt_BR"}, SKEWS)["language"] == "pt_BR"


def test_a_model_has_its_own_clock():
    found = settings.read(GOOD | {"PLUSTHREE_BOARD": "lilygo", "PLUSTHREE_LANGUAGE": "it"}, SKEWS)
    assert (found["board"], found["ppm"], found["language"]) == ("lilygo", 500, "it")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEVICE", None), ("DEVICE", "0"), ("DEVICE", "65535"), ("DEVICE", "seven"), ("DEVICE", ""),
        ("DEVICE", "-7"), ("DEVICE", "7.5"), ("DEVICE", "٣"), ("GENERATION", "65536"),
        ("GENERATION", None),
        ("SYSTEM", "../evil"), ("SYSTEM", ""), ("SYSTEM", "A b"), ("SYSTEM", 7.5), ("KEY", None),
        ("KEY", ""), ("KEY", KEY[:-2]), ("KEY", KEY + "00"), ("KEY", "x" * 64), ("KEY", "é" * 64),
        ("KEY", 5), ("LANGUAGE", "../en"), ("LANGUAGE", ""), ("LANGUAGE", "e n"), ("ROLE", "judge"), ("BOARD", "nano"), ("BOARD", ""),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_and_not_shown(name, value):
    with pytest.raises(ValueError) as caught:
        settings.read(GOOD | {"PLUSTHREE_" + name: value}, SKEWS)
    assert str(caught.value).startswith("PLUSTHREE_" + name + ": ")
    assert name != "KEY" or not value or str(value) not in str(caught.value)
