"""The pages' own files and their font, answered from memory.

A page is some fifty small files, and a hall opens two hundred pages at once: each file is read from
the disk once, and again only when it has changed there.
"""

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


class _Kept(NamedTuple):
    """A file's bytes as they were at a time of change."""

    changed_ns: int
    body: bytes


class StaticFiles:
    """The files below a ``folder``, found when it is made; ``mount`` answers with them."""

    def __init__(self, folder: pathlib.Path = HERE):
        files = (path for path in folder.rglob("*") if path.suffix in _TYPES)
        # a request can name none but these, whatever it writes
        self._files = {path.relative_to(folder).as_posix(): path for path in files}
        self._kept: dict[str, _Kept] = {}

    @property
    def mount(self) -> Mount:
        """What answers below ``/static``."""
        return Mount("/static", routes=[Route("/{name:path}", self._answer, methods=["GET"])])

    async def _answer(self, request: Request) -> Response:
        """Answer with a file, or with the font."""
        name = request.path_params["name"]
        if name == font.PATH:
            return font.answer(request.headers)
        path = self._files.get(name)
        if path is None:
            raise HTTPException(404)
        return Response(self._body(name, path), media_type=_TYPES[path.suffix])

    def _body(self, name: str, path: pathlib.Path) -> bytes:
        try:
            changed_ns = path.stat().st_mtime_ns
        except FileNotFoundError:
            raise HTTPException(404) from None
        kept = self._kept.get(name)
        if kept is None or kept.changed_ns != changed_ns:
            kept = self._kept[name] = _Kept(changed_ns, path.read_bytes())
        return kept.body
