"""A page's HTML. It names every script that the page's own script imports: the browser fetches
them all at once, and need not read one to learn of the next.
"""

import functools
import pathlib
import re

HERE = pathlib.Path(__file__).parent
_SCRIPTS = HERE / "static" / "js"
_IMPORT = re.compile(r'^import .* from "(\.[^"]+)";$', re.MULTILINE)
_PRELOAD = '<link rel="modulepreload" href="{}/static/js/{}">\n'


def page_of(name: str, base: str = "") -> bytes:
    """Return the HTML of a page that has a script of its own; ``base`` stands before its paths."""
    preloads = "".join(_PRELOAD.format(base, one) for one in imports(f"{name}.js"))
    text = plain(base, "page.html").replace("{page}", name)
    return text.replace("{preloads}\n", preloads).encode()


def plain(base: str, file: str) -> str:
    """Return the text of a page's file with ``base`` before its paths."""
    return (HERE / "pages" / file).read_text(encoding="utf-8").replace("{base}", base)


@functools.cache
def imports(script: str) -> tuple[str, ...]:
    """Return what a script imports, directly or not, as paths below ``/static/js``."""
    found: list[str] = []
    unread = [_SCRIPTS / script]
    for path in unread:
        for name in _IMPORT.findall(path.read_text(encoding="utf-8")):
            other = (path.parent / name).resolve()
            if other not in unread:
                unread.append(other)
                found.append(other.relative_to(_SCRIPTS.resolve()).as_posix())
    return tuple(found)
