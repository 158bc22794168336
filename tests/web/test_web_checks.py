"""Every check of the web desk is needed: without it a test fails, in `make prove`."""

import pytest
from webclient import HOST
from without import edited, files, unnoticed

from host.archive import access_links
from host.archive.access_links import AccessLinks
from host.base import plain_text
from host.web import views
from host.web.guard import Guard
from host.web.sessions import Sessions

WALK = "web/test_security.py::"
GUARD = "host.web.guard:Guard._refusal"


class Everything:
    """A set that has whatever it is asked for."""

    def __contains__(self, one):
        return True


def no_host(patch):
    begin = Guard.__init__

    def careless(self, *terms):
        begin(self, *terms)
        self._hosts = Everything()

    patch.setattr(Guard, "__init__", careless)


def without_header(name, instead=()):
    """Return a patch by which the Guard does not see a header, or sees another one."""

    def take_away(patch):
        refusal = Guard._refusal

        def careless(self, scope):
            kept = [pair for pair in scope["headers"] if pair[0] != name]
            return refusal(self, {**scope, "headers": [*kept, *instead]})

        patch.setattr(Guard, "_refusal", careless)

    return take_away


def no_roles(patch):
    patch.setattr(access_links, "may", lambda role, least: role in access_links.ROLES)


def no_token(patch):
    patch.setattr(Sessions, "is_csrf", lambda self, cookie, token: True)


def no_cookie_tag(patch):
    def careless(self, value):
        number = (value or "").partition(".")[0]
        return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None

    patch.setattr(Sessions, "link_of", careless)


def no_revocation(patch):
    patch.setattr(
        AccessLinks, "_one", lambda self, where, value: next(iter(self._select(where, value)), None)
    )


def no_share(patch):
    patch.setattr(views, "share", lambda view, path, value, hidden: value)


def no_turning(patch):
    patch.setattr(plain_text, "fault", lambda text: None)


CHECKS = (
    ("host", no_host, WALK + "test_foreign_pages_and_names_get_nothing"),
    (
        "origin",
        without_header(b"origin", ((b"origin", b"http://" + HOST.encode()),)),
        WALK + "test_foreign_pages_and_names_get_nothing",
    ),
    ("fetch site", without_header(b"sec-fetch-site"), WALK + "test_foreign_pages_and_names_get_nothing"),
    ("role", no_roles, WALK + "test_each_role_gets_what_it_takes_and_no_more"),
    ("token", no_token, WALK + "test_an_act_is_only_a_pages_own"),
    ("cookie", no_cookie_tag, WALK + "test_a_made_up_cookie_is_none"),
    ("revocation", no_revocation, "web/test_organiser.py::test_links_are_made_and_revoked"),
    (
        "length",
        edited("host.web.app:_body", "len(raw) > largest", "False"),
        WALK + "test_a_body_that_is_none_or_too_long_gets_one_sentence",
    ),
    ("share", no_share, "web/test_streams.py::test_viewers_are_never_told_what_is_hidden"),
    ("direction", no_turning, "web/test_desk_service.py::test_a_request_that_makes_no_sense_gets_one_sentence"),
    (
        "a host in capitals",
        edited(GUARD, "host[0].casefold() not in self._hosts", "host[0] not in self._hosts"),
        WALK + "test_the_desks_own_name_may_be_written_in_capitals",
    ),
    (
        "an origin in capitals",
        edited(GUARD, "origin.casefold() != own", "origin != own"),
        WALK + "test_the_desks_own_name_may_be_written_in_capitals",
    ),
    ("one host", edited(GUARD, "len(host) != 1", "False"), WALK + "test_a_request_names_exactly_one_host"),
    ("one origin", edited(GUARD, "changing and len(origins) != 1", "False"), WALK + "test_an_act_is_only_a_pages_own"),
    (
        "a role that nobody knows",
        edited("host.archive.access_links:may", "role in ROLES", "True"),
        WALK + "test_a_role_that_nobody_knows_may_nothing",
    ),
    (
        "streams of one link",
        edited("host.web.streams:Streams.end", "listener.link == link", "True"),
        "web/test_streams.py::test_a_revoked_link_ends_no_other_links_streams",
    ),
)  # fmt: skip


@pytest.mark.prove
@pytest.mark.parametrize("file", files(CHECKS))
def test_without_a_check_its_test_fails(file, capsys):
    assert unnoticed(CHECKS, file) == [], capsys.readouterr().out


def test_every_row_fits_the_source():
    for _, take_away, _ in CHECKS:
        with pytest.MonkeyPatch.context() as patch:
            take_away(patch)
