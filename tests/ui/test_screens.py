"""The screens: reachable, without dead ends, every text in its place; lists of what was say what happened."""

import ast
import json
import re

import pytest
import tree
from commands import plusthree
from inks import longest
from lucky import Lucky
from said import Said

from firmware.core import first_player, intents, match
from firmware.core.events import FormatSet, RoundSet, StateTold, TurnTold
from firmware.core.systems import d03, p18, xw15
from firmware.ui import canvas, layouts, recall, screens
from firmware.ui.canvas import Canvas
from firmware.ui.displayio_surface import DisplayioSurface
from firmware.ui.hand import Recall, Verify
from firmware.ui.screen import Picture, Screen
from firmware.ui.screens import home
from firmware.ui.table import Table
from host.base import catalogues, installation
from host.boards import texts
from host.sim.display_list import DisplayList
from host.sim.faces import FOLDER
from host.sim.panel import Panel
from host.sim.scenes import ALL, CONTESTED, DONE, RUN, TO_UNDO, at, rolled
from host.sim.shots import Studio

SHORT = {"squads_decide": ("{decider}", "▲")}  # beside a clock by the key's shape alone
RUNNING = (
    "clock", "warning", "last", "uncertain", "hidden", "rounds", "rounds_warn", "rounds_last",
)  # fmt: skip
SHORTENED = {"proposal", "told", "finish_who", "says_a", "says_b", "check_a", "check_b"}
FAMILIES = {family: screens.Screens().load(family) for family in screens.WAYS_IN}
NAMES = [name for names in FAMILIES.values() for name in names]


def every_screen():
    every = screens.Screens()
    for family in FAMILIES:
        every.load(family)
    return every


LATE = every_screen()["judge_late"].lines[0]
SOME = (0, 1, 2, 3)  # seats, as bits
# what a screen asks of its table: facts, seats and others; what a match and a draft have
FACTS = {
    name: (False, True)
    for name, one in vars(Table).items()
    if isinstance(one, property) and one.fget.__annotations__.get("return") is bool
}
ASKED = {
    **FACTS,
    **dict.fromkeys(("unseen", "requested_by", "on_turn", "placing", "picking", "confirming"), SOME),
    "consents": SOME,
    "checking": (1, 2),
    "decides": range(first_player.ASK + 1),
    "roll_text": ("", "heads", "tails", "heads_a", "tails_b", "die_face", "flips_heads", "streak_heads"),
    "in_play": ((), range(4)),
    "piles": ((0, 0, 0, 0), (3, 2, 3, 2)),
}  # fmt: skip
FIELDS = dict.fromkeys(
    ("present", "turning", "elimination", "cap", "section", "extension_s", "clockwise", "missed",
     "built", "call"),
    SOME,
) | {
    "score": ((0, 0), (2, 1)),
    "overtime_turns": (0, 3),
    "start_ms": (None, 1000),
    "rules": (xw15, d03),
    "pending_answer": (StateTold(0, 1, 0, 1, 0, 1, 0), None, TurnTold(0, 1, 2, 1, 0, 0, 0)),
}  # fmt: skip


class Answers:
    """Answers a screen's questions: to all but one the first answer or the last, to one another."""

    def __init__(self, last, odd, answer):
        self._last, self._odd, self._answer = last, odd, answer

    def answer(self, name, known):
        return self._answer if name == self._odd else list(known[name])[-self._last]


class Fields(Answers):
    def __getattr__(self, name):
        return self.answer(name, FIELDS)


class Possible(Table):
    """A table of which everything that a screen asks is true, or nothing, but one thing."""

    call_minutes, phase, pod = 1, 0, None

    def __init__(self, *answers):
        super().__init__(texts.texts("en"))
        self.answers, self.plain = Answers(*answers), answers[0]
        self.match = self.pod = Fields(*answers)
        self.entry.asked = LATE

    def offers(self, randomizer, purpose=0):
        return self.plain


def _of(name):
    return property(lambda table: table.answers.answer(name, ASKED))


