"""The screens' data: compiled afresh, reachable, without dead ends, and every text in its place."""

import re
import shutil

import pytest
from inks import LONGEST
from said import Said

from firmware.core import intents
from firmware.ui import canvas, fact, facts, pack, text, word
from firmware.ui.face import PANELS
from firmware.ui.face import opened as opened_face
from firmware.ui.font import Font
from firmware.ui.rows import ITEMS, KEYS, LABELS
from host import cli
from host.base import catalogues
from host.boards.screens import compiler, numbers, words
from host.boards.screens.pack import SHAPES, TARGET, build, opened
from host.sim import screen_reading
from host.sim.scenes_more import ALL
from host.sim.shots import Studio

RUNNING = (
    "clock",
    "warning",
    "last",
    "uncertain",
    "hidden",
    "rounds",
    "rounds_warn",
    "rounds_last",
)
SHORTENED = {"proposal", "told", "finish_who", "says_a", "says_b", "check_a", "check_b"}


@pytest.fixture(scope="module")
def source():
    return pack.Pack(TARGET.open("rb"))


@pytest.fixture(scope="module")
def screens():
    """{name: face on that screen}, with no facts at all."""
    made = {}
    for number, name in enumerate(compiler.names()):
        made[name] = opened_face(None, "320x240", "en", TARGET)
        made[name].open(number)
    return made


def all_rows(face, kind):
    """Return the rows of a kind whatever their facts say."""
    face.rows.holds = lambda at: True
    return screen_reading.rows(face, kind)


def test_compiled_file_is_fresh():
    assert TARGET.read_bytes() == build(), "run plusthree dev screens"


def test_a_mistake_in_a_source_names_its_line():
    with pytest.raises(words.SourceError, match="idle.txt:7: no place"):
        words.number_of("idle.txt:7", "place", "nowhere", ["big"])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("label big tidy white ? begon", "no fact is called 'begon'; try begun"),
        ("label bigg table white", "no place is called 'bigg'; try big"),
        ("label big tabel white", "no text is called 'tabel'; try table"),
        ("label big table pink", "no colour is called 'pink'; try"),
        ("lable big table white", "no line is called 'lable'; try label"),
        ("label big table", "a label line is: label PLACE TEXT COLOUR"),
        ("key ▲ press table CAL_JUDGE 1", "no intent is called 'CAL_JUDGE'; try CALL_JUDGE"),
        ("key ▲ press table CALL_JUDGE many", "'many' is neither 0 to 255"),
        ("key ▲ tap table CALL_JUDGE 1", "no gesture is called 'tap'; try"),
        ("key X press table CALL_JUDGE 1", "no key is called 'X'; try"),
        ("key ▲ press table -> clok", "no screen is called 'clok'; try clock"),
        ("stay PLAYNG", "no phase is called 'PLAYNG'; try PLAYING"),
        ("key ▲", "a key line is: key"),
    ],
)
def test_a_wrong_name_is_told_with_those_like_it(monkeypatch, tmp_path, capsys, line, said):
    ui = tmp_path / "ui"
    shutil.copytree(words.UI, ui)
    with (ui / "screens" / "idle.txt").open("a", encoding="utf-8") as source:
        source.write(f"\n{line.replace('tidy', 'table')}\n")
    for module in (words, numbers, compiler):
        monkeypatch.setattr(module, "UI", ui)
    assert cli.main(["dev", "screens"]) == 2
    told = capsys.readouterr().err
    assert re.search(r"idle\.txt:\d+: ", told) and said in told


def test_a_text_that_has_moved_is_numbered_anew():
    names = words.texts("en")[0]
    assert numbers.renumbered(names) == {}
    moved = numbers.renumbered(["another", *names])
    text = moved[words.UI / "recall.py"]
    assert "_DID = 24  # text did_20" in text
    assert "_ROLLED = 40  # text rolled_1" in text


def test_facts_are_numbered_as_their_names():
    numbered = {name: number for name, number in vars(fact).items() if name.isupper()}
    assert numbered.pop("COUNT") == len(numbers.facts())
    assert sorted(numbered, key=numbered.get) == [name.upper() for name in numbers.facts()]
    assert fact.CRASHED == facts.PASSING - 1


