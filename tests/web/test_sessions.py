"""A cookie's tag: 128 bits of HMAC-SHA256, every one of which is compared."""

import hmac

import pytest

from host.web.sessions import Sessions

KEY = bytes(range(32))
PLAIN = "7.0123456789ab"
DIGITS = 32  # of 4 bits


def tag(label, text):
    """Return the tag as the docstring of ``sessions`` and HMAC's own text define it."""
    return hmac.digest(KEY, f"{label}\0{text}".encode(), "sha256").hex()[:DIGITS]


@pytest.fixture
def sessions():
    return Sessions(KEY, False)


def other(digit):
    return "0" if digit != "0" else "1"


def changed(text, at):
    return text[:at] + other(text[at]) + text[at + 1 :]


def test_a_cookie_is_its_link_a_nonce_and_a_tag_of_128_bits(sessions):
    made = sessions.make(7, lambda size: "0123456789ab"[:size])
    assert made == f"{PLAIN}.{tag('cookie', PLAIN)}"
    assert sessions.link_of(made) == 7
    assert sessions.csrf(made) == tag("csrf", made)
    assert sessions.is_csrf(made, tag("csrf", made))


@pytest.mark.parametrize("at", range(DIGITS))
def test_no_digit_of_a_tag_may_differ(sessions, at):
    made = f"{PLAIN}.{tag('cookie', PLAIN)}"
    assert sessions.link_of(changed(made, len(PLAIN) + 1 + at)) is None
    assert not sessions.is_csrf(made, changed(tag("csrf", made), at))


@pytest.mark.parametrize("kept", [0, 1, DIGITS // 2, DIGITS - 1])
def test_no_part_of_a_tag_is_one(sessions, kept):
    made = f"{PLAIN}.{tag('cookie', PLAIN)}"
    assert sessions.link_of(f"{PLAIN}.{tag('cookie', PLAIN)[:kept]}") is None
    assert not sessions.is_csrf(made, tag("csrf", made)[:kept])
    assert sessions.link_of(f"{made}0") is None and not sessions.is_csrf(made, None)


@pytest.mark.parametrize("plain", ["8.0123456789ab", "7.0123456789ac", "7", "77.0123456789ab"])
def test_a_tag_is_of_its_own_link_and_nonce(sessions, plain):
    assert sessions.link_of(f"{plain}.{tag('cookie', PLAIN)}") is None


def test_one_tag_does_not_stand_for_the_other_and_no_key_for_another(sessions):
    made = f"{PLAIN}.{tag('cookie', PLAIN)}"
    assert sessions.link_of(f"{PLAIN}.{tag('csrf', PLAIN)}") is None
    assert not sessions.is_csrf(made, tag("cookie", made))
    assert Sessions(bytes(32), False).link_of(made) is None


@pytest.mark.parametrize("number", ["", "-7", "x", "\u00b2"])
def test_what_is_no_number_is_no_link_though_its_tag_fits(sessions, number):
    assert sessions.link_of(f"{number}.n.{tag('cookie', f'{number}.n')}") is None


def test_a_cookie_lasts_a_week_and_only_here(sessions):
    week_s = 7 * 24 * 60 * 60
    said = sessions.header("v").split("; ")
    assert said[0] == "plusthree=v" and f"Max-Age={week_s}" in said
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(said) and "Secure" not in said
    secure = Sessions(KEY, True).header("v").split("; ")
    assert secure[0] == "__Host-plusthree=v" and "Secure" in secure
