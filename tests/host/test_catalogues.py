"""The catalogues: in step with the sources, whole in Italian, one word for one thing, refused where broken."""

import io
import re

import pytest
from babel.messages.pofile import read_po
from commands import plusthree

from host.archive.roster import Pairing, Player
from host.base import catalogues
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.base.translation import in_each, render
from host.base.words import amount
from host.cli.dev import extraction, words
from host.event import table_rows
from host.event.match_results import AGREED, Result

HEAD = 'msgid ""\nmsgstr ""\n"Plural-Forms: {}\\n"\n\n'
UPDATE = "run: plusthree dev screens words"
TWO = HEAD.format("nplurals=2; plural=(n != 1);")
GOOD = 'msgid "table {table} does not play"\nmsgstr "tabulo {table} sen tabuleto"\n'


def ids(catalog):
    return {(one.context, one.id) for one in catalog if one.id}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path / "locale")
    return tmp_path / "locale"


def lay(folder, text, language="eo", domain="host"):
    """Write a catalogue as a translator would send it."""
    path = folder / language / "LC_MESSAGES" / f"{domain}.po"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("domain", catalogues.DOMAINS)
def test_the_templates_hold_what_the_sources_say(domain):
    text = (catalogues.FOLDER / f"{domain}.pot").read_text(encoding="utf-8")
    assert ids(read_po(io.StringIO(text))) == ids(extraction.template(domain)), UPDATE


@pytest.mark.parametrize("language", catalogues.languages()[1:])
@pytest.mark.parametrize("domain", catalogues.DOMAINS)
def test_a_catalogue_has_every_text_and_no_other(language, domain):
    text = catalogues.path_of(language, domain).read_text(encoding="utf-8")
    assert ids(read_po(io.StringIO(text))) == ids(extraction.template(domain)), UPDATE


@pytest.mark.parametrize("domain", catalogues.DOMAINS)
def test_the_italian_lacks_no_text(domain):
    """Another language may be on its way: what it lacks is said in English."""
    assert words.missing("it", domain) == []


def test_a_language_is_there_with_its_folder(folder):
    lay(folder, TWO + GOOD)
    assert catalogues.languages() == ("en", "eo")
    told = Sentence("table {table} does not play", table=7)
    assert in_each(told) == {"en": "table 7 does not play", "eo": "tabulo 7 sen tabuleto"}
    assert [catalogues.matching([tag]) for tag in ("eo-001", "EO", "it")] == ["eo", "eo", "en"]


def test_a_region_of_its_own_goes_before_the_language(folder):
    lay(folder, TWO, "pt_BR")
    lay(folder, TWO, "pt")
    assert [catalogues.matching([tag]) for tag in ("pt-br", "pt-PT", "pt")] == ["pt_BR", "pt", "pt"]


def test_what_is_not_translated_is_said_in_english(folder):
    lay(folder, TWO + 'msgid "a"\nmsgstr ""\n\n#, fuzzy\nmsgid "b"\nmsgstr "c"\n')
    assert render([Sentence("a"), Sentence("b"), Sentence("d")], "eo") == ["a", "b", "d"]


@pytest.mark.parametrize(("head", "forms", "shown"), [
    ("nplurals=2; plural=(n != 1);", 2, {0: "1", 1: "0", 2: "1"}),
    ("nplurals=2; plural=(n > 1);", 2, {0: "0", 1: "0", 2: "1"}),
    ("nplurals=1; plural=0;", 1, {0: "0", 1: "0", 9: "0"}),
    (
        (
            "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 ||"
            " n%100>=20) ? 1 : 2);"
        ),
        3,
        {1: "0", 3: "1", 5: "2", 11: "2", 21: "0", 112: "2"},
    ),
])  # fmt: skip
def test_each_language_counts_in_its_own_way(folder, head, forms, shown):
    ids = 'msgid "{count} match"\nmsgid_plural "{count} matches"\n'
    lay(
        folder,
        HEAD.format(head)
        + ids
        + "".join(f'msgstr[{at}] "{{count}}:{at}"\n' for at in range(forms)),
    )
    for count, form in shown.items():
        told = Sentence.counted("{count} match", "{count} matches", count=count)
        assert render(told, "eo") == f"{count}:{form}"
        assert told == (f"{count} match" if count == 1 else f"{count} matches")


