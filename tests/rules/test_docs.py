"""What README and the pages name is there, their pictures are today's, and tests show the promises of security.md."""

import json
import pathlib
import re
import subprocess
import sys
import tomllib

import drawn
import pictures
import pytest
import tree
from commands import plusthree

from host import cli
from host.web import texts

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


THREATS = (
    "Players", "Passers-by: Bluetooth", "Passers-by: the venue's network",
    "A stolen board, or its key", "A lost stick", "A laptop left alone for an hour",
    "The owner of the key",
)  # fmt: skip
LONGEST = 14_000  # bytes: an auditor reads it in an afternoon
PAGE = (tree.ROOT / "docs" / "security.md").read_text("utf-8")
SHOWN = tomllib.loads((tree.ROOT / "tests" / "rules" / "promises.toml").read_text("utf-8"))
NOT = re.compile(r"\b(cannot be (found|prevented))\b")


def sections():
    parts = re.split(r"^## (.+)$", PAGE, flags=re.M)
    return {
        title: [line for line in text.splitlines() if line.strip()]
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def promises():
    return [line for title in THREATS for line in sections()[title]]


def mistakes(line):
    """Return what is wrong with a promise's form."""
    sentence = line.startswith("* ") and line.endswith(".") and not re.search(r"[.!?] ", line)
    reason = not NOT.search(line) or "because " in line
    return [
        text
        for wrong, text in ((not sentence, "more than a sentence"), (not reason, "no because"))
        if wrong
    ]


def shown_by(title, line):
    """Return the tests that show a promise: exactly one entry of its section begins it."""
    (found,) = [tests for begin, tests in SHOWN[title].items() if line.startswith(f"* {begin}")]
    return found


@pytest.fixture(scope="module")
def there():
    files = (tree.ROOT / "tests").rglob("*.py")
    return {found for path in files for found in re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.M)}  # fmt: skip


def test_each_threat_has_its_section_and_nothing_else_is_promised():
    assert tuple(sections()) == tuple(SHOWN) == THREATS
    assert len(PAGE.encode()) <= LONGEST and len(promises()) == len(set(promises())) > 40


@pytest.mark.parametrize("title", THREATS)
def test_each_promise_has_tests_that_are_there_and_each_entry_a_promise(title, there):
    lines = sections()[title]
    assert len(lines) == len(SHOWN[title])
    for line in lines:
        assert {*shown_by(title, line)} <= there and shown_by(title, line), line


@pytest.mark.parametrize("line", promises(), ids=lambda line: line[2:50])
def test_a_promise_is_a_sentence(line):
    assert mistakes(line) == []


@pytest.mark.parametrize(("line", "wrong"), [
    ("* A result counts.", []),
    ("* A result counts. So does a roll.", ["more than a sentence"]),
    ("A result counts.", ["more than a sentence"]),
    ("* It cannot be found.", ["no because"]),
    ("* It cannot be prevented, because all may.", []),
])  # fmt: skip
def test_a_line_of_another_form_is_a_mistake(line, wrong):
    assert mistakes(line) == wrong


AGAIN = "look at what `make pictures` draws anew, and commit it"
NOTES = json.loads(pictures.NOTES.read_text(encoding="utf-8"))


def test_one_command_makes_every_picture():
    found = {path.name for path in pictures.DOCS.iterdir() if path.suffix in {".png", ".svg"}}
    assert found == {*pictures.BOARDS, pictures.PAGES, pictures.DRAWN}


@pytest.mark.parametrize("name", pictures.BOARDS)
def test_boards_look_as_in_the_picture(name):
    assert pictures.digests(pictures.BOARDS[name]) == NOTES[name], AGAIN


def test_pages_still_say_what_can_be_read_on_their_picture():
    today = {text for forms in texts.english().values() for text in forms}
    assert len(NOTES[pictures.PAGES]) > 20
    assert not {*NOTES[pictures.PAGES]} - today, AGAIN


def test_a_commit_always_draws_the_same_and_each_another():
    assert drawn.seeds("torture", 3) == drawn.seeds("torture", 200)[:3]
    assert drawn.seeds("torture", 3, "a" * 40) != drawn.seeds("torture", 3, "b" * 40)
    assert drawn.seeds("torture", 3) != drawn.seeds("relays", 3)
    many = drawn.seeds("torture", 200)
    assert len(set(many)) == 200 and min(many) >= 1 and max(many) < 1_000_000_000


def test_without_a_commit_the_files_themselves_are_drawn_from(tmp_path):
    found = drawn.origin(tmp_path)
    assert re.fullmatch(r"[0-9a-f]{64}", found.key)
    assert found.name == f"the files' digest {found.key[:12]}, as git knows no commit here"


def test_without_git_too(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert drawn.origin(tmp_path).name.startswith("the files' digest ")
