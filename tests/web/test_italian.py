"""Every sentence of the host that reaches a page has its Italian."""

import re

import pytest
import spoken
from tabletop import Venue
from webclient import Browser, office_of

from host.base import catalogues, commands
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.base.translation import language_of, render
from host.cli.dev import extraction
from host.desk.acts.table import ON_PAGES
from host.desk.desk import OUTCOMES, SEATS
from host.reports.paper import words as paper
from host.web import texts

SAME_IN_BOTH = {
    "premier",
    "bye",
    ", {count} bye",
    "file",
    "pod",
    "link {id}: {role}, {name}",
    "round",
    "round {round}",
    "round {round}, {where}",
    "round {round}: {change}",
    "round {round}: {file}",
    "round {number}: {said}",
    "round {round}: {source}",
    "round {after}: {source}",
    "{count} pod",
}


READ_ELSEWHERE = {  # what sentences are made of beside texts, and where those texts are read
    "host/hall/postgres/reconnection.py": {"why"},  # a Sentence
    "host/desk/attendance.py": {"error.args[0]"},  # Sentences of player_numbers
    "host/desk/beginning.py": {"error.args[0]"},
    "host/desk/registration.py": {"error.args[0]"},
    "host/formats/pasted_players.py": {  # a column's name
        "next((column for column in columns if column and columns.count(column) > 1), None)"
    },
    "host/desk/event_import.py": {"error.args[0]"},  # of round_format
    "host/tournament/round_draft.py": {"mistake.args[0]"},
    "host/desk/room_stop.py": {"WHY[code]"},  # ``dynamic``, as all below
    "host/desk/board_swap.py": {"act"},
    "host/desk/station.py": {"troubles.changed_row(log.foreign, False)"},
    "host/desk/round_lengths.py": {"remark(rules, form.bits, minutes)"},  # a Sentence
    "host/event/event_log.py": {
        "CHANGES[facts['what']]", "COUNTED[facts['counts']]", "COUNTED[facts['gives']]",
        "facts['role']", "facts['level'].replace('_', ' ')", "role", "line.title", "title", "word", "OUTCOMES[facts['won']]",
        "', '.join((f'{{n{at}}}' for at in range(len(sentences))))",
    },
    "host/web/desk_service.py": {"_with_table(mistake.sentence, table)"},  # a Sentence
    "host/desk/acts/fields.py": {"name.replace('_', ' ')"},
    "host/web/reads.py": {"act.help", "act.label"},
}  # fmt: skip


def test_every_sentence_can_be_read_from_the_code():
    found = {}
    for path in extraction.modules():
        for _, source in extraction.unread(path):
            found.setdefault(path.relative_to(extraction.ROOT).as_posix(), set()).add(source)
    assert found == READ_ELSEWHERE


HIDDEN = """
SAID = "of a module"
class Refusal(UserError):
    pass
class Own(UserError):
    def __init__(self, place, why):
        super().__init__("{{place}}: {{why}}", place=place, why=why)
def refuse(why):
    {}
"""


@pytest.mark.parametrize(("line", "texts", "unread"), [
    ('raise UserError("plain")', {"plain"}, []),
    ('raise NoBoard("a subclass")', {"a subclass"}, []),
    ("raise UserError(SAID)", {"of a module"}, []),
    ('said: str = "annotated"; raise UserError(said)', {"annotated"}, []),
    ("raise UserError(why)", set(), ["why"]),
    ("raise UserError(str(why))", set(), ["str(why)"]),
    ('raise UserError(f"{why}")', set(), ["f'{why}'"]),
    ("raise UserError(why.args[0])", set(), ["why.args[0]"]),
    ('raise UserError("a" if why else WHY[why])', {"a"}, ["WHY[why]"]),
])  # fmt: skip
def test_a_sentence_that_no_catalogue_can_get_is_found(tmp_path, line, texts, unread):
    path = tmp_path / "hidden.py"
    path.write_text(HIDDEN.format(line))
    mine = {one for _, one, _ in extraction.sentences(path)} - {"{place}: {why}"}
    assert (mine, [one for _, one in extraction.unread(path)]) == (texts, unread)


def test_a_number_that_a_spreadsheet_changed_is_refused_in_italian(service):
    person = Browser(service, "organiser")
    person.language = "it"
    for number in ("1.5", "3-May", "1,2E+15"):
        refused = person.act("add_player", number=number, name="Ada")
        assert refused.status == 409 and "un foglio di calcolo" in refused.json["error"], number


def test_the_italian_is_no_english():
    same = {
        english
        for (_, english), forms in catalogues.catalogue("it", "host").texts.items()
        if english in forms and re.search(r"[a-z]{3}", re.sub(r"\{.*?\}", "", english))
    }
    assert same == SAME_IN_BOTH