for name in ASKED:
    setattr(Possible, name, _of(name))


@pytest.fixture(scope="module")
def pictures():
    """``{name: pictures}`` of every screen, with what it can show in one case or another."""
    every, found = every_screen(), {}
    odd = [(name, one) for known in (ASKED, FIELDS) for name in known for one in known[name]]
    tables = [Possible(last, *one) for last in (False, True) for one in odd]
    for name in NAMES:
        found[name] = [Picture(every[name], table) for table in tables]
    return found


def all_of(pictures, kind):
    """Return all keys, items or texts that a screen can have."""
    return [one for picture in pictures for one in getattr(picture, kind)]


def test_a_family_has_its_own_screens_alone():
    for family in FAMILIES:
        module = __import__(f"firmware.ui.screens.{family}", None, None, ("Screen",))
        named = [
            one
            for one in vars(module).values()
            if isinstance(one, type) and issubclass(one, Screen) and one.name
        ]
        assert {one.__module__ for one in named} == {module.__name__}
    assert len(NAMES) == len(set(NAMES))


def test_a_row_gives_only_parts_that_its_class_knows():
    every = every_screen()
    unknown = {name: set(vars(every[name])) - set(dir(type(every[name]))) for name in NAMES}
    assert not any(unknown.values()), unknown


def test_who_leads_into_another_family_finds_the_way(pictures):
    entered = {
        goal
        for family, names in FAMILIES.items()
        for name in names
        for goal in goals(pictures[name]) - {"home", *names}
    }
    entered |= set(names_of(home.SCREENS.values())) | {"unset", "crash", "lit"}
    assert {name for ways_in in screens.WAYS_IN.values() for name in ways_in.split()} == entered


def test_what_a_screen_waits_for_is_a_fact():
    every = every_screen()
    waited = {every[name].stays_while for name in NAMES} - {""}
    waited |= {fact for fact, _ in rows_of(home.SCREENS.values())} - {""}
    assert waited <= set(ASKED)


def rows_of(every):
    """Yield fact and screen of a phase's rows, and of those within them (the screen is empty)."""
    for rows in every:
        for fact, found in rows:
            yield fact, found if isinstance(found, str) else ""
            if not isinstance(found, str):
                yield from rows_of([found])


def names_of(every):
    """Yield the screens that a table shows by itself in a phase."""
    return {name for _, name in rows_of(every)} - {""}


