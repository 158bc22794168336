"""Puts into a wheel what stands at the root beside the packages (``host/base/installation.py``).

It goes below ``host``: a ``code.py`` in site-packages would hide Python's own module of that name.
"""

import pathlib

from setuptools import setup
from setuptools.command.build_py import build_py

BESIDE = ("boot.py", "code.py", "examples", "hw/bench")


class BuildWithRoot(build_py):
    """Builds the packages, then copies ``BESIDE`` to ``host/shipped``."""

    def run(self) -> None:
        """Build; an editable install reads the checkout itself."""
        super().run()
        if self.editable_mode:
            return
        there = pathlib.Path(self.build_lib) / "host" / "shipped"
        self.mkpath(str(there))
        for path in map(pathlib.Path, BESIDE):
            copy = self.copy_tree if path.is_dir() else self.copy_file
            copy(str(path), str(there / path))


setup(cmdclass={"build_py": BuildWithRoot})
