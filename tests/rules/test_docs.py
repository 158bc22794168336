"""Every file, link, anchor and command that README and the pages name is there."""

import pathlib
import re
import subprocess
import sys

import pytest
import tree
from commands import plusthree

from host import cli

TEXT = {".py", ".md", ".txt", ".toml", ".csv", ".json", ".html", ".css", ".js", ".mjs", ".flow", ""}
# pages, plans and paths that only their writers have; written in pieces, so that this file holds
# none of them
OUTSIDE = re.compile(
    "|".join((
        r"\bDESIGN\b(?! *=)", r"\bBOARD_" + r"FACTS\b", r"(?<![\w/])RULES\b(?:\.md| §)",
        r"\bSIM_" + r"NOTES\b",
        r"(?<!\w)CASES\.md\b", r"\bissues? #?\d", r"\bmock" + r"ups/", r"\.\./shared\b",
        r"(?<![\w./])/wo" + r"rk/",
    ))
)  # fmt: skip
HERE = "tests/rules/test_docs.py"
PLACE = re.compile(
    r"`((?:\.ci|docs|examples|firmware|host|hw|tests)/[\w./*-]+|(?:boot|code)\.py|[A-Z]+\.md|Makefile)`"
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"```.*?```|`[^`\n]+`", re.S)
EVERY = {*(name for name, *_ in cli.COMMANDS), *(f"dev {name}" for name, *_ in cli.DEV)}
COMMAND = re.compile(rf"\bplusthree ({'|'.join(sorted(EVERY, reverse=True))}|[a-z]+)\b([^|&;`]*)")
HEADING = re.compile(r"^#+ (.+)$", re.M)
# as in comments: (docs/board.md, Flash); the section's name may be shortened at its end
SECTION = re.compile(r"(docs/\w+\.md), \"?([A-Z][\w' ]*)")
COMMENT = re.compile(r"^\s*(?:#:?|//|\*)? *", re.M)


def tracked():
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=tree.ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        path for path in (tree.ROOT / line for line in listed.stdout.splitlines()) if path.is_file()
    ]


PAGES = [path for path in tracked() if path.suffix == ".md"]


def text_of(path):
    return path.read_text(encoding="utf-8", errors="replace")


def anchors(path):
    """Return the anchors of a page's headings, as GitHub makes them."""
    words = [
        re.sub(r"[^\w -]", "", heading.lower()).strip()
        for heading in HEADING.findall(text_of(path))
    ]
    return {word.replace(" ", "-") for word in words}


@pytest.mark.parametrize("path", PAGES, ids=tree.name_of)
def test_every_file_that_a_page_names_is_there(path):
    named = {place for place in PLACE.findall(text_of(path)) if "NAME" not in place}
    assert not sorted(place for place in named if not list(tree.ROOT.glob(place.rstrip("/"))))


@pytest.mark.parametrize("path", PAGES, ids=tree.name_of)
def test_every_link_of_a_page_leads_somewhere(path):
    dead = []
    for link in LINK.findall(text_of(path)):
        target, _, anchor = link.partition("#")
        if "://" in link:
            continue
        place = path.parent / target if target else path
        if not place.exists() or (anchor and anchor not in anchors(place)):
            dead.append(link)
    assert not dead


@pytest.mark.parametrize("path", PAGES, ids=tree.name_of)
def test_every_command_of_a_page_is_there(path):
    makefile = text_of(tree.ROOT / "Makefile")
    written = "\n".join(CODE.findall(text_of(path)))
    assert {name for name, _ in COMMAND.findall(written)} <= {*EVERY, *cli.FIRST}
    assert set(re.findall(r"\bmake ([a-z]+)\b", written)) <= set(
        re.findall(r"^([a-z]+):", makefile, re.M)
    )


@pytest.mark.parametrize("path", PAGES, ids=tree.name_of)
def test_every_option_of_a_command_of_a_page_is_there(path, capsys):
    for line in (line for code in CODE.findall(text_of(path)) for line in code.splitlines()):
        for name, words in COMMAND.findall(line.split(" #")[0].replace("\\", "/")):
            with pytest.raises(SystemExit):
                plusthree(*name.split(), "--help")
            known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
            assert set(re.findall(r"(?<!\S)\[?(--[a-z-]+)", words)) <= known, line


def test_every_page_of_docs_is_linked_from_the_door():
    linked = {link.partition("#")[0] for link in LINK.findall(text_of(tree.ROOT / "README.md"))}
    assert {name for name in map(tree.name_of, PAGES) if name.startswith("docs/")} <= linked


def test_nothing_outside_the_repository_is_meant():
    found = []
    for path in tracked():
        if path.suffix not in TEXT or tree.name_of(path) == HERE:
            continue
        lines = enumerate(text_of(path).splitlines(), 1)
        found += [
            f"{tree.name_of(path)}:{number}: {line.strip()}"
            for number, line in lines
            if OUTSIDE.search(line)
        ]
    assert not found, "\n".join(found)


