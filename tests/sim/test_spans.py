"""The loops over pixels, a row at a time, make what Blinka's own make, pixel for pixel."""

import io
import random

import pytest

from host.sim import panel  # isort: skip  (first: it loads Blinka without its thread)

import bitmaptools  # noqa: E402
import displayio  # noqa: E402
import vectorio  # noqa: E402

from host.sim.chip import drawing  # noqa: E402

# what stands in the place of Blinka's own, by its module
PLACES = (
    ("blit", "readinto"), ("_fill_pixels", "_can_fill_pixels"),
    ("_fill_shape_pixels", "_shape_fast_path"),
)  # fmt: skip


@pytest.fixture
def own(monkeypatch):
    """A function that puts Blinka's own loops back."""
    modules = bitmaptools, displayio._tilegrid, vectorio._vectorshape

    def put():
        for module, names in zip(modules, PLACES, strict=True):
            for name in names:
                monkeypatch.setattr(module, name, getattr(module, name).args[0])

    return put


def bitmap(luck, values, kinds=displayio):
    made = kinds.Bitmap(luck.randint(1, 90), luck.randint(1, 20), values)
    for y in range(made.height):
        for x in range(made.width):
            made[x, y] = luck.randrange(values)
    return made


def tried(luck, act, *given, **told):
    try:
        return act(*given, **told)
    except (EOFError, IndexError, ValueError) as error:
        return type(error)


def blitted(seed):
    luck = random.Random(seed)
    made = bitmap(luck, luck.choice((2, 3, 16, 200)))
    other = bitmap(luck, luck.choice((2, 2, 2, 4)))
    said = []
    for _ in range(12):
        names = luck.choice(((), ("x1", "y1", "x2", "y2"), ("x1", "y1", "x2", "y2")))
        told = {name: luck.randint(0, 30) for name in names}
        told["skip_source_index"] = luck.choice((None, 0, 0, 1))
        source = luck.choice((other, other, made))
        x, y = luck.randint(-2, 60), luck.randint(-2, 12)
        said.append(tried(luck, bitmaptools.blit, made, source, x, y, **told))
    return made, said


def read(seed):
    luck = random.Random(seed)
    made, bits = bitmap(luck, luck.choice((2, 4, 16))), luck.choice((1, 1, 2, 4))
    whole = -(-made.width * bits // 8) * made.height
    file = io.BytesIO(luck.randbytes(max(0, whole - luck.choice((0, 0, 0, 1, 20)))))
    told = {"reverse_pixels_in_element": luck.random() < 0.8}
    return made, tried(luck, bitmaptools.readinto, made, file, bits, **told)


@pytest.mark.parametrize("act", (blitted, read))
@pytest.mark.parametrize("seed", range(30))
def test_a_bitmap_is_the_same(act, seed, own):
    quick, said = act(seed)
    own()
    slow, also = act(seed)
    assert (list(quick._data), said) == (list(slow._data), also)
    assert vars(quick._dirty_area) == vars(slow._dirty_area)


def grid(luck, kinds):
    """Return a tile grid of one, two or four bits a pixel, some of them seen through."""
    values = luck.choice((2, 4, 16, 200))
    made, shade = bitmap(luck, values, kinds), kinds.Palette(values)
    for at in range(values):
        shade[at] = luck.randrange(1 << 24)
    if luck.random() < 0.7:
        shade.make_transparent(0)
    wide, high = luck.randint(1, made.width), luck.randint(1, made.height)
    made = kinds.TileGrid(
        made, pixel_shader=shade, width=luck.randint(1, 4), height=luck.randint(1, 3),
        tile_width=made.width // (made.width // wide), tile_height=made.height // (made.height // high),
        x=luck.randint(-40, 300), y=luck.randint(-30, 220),
    ) if made.width % (made.width // wide) == 0 and made.height % (made.height // high) == 0 else (
        kinds.TileGrid(made, pixel_shader=shade, x=luck.randint(-40, 300), y=luck.randint(-30, 220))
    )  # fmt: skip
    tiles = made._tiles_in_bitmap
    for at in range(made.width * made.height):
        made[at] = luck.randrange(tiles)
    made.flip_x, made.flip_y = luck.random() < 0.3, luck.random() < 0.3
    made.transpose_xy = luck.random() < 0.15
    return made


def shape(luck, kinds):
    """Return a rectangle, now and then a circle."""
    shade = kinds.Palette(2)
    shade[0], shade[1] = luck.randrange(1 << 24), luck.randrange(1 << 24)
    place = {
        "x": luck.randint(-30, 300),
        "y": luck.randint(-30, 220),
        "color_index": luck.randrange(2),
    }
    if luck.random() < 0.2:
        return vectorio.Circle(pixel_shader=shade, radius=luck.randint(1, 40), **place)
    size = {"width": luck.randint(1, 340), "height": luck.randint(1, 250)}
    return vectorio.Rectangle(pixel_shader=shade, **size, **place)


def drawn(seed, kinds):
    """Return the frames of a random scene, and of it after some of it moved."""
    luck, seen, frames = random.Random(seed), panel.Panel("320x240"), []
    root = displayio.Group()
    for _ in range(3):
        group = displayio.Group(
            scale=luck.choice((1, 1, 2, 3)), x=luck.randint(-9, 9), y=luck.randint(-9, 9)
        )
        for _ in range(luck.randint(1, 5)):
            group.append(luck.choice((grid, grid, shape))(luck, kinds))
        root.append(group)
    seen.display.root_group = root
    for rotation in (0, 0, 180, 90):
        seen.display.rotation = rotation
        seen.display.refresh()
        frames.append(bytes(seen.bus.frame))
        one = luck.choice(luck.choice(root))
        one.x, one.y = one.x + luck.randint(-20, 20), one.y + luck.randint(-20, 20)
        root[0].hidden = luck.random() < 0.2
    return frames


@pytest.mark.parametrize("kinds", (displayio, drawing), ids=("Blinka's", "a chip's"))
@pytest.mark.parametrize("seed", range(8))
def test_a_picture_is_the_same(seed, kinds, own):
    quick = drawn(seed, kinds)
    own()
    assert quick == drawn(seed, kinds) and len({*quick}) > 1


def test_a_chips_picture_is_drawn_a_row_at_a_time(monkeypatch):
    """Its classes check more of what is written, and Blinka would draw them pixel by pixel."""
    read = []
    monkeypatch.setattr(displayio.Bitmap, "_get_pixel", lambda *at: read.append(at))
    made = drawing.Bitmap(60, 40, 4)
    shade = drawing.Palette(4)
    group = displayio.Group()
    group.append(drawing.TileGrid(made, pixel_shader=shade))
    seen = panel.Panel("320x240")
    seen.display.root_group = group
    seen.display.refresh()
    assert not read
