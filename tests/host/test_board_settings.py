"""Settings that a board would not read are refused by ``deploy``; what is accepted it reads."""

import pytest
from commands import plusthree
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from firmware.core import settings
from host.archive.roster import Board
from host.base.errors import UserError
from host.boards import board_settings, provisioning
from host.boards.models import MODELS, NAMES, SKEWS
from host.cli import deploy
from host.sim.chip.chip import Chip

GOOD = provisioning.settings(Board(7, 3, 12), bytes(range(32)), model="feathers3")
KEY = bytes(range(32)).hex()
LINES = {line.partition(" =")[0]: at for at, line in enumerate(GOOD.split("\n"), 1)}
DEVICE, ROLE = "PLUSTHREE_DEVICE = 7", 'PLUSTHREE_ROLE = "table"'


def line(name):
    return GOOD.split("\n")[LINES[name] - 1]


KEY_LINE = line("PLUSTHREE_KEY")
REFUSED = {
    "single quotation marks": (ROLE, "PLUSTHREE_ROLE = 'table'", "PLUSTHREE_ROLE: one of table, gateway, listener; in double quotation marks"),
    "a quoted name": (DEVICE, '"PLUSTHREE_DEVICE" = 7', "does not see PLUSTHREE_DEVICE"),
    "a name in single ones": (DEVICE, "'PLUSTHREE_DEVICE' = 7", "does not see PLUSTHREE_DEVICE"),
    "an underscore": (DEVICE, "PLUSTHREE_DEVICE = 1_0", "PLUSTHREE_DEVICE: a whole number"),
    "hexadecimal": (DEVICE, "PLUSTHREE_DEVICE = 0x07", "PLUSTHREE_DEVICE: a whole number"),
    "octal": (DEVICE, "PLUSTHREE_DEVICE = 0o7", "PLUSTHREE_DEVICE: a whole number"),
    "a sign": (DEVICE, "PLUSTHREE_DEVICE = +7", "PLUSTHREE_DEVICE: a whole number"),
    "a truth": (DEVICE, "PLUSTHREE_DEVICE = true", "PLUSTHREE_DEVICE: a whole number"),
    "too big": (DEVICE, "PLUSTHREE_DEVICE = 99999", "PLUSTHREE_DEVICE: a whole number from 1"),
    "none": (DEVICE, "PLUSTHREE_DEVICE = 0", "PLUSTHREE_DEVICE: a whole number from 1"),
    "empty": (DEVICE, 'PLUSTHREE_DEVICE = ""', "PLUSTHREE_DEVICE: a whole number from 1"),
    "a space within": (ROLE, 'PLUSTHREE_ROLE = "table "', "PLUSTHREE_ROLE: one of"),
    "capitals": (ROLE, 'PLUSTHREE_ROLE = "Table"', "PLUSTHREE_ROLE: one of"),
    "another role": (ROLE, 'PLUSTHREE_ROLE = "tabel"', "PLUSTHREE_ROLE: one of"),
    "an escape": (ROLE, 'PLUSTHREE_ROLE = "\\u0074able"', "cannot read the value"),
    "more lines": (ROLE, 'PLUSTHREE_ROLE = """table"""', "cannot read the value"),
    "more lines, open": (ROLE, 'PLUSTHREE_ROLE = """\\\n  table"""', "cannot read the value"),
    "another model": (line("PLUSTHREE_BOARD"), 'PLUSTHREE_BOARD = "esp"', "PLUSTHREE_BOARD: one"),
    "a short key": (KEY_LINE, KEY_LINE[:-3] + '"', "PLUSTHREE_KEY: 64 hexadecimal digits"),
    "a key of other letters": (KEY_LINE, KEY_LINE[:-2] + 'x"', "PLUSTHREE_KEY: 64 hexadecimal"),
    "a truth in quotation marks": (line("CIRCUITPY_BLE_WORKFLOW"), 'CIRCUITPY_BLE_WORKFLOW = "false"', "true or false"),
    "a system of other letters": (ROLE, ROLE + '\nPLUSTHREE_SYSTEM = "P18"', "PLUSTHREE_SYSTEM: a name of a-z"),
}  # fmt: skip
UNREADABLE = {
    "a table": (DEVICE, "[board]\n" + DEVICE, "may hold text and numbers alone: correct board"),
    "a fraction": (DEVICE, "PLUSTHREE_DEVICE = 7.0", "numbers alone: correct PLUSTHREE_DEVICE"),
    "a date": (DEVICE, "PLUSTHREE_DEVICE = 2026-01-01", "numbers alone: correct PLUSTHREE_DEVICE"),
    "no value": (DEVICE, "PLUSTHREE_DEVICE =", "is not TOML"),
    "no quotation marks": (ROLE, "PLUSTHREE_ROLE = table", "text in straight double quotation"),
    "curly quotation marks": (ROLE, "PLUSTHREE_ROLE = “table”", "text in straight double quotation"),
    "twice": (DEVICE, f"{DEVICE}\n{DEVICE}", "write each name once"),
    "a name misspelt": (ROLE, 'PLUSTHREE_ROEL = "table"', "no setting is called PLUSTHREE_ROEL: did you mean PLUSTHREE_ROLE?"),
    "a name in small letters": (ROLE, 'plusthree_role = "table"', "did you mean PLUSTHREE_ROLE?"),
    "a name of nothing": (ROLE, 'PLUSTHREE_X = "x"', "no setting is called PLUSTHREE_X: there are PLUSTHREE_DEVICE, "),
    "a control character": (ROLE, 'PLUSTHREE_ROLE = "ta\x07ble"', "is not TOML"),
    "no key at all": (KEY_LINE + "\n", "", "PLUSTHREE_KEY: 64 hexadecimal digits"),
    "no number at all": (DEVICE + "\n", "", "PLUSTHREE_DEVICE: a whole number"),
}  # fmt: skip


