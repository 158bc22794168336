"""The pages' texts: every key used, every used key there, and no English in Italian."""

import pathlib

import pagefiles
import pytest

from host.base import catalogues, commands
from host.desk.acts.table import ON_PAGES
from host.reports.export_forms import FORMS
from host.systems import vocabulary
from host.web import texts

ROOT = pathlib.Path(__file__).parents[2]
TEXTS = texts.english()
ALL = TEXTS | texts.of_acts()
TELL_THEMSELVES = (  # acts: what was done
    "put_back", "result", "codes", "clock", "to_head", "penalize", "withdraw_penalty", "zone",
    "swap_players", "give", "seat_at", "undo_pairing", "release", "feature", "count_missed",
    "look_at_players", "rename_event",
)  # fmt: skip
SAME_IN_BOTH = {
    "min", "turn", "bye", "met.bye", "round", "round_number", "round_state", "pod", "conduct.pod",
    "checks.premier", "export.cryodex", "export.listfortress",
}  # fmt: skip


def test_a_reason_to_refuse_a_frame_is_called_as_its_text():
    sources = [
        path
        for room in ("collector", "keys", "desk")
        for path in (ROOT / "host" / room).glob("*.py")
    ]
    code = "".join(path.read_text(encoding="utf-8") for path in sources)
    reasons = [key.removeprefix("refused.") for key in TEXTS if key.startswith("refused.")]
    assert reasons and not [reason for reason in reasons if f'"{reason}"' not in code]


def test_no_text_is_empty():
    assert not [key for key, forms in TEXTS.items() if not all(text.strip() for text in forms)]


def test_no_english_is_left_in_italian():
    italian = catalogues.catalogue("it", texts.DOMAIN).texts
    same = {key for key, forms in TEXTS.items() if italian[key, forms[0]] == forms}
    assert same == SAME_IN_BOTH


def test_every_key_is_used_and_every_used_key_is_there():
    keys, words, families = pagefiles.said()
    assert not [key for key in keys if key not in ALL]
    assert not [key for key in ALL if key not in words and not key.startswith(tuple(families))]
    assert not [family for family in families if not any(key.startswith(family) for key in ALL)]


@pytest.mark.parametrize(("family", "names"), [
    ("phase.", "idle seated pregame playing frozen time overtime finishing resolving play_on tiebreaker proposed agreed"),
    ("state.", "idle seated pregame playing warning frozen time overtime deciding done call"),
    ("call.", "judge rules deck result absent help different other ruling conflict roll approval"),
    ("what.", " ".join(command.word for command in commands.COMMANDS)),
    ("done.", " ".join(one.name for one in ON_PAGES if one.name not in TELL_THEMSELVES and one.intent is None)),
    ("export.", " ".join(FORMS)),
    ("round.", "draft published seated running closed"),
    ("happened.",
        "extension freeze resume late ruling paper reopened prizes roll taken_back refused disputed call code wrong_code approved game_loss"),
    ("fate.", "pending done refused dropped"),
    ("message.", "0 1 2 3 4 5 6 7"),
    ("need.", "call dispute conflict ruling approval roll uncertain no_board silent records_lost low late"),
    ("refused.", "version board tag link revoked generation epoch counter crowd contradiction result"),
    ("by.", "agreed ruled announced code paper file"),
    ("role.", "viewer judge head organiser"),
    ("check.kind.", " ".join(str(number) for _, number in vocabulary.RANDOMIZERS)),
    ("check.for.", " ".join(str(number) for _, number in vocabulary.PURPOSES)),
])  # fmt: skip
def test_every_word_of_the_host_has_a_text(family, names):
    assert not [name for name in names.split() if family + name not in ALL]


def test_what_an_act_is_called_is_its_rows_title_in_every_language_unless_the_pages_differ():
    said = {one: texts.page_texts(one)["texts"] for one in ("en", "it")}
    assert said["en"]["happened.freeze"] == "clock stopped"
    assert said["it"]["happened.freeze"] == "orologio fermato"
    assert said["it"]["what.freeze"] == "ferma l’orologio"
    assert not texts.of_acts().keys() & TEXTS.keys()
    assert not [key for key, title in texts.of_acts().items() if said["it"][key] == title]
    assert not [key for key, title in _titles().items() if TEXTS.get(key) == (title,)]


def _titles():
    """Return ``{key: title}`` of every row, whether the pages say it otherwise or not."""
    return {
        key: one.title
        for one in commands.COMMANDS
        for key in (f"what.{one.word}", f"happened.{one.incident}")
        if one.title
    }
