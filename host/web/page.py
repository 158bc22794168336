"""A page's HTML. It preloads every script that the page's own script imports, directly or not, so
that the browser fetches them all at once.
"""

import functools
import pathlib
import re

HERE = pathlib.Path(__file__).parent
_SCRIPTS = HERE / "static" / "js"
_IMPORT = re.compile(r'^import .* from "(\.[^"]+)";$', re.MULTILINE)
_PRELOAD = '<link rel="modulepreload" href="{}/static/js/{}">\n'


def page_of(name: str, base: str = "") -> bytes:
    """Return the HTML of a page that has a script of its own; ``base`` comes before its paths."""
    preloads = "".join(_PRELOAD.format(base, path) for path in imports(f"{name}.js"))
    text = plain(base, "page.html").replace("{page}", name)
    return text.replace("{preloads}\n", preloads).encode()


def plain(base: str, file: str) -> str:
    """Return the text of a page's file with ``base`` before its paths."""
    return (HERE / "pages" / file).read_text(encoding="utf-8").replace("{base}", base)


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