@pytest.fixture
def drive(tmp_path):
    folder = tmp_path / "CIRCUITPY"
    folder.mkdir()
    told = "Adafruit CircuitPython 10.3.1 on 2026-01-01; Adafruit Board\nBoard ID:{}\n"
    (folder / "boot_out.txt").write_text(told.format(MODELS["feathers3"].board_id))
    return folder


def refused(drive, capsys, text):
    """Return the one sentence with which ``deploy`` refuses a settings file; it writes nothing."""
    path = drive.parent / "s.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert plusthree("board", "deploy", drive, "--settings", path) == 2
    said = capsys.readouterr()
    assert not said.out and said.err.count("\n") == 1 and KEY not in said.err
    assert [one.name for one in drive.iterdir()] == ["boot_out.txt"]
    return said.err


@pytest.mark.parametrize("before, after, words", REFUSED.values(), ids=REFUSED)
def test_what_a_board_would_not_take_is_refused_with_its_line(drive, capsys, before, after, words):
    said = refused(drive, capsys, GOOD.replace(before, after))
    name = before.partition(" =")[0]
    at = LINES[name] + after.count("\nPLUSTHREE")
    assert words in said and f"s.toml:{at}: " in said


@pytest.mark.parametrize("before, after, words", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_flat_file_or_lacks_something_is_refused(drive, capsys, before, after, words):
    assert words in refused(drive, capsys, GOOD.replace(before, after, 1))


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_another_encoding_is_named(drive, capsys, encoding):
    said = refused(drive, capsys, GOOD.replace("; the key", ", città; the key").encode(encoding))
    assert "is not saved as UTF-8: save it with that encoding" in said


def test_notepads_mark_at_the_beginning_is_left_out(drive, capsys):
    """A board sees nothing that stands behind it on its line (``settings.c``)."""
    path, text = drive.parent / "s.toml", GOOD.partition("\n")[2]
    path.write_text(text, encoding="utf-8-sig")
    assert plusthree("board", "deploy", drive, "--settings", path) == 0
    assert (drive / "settings.toml").read_text("utf-8") == text
    (drive / "settings.toml").write_text(text, encoding="utf-8-sig")
    assert plusthree("board", "deploy", drive) == 0
    assert (drive / "settings.toml").read_text("utf-8") == text


def test_remarks_of_any_encoding_on_the_drive_stay_as_they_are(drive):
    text = GOOD.replace("; the key", ", città; the key").encode("cp1252")
    (drive / "settings.toml").write_bytes(text)
    assert plusthree("board", "deploy", drive, "--language", "it") == 0
    laid = (drive / "settings.toml").read_bytes()
    assert laid.startswith(text.splitlines()[0]) and b'PLUSTHREE_LANGUAGE = "it"' in laid


def seen(folder, text):
    (folder / "settings.toml").write_bytes(text.encode())
    chip = Chip(folder)
    return settings.read({name: chip.setting(name) for name in settings.names()}, SKEWS)


TAKEN = {
    "as provisioned": GOOD,
    "Windows's ends of lines": GOOD.replace("\n", "\r\n"),
    "no end of the last line": GOOD.rstrip("\n"),
    "remarks": GOOD.replace(DEVICE, DEVICE + " # the spare").replace(ROLE, ROLE + "# one"),
    "more space": GOOD.replace(DEVICE, "  PLUSTHREE_DEVICE\t=   7  "),
    "a number in quotation marks": GOOD.replace(DEVICE, 'PLUSTHREE_DEVICE = "7"'),
    "somebody's own": GOOD + 'WIFI = \'mine\'\n"A" = 1_0\nTEXT = """a\nb"""\n',
    "a gateway's": provisioning.gateway_settings(),
}


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_what_is_taken_a_board_reads(tmp_path, text):
    path = tmp_path / "s.toml"
    path.write_bytes(text.encode())
    assert deploy.read_settings(str(path)) == text.encode()
    if text != TAKEN["a gateway's"]:
        assert seen(tmp_path, text)["device"] == 7


@pytest.mark.parametrize("model", NAMES)
@pytest.mark.parametrize("role", ("table", "listener"))
def test_what_provision_writes_is_taken(tmp_path, model, role):
    path = tmp_path / "s.toml"
    path.write_text(provisioning.settings(Board(9, 1, 0), bytes(32), "it", model, role))
    assert deploy.read_settings(str(path))


@given(
    st.integers(0, len(GOOD)),
    st.integers(0, 4),
    st.text("\"'_ #=\\\t\r\n[07xtu\x0b\u00a0", max_size=4),
)
@examples(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
def test_whatever_is_accepted_a_board_reads(tmp_path, at, cut, put):
    path, text = tmp_path / "s.toml", GOOD[:at] + put + GOOD[at + cut :]
    path.write_bytes(text.encode())
    try:
        deploy.read_settings(str(path))
    except UserError:
        return
    seen(tmp_path, text)  # raises nothing


def test_settings_on_the_drive_that_a_board_will_not_take_are_said(drive, capsys):
    (drive / "settings.toml").write_text(GOOD.replace('"table"', "'table'"))
    assert plusthree("board", "deploy", drive) == 0
    assert "PLUSTHREE_ROLE: one of" in capsys.readouterr().out


@pytest.mark.parametrize("before", ["", DEVICE + "\n", "# [x]\n"])
@pytest.mark.parametrize("section", ["[x]\n", "  [x] # y\n"])
def test_a_line_that_stands_behind_a_section_is_added_at_the_top(before, section):
    behind = before + section + board_settings.LINES
    assert board_settings.complete(behind.encode()).decode() == board_settings.LINES + behind
    whole = board_settings.LINES + before + section
    assert board_settings.complete(whole.encode()).decode() == whole