def test_a_screen_has_one_base():
    """MicroPython looks a name up in all bases of the first one before it comes to the second."""
    for path in installation.ROOT.glob("firmware/ui/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            assert not isinstance(node, ast.ClassDef) or len(node.bases) < 2, (path, node.name)


def test_every_text_and_place_is_there(pictures):
    known, places = texts.english(), {name: layouts.of_panel(name) for name in layouts.PANELS}
    for name, drawn in pictures.items():
        said = {text.key for text in all_of(drawn, "texts")}
        said |= {one.label for kind in ("keys", "items") for one in all_of(drawn, kind)}
        assert said - {None} <= set(known), name
        for text in all_of(drawn, "texts"):
            for panel in places.values():
                assert text.place in panel.LAYOUT.places, (name, text.place)


def test_the_english_texts_are_fresh_and_no_other_language_has_a_file():
    (path,) = texts.FOLDER.iterdir()
    assert path.read_bytes() == texts.pack("en"), "run plusthree dev screens"
    for language in catalogues.languages():
        assert json.loads(texts.pack(language)) == texts.texts(language)


def test_stale_texts_are_told_and_written(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(texts, "FOLDER", tmp_path)
    assert plusthree("dev", "screens", "--check") == 1
    assert not list(tmp_path.iterdir())
    assert plusthree("dev", "screens") == 0
    assert plusthree("dev", "screens", "--check") == 0
    assert "up to date" in capsys.readouterr().out.splitlines()[-1]


def test_every_text_is_said_somewhere():
    """By its key, by one with a number, or as what one seat's key says."""
    source = "".join(path.read_text("utf-8") for path in (tree.ROOT / "firmware").rglob("*.py"))
    whole = {*re.findall(r'"(\w+)"', source), *re.findall(r"'(\w+)'", source)}
    numbered = [
        re.compile(one.replace("%d", r"\d+")) for one in re.findall(r'"(\w*%d\w*)"', source)
    ]
    for key in texts.english():
        ends = {key, key.removesuffix("_a").removesuffix("_b"), re.sub("[ab]$", "", key)}
        assert ends & whole or any(one.fullmatch(key) for one in numbered), key


def test_every_word_of_a_text_is_known():
    for key, template in texts.english().items():
        for word in catalogues.places(template):
            ours = key.startswith(("did_", "rolled_")) and word in ("who", "first", "second")
            assert ours or hasattr(Table, word) or word in vars(Table({})), (key, word)


@pytest.mark.parametrize("panel", layouts.PANELS)
@pytest.mark.parametrize("language", catalogues.languages())
def test_every_text_fits_its_place(pictures, panel, language):
    drawn = Canvas(DisplayList(), panel, FOLDER)
    said, word = texts.texts(language), longest(language)
    too_long = []
    for name, every in pictures.items():
        for place, key in placed(every):
            font, _, _, _, width = layouts.of_panel(panel).LAYOUT.places[place]
            line = filled(said[key].replace(*SHORT.get(key, ("", ""))), word)
            if drawn.font(font).width_px(line) > width and key not in SHORTENED:
                too_long.append(f"{name}: {key}")
    assert not too_long


def placed(every):
    """Return the place and the key of every text that a screen can show."""
    found = {(text.place, text.key) for text in all_of(every, "texts")}
    found |= {(canvas.ROWS[0], item.label) for item in all_of(every, "items")}
    keys = [key for key in all_of(every, "keys") if key.label]
    return found | {(canvas.KEYS[key.gesture & 3], key.label) for key in keys}


def filled(template, word):
    return re.sub("{([a-z_0-9]+)}", lambda found: str(word(found[1])), template)


BOTH = {
    "app", "board", "batt", "min", "plusthree", "provision", "round", "decide", "dice", "concede",
    "draft",
}  # fmt: skip
SAME = {
    "table_short", "low_battery", "name_a", "name_b", "ready_a", "ready_b", "games",
    "seated_word", "playing_word", "draft_word", "proposal", "told", "confirm_l", "extension_big",
    "no_table_word", "judge_reason", "unset_line_2", "points_a", "points_b", "shape_a", "shape_b",
    "code_typed", "low_big", "result_code", "code_up", "did_26", "did_38", "undo_1", "undo_2",
    "undo_3", "undo_4", "flips_each",
}  # fmt: skip


def test_italian_is_complete_and_leaves_no_english():
    english, italian = texts.texts("en"), texts.texts("it")
    assert set(english) == set(italian)
    letters = re.compile("[a-z]{2}", re.IGNORECASE)
    for name, said in english.items():
        plain = re.sub("{.*?}", "", said)
        if name not in SAME and letters.search(plain):
            assert italian[name] != said, name
        places = sorted(re.findall("{.*?}|[▲●✔]", said))
        assert sorted(re.findall("{.*?}|[▲●✔]", italian[name])) == places, name
    spoken = {language: set(re.findall("[^\\W\\d_]{3,}",
                                       re.sub("{.*?}", " ", " ".join(said.values())).lower()))
              for language, said in (("en", english), ("it", italian))}  # fmt: skip
    assert spoken["en"] & spoken["it"] <= BOTH


def test_no_letter_loses_its_accent():
    for panel in layouts.PANELS:
        drawn = Canvas(DisplayioSurface(Panel(panel).display), panel, FOLDER)
        for font in map(drawn.font, range(3)):
            for plain, accented in zip("AEEIOUaeeiou", "ÀÈÉÌÒÙàèéìòù"):
                assert top(font, accented) < top(font, plain), (panel, accented)


def top(font, letter):
    """Return the first row of a letter that has ink."""
    glyph = font.get_glyph(ord(letter))
    lit = [
        row
        for row in range(glyph.height)
        if any(glyph.bitmap[column, row] for column in range(glyph.width))
    ]
    return lit[0]


def goals(drawn):
    """Return the names of the screens that a screen's keys and items lead to."""
    named = [one.goes for kind in ("items", "keys") for one in all_of(drawn, kind)]
    verified = ["judge_menu" for key in all_of(drawn, "keys") if key.act is Verify]
    asking = [getattr(picture.screen, "sure", None) for picture in drawn]
    return {*named, *verified, *asking} - {None}


def test_every_screen_is_reached_and_none_is_a_dead_end(pictures):
    own = names_of(home.SCREENS.values()) | {"unset", "crash", "lit", "judge", "judge_still"}
    led_to = {name for drawn in pictures.values() for name in goals(drawn)} - {"home"}
    assert own | led_to == set(NAMES)
    for name in set(NAMES) - own:  # a screen that somebody went to must let him go
        assert "home" in goals(pictures[name]), name


def test_judge_is_one_gesture_away_everywhere():
    table, every = Possible(False, "", None), every_screen()
    for three, gesture in ((True, 10), (False, 12)):  # J held; both seats' keys where there is no J
        table.__dict__["three"] = three
        for name in NAMES:
            keys = [key for key in Picture(every[name], table).keys if key.gesture == gesture]
            assert keys[-1].act is intents.CallJudge, name


def test_result_is_one_soft_key_from_a_running_clock():
    studio = Studio("feathers3", lit=False)
    for screen, case, *rest in ALL:
        if screen in RUNNING:
            studio.pose(screen, case, *rest)
            assert any(key.goes == "result" for key in studio.face.picture.keys), screen


def test_no_luck_is_offered_while_the_policy_has_it_off(pictures):
    studio = Studio("feathers3", lit=False)
    for scene in ALL:
        if scene.screen == "result":
            studio.pose(*scene)
            offered = [item for item in studio.face.picture.items if item.goes == "luck"]
            assert bool(offered) == (scene.case == "luck"), scene.case
    roll = {
        name
        for name, drawn in pictures.items()
        for item in all_of(drawn, "items")
        if item.act is intents.Roll
    }
    assert roll == {name for name in NAMES if name.startswith("luck_")}
    for name, drawn in pictures.items():  # and nothing but the menu of purposes leads there
        assert not goals(drawn) & roll or name == "luck", name


def test_a_stopped_table_names_its_end_only_where_there_is_one():
    studio = Studio("feathers3", lit=False)
    said, shown = {}, Said(studio)
    for scene in ALL:
        if scene.screen == "frozen":
            studio.pose(*scene)
            said[scene.case] = [one.line for one in shown.texts if "room" in one.line]
    assert said.pop("before_the_round") == []
    assert said.pop("rolled") == []  # a roll that is not settled has its line
    assert all(said.values()), said


def test_no_scene_says_the_same_in_both_languages_where_its_texts_differ():
    english, italian = texts.texts("en"), texts.texts("it")
    alone = {
        name
        for name in english
        if english[name] != italian[name] and name.startswith(("did_", "rolled_"))
    }
    tails = {re.sub("{.*?}", "", english[name]).strip() for name in alone}
    studio = Studio("feathers3", "it", lit=False)
    shown = Said(studio)
    for scene in ALL:
        if "recalled" in scene.extra:
            studio.pose(*scene)
            lines = [one.line for one in shown.texts]
            assert not [line for line in lines for tail in tails if tail in line], scene[:2]


def test_a_picture_that_says_the_same_again_draws_no_letter():
    studio = Studio("feathers3", lit=False)
    for scene in ALL:
        studio.pose(*scene)
        before = {id(label): label.bitmap for one in Said(studio).texts for label in one.labels}
        studio.canvas.refresh()
        studio.canvas.show(studio.face.picture, studio.canvas.seat)
        after = {id(label): label.bitmap for one in Said(studio).texts for label in one.labels}
        assert before == after and not studio.canvas.refresh(), scene[:2]


@pytest.mark.parametrize("games", [(2, 0), (1, 1), (0, 2)])
def test_what_a_seat_tells_of_a_pair_of_games_is_asked_back_as_it_was_told(games):
    """The score of a match of two games, both played, ended the program or was another's."""
    table = Table(texts.texts("en"))
    table.match = match.Match(p18)
    for event in (
        RoundSet(0, 1, 5, 1),
        FormatSet(0, 0, 2 << 1, 50),
        StateTold(0, 0, 0, 1, 0, *games),
    ):
        table.match.apply(event)
    told = [item for item in every_screen()["tell"].items(table) if item.arguments[2:] == games]
    assert table.told == table.say(told[0].label) and len(told) == 1


FLIPS = rolled((0, 2), 200, 8) + CONTESTED


def test_flips_on_the_table_are_no_lines_of_the_list_to_take_back():
    studio = Studio("feathers3", lit=False)
    said = Said(studio)
    lines = []
    for told in (RUN, FLIPS):
        studio.pose("undo", "", told, at(30), TO_UNDO, {"recalled": DONE})
        lines.append([one.line for one in said.texts])
    assert lines[0] == lines[1]


@pytest.fixture(scope="module")
def shown():
    return Table(texts.texts("en"))


def listed(what, page, board, shown):
    lines = recall.lines(what, page, board.ledger, shown, board.now_ms)
    return [line for line in lines if line]


@pytest.fixture
def board():
    """A board at whose table everything may be rolled."""
    made = Lucky(rules=p18).begin()
    made.ask(intents.SET_POLICY, 1)
    for seat in (0, 1):
        made.ask(intents.CONSENT, seat)
    return made


def test_rolls_stand_newest_first_four_to_a_page_and_beyond_the_last_is_the_first(shown, board):
    assert listed(Recall.ROLLS, 0, board, shown) == []
    for a in (0x10, 0x20, 0x21, 0x20, 0x21):
        assert board.roll(a) and board.agree()
    pages = [listed(Recall.ROLLS, page, board, shown) for page in range(3)]
    assert [len(page) for page in pages] == [4, 1, 4] and pages[2] == pages[0]
    assert [line.split()[0] for line in pages[0] + pages[1]] == ["5", "4", "3", "2", "1"]


def test_a_roll_is_marked_that_both_have_agreed_to_and_none_before_it(shown, board):
    assert board.roll() and board.ask(intents.DISPUTE_ROLL, 0) and board.ask(intents.RULE_ROLL, 0)
    assert board.roll() and board.agree()
    marked = ["✔" in line for line in listed(Recall.ROLLS, 0, board, shown)]
    assert marked == [True, False]


def test_presses_stand_newest_first_with_how_long_ago(shown, board):
    board.now_ms += 70_000
    for kind, a in (
        (intents.SET_STARTER, 1),
        *[(intents.START_TURN, 1), (intents.END_TURN, 1)] * 3,
    ):
        assert board.ask(kind, a)
    pages = [listed(Recall.PRESSES, page, board, shown) for page in range(3)]
    assert [len(page) for page in pages] == [4, 3, 4] and pages[2] == pages[0]
    ago = [line.split()[0] for line in pages[0] + pages[1]]
    assert ago == [f"–0:{seconds:02d}" for seconds in range(7)]


def test_every_player_of_a_team_who_is_out_is_named(shown):
    board = Lucky(rules=d03)
    board.ask(intents.SET_ROUND, 1, 12, 3)
    board.ask(intents.SET_FORMAT, d03.NUMBER, 1 << 7 | 1 << 1, 30)
    board.ask(intents.SET_START, at_ms=board.now_ms + 1000)
    board.now_ms += 60_000
    assert board.ask(intents.SET_STARTER, 0)
    out = []
    for bit in (2, 8):
        assert board.ask(intents.WIPE_OUT, bit)
        out.append(listed(Recall.PRESSES, 0, board, shown)[0])
    assert "2B" in out[0] and "1B" not in out[0]
    assert "2B 1B" in out[1]
