"""What the pages are made of: our own files alone, nothing inline, no markup from text."""

import os
import pathlib
import re

import pagefiles
import pytest
from starlette.applications import Starlette
from webclient import Browser

from host.web import font, static_files
from host.web.page import page_of

MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new"
    r" Function|createContextualFragment"
)
ELSEWHERE = re.compile(r"(?:https?:)?//[a-z]", re.IGNORECASE)
INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=", re.IGNORECASE)
IMPORT = re.compile(r'from "(\.[^"]+)"')
SERVED = f"/static/{static_files.of_pages().digest}/"
BOARD_FILLS = ("#0072b2", "#56b4e9", "#f0e442", "#d55e00")  # firmware/ui/colours.py


def read(path):
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", pagefiles.scripts(), ids=lambda path: path.name)
def test_a_script_makes_no_markup_and_calls_nobody(path):
    text = read(path)
    assert not MARKUP.search(text)
    assert [
        found
        for found in ELSEWHERE.findall(re.sub(r"^\s*//.*$|\s//\s.*$", "", text, flags=re.M))
        if found
    ] in ([], ["http://w"])
    assert all((path.parent / name).is_file() for name in IMPORT.findall(text))


@pytest.mark.parametrize("path", pagefiles.styles(), ids=lambda path: path.name)
def test_a_style_calls_nobody(path):
    named = re.findall(r"url\(([^)]*)\)", read(path))
    assert named == ([f'"../{font.PATH}"'] if path.name == "base.css" else [])
    assert "@import" not in read(path)


@pytest.mark.parametrize("name, text", pagefiles.pages().items())
def test_a_page_has_nothing_inline(name, text):
    assert not INLINE.search(text) and not ELSEWHERE.search(text.replace("<!doctype html>", ""))
    named = re.findall(r'(?:href|src)="([^"]+)"', text)
    assert all(one.startswith(SERVED) for one in named)
    named.remove(f"{SERVED}{font.PATH}")
    files = [pagefiles.STATIC / one.removeprefix(SERVED) for one in named]
    assert len(files) >= 4 and pagefiles.STATIC / "js" / f"{name}.js" in files
    assert all(map(pathlib.Path.is_file, files))


def test_the_fills_are_the_boards_own():
    text = read(pagefiles.STATIC / "css" / "base.css").lower()
    assert all(colour in text for colour in BOARD_FILLS)


def test_motion_is_only_for_those_who_want_it():
    for path in pagefiles.styles():
        calm = re.sub(
            r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}", "", read(path),
            flags=re.S,
        )  # fmt: skip
        assert "animation" not in calm and "transition" not in calm, path.name


def test_a_file_that_changes_on_the_disk_is_read_again(tmp_path):
    (tmp_path / "js").mkdir()
    script = tmp_path / "js" / "a.js"
    script.write_text("1", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("none of a page's", encoding="utf-8")
    asked = Browser(None, app=Starlette(routes=[static_files.StaticFiles(tmp_path).mount]))
    first = asked.get("/static/today/js/a.js")
    assert (first.body, first.headers["content-type"]) == (b"1", "text/javascript; charset=utf-8")
    script.write_text("2", encoding="utf-8")
    os.utime(script, ns=(0, 0))
    assert asked.get("/static/today/js/a.js").body == b"2"
    script.unlink()
    nothing = "js/a.js", "secret.txt", "js", "", "../conftest.py", "js/../js/a.js", "%2e%2e/a.js"
    assert {asked.get(f"/static/today/{one}").status for one in nothing} == {404}
    assert asked.get("/static/js/a.js").status == 404


def test_a_browser_keeps_a_file_while_it_is_what_its_address_says(tmp_path):
    script = tmp_path / "a.js"

    def program(text):
        lay(text)
        files = static_files.StaticFiles(tmp_path)
        browser = Browser(None, app=Starlette(routes=[files.mount]))
        return files.digest, lambda digest: browser.get(f"/static/{digest}/a.js")

    def lay(text):
        script.write_text(text, encoding="utf-8")
        os.utime(script, ns=(0, int(text)))

    def kept(answer):
        return answer.body.decode(), "immutable" in answer.headers.get("cache-control", "")

    (old, before), (new, after) = program("1"), program("2")
    assert old != new and kept(after(new)) == ("2", True)
    assert kept(after(old)) == ("2", False), "an update that came between page and script"
    assert kept(before(old)) == ("2", False), "who edits a script sees it with the next load"
    lay("1")
    assert kept(before(old)) == ("1", True) and program("1")[0] == old


def test_no_page_is_kept_and_all_files_of_one_are(service):
    organiser = Browser(service, "organiser")
    for name in pagefiles.pages():
        assert organiser.get(f"/{name}").headers["cache-control"] == "no-store"
    for address in re.findall(r'(?:href|src)="([^"]+)"', page_of("desk").decode()):
        answer = organiser.get(address)
        assert answer.status == 200 and "max-age" in answer.headers["cache-control"], address
