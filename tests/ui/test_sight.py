"""What the pixels measure: how large, how far apart, how much is redrawn; and that no text is cut or covered."""

import itertools
import re

import pytest
from inks import Inks, faults, fullest, unsynced
from PIL import Image, ImageChops
from said import Said, grid_of

from firmware.core import phases
from firmware.ui import canvas, lights
from firmware.ui.canvas import KEYS
from host.base import catalogues
from host.boards.models import MODELS
from host.sim.scenes import ALL
from host.sim.shots import Studio

_PLACES = ("word", "big")
# severity 1.0, on linear RGB
SIGHTS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}  # fmt: skip
_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE = (0.9505, 1.0, 1.089)


def linear(rgb):
    """Return 0-255 sRGB as linear light."""
    return [x / 3294.6 if x <= 10 else ((x / 255 + 0.055) / 1.055) ** 2.4 for x in rgb]


def _times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def simulated(rgb, sight):
    """Return the linear light that an eye of that ``sight`` takes ``rgb`` for."""
    return [min(1, max(0, x)) for x in _times(SIGHTS[sight], linear(rgb))]


def _lab(light):
    scaled = [x / white for x, white in zip(_times(_XYZ, light), _WHITE)]
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(light, other):
    """Return the distance of two colours of linear light (CIE 1976)."""
    return sum((x - y) ** 2 for x, y in zip(_lab(light), _lab(other))) ** 0.5


def _luminance(rgb):
    return _times(_XYZ, linear(rgb))[1]