def test_words_have_a_letter_each():
    assert word.COUNT == len(words.LETTERS) == len(set(words.LETTERS))
    assert word.FIRST == words.FIRST


def test_templates_name_words_that_exist():
    for template in words.texts("en")[1]:
        assert set(re.findall("%([a-zA-Z0-9])", template)) <= set(words.LETTERS), template


def test_fixed_numbers_of_texts_and_places():
    names = words.texts("en")[0]
    assert [names.index(f"outcome_{i}") for i in range(7)] == list(range(7))
    assert names[facts._TELLS] == "tell_1" and names[facts._TURNS] == "told_turn_a"
    from host.boards.screens.theme import Theme

    theme = Theme()
    assert theme.places[canvas.KEY_PLACE : canvas.KEY_PLACE + 3] == ["key_1", "key_2", "key_3"]
    assert theme.places[canvas.ROW_PLACE] == "row_1"
    assert theme.boxes[canvas.FILL] == "fill" and theme.boxes[canvas.ROW_BOX] == "row"
    assert theme.boxes[canvas.KEY_BOX] == "key_1" and theme.boxes[canvas.MARK_BOX] == "mark_1"


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("language", catalogues.languages())
def test_every_text_fits_its_place(source, screens, panel, language):
    names, section = words.texts("en")[0], pack.PANELS + 3 * PANELS.index(panel)
    first = source.read(section, 2, 1)[0]
    fonts = [Font(source, first + number, {}) for number in range(3)]

    file, which = opened(language)
    said = pack.Pack(file)
    line = text.Line(lambda number: said.row(pack.TEXTS + which, 0, number))

    def place(number):
        raw = source.read(section, 5 + 3 * source.read(section, 4, 1)[0] + 8 * number, 8)
        return raw[0], raw[6] | raw[7] << 8

    too_long = []
    for name, face in screens.items():
        shown = [(row.place, row.text) for row in all_rows(face, LABELS)]
        shown += [(canvas.ROW_PLACE, row.text) for row in all_rows(face, ITEMS)]
        shown += [
            (canvas.KEY_PLACE + (row.gesture & 3), row.text)
            for row in all_rows(face, KEYS)
            if row.text
        ]
        for at, number in shown:
            font, width = place(at)
            line.set(number, LONGEST)
            if sum(fonts[font].advance(line.codes[i]) for i in range(line.size)) > width:
                too_long.append(f"{name}: {names[number]}")
    assert not [each for each in too_long if each.split()[1] not in SHORTENED]


BOTH = {
    "app",
    "batt",
    "min",
    "plusthree",
    "provision",
    "round",
    "decide",
    "dice",
    "concede",
    "draft",
}  # said in either language
SAME = {"table_short", "low_battery", "name_a", "name_b", "ready_a", "ready_b", "games",
        "seated_word", "playing_word", "draft_word",
        "proposal", "told", "confirm_l", "extension_big", "rolled_face", "wait_key",
        "no_table_word", "judge_reason",
        "unset_line_2", "points_a", "points_b", "shape_a", "shape_b", "undo_ask", "code_typed",
        "low_big",
        "result_code", "code_up", "did_26", "did_38", "rolled_die", "undo_1", "undo_2", "undo_3",
        "undo_4",
        "flips_each"}  # fmt: skip


def test_italian_is_complete_and_leaves_no_english():
    english, italian = (dict(zip(*words.texts(language))) for language in ("en", "it"))
    assert set(english) == set(italian)
    letters = re.compile("[a-z]{2}", re.IGNORECASE)
    for name, said in english.items():
        plain = re.sub("%.", "", said)
        if name not in SAME and letters.search(plain):
            assert italian[name] != said, name
        places = sorted(re.findall("%.|[@^*]", said))
        assert sorted(re.findall("%.|[@^*]", italian[name])) == places, name
    spoken = {language: set(re.findall("[^\\W\\d_]{3,}",
                                       re.sub("%.", " ", " ".join(said.values())).lower()))
              for language, said in (("en", english), ("it", italian))}  # fmt: skip
    assert spoken["en"] & spoken["it"] <= BOTH


