"""The pages' own files as tests read them: scripts, styles, pages and the strings table."""

import re

import tree

from host.web.page import page_of
from host.web.routes import PAGES

WEB = tree.ROOT / "host" / "web"
STATIC = WEB / "static"
PLACE = re.compile(r"\{(\w+)\}")


def scripts():
    return sorted((STATIC / "js").rglob("*.js"))


def styles():
    return sorted((STATIC / "css").rglob("*.css"))


def pages():
    """Return the HTML of every page that holds a script, by its name."""
    return {path[1:]: page_of(path[1:]).decode() for path in PAGES}


def said():
    """Return what scripts ask the strings table for: keys, and beginnings of keys."""
    keys, words, families = set(), set(), set()
    for path in scripts():
        text = path.read_text(encoding="utf-8")
        keys |= set(re.findall(r'\bsay\("([^"]+)"', text))
        words |= set(re.findall(r'"([A-Za-z_.]+)"', text))
        families |= set(re.findall(r"`([a-z_.]+\.)\$\{", text))
    return keys, words, families