def contrast(rgb, other):
    low, high = sorted((_luminance(rgb), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _shown(colour):
    """Return a colour (RGB number) as the panel's RGB565 shows it."""
    r, g, b = colour >> 16, colour >> 8 & 255, colour & 255
    return r & 0xF8 | r >> 5, g & 0xFC | g >> 6, b & 0xF8 | b >> 5


def contrast_on(image, box, colour):
    """Return the contrast of a text's ``colour`` with what it stands on, by the pixels of a box."""
    part = image.crop(box)
    found = part.getcolors(part.width * part.height)
    inks = min((rgb for _, rgb in found), key=lambda rgb: _distance(rgb, _shown(colour)))
    papers = [one for one in found if one[1] != inks]
    return contrast(inks, max(papers)[1]) if papers else 1


def _distance(rgb, other):
    return sum(abs(x - y) for x, y in zip(rgb, other))


def word(studio, name, scenes):
    """Return the word of a scene's strip, or its largest line."""
    scene = next(s for s in scenes if f"{s.screen}.{s.case}".rstrip(".") == name)
    said = Said(studio)
    studio.pose(*scene)
    lines = [one for one in said.texts if one.place not in canvas.KEYS]
    return min(lines, key=lambda one: one.place not in _PLACES).line


LEAST_MM = {"feathers3": 16, "feathers3-35": 26, "lilygo": 13.5}  # a clock's digits
LEAST_WIDE = {"feathers3": 0.85, "feathers3-35": 0.9, "lilygo": 0.85}  # of the panel
LEAST_OPPOSITE_MM = 4  # of the small clock: read from 0.7 m
READ_FROM = 170  # times its height
IN_README = ("feathers3", "lilygo")
# state: the screen that shows it, where its colour is sampled, the lights' state
STATES = {
    "pre-game": ("pregame", phases.PREGAME),
    "running": ("clock.running", phases.PLAYING),
    "five minutes": ("warning", lights.SOON),
    "last minute": ("last", lights.SOON),
    "stopped": ("frozen", phases.FROZEN),
    "overtime": ("overtime.first", phases.OVERTIME),
    "result": ("proposed.claimed", phases.PROPOSED),
    "judge": ("judge.waiting", lights.CALLED),
    "done": ("agreed.sent", phases.AGREED),
}


@pytest.fixture(scope="module", params=LEAST_MM)
def studio(request):
    """(model, studio) of one board."""
    return request.param, Studio(request.param, lit=False)


def named(screen, case, *_):
    """Return a scene's name, as its golden's file has it."""
    return f"{screen}.{case}".rstrip(".")


def ink(image, box):
    """Return the box of what is not black within ``box``: left, top, right, bottom."""
    part = image.crop(box)
    return ImageChops.difference(part, Image.new("RGB", part.size)).getbbox()


def digits_box(model, studio):
    """Return where the clock's digits lie, by the layout."""
    canvas = studio.canvas
    _, top, _ = canvas._faced.digits
    return 0, top, studio.panel.bus.width_px, top + canvas.four.height


def told_mm(root):
    """Return {model: (the digits' height in mm, read from so many m)} of hw/README.md."""
    text = (root / "hw" / "README.md").read_text("utf-8")
    rows = [
        re.search(rf"\| {head} \|(.*)", text).group(1) for head in ("clock's digits", "read from")
    ]
    found = [[float(number) for number in re.findall(r"(\d+\.\d) m", row)] for row in rows]
    wide = re.search(r"480×320, (\d+\.\d) mm, read from (\d\.\d) m\)", text)
    return dict(
        zip(IN_README, zip(*found, strict=True), strict=True),
        **{"feathers3-35": tuple(map(float, wide.groups()))},
    )


def test_clock_is_as_large_as_the_panel_allows(studio, golden, printed, root):
    model, drawn = studio
    image = golden(model, "clock.long_names")
    left, top, right, bottom = ink(image, digits_box(model, drawn))
    height_mm, wide = (bottom - top) * MODELS[model].pitch_um / 1000, image.width
    printed(
        f"clock digits, {model}", [f"{right - left} px of {wide} wide, {height_mm:.1f} mm high"]
    )
    assert height_mm >= LEAST_MM[model]
    assert told_mm(root)[model] == (round(height_mm, 1), round(height_mm * READ_FROM / 1000, 1))
    assert right - left >= LEAST_WIDE[model] * wide


def test_on_the_wide_panel_the_player_opposite_reads_state_names_and_a_small_clock():
    drawn = Studio("feathers3-35", lit=False)
    drawn.pose(*next(scene for scene in ALL if named(*scene) == "clock.long_names"))
    texts = {one.place: one for one in Said(drawn).texts if one.place not in KEYS}
    assert texts.keys() == {"tag_left", "word", "tag_right", "left", "right"}
    for one in texts.values():
        upright, turned = one.labels
        assert turned.text == upright.text == one.line and turned.label_direction == "UPD"
    small, large = drawn.canvas.opposite, drawn.canvas.four
    assert small._shown == large._shown
    assert all(grid.flip_x and grid.flip_y for grid in small._grids)
    assert small.height * MODELS["feathers3-35"].pitch_um / 1000 >= LEAST_OPPOSITE_MM


def test_every_text_stands_out(studio, golden, printed):
    model, drawn = studio
    least, tags = {7: (99, ""), 4.5: (99, "")}, {"tag_left", "tag_right"}
    said, canvas = Said(drawn), drawn.canvas
    for scene in ALL:
        drawn.pose(*scene)
        image = golden(model, named(*scene))
        if canvas.seat:
            image = image.rotate(180)
        for one in said.texts:
            limit, (_, x, y) = 4.5 if one.place in tags else 7, grid_of(one.labels[0])
            box = x, y, x + one.width, y + one.height
            found = contrast_on(image, box, one.colour)
            least[limit] = min(least[limit], (found, f"{scene.screen}.{scene.case}: {one.line}"))
    printed(f"least contrast, {model}", [f"{low[0]:.1f}:1 in {low[1]}" for low in least.values()])
    assert all(low[0] >= limit for limit, low in least.items()), least


def state_colour(image):
    """Return the colour that a state's screen has beside its word, at the panel's upper edge."""
    return image.getpixel((image.width * 3 // 4 - 2, 2))


def rhythm(state):
    """Return what a bar of eight shows in three seconds, without its colour."""
    return [lights.bar(state, 1, at_ms) >> 4 for at_ms in range(0, 3000, lights.STEP_MS)]


@pytest.mark.parametrize("sight", SIGHTS)
def test_states_are_told_apart_by_every_eye(sight, golden, printed):
    drawn = Studio("feathers3", lit=False)
    seen = {state: state_colour(golden("feathers3", name)) for state, (name, _) in STATES.items()}
    words = {state: word(drawn, name, ALL) for state, (name, _) in STATES.items()}
    close = []
    for one, other in itertools.combinations(STATES, 2):
        distance = apart(simulated(seen[one], sight), simulated(seen[other], sight))
        if distance < 15:
            by = f"word: {words[one]} / {words[other]}" if words[one] != words[other] else ""
            if rhythm(STATES[one][1]) != rhythm(STATES[other][1]):
                by = f"{by}; rhythm of the lights"
            close.append(f"{one} and {other}: {distance:.0f}, told apart by {by}")
            assert by, close[-1]
    printed(f"states closer than 15 (CIE 1976), {sight}", close or ["none"])


def test_a_running_second_redraws_few_digits(studio, printed):
    model, drawn = studio
    drawn.pose(*next(scene for scene in ALL if named(*scene) == "clock.running"))
    canvas, table = drawn.canvas, drawn.face.table
    sets = [x for x in (canvas.four, canvas.opposite) if x is not None]
    areas = [x.width * x.height for x in sets]
    tiles, weighed = [0] * len(sets), 0
    before = [bytes(x._shown) for x in sets]
    for left_s in range(3000, 0, -1):
        table.now_ms = table.match.zero_ms - 1000 * left_s
        drawn.face.show()
        for number, digits in enumerate(sets):
            changed = sum(x != y for x, y in zip(before[number], digits._shown))
            before[number] = bytes(digits._shown)
            tiles[number] += changed
            weighed += changed * areas[number] / areas[0]
    others = (("opposite", canvas.opposite),)
    names = ["digits", *(name for name, there in others if there)]
    printed(
        f"digit tiles a running second, {model}, mean of 50 minutes on the emulated panel",
        [
            *(f"{name}: {count / 3000:.2f}" for name, count in zip(names, tiles)),
            f"all, by area of a digit: {weighed / 3000:.2f}; allowed: 1.2",
        ],
    )
    assert max(tiles) / 3000 <= 1.2
    assert weighed / 3000 <= 1.2


@pytest.mark.parametrize("language", catalogues.languages())
@pytest.mark.parametrize("model", ("feathers3", "feathers3-35", "lilygo"))
def test_every_ink_stays_in_its_place(model, language):
    studio, kept = Studio(model, language, lit=False), {}
    inks = Inks(studio, kept)
    found = []
    for scene in ALL:
        name = f"{scene.screen}.{scene.case}".rstrip(".")
        studio.pose(*scene)
        found += [f"{name}: {fault}" for fault in faults(inks)]
        if "failed" not in scene.extra and "keyless" not in scene.extra:
            fullest(studio)
            found += [f"{name}, longest words: {fault}" for fault in faults(inks)]
    assert not found, "\n".join(found)


STRIP = ("tag_left", "word", "tag_right")
APART_PX = 8  # two patches, each 4 px wider than its text


@pytest.mark.parametrize("language", catalogues.languages())
@pytest.mark.parametrize("model", ("feathers3", "feathers3-35", "lilygo"))
def test_words_and_tags_of_the_strip_stand_apart_without_sync(model, language):
    studio = Studio(model, language, lit=False)
    said, close = Said(studio), []
    for scene in ALL:
        if "failed" in scene.extra or "keyless" in scene.extra or not unsynced(studio, scene):
            continue
        shown = [one for one in said.texts if one.place in STRIP]
        for places in (studio.canvas.layout.places, studio.canvas.layout.opposite):
            spans = sorted(span(places, one) for one in shown if one.place in places)
            close += [
                f"{scene.screen}.{scene.case}: {one[2]} and {other[2]}"
                for one, other in zip(spans, spans[1:])
                if other[0] - one[1] < APART_PX
            ]
    assert not close, "\n".join(close)


def span(places, said):
    """Return where a text begins and ends across in its place, and its line."""
    _, align, x, _, _ = places[said.place]
    left = x - said.width * align // 2
    return left, left + said.width, said.line