@pytest.mark.parametrize(("text", "line", "why"), [
    (TWO + 'msgid "a"\nmsgstr "b\n', 6, "no line of a .po"),
    (TWO + 'msgid "a"\nmsgstr b\n', 6, "no line of a .po"),
    (TWO + 'msgid "a"\nmsgid "b"\nmsgstr "c"\n', 5, "missing msgstr"),
    (TWO + "<html>\n", 5, "no line of a .po"),
    ((TWO + 'msgid "a"\nmsgstr "').encode() + b'\xe8"\n', 6, "UTF-8"),
    (TWO + 'msgid "table {table}"\nmsgstr "tabulo"\n', 5, "lacks {table}"),
    (TWO + 'msgid "table {table}"\nmsgstr "tabulo {table} {tabel}"\n', 5, "has no {tabel}"),
    (TWO + 'msgid "table {table}"\nmsgstr "tabulo {table"\n', 5, "expected '}'"),
    (TWO + 'msgid "table {table}"\nmsgstr "tabulo {table!x}"\n', 5, "{table!x}: write {table}"),
    (TWO + 'msgid "table {table}"\nmsgstr "tabulo {table:d}"\n', 5, "{table:d}: write {table}"),
    (TWO + 'msgid "no {word!r}"\nmsgstr "ne {word!s}"\n', 5, "{word!s}: write {word!r}"),
    (TWO + 'msgid "{count} a"\nmsgid_plural "{count} b"\nmsgstr[0] "{count} c"\n', 5, "a form of the plural"),
    (HEAD.format("nplurals=2; plural=import os;"), 1, "Plural-Forms"),
    (HEAD.format("nplurals=two; plural=0;"), 1, "two"),
])  # fmt: skip
def test_a_broken_catalogue_is_refused_with_its_line(folder, text, line, why):
    path = lay(folder, text)
    with pytest.raises(UserError) as refused:
        catalogues.check()
    assert str(refused.value).startswith(f"{path}:{line}: ") and why in str(refused.value)


def test_the_mark_with_which_notepad_begins_a_file_is_left_out(folder):
    path = lay(folder, TWO + 'msgid "table {table}"\nmsgstr "tabulo {table}"\n')
    text = path.read_text("utf-8")
    path.write_text(text, encoding="utf-8-sig")
    catalogues.check()
    assert catalogues.catalogue("eo", "host").text("table {table}") == "tabulo {table}"
    assert plusthree("dev", "screens", "words") == 0
    assert not path.read_text("utf-8").startswith("\ufeff")


def test_a_folder_that_is_no_language_is_refused_and_offered_nowhere(folder):
    lay(folder, TWO, "italian")
    assert catalogues.languages() == ("en",)
    with pytest.raises(UserError, match="italian is no language's code"):
        catalogues.check()


def test_new_texts_come_into_a_catalogue_and_old_ones_go(folder, capsys):
    lay(folder, TWO + GOOD + '\nmsgid "nobody says this"\nmsgstr "neniu"\n')
    assert plusthree("dev", "screens", "words", "--check") == 1
    assert "not up to date" in capsys.readouterr().out
    assert plusthree("dev", "screens", "words") == 0
    assert plusthree("dev", "screens", "words", "--check") == 0
    text = catalogues.path_of("eo", "host").read_text(encoding="utf-8")
    assert "tabulo {table} sen tabuleto" in text and "nobody says this" not in text
    assert text.count("\nmsgid ") == len({one.english for one in extraction.entries("host")}) + 1
    assert f"eo, host: {len(words.missing('eo', 'host'))} texts" in capsys.readouterr().out


