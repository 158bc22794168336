"""The program as it is installed from a wheel: nothing that it reads beside its code is left
behind.
"""

import json
import subprocess
import sys
import urllib.request
import zipfile

import pytest
import tree

NOT_NEEDED = "README.md"
_SERVE = (
    "import sys; sys.path.insert(0, sys.argv[1]); import host; assert"
    " host.__file__.startswith(sys.argv[1]); from host import cli; sys.exit(cli.main(['serve',"
    " '--virtual', '1']))"
)


def tracked(*folders):
    """Return the files of ours that git knows, or all where there is no git."""
    done = subprocess.run(
        ["git", "ls-files", *folders], cwd=tree.ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode == 0 and done.stdout:
        return done.stdout.split("\n")[:-1]
    found = [
        path for folder in folders for path in (tree.ROOT / folder).rglob("*") if path.is_file()
    ]
    return [
        path.relative_to(tree.ROOT).as_posix() for path in found if "__pycache__" not in path.parts
    ]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build a wheel from a copy of the tree, without the network."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in [*tracked("host", "firmware"), "pyproject.toml", "README.md", "LICENSE"]:
        if (tree.ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((tree.ROOT / name).read_bytes())
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", build, str(out)], cwd=source, capture_output=True, check=True
    )
    (found,) = out.glob("*.whl")
    return found


def test_every_file_of_ours_is_in_the_wheel(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        name
        for name in tracked("host", "firmware")
        if (tree.ROOT / name).is_file() and not name.endswith(NOT_NEEDED)
    }
    assert sorted(wanted - held) == []


def test_the_desk_is_served_from_a_wheel(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    command = [sys.executable, "-c", _SERVE, str(tmp_path / "site")]
    pipes = {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
    }
    with subprocess.Popen(command, cwd=tmp_path, **pipes) as process:
        told = json.loads(process.stdout.readline())
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        shown = (
            opener.open(told["links"]["organiser"]).read()
            + opener.open(f"{told['url']}/judge").read()
        )
        strings = json.loads(opener.open(f"{told['url']}/texts?language=it").read())
        packs = json.loads(opener.open(f"{told['url']}/api/standings").read())["packs"]
        process.communicate("quit\n", timeout=60)
    assert (
        b"/static/js/judge.js" in shown
        and strings["texts"]["no_round"] == "Ancora nessun round"
        and packs == ["Pokémon Swiss, 3-1-0"]
    )
    assert process.returncode == 0
