"""The font of every page: Source Sans 3 (SIL Open Font License 1.1), from its package.

Pages must look the same everywhere, so they do not use the fonts of the machine that shows them.
All digits of this font have the same width.
"""

import functools
import gzip
import hashlib
import importlib.resources

from starlette.datastructures import Headers
from starlette.responses import Response

PACKAGE = "fontpkg_source_sans_3"
PATH = "source-sans-3.ttf"  # below /static
_FILE = "files/SourceSans3[wght].ttf"
_CACHED = "public, max-age=86400"  # a day; after that the browser compares its tag


def answer(headers: Headers) -> Response:
    """Return the Response to a request for the font: 304 if the browser has it, compressed if it
    accepts that.
    """
    fields = {"cache-control": _CACHED, "etag": tag(), "vary": "accept-encoding"}
    if tag() in [tag.strip() for tag in headers.get("if-none-match", "").split(",")]:
        return Response(status_code=304, headers=fields)
    if "gzip" in [coding.strip() for coding in headers.get("accept-encoding", "").split(",")]:
        return Response(
            _gzipped(), headers={**fields, "content-encoding": "gzip"}, media_type="font/ttf"
        )
    return Response(whole(), headers=fields, media_type="font/ttf")


@functools.cache
def whole() -> bytes:
    """Return the font file's bytes: every weight from 200 to 900."""
    return importlib.resources.files(PACKAGE).joinpath(_FILE).read_bytes()


@functools.cache
def _gzipped() -> bytes:
    return gzip.compress(whole(), mtime=0)


@functools.cache
def tag() -> str:
    """Return what its bytes are known by, an ETag."""
    return f'W/"{hashlib.sha256(whole()).hexdigest()[:16]}"'  # weak: the same for both forms
