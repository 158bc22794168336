"""``boot.py`` and ``safemode.py`` against a small model of a board: which doors are open afterwards."""

import pathlib
import runpy
import sys
import types

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FEATHER, CLUE = "feather_nrf52840_express", "clue_nrf52840_express"
FEATHERS3, LILYGO = "unexpectedmaker_feathers3", "lilygo_tdisplay_s3"
SERVICE_KEYS = {FEATHER: "A2", CLUE: "BUTTON_A", FEATHERS3: "A2", LILYGO: "BUTTON1"}
OLDEST = {FEATHER: (10, 1, 0), CLUE: (10, 1, 0), FEATHERS3: (10, 3, 1), LILYGO: (10, 3, 1)}
LEVELS = dict.fromkeys(SERVICE_KEYS.values(), False)  # what a key reads while pressed


class Board:
    """A board that has just started: every door open, the drive the PC's, no key pressed."""

    def __init__(self, board_id, pressed=()):
        self.doors = {"console", "drive", "hid", "midi", "ble", "autoreload"}
        self.drive_of_program = False
        self.next_file = None
        self.board_id, self.pressed = board_id, pressed

    def shut(self, door):
        return lambda: self.doors.discard(door)

    def remount(self, path, readonly):
        assert path == "/" and "drive" not in self.doors
        self.drive_of_program = not readonly

    def follow(self, name, sticky_on_reload):
        self.next_file = name

    def key(self, pin):
        pull = {}

        def level():
            resting = pull["to"] == "up"
            assert resting != LEVELS[pin], "a key is pulled away from its pressed level"
            return LEVELS[pin] if pin in self.pressed else resting

        value = property(lambda _: level())
        made = type("Key", (), {"value": value, "deinit": lambda _: None})()
        made.switch_to_input = lambda to: pull.update(to=to)
        return made

    def runtime(self):
        """An object whose attributes shut the doors of the same name."""
        board = self

        class Runtime:
            def __setattr__(self, name, value):
                assert value is False
                board.doors.discard({"ble_workflow": "ble"}.get(name, name))

        return Runtime()

    def modules(self):
        """The native modules that boot.py imports, as this board has them."""
        pull = types.SimpleNamespace(UP="up", DOWN="down")
        names = {name: name for name in LEVELS}
        return {
            "board": {"board_id": self.board_id, **names},
            "digitalio": {"DigitalInOut": self.key, "Pull": pull},
            "storage": {"disable_usb_drive": self.shut("drive"), "remount": self.remount},
            "supervisor": {"runtime": self.runtime(), "set_next_code_file": self.follow},
            "usb_cdc": {"disable": self.shut("console")},
            "usb_hid": {"disable": self.shut("hid")},
            "usb_midi": {"disable": self.shut("midi")},
        }


def boot(monkeypatch, board, version=(10, 3, 1)):
    for name, members in board.modules().items():
        module = types.ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    circuitpython = types.SimpleNamespace(**{**vars(sys.implementation), "version": version})
    with monkeypatch.context() as patch:
        patch.setattr(sys, "implementation", circuitpython)
        runpy.run_path(str(ROOT / "boot.py"), run_name="__main__")
    return board


@pytest.mark.parametrize("board_id", SERVICE_KEYS)
def test_every_door_is_shut_and_the_program_may_write(monkeypatch, board_id, capsys):
    board = boot(monkeypatch, Board(board_id))
    assert not board.doors
    assert board.drive_of_program
    assert board.next_file is None
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("board_id, key", SERVICE_KEYS.items())
def test_a_held_key_leaves_the_drive_to_the_pc(monkeypatch, board_id, key):
    board = boot(monkeypatch, Board(board_id, pressed=(key,)))
    assert board.doors == {"console", "drive"}
    assert not board.drive_of_program


@pytest.mark.parametrize("board_id, oldest", OLDEST.items())
def test_an_old_circuitpython_is_refused(monkeypatch, capsys, board_id, oldest):
    assert boot(monkeypatch, Board(board_id), version=oldest).drive_of_program
    before = (oldest[0], oldest[1] - (not oldest[2]), 0)
    board = boot(monkeypatch, Board(board_id), version=before)
    assert "drive" in board.doors and not board.drive_of_program
    assert (ROOT / board.next_file.lstrip("/")).is_file()
    assert capsys.readouterr().out == ""


class Reset(Exception):
    pass


def safe_mode(monkeypatch, memory, reason="brownout"):
    """Run safemode.py once; return the seconds it waited, or None when it did not reset."""
    waited = []

    def reset():
        raise Reset

    told = types.SimpleNamespace(safe_mode_reason=reason)
    reasons = types.SimpleNamespace(USER="user")
    natives = {
        "alarm": {"sleep_memory": memory},
        "microcontroller": {"reset": reset},
        "supervisor": {"runtime": told, "SafeModeReason": reasons},
        "time": {"sleep": waited.append},
    }
    with monkeypatch.context() as patch:
        for name, members in natives.items():
            module = types.ModuleType(name)
            vars(module).update(members)
            patch.setitem(sys.modules, name, module)
        try:
            runpy.run_path(str(ROOT / "firmware/board/safemode.py"), run_name="__main__")
        except Reset:
            return waited[0]
    return None


def test_safe_mode_is_left_each_time_later(monkeypatch):
    memory = bytearray(256)
    assert [safe_mode(monkeypatch, memory) for _ in range(9)] == [1, 2, 4, 8, 16, 32, 64, 64, 64]


def test_whatever_power_up_leaves_counts_as_nothing(monkeypatch):
    assert safe_mode(monkeypatch, bytearray(b"\xa7" * 256)) == 1


def test_safe_mode_that_somebody_asked_for_stays(monkeypatch):
    assert safe_mode(monkeypatch, bytearray(256), reason="user") is None