def test_no_english_is_drawn_on_an_italian_board(source):
    names, texts = words.texts("en")
    spoken = dict(zip(*words.texts("it")))
    for number, name in enumerate(names):
        drawn = source.row(pack.TEXTS + 1, 0, number).decode("latin-1")
        for shape, code in SHAPES.items():
            drawn = drawn.replace(code, shape)
        for which, letter in enumerate(words.LETTERS):
            drawn = drawn.replace(chr(word.FIRST + which), "%" + letter)
        assert drawn == spoken[name], name


def test_no_letter_loses_its_accent(source):
    for section in range(pack.FONTS, pack.PANELS):
        height, _, first, count, row_size = source.read(section, 0, 5)

        def top(letter):
            at = 5 + count + (ord(letter) - first) * height * row_size
            return (
                next(i for i, ink in enumerate(source.read(section, at, height * row_size)) if ink)
                // row_size
            )

        for plain, accented in zip("AEEIOUaeeiou", "ÀÈÉÌÒÙàèéìòù"):
            assert top(accented) < top(plain), (section, accented)


def goals(face):
    """Return the numbers of the screens that a screen's keys and items lead to."""
    rows = [row.goes for kind in (ITEMS, KEYS) for row in all_rows(face, kind)]
    return {goes - 1 for goes in rows if goes not in (0, 255)}


def test_every_screen_is_reached_and_none_is_a_dead_end(screens):
    names = compiler.names()
    home = {
        words_[1 + (words_[1] == "!")] for _, words_ in words.lines(words.UI / "screens/home.txt")
    }
    led_to = {names[number] for face in screens.values() for number in goals(face)}
    assert home | led_to == set(names)
    for name in set(names) - home:  # a screen that somebody went to must let him go
        assert any(
            row.goes == 255 for kind in (ITEMS, KEYS) for row in all_rows(screens[name], kind)
        ), name


def test_judge_is_one_gesture_away_everywhere(screens):
    for name, face in screens.items():
        calls = {row.gesture for row in all_rows(face, KEYS) if row.intent == intents.CALL_JUDGE}
        assert {10, 12} <= calls, name  # J held; both seats' keys where there is no J


def test_result_is_one_soft_key_from_a_running_clock():
    studio = Studio("feathers3", lit=False)
    result = compiler.names().index("result")
    for screen, case, *rest in ALL:
        if screen in RUNNING:
            studio.pose(screen, case, *rest)
            assert any(row.goes == result + 1 for row in screen_reading.rows(studio.face, KEYS)), (
                screen
            )


def test_no_luck_is_offered_while_the_policy_has_it_off(screens):
    luck = 1 + compiler.names().index("luck")
    studio = Studio("feathers3", lit=False)
    for scene in ALL:
        if scene[0] == "result":
            studio.pose(*scene)
            offered = [row for row in screen_reading.rows(studio.face, ITEMS) if row.goes == luck]
            assert bool(offered) == (scene[1] == "luck"), scene[1]
    roll = {
        name
        for name, face in screens.items()
        for row in all_rows(face, ITEMS)
        if row.intent == intents.ROLL
    }
    assert roll == {name for name in screens if name.startswith("luck_")}
    for name, face in screens.items():  # and nothing but the menu of purposes leads there
        numbers = goals(face) & {compiler.names().index(one) for one in roll}
        assert not numbers or name == "luck", name


def test_a_stopped_table_names_its_end_only_where_there_is_one():
    studio = Studio("feathers3", lit=False)
    said, texts = {}, Said(studio)
    for scene in ALL:
        if scene[0] == "frozen":
            studio.pose(*scene)
            said[scene[1]] = [one.line for one in texts.texts if "room" in one.line]
    assert said.pop("before_the_round") == []
    assert said.pop("rolled") == []  # a roll that is not settled has its line
    assert all(said.values()), said


def test_no_scene_says_the_same_in_both_languages_where_its_texts_differ():
    english, italian = (dict(zip(*words.texts(language))) for language in ("en", "it"))
    alone = {
        name
        for name in english
        if english[name] != italian[name] and name.startswith(("did_", "rolled_"))
    }
    tails = {re.sub("%.", "", english[name]).strip() for name in alone}
    studio = Studio("feathers3", "it", lit=False)
    texts = Said(studio)
    for scene in ALL:
        if "recalled" in scene[-1]:
            studio.pose(*scene)
            lines = [one.line for one in texts.texts]
            assert not [line for line in lines for tail in tails if tail in line], scene[:2]
