"""A form that the host refuses keeps what was typed, and a sentence says what to do next."""

import pytest
from browser import expect, fill
from virtualdesk import VirtualDesk

PLAYING, WITHOUT = 1, 2  # a table with its board, and one without
REFUSED = {  # panel, form, what is typed, and a part of the sentence
    "result": ("results", "result", {"table": 99, "outcome": "A", "number_a": 2, "number_b": 1, "reason": "slip 7"}, "Table 99 does not play"),
    "result at odds": ("outstanding", "result", {"table": PLAYING, "outcome": "A", "number_a": 0, "number_b": 2, "reason": "slip"}, "● has won"),
    "new player": ("people", "add_player", {"number": "{number}", "name": "Zoë Martin"}, "give Zoë Martin another number"),
    "drop": ("people", "drop", {"number": "nobody at all", "reason": "ill"}, "nobody"),
    "rename": ("people", "rename", {"number": "98765", "name": "Zoë Martin"}, "98765"),
    "coins and dice": ("luck", "policy", {"table": 99, "reason": "asked"}, "Table 99 does not play"),
    "length": ("rounds", "length", {"round": 1, "minutes": 20, "reason": "late"}, "extend tables instead"),
    "draft": ("rounds", "draft", {"minutes": 45, "cut": 4}, "esults are missing"),
    "swap": ("boards", "swap", {"table": PLAYING, "device": 999, "reason": "broken"}, "999"),
    "plan": ("room", "lay_out", {"plan": "1 x 2", "wide": 3}, "neither a table"),
    "extra time for all": ("room", "extend_all", {"minutes": 5, "reason": "   "}, "eason"),
}  # fmt: skip
OF_A_TABLE = {
    "ruling": (PLAYING, "rule", {"games_a": 0, "games_b": 2, "reason": "slip"}, "● has won"),
    "result code": (PLAYING, "code", {"text": "ABC DEF"}, "code"),
}
pytestmark = [pytest.mark.desk(run_s=500, without=WITHOUT), pytest.mark.refusals]


@pytest.fixture
def number(desk):
    return desk.ask(lambda station: station.archive.roster.pairings_of(1)[0].a.number)


def refused(page, form, typed, sentence):
    """Send a form; what was typed stands in it still, and the note says why."""
    expect(form).to_be_attached()
    for details in form.locator("xpath=ancestor::details[not(@open)]").all():
        details.locator("summary").first.click()
    fill(form, typed)
    form.locator("[type=submit]").first.click()
    note = page.locator(".note.bad")
    expect(note).to_contain_text(sentence)
    assert note.inner_text()[0].isupper()
    for name, value in typed.items():
        assert form.locator(f"[name={name}]").input_value() == str(value), name
    return note


@pytest.fixture(scope="module")
def page(module_chromium, desk):
    return module_chromium.open(desk.links["organiser"])


@pytest.mark.parametrize("kind", REFUSED)
def test_a_refused_form_of_the_desk_keeps_what_was_typed(page, number, kind):
    panel, name, typed, sentence = REFUSED[kind]
    typed = {key: number if value == "{number}" else value for key, value in typed.items()}
    page.evaluate(f"location.hash = '{panel}'")
    form = page.locator(f".panel-{panel} [data-form={name}]").first
    if name == "policy":
        form.locator("[value='4']").check()
    note = refused(page, form, typed, sentence)
    if name == "policy":
        expect(form.locator("[value='4']")).to_be_checked()
    note.locator("[data-act=dismiss]").click()


@pytest.mark.parametrize("kind", OF_A_TABLE)
def test_a_refused_form_of_a_table_keeps_what_was_typed(chromium, desk, kind):
    table, name, typed, sentence = OF_A_TABLE[kind]
    page = chromium.open(desk.links["organiser"], "phone", at=f"{desk.url}/judge")
    page.locator(f".card[data-table='{table}']").click()
    form = page.locator(f"dialog [data-form={name}]")
    if name == "rule":
        form.locator("[value=A]").check()
    refused(page, form, typed, sentence)


@pytest.fixture(scope="module")
def early(tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("early"), tables=2, seed=7) as desk:
        desk.publish(20)
        yield desk


def put_off(page, form, typed, question):
    """Answer no to what the host asks about a form: nothing is done, and nothing typed is lost."""
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    with page.expect_event("dialog"):
        fill(form, typed)
        form.locator("[type=submit]").first.click()
    assert question in asked[0]
    for name, value in typed.items():
        assert form.locator(f"[name={name}]").input_value() == str(value), name


def test_a_start_that_is_put_off_or_not_answered_keeps_its_minutes(chromium, early):
    page = chromium.open(early.links["organiser"], at=f"{early.url}/desk#rounds")
    form = page.locator("[data-form=start]")
    put_off(page, form, {"minutes": 300}, "Start the round only in ")
    page.route("**/api/acts/start", lambda route: route.abort())
    refused(page, form, {"minutes": 7}, "did not answer")
    assert early.ask(lambda station: station.desk.start_ms) is None


def test_extra_time_that_is_put_off_or_not_answered_keeps_its_reason(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone")
    page.locator(f".card[data-table='{PLAYING}']").click()
    form = page.locator("dialog [data-form=extend]")
    put_off(page, form, {"minutes": 44, "reason": "deck check"}, "44")
    page.route("**/api/acts/extend", lambda route: route.abort())
    refused(page, form, {"minutes": 7, "reason": "deck check"}, "did not answer")
    assert desk.ask(lambda station: station.desk.extension_s(PLAYING)) == 0