def test_a_reference_to_the_outside_would_be_seen():
    for line in (
        "see DESIGN §4",
        "(RULES §1-§3)",
        "the page RULES.md",
        "as issue 5 says",
        "../shared/x",
        "CASES.md",
    ):
        assert OUTSIDE.search(line), line
    for line in (
        "docs/rules.md",
        "FILE_SCHEMA(('AUTOMOTIVE_DESIGN'))",
        "an issue of coins",
        "workers/ten",
    ):
        assert not OUTSIDE.search(line), line


def sections_named(text):
    """Return ``(page, section)`` for each section of a page of docs that a file's comments name."""
    return SECTION.findall(" ".join(COMMENT.sub("", text).split()))


def test_every_section_that_a_comment_names_is_there():
    missing = []
    for path in tracked():
        if path.suffix not in {".py", ".js", ".toml"} or tree.name_of(path) == HERE:
            continue
        for page, section in sections_named(text_of(path)):
            headings = HEADING.findall(text_of(tree.ROOT / page))
            if not any(h.startswith(section) or section.startswith(h) for h in headings):
                missing.append(f"{tree.name_of(path)}: {page}, {section}")
    assert not missing, "\n".join(missing)


def test_a_section_is_read_from_a_comment():
    assert sections_named("# its flash (docs/board.md, Flash: two\n# files)") == [
        ("docs/board.md", "Flash")
    ]
    assert sections_named('"""The wire (docs/board.md,\n    The language)."""') == [
        ("docs/board.md", "The language")
    ]


README = tree.ROOT / "README.md"
CONTRIBUTING = tree.ROOT / "CONTRIBUTING.md"
DESK = tree.ROOT / "docs" / "desk.md"


@pytest.fixture(scope="module")
def page_text():
    return README.read_text(encoding="utf-8")


def blocks(page_text):
    return [
        line
        for block in re.findall(r"```\w*\n(.*?)```", page_text, re.S)
        for line in block.splitlines()
    ]


def test_the_first_two_commands_are_the_two(page_text):
    commands = [line.split("#")[0].strip() for line in blocks(page_text) if line.strip()]
    assert commands[:2] == ["make demo", "make test"]


def test_the_program_is_found_once_the_environment_is_active(page_text):
    lines = blocks(page_text)
    at = next(i for i, line in enumerate(lines) if line.startswith("source .venv/bin/activate"))
    activate = lines[at].split("#")[0].split()[1]
    here = pathlib.Path(sys.executable).with_name(pathlib.Path(activate).name)
    typed = f"{lines[at].replace(activate, str(here))}\n{lines[at + 1]}"
    done = subprocess.run(
        ["bash", "-c", typed], env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert done.stdout.startswith("usage: plusthree")


def test_the_lines_for_windows_are_the_steps_of_make():
    """They cannot be run here: what they name is there, and pip is asked for what make asks for."""
    page_text = CONTRIBUTING.read_text(encoding="utf-8")
    lines = [
        line for line in blocks(page_text) if ".venv\\" in line or line.startswith(("py ", "npm "))
    ]
    steps = (tree.ROOT / "Makefile").read_text(encoding="utf-8")
    asked = [line.split(" -m pip install ")[1] for line in lines if " -m pip install " in line]
    long = {"-r": "--requirement", "-e": "--editable"}
    assert len(asked) == 2
    for words in asked:
        spelled = [long.get(word, word).replace("\\", "/") for word in words.split()]
        assert f"$(PIP) {' '.join(spelled)}\n" in steps
    for script in re.findall(r"\.venv\\Scripts\\(\w+)", "\n".join(lines)):
        assert pathlib.Path(sys.executable).with_name(script).is_file(), script
    assert "py -m venv .venv" in lines and "-m venv .venv" in steps
    assert "npm ci" in lines and "$(NPM) ci" in steps


def test_the_virtual_venue_does_what_is_typed():
    page_text = DESK.read_text(encoding="utf-8")
    (line,) = [line for line in blocks(page_text) if "--virtual" in line]
    command, _, said = line.partition("#")
    typed = [act.strip() for act in said.partition("type:")[2].split(",")]
    assert typed == ["open", "advance 600", "call 3", "swap 3 17"]
    acts = "".join(f"{act}\nshow tables\n" for act in [*typed, "advance 30"])
    words = command.replace("plusthree", str(pathlib.Path(sys.executable).with_name("plusthree")))
    done = subprocess.run(
        words.split(), input=f"{acts}boards\nquit\n", capture_output=True, text=True, check=True
    )
    assert "not done" not in done.stdout
    shown = re.findall(r"^  3  .*", done.stdout, re.M)
    opened, advanced, called, _, swapped = shown
    assert "  seated  5" in opened and "  playing  4" in advanced, shown
    assert "judge called" not in advanced and "judge called" in called, shown
    assert "  frozen  4" in swapped, shown  # until a judge lets the new board's clock run
    assert "board 17  table 3" in done.stdout and "board 3 " not in done.stdout
