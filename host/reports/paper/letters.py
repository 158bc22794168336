"""The pages' font reduced to the letters that a page needs, in one weight: small, and fast.

The font contains every weight from 200 to 900; fixing one for all its letters takes seconds.
"""

import functools
import importlib.resources
import io
import pathlib

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

_PACKAGE, _FILE = "fontpkg_source_sans_3", "files/SourceSans3[wght].ttf"
_WITHOUT = ["GPOS", "GSUB", "GDEF", "STAT", "MVAR", "HVAR", "DSIG"]


@functools.cache
def letters_of(path: pathlib.Path | None = None) -> frozenset[int]:
    """Return the letters (code points) of a font file, by default of the pages' own."""
    source = io.BytesIO(_own()) if path is None else path
    with TTFont(source, fontNumber=0, lazy=True) as font:
        return frozenset(font.getBestCmap() or ())


def write(letters: frozenset[int], weight: int, target: pathlib.Path) -> pathlib.Path:
    """Write the pages' font with only ``letters`` in one weight; return ``target``."""
    options = Options()
    options.layout_features = []
    options.notdef_outline = True
    with TTFont(io.BytesIO(_own())) as font:
        # first, because subsetting would process them, for nine tenths of its time
        for table in _WITHOUT:
            if table in font:
                del font[table]
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=letters)
        subsetter.subset(font)
        instantiateVariableFont(font, {"wght": weight}, inplace=True)
        font.save(target)
    return target


def _own() -> bytes:
    return importlib.resources.files(_PACKAGE).joinpath(_FILE).read_bytes()