def test_incidents_read_the_same_on_pages_and_on_paper():
    shared = {key for key in paper.TEXTS if key.startswith(("happened.", "roll."))}
    shared |= {f"happened.{one.incident}" for one in commands.COMMANDS if one.incident}
    for language in catalogues.languages():
        told, say = texts.page_texts(language)["texts"], paper.Say(language)
        assert {key: told[key] for key in shared} == {key: say(key) for key in shared}


def test_a_new_acts_incident_is_on_paper_by_its_title(monkeypatch):
    lamp = commands.Command(200, word="lamp", title="lamp to be moved", incident="lamp")
    monkeypatch.setattr(commands, "COMMANDS", (*commands.COMMANDS, lamp))
    assert paper.Say("it")("happened.lamp") == "lamp to be moved"  # nobody has translated it


def test_a_sentence_is_its_english_and_says_its_italian():
    told = Sentence(
        "round {number}: {said}",
        number=2,
        said=Sentence("table {table} does not play", table="{x}"),
    )
    assert told == "round 2: table {x} does not play" and str(UserError(told)) == told
    assert render(told, "it") == "round 2: il tavolo {x} non gioca"
    assert render({"a": [told, 1, None]}, "it") == {
        "a": ["round 2: il tavolo {x} non gioca", 1, None]
    }
    assert render(Sentence("nobody translated this"), "it") == "nobody translated this"


@pytest.mark.parametrize(("asked", "language"), [
    ("it", "it"),
    ("it-IT,it;q=0.9,en;q=0.8", "it"),
    ("eo, IT;q=0.5", "it"),
    ("en-GB,it", "en"),
    ("eo", "en"),
    ("", "en"),
    (None, "en"),
    ("," * 9999, "en"),
])  # fmt: skip
def test_the_language_is_the_first_that_a_browser_names(asked, language):
    assert language_of(asked) == language


@pytest.fixture
def service(tmp_path):
    venue = Venue(tmp_path / "a.db", tables=4)
    yield office_of(venue, address="http://desk.test:8080")
    venue.station.close()


def outside(text):
    while re.search(r"⟦[^⟦⟧]*⟧", text):
        text = re.sub(r"⟦[^⟦⟧]*⟧", "", text)
    return re.findall(r"[a-z]{3,}", text)


def refusals(person):
    """Return what an Italian browser is answered to every act with odd and plausible values."""
    samples = {"table": 77, "player": "nobody", "number": "nobody", "outcome": list(OUTCOMES)[0],
               "seats": list(SEATS)[0], "round": 9,
               "device": 9999, "role": "judge", "name": "Ada", "ruling": "again", "minutes": 3,
               "reason": "so", "text": "ABCDEF",
               "bits": 1, "message": 2, "id": 999, "a": 1, "b": 2}  # fmt: skip
    found = []
    for act in ON_PAGES:
        whole = {name: samples[name] for name in act.fields if name in samples}
        if act.name == "swap_players":
            whole |= {"a": "x", "b": "y"}
        for body in (
            {"strange": 1},
            {},
            dict.fromkeys(act.fields, [1]),
            dict.fromkeys(act.fields, 99999),
            dict.fromkeys(act.fields, "\u202e"),
            whole,
        ):
            answer = person.act(act.name, **body)
            if answer.status != 200:
                found.append(answer.json["error"])
    return found


def test_an_italian_page_is_refused_in_italian_and_reads_the_book_in_italian(service, monkeypatch):
    known = spoken.Marked()
    monkeypatch.setattr(catalogues, "catalogue", lambda *asked: known)
    person = Browser(service, "organiser", name="Olga")
    person.language = "it"
    told = refusals(person)
    service.archive.notices.add("points", "win 3 draw 1", "test", 0)
    service.archive.notices.add("room paused", "as it was written once", "test", 0)
    person.act("publish", round=1)
    assert person.act("policy", bits=1, reason="so").status == 200
    told += refusals(person)
    told += [
        person.get(f"/api/{path}").json["error"]
        for path in ("results?round=9", "standings?pack=x", "table/77", "export/doc", "nothing")
    ]
    told.append(Browser(service, None).get("/api/me", accept_language="it").json["error"])
    told.append(person.get("/api/standings").json["ask"])
    assert len(told) > 150 and [(one, outside(one)) for one in told if outside(one)] == []
    lines = person.get("/api/log").json["lines"]
    assert {"⟦link creato⟧", "⟦monete e dadi⟧", "⟦punti⟧", "⟦sala fermata⟧"} <= {
        line["what"] for line in lines
    }
    said = [line["value"] for line in lines if line["value"]]  # a room that goes on says no more
    assert [value for value in said if "⟦" not in value] == ["as it was written once"]


def test_an_english_page_is_answered_in_english(service):
    person = Browser(service, "organiser", name="Olga")
    assert person.act("blink", table=77).json["error"] == "table 77 has no board: swap a spare in"
    person.language = "it-IT,it"
    assert person.act("blink", table=77).json["error"] == (
        "il tavolo 77 non ha una scheda: metti una scheda di riserva"
    )