def test_a_broken_catalogue_is_no_updated_one(folder, capsys):
    path = lay(folder, TWO + 'msgid "a"\nmsgstr "b\n')
    assert plusthree("dev", "screens", "words") == 2
    assert f"{path}:6: " in capsys.readouterr().err


def test_the_desk_is_not_opened_with_a_broken_catalogue(folder, capsys):
    path = lay(folder, TWO + 'msgid "a"\nmsgstr "b\n', domain="pages")
    assert plusthree("serve", "--virtual", "1") == 2
    assert f"{path}:6: this is no line of a .po file" in capsys.readouterr().err


NEVER = re.compile(
    r"tavolett|\bpatt[ae]\b|\bparità\b|squadron|episodi|tagliand|\bparete\b|estension|oltre il tempo",
    re.IGNORECASE,
)
TURN, ROUND = re.compile(r"\bturn[oi]\b", re.IGNORECASE), re.compile(r"\bround\b", re.IGNORECASE)
GAME_ROUNDS = (  # X-Wing's rounds of play are turns in Italian
    "told_round", "told_between", "go_note", "round_on", "round_off", "xw_ask", "xw_finish_line",
)  # fmt: skip
CLUMSY = re.compile(
    r"\bI go\b|I am there|[Gg]ive it back|run on\b|[Ww]ho meets whom|[Tt]rust it|at room|"
    r"judge asked|is no \S+ die|told apart by nothing|\btie \{?\d?\w*\}?–"
)


def forms(domain):
    """Yield ``(key, English, Italian)`` of every form of every text of a domain."""
    italian = catalogues.catalogue("it", domain).texts
    for entry in extraction.entries(domain):
        said = italian[entry.context, entry.english]
        for one in (said,) if isinstance(said, str) else said:
            yield entry.context or entry.english, entry.english, one


@pytest.mark.parametrize("domain", catalogues.DOMAINS)
def test_italian_has_no_second_word_for_a_thing(domain):
    assert [(key, text) for key, _, text in forms(domain) if NEVER.search(text)] == []


@pytest.mark.parametrize("domain", catalogues.DOMAINS)
def test_a_round_is_a_round_and_a_turn_is_a_turno(domain):
    wrong = []
    for key, english, italian in forms(domain):
        plays = key in GAME_ROUNDS or re.search(r"\bturns?\b|overtime", english, re.IGNORECASE)
        if TURN.search(italian) and not plays or TURN.search(italian) and ROUND.search(italian):
            wrong.append((key, italian))
        if ROUND.search(italian) and not re.search(r"\brounds?\b|pre-game", english, re.IGNORECASE):
            wrong.append((key, italian))
    assert wrong == []


@pytest.mark.parametrize("domain", catalogues.DOMAINS)
def test_english_is_the_trades(domain):
    texts = [text for one in extraction.entries(domain) for text in (one.english, one.many) if text]
    assert [text for text in texts if CLUMSY.search(text)] == []


def test_an_amount_carries_its_noun():
    assert [amount(n, "match", "matches") for n in (0, 1, 2)] == [
        "no matches", "1 match", "2 matches",
    ]  # fmt: skip
    assert amount(0, "bye") == "no byes" and amount(1, "bye") == "1 bye"


def test_a_tie_has_its_score_in_brackets():
    pairing = Pairing(1, 1, 1, Player("1", "Ann"), Player("2", "Bo"))
    said = [
        table_rows.result(
            table_rows.Row(pairing, "open", 0, (0, 0), None, 0,
                           Result(1, 1, outcome, games, None, AGREED, 0, False), None, ())
        )
        for outcome, games in (("tie", (1, 0)), ("A", (2, 1)))
    ]  # fmt: skip
    assert said == ["tie (1–0; agreed)", "Ann wins 2–1 (agreed)"]
