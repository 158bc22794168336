"""The pages' own files and their font, answered from memory.

A page is some fifty small files, and a hall opens two hundred pages at once: each file is read from
the disk once, and again only when it has changed there. Pages name the files by their digest, so
that a browser keeps them for as long as the program is the same and requests them once, not with
each page; those of another program have other addresses.
"""

import functools
import hashlib
import pathlib
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from host.web import font

HERE = pathlib.Path(__file__).parent / "static"
# as browsers want them: what Windows says of a .js file is up to whatever is installed there
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_KEPT = {"cache-control": "max-age=31536000, immutable"}  # a year, the longest that means anything


class _File(NamedTuple):
    """A file's bytes as they were at a time of change."""

    changed_ns: int
    body: bytes


class StaticFiles:
    """The files below a ``folder``, found and read when it is made; ``mount`` answers with them.

    ``digest`` is of all of them and of the font.
    """

    def __init__(self, folder: pathlib.Path = HERE):
        files = (path for path in folder.rglob("*") if path.suffix in _TYPES)
        # a request can name none but these, whatever it writes
        self._paths = {path.relative_to(folder).as_posix(): path for path in files}
        self._at_start = {name: _read(path) for name, path in self._paths.items()}
        self._newest = dict(self._at_start)
        parts = [(name, self._at_start[name].body) for name in sorted(self._at_start)]
        self.digest = hashlib.sha256(repr([*parts, font.tag()]).encode()).hexdigest()[:16]

    @property
    def mount(self) -> Mount:
        """What answers below ``/static``."""
        return Mount("/static", routes=[Route("/{path:path}", self._answer, methods=["GET"])])

    async def _answer(self, request: Request) -> Response:
        """Answer with a file, or with the font."""
        digest, _, name = request.path_params["path"].partition("/")
        if name == font.PATH:
            return font.answer(request.headers)
        path = self._paths.get(name)
        if path is None:
            raise HTTPException(404)
        file = self._file(name, path)
        # a page from before an update gets today's files, and must not keep them as that page's
        same = digest == self.digest and file.body == self._at_start[name].body
        return Response(file.body, media_type=_TYPES[path.suffix], headers=_KEPT if same else None)

    def _file(self, name: str, path: pathlib.Path) -> _File:
        try:
            if path.stat().st_mtime_ns != self._newest[name].changed_ns:
                self._newest[name] = _read(path)
        except FileNotFoundError:
            raise HTTPException(404) from None
        return self._newest[name]


@functools.cache
def of_pages() -> StaticFiles:
    """Return the pages' StaticFiles, the same for all events."""
    return StaticFiles()


def _read(path: pathlib.Path) -> _File:
    return _File(path.stat().st_mtime_ns, path.read_bytes())
