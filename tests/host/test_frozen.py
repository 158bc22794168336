"""The program for a CircuitPython of one's own: what is frozen, what such a board's drive holds,
and that both meet.
"""

import interpreters
import pytest

from host import cli
from host.boards.deploy import drive, frozen, image

BOOT_OUT = (
    "Adafruit CircuitPython 10.2.1 on 2026-01-01; Adafruit Feather\nBoard"
    " ID:feather_nrf52840_express\n"
)


def test_all_modules_are_frozen_and_nothing_else(tmp_path, capsys):
    assert cli.main(["deploy", "--frozen", str(tmp_path / "tree"), "--board", "feather"]) == 0
    names = {
        path.relative_to(tmp_path / "tree").as_posix() for path in (tmp_path / "tree").rglob("*.py")
    }
    assert names == {name.removeprefix("lib/") for name in image.programs("feather")}
    assert "FROZEN_MPY_DIRS" in capsys.readouterr().out
    assert cli.main(["deploy", "--frozen", str(tmp_path / "tree"), "--board", "feathers3"]) == 0
    assert not (tmp_path / "tree" / "adafruit_hx8357.py").exists()


def test_a_folder_of_somebody_elses_is_left_alone(tmp_path, capsys):
    (tmp_path / "theirs.py").write_text("1")
    assert cli.main(["deploy", "--frozen", str(tmp_path), "--board", "feather"]) == 2
    assert (tmp_path / "theirs.py").is_file() and "something else" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong", [["--frozen", "x"], ["--frozen", "x", "--board", "clue", "--built"]]
)
def test_what_makes_no_sense_is_refused(wrong, capsys):
    assert cli.main(["deploy", *wrong]) == 2


def test_the_drive_of_such_a_board_holds_no_folder_that_hides_the_frozen_program(tmp_path, capsys):
    (tmp_path / "boot_out.txt").write_text(BOOT_OUT)
    assert cli.main(["deploy", str(tmp_path)]) == 0
    (tmp_path / "journal0.bin").write_bytes(b"\x01" * drive.JOURNAL_BYTES)
    assert cli.main(["deploy", str(tmp_path), "--built"]) == 0
    assert not (tmp_path / "firmware").exists()
    for name in ("boot.py", "code.py", "safemode.py", "face.bin", *drive.JOURNALS):
        assert (tmp_path / name).is_file(), name
    assert (tmp_path / "journal0.bin").read_bytes()[:1] == b"\x01"
    assert "found before the frozen program" in capsys.readouterr().out


def test_the_frozen_program_opens_its_face_where_it_lies(micropython_program, tmp_path):
    tree = frozen.tree("feather")
    assert not [name for name, data in tree.items() if frozen.LAID.encode() in data]
    assert [name for name, data in tree.items() if b"/face.bin" in data]
    frozen.write(tmp_path / "tree", tree)
    script = tmp_path / "try.py"
    parts = [
        name.removesuffix(".py").replace("/", ".")
        for name in tree
        if name.startswith("firmware/part")
    ]
    script.write_text(
        "".join(f"import {name}\n" for name in ("firmware", *sorted(parts)[:3]))
        + "print(firmware.__file__)\n"
    )
    done = interpreters.run_unix(
        micropython_program,
        script,
        heap="4M",
        path=f"{tmp_path / 'tree'}:{interpreters.ROOT}/tests/support/modules:.frozen",
    )
    assert done.returncode == 0 and "tree/firmware/__init__.py" in done.stdout, done.stderr
