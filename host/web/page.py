"""A page's HTML. It preloads every script that the page's own script imports, directly or not, so
that the browser fetches them all at once.
"""

import functools
import pathlib
import re

from host.web import static_files

HERE = pathlib.Path(__file__).parent
_SCRIPTS = static_files.HERE / "js"
_IMPORT = re.compile(r'^import .* from "(\.[^"]+)";$', re.MULTILINE)
_PRELOAD = '<link rel="modulepreload" href="{}/js/{}">\n'


def page_of(name: str, base: str = "") -> bytes:
    """Return the HTML of a page that has a script of its own; ``base`` comes before its paths."""
    static = _static(base)
    preloads = "".join(_PRELOAD.format(static, path) for path in imports(f"{name}.js"))
    text = plain(base, "page.html").replace("{page}", name)
    return text.replace("{preloads}\n", preloads).encode()


def plain(base: str, file: str) -> str:
    """Return the text of a page's file with ``base`` before its paths."""
    return (HERE / "pages" / file).read_text(encoding="utf-8").replace("{static}", _static(base))


def _static(base: str) -> str:
    return f"{base}/static/{static_files.of_pages().digest}"


@functools.cache
def imports(script: str) -> tuple[str, ...]:
    """Return the scripts that a script imports, directly or not, as paths below ``/static/js``."""
    paths: list[str] = []
    unread = [_SCRIPTS / script]
    for path in unread:
        for name in _IMPORT.findall(path.read_text(encoding="utf-8")):
            other = (path.parent / name).resolve()
            if other not in unread:
                unread.append(other)
                paths.append(other.relative_to(_SCRIPTS.resolve()).as_posix())
    return tuple(paths)
