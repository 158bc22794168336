"""Feature tables and tables that somebody keeps: marked with words wherever a judge looks."""

import pytest
from browser import expect, photograph
from virtualdesk import VirtualDesk

from host.archive import fixed_tables
from host.archive.fixed_tables import Feature, Fixed

FEATURE, KEPT, PLAIN = 1, 2, 3
WORDS = {"en-GB": ("feature table", "fixed table"), "it-IT": ("tavolo in evidenza", "tavolo fisso")}


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("venue"), tables=4, seed=7) as desk:

        def mark(station):
            archive = station.archive
            seated = archive.roster.pairing_at(1, KEPT)
            fixed_tables.mark(archive, Feature(FEATURE, True), "Olga", 0)
            fixed_tables.fix(archive, Fixed(seated.b.number, KEPT), "Olga", 0)
            fixed_tables.fix(archive, Fixed(seated.a.number, PLAIN), "Olga", 0)  # plays elsewhere

        desk.ask(mark)
        desk.open_round()
        desk.advance(300)
        for table in (FEATURE, KEPT, PLAIN):
            desk.call_judge(table)
        desk.advance(10)
        yield desk


def assert_marked(page, where, words):
    """The first two of the three tables have the mark of their word, the last one has none."""
    for table, word in zip((FEATURE, KEPT), words, strict=True):
        expect(page.locator(where.format(table))).to_have_text(word)
    expect(page.locator(where.format(PLAIN))).to_have_count(0)


@pytest.mark.parametrize(("locale", "size"), list(zip(WORDS, ("phone", "laptop"), strict=True)))
def test_a_judge_sees_them_on_cards_in_the_queue_and_in_the_sheet(chromium, desk, size, locale):
    page = chromium.open(desk.links["judge"], size, locale=locale)
    if size == "phone":
        page.locator("[data-act=calls_all]").click()
    expect(page.locator(".call")).to_have_count(3)
    assert_marked(page, ".call[data-key=c{}] .type .mark", WORDS[locale])
    assert_marked(page, ".card[data-table='{}'] :is(.mark.feature, .mark.kept)", WORDS[locale])
    photograph(page, f"special-{size}-{locale}")
    page.locator(f".card[data-table='{KEPT}']").click()
    expect(page.locator("dialog .mark.kept")).to_have_text(WORDS[locale][1])
    photograph(page, f"special-sheet-{size}-{locale}")


@pytest.mark.parametrize(("locale", "size"), list(zip(WORDS, ("phone", "laptop"), strict=True)))
def test_the_wall_says_which_are_feature_tables_and_no_more(chromium, desk, size, locale):
    feature, kept = WORDS[locale]
    page = chromium.open(desk.links["viewer"], size, locale=locale)
    expect(page.locator(".judged li", has_text=feature)).to_have_count(1)
    expect(page.locator(".which > span", has_text=feature)).to_have_count(1)
    assert kept not in page.locator("body").inner_text()
    photograph(page, f"special-wall-{size}-{locale}")


def test_who_keeps_a_table_is_for_staff_alone(desk):
    def seen(view):
        return desk._web.service.change_feed.state(view, 0)["tables"]

    staff, plain = (desk.ask(lambda _, view=view: seen(view)) for view in ("staff", "plain"))
    assert [(one["feature"], one["kept"]) for one in staff.values()] == [
        (True, False), (False, True), (False, False), (False, False)
    ]  # fmt: skip
    assert [one["feature"] for one in plain.values()] == [True, False, False, False]
    assert not [one for one in plain.values() if "kept" in one]
