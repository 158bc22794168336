"""The libraries as a board gets them do for our program what they do whole."""

import ast
import subprocess
import sys

import pytest

from host.boards.deploy import image, interned, known, lean, simplifying

# as slots.py sets a text: letter by letter into a bitmap that is there already
LABEL = """
import sys
sys.path.insert(0, sys.argv[1])
sys.path.append(sys.argv[2])
import displayio
from adafruit_display_text import bitmap_label
from firmware.ui import font, pack
source = pack.Pack(open(sys.argv[2] + "/firmware/ui/face.bin", "rb"))
fonts = [font.Font(source, number, {}) for number in range(6)]
label = bitmap_label.Label(fonts[0])
for number in range(6):
    face = fonts[number]
    bitmap = displayio.Bitmap(24 * 80, 2 * face.height, 2)
    every = [code for code in range(256) if code not in (9, 10)]
    for at in range(0, 256, 24):
        bitmap.fill(0)
        x = 0
        for code in every[at : at + 24]:
            label._place_text(bitmap, chr(code), face, x, face.ascent + number % 3)
            x += face.advance(code)
        print(number, at, x, [i for i in range(bitmap.width * bitmap.height) if bitmap[i]])
print(bitmap_label.__file__)
"""

SERVICE = """
import sys, types
sys.path.insert(0, sys.argv[1])
sys.path.append(sys.argv[2])
told = []
class Told:
    size, remote, NO_ACCESS, OPEN = 128, False, 0, 1
    ENCRYPT_NO_MITM = ENCRYPT_WITH_MITM = LESC_ENCRYPT_WITH_MITM = SIGNED_NO_MITM = 2
    BROADCAST, INDICATE, NOTIFY, READ, WRITE, WRITE_NO_RESPONSE = 1, 2, 4, 8, 16, 32
    def __init__(self, *given, **named):
        self.number = len(told)
        told.append((type(self).__name__, given, sorted(named.items())))
    def __repr__(self):
        return "told %d" % self.number
    @classmethod
    def add_to_service(cls, *given, **named):
        return cls(*given, **named)
names = ("UUID", "Service", "Characteristic", "Attribute", "PacketBuffer", "Adapter", "Connection", "Address",
         "ScanEntry", "CharacteristicBuffer", "Descriptor")
sys.modules["_bleio"] = types.SimpleNamespace(**{name: type(name, (Told,), {}) for name in names})
from firmware.radio import service
frames = service.Frames()
print(frames.up, frames.down, frames.up is frames.up)
print(*told, sep=chr(10))
print(sys.modules["adafruit_ble.services"].__file__)
"""


@pytest.fixture(scope="module")
def laid(tmp_path_factory):
    """A folder that holds a board's libraries, without the program, under people's names."""
    folder = tmp_path_factory.mktemp("lean")
    words = image.interned_words("feather")
    given = {word: name for name, word in words.items() if len(name) > 3 or name[1:2] == "_"}
    for name, text in image.programs("feather").items():
        if name.startswith("lib/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(interned.applied(text, given))
    (
        folder / "lib/adafruit_ble/__init__.py"
    ).touch()  # a board does without; here another one would be found
    return folder / "lib"


@pytest.mark.parametrize("script", [LABEL, SERVICE])
def test_a_lean_library_does_what_the_whole_one_does(script, laid, tmp_path):
    printed = []
    for folder in (laid, tmp_path):
        command = [sys.executable, "-c", script, str(folder), str(image.tree())]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout.splitlines())
    (*lean_lines, lean_file), (*lines, file) = printed
    assert lean_lines == lines and len(lines) > 5
    assert str(laid) in lean_file and str(laid) not in file


def test_every_fact_is_met_in_the_libraries():
    for module, (_, path) in image.libraries("feather").items():
        tree = lean.stripped(path.read_text("utf-8"))
        assert not simplifying.told(tree, known.KNOWN.get(module, {}))[1], module
    assert known.KNOWN.keys() <= image.libraries("feather").keys()


def simplified(source, facts, others=""):
    tree, unmet = simplifying.told(ast.parse(source), facts)
    assert not unmet
    return ast.unparse(simplifying.simplified({"m": tree}, [ast.parse(others)], {"Bitmap"})["m"])


def test_what_is_ruled_out_goes_and_takes_its_stores_along():
    source = (
        "import clock\n\n\nclass Box:\n\n    def __init__(self, size, outline=None, deep=True):\n  "
        "      self._outline = outline\n        self._stamp = Bitmap(size)\n        self.size ="
        " size\n        if outline is not None and deep:\n            self.size += clock.now()\n   "
        "     elif outline is None or not deep:\n            self.size -= 1\n        half ="
        " self.size // 2\n        half = half + 1\n"
    )
    left = (
        "class Box:\n\n    def __init__(self, size, deep=True):\n        self.size = size\n       "
        " self.size -= 1"
    )
    assert simplified(source, {"outline": "None"}, "Box(3, deep=False).size") == left


def test_what_does_something_or_is_given_stays():
    source = (
        "def f(a, b=1):\n    _c = a.pop()\n    a.size = 3\n    if b > len(a):\n        return b\n"
        "    return 0 if a else 2\n\ndef g(a, b=1):\n    return a"
    )
    assert simplified(source, {}, "f(3, 4)\ng(3, 4)") == source
    assert simplified(source, {"b": "2", "a.size = 3": None}, "f(3)").startswith(
        "def f(a):\n    _c = a.pop()\n    if 2 > len(a):\n        return 2\n"
    )
