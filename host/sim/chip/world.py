"""One VM: imports the drive's modules anew and gives them the chip's native modules.

As ``start_mp`` and ``stop_mp`` do (main.c): sys.path is "", "/", ".frozen", "/lib"; at the end the
heap is discarded with all modules, and finalisers close every file that is still open.
"""

from __future__ import annotations

import builtins
import functools
import importlib
import pathlib
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from host.boards.deploy import bytecode
from host.sim.chip.drive import Drive

if TYPE_CHECKING:
    from host.sim.chip.types import Modules

# modules that behave in CPython as on a board, for what our files use of them
PLAIN = ("__future__", "collections", "errno", "array", "json", "math", "struct", "random")
_PATHS = ("", "lib/")
_UNREAD = annotations.compiler_flag  # a board's compiler drops them, whatever they name


@functools.lru_cache(1024)  # the same files at each start of each board
def _code(source, name):
    return compile(source, name, "exec", _UNREAD, dont_inherit=True)


class World:
    """Imports and runs files of ``drive``; ``natives`` are the chip's modules by name.

    ``loaded(price, size, source_size)`` is called for each file that is compiled or loaded,
    ``collected()`` at the end of each import, ``printed(line)`` for each printed line. ``sources``
    maps paths to the sources of the drive's bytecode: a source is run in place of its bytecode if
    it compiles to the bytes on the drive. ``stuck()`` passes time for a loader that never ends.
    """

    def __init__(
        self,
        drive: Drive,
        natives: Modules,
        sources: dict[str, bytes],
        *,
        loaded: Callable[[str, int, int], None],
        collected: Callable[[], None],
        printed: Callable[[str], None],
        stuck: Callable[[], None],
    ):
        self.modules = dict(natives)
        self._drive, self._sources = drive, sources
        self._loaded, self._collected, self._printed, self._stuck = (
            loaded,
            collected,
            printed,
            stuck,
        )
        self.files = []
        system = types.SimpleNamespace(**vars(natives["sys"]))
        system.modules, system.print_exception = self.modules, self._print_exception
        self.modules["sys"] = system
        self.modules["builtins"] = types.SimpleNamespace()
        hooks = {"__import__": self._import, "open": self._open, "print": self._print}
        self._builtins = {**vars(builtins), **hooks}
        self._typed = self._space("__main__")

    def run(self, name: str) -> None:
        """Run a file as the program of this VM; raises the program's exceptions.

        OSError: there is no such file.
        """
        space = self._space("__main__")
        self._exec(self._drive.path(name), name, space)

    def enter(self, text: str) -> None:
        """Run statements that are typed at the REPL."""
        exec(_code(text, "<stdin>"), self._typed)

    def value_of(self, text: str) -> Any:
        """Return the value of an expression that is typed at the REPL."""
        return eval(text, self._typed)  # text of our own host code, not from outside

    def runs(self, frame: types.FrameType) -> bool:
        """Return whether a frame belongs to this VM's program."""
        return frame.f_globals.get("__builtins__") is self._builtins

    def _space(self, name):
        return {"__name__": name, "__builtins__": self._builtins}

    def _exec(self, path, name, space):
        data = self._drive.load(path)
        compiled = path.suffix == bytecode.SUFFIX
        source = self._source(path, data) if compiled else data
        self._loaded("load_us_per_kb" if compiled else "import_us_per_kb", len(data), len(source))
        exec(_code(source, name), space)

    def _source(self, path, data):
        """Return the source of a bytecode file; ValueError for another header.

        A file damaged after its header makes the chip's loader read for ever (``read_uint``).
        """
        if not bytecode.is_ours(data):
            raise ValueError("incompatible .mpy file")
        name = path.relative_to(self._drive.folder).with_suffix(".py").as_posix()
        source = self._sources.get(name)
        while source is None or bytecode.compile_source(name, source.decode()) != data:
            self._stuck()
        return source

    def _open(self, name, mode="r"):
        file = self._drive.open(name, mode)
        self.files.append(file)
        return file

    def _print(self, *values, sep=" ", end="\n"):
        for line in (sep.join(map(str, values)) + end).rstrip("\n").split("\n"):
            self._printed(line)

    def _print_exception(self, error, *_):
        self._printed(f"{type(error).__name__}: {error}")

    def _import(self, name, scope=None, local=None, names=(), level=0):
        """Import as ``__import__`` does on a board."""
        if level:
            name = self._absolute(name, scope, level)
        module = None
        parts = name.split(".") if name else []
        for count in range(1, len(parts) + 1):
            module = self._module(".".join(parts[:count]))
        by_hand = scope is None  # then no part is imported
        for part in names or ():
            if part != "*" and not hasattr(module, part) and hasattr(module, "__path__"):
                if not by_hand:
                    self._module(f"{name}.{part}")
        if "*" in (names or ()):
            raise SyntaxError("import *")
        return module if names else self.modules[parts[0]]

    @staticmethod
    def _absolute(name, scope, level):
        package = scope["__name__"] if "__path__" in scope else scope["__name__"].rpartition(".")[0]
        for _ in range(level - 1):
            package = package.rpartition(".")[0]
        return f"{package}.{name}" if name else package

    def _module(self, name):
        """Return a module by its dotted name, imported on first use."""
        if name in self.modules:
            return self.modules[name]
        module = importlib.import_module(name) if name in PLAIN else self._found(name)
        self.modules[name] = module
        if name in PLAIN:
            return module
        package, _, last = name.rpartition(".")
        try:
            if module.__file__:
                vars(module).update(self._space(name))
                self._exec(module.__file__, name, vars(module))
        except BaseException:
            self.modules.pop(name, None)
            raise
        self._collected()
        if package:
            setattr(self.modules[package], last, module)
        return module

    def _found(self, name):
        """Return an empty module with its file's path; ImportError worded as on a board."""
        module = types.ModuleType(name)
        for start in _PATHS:
            path = self._drive.path(start + name.replace(".", "/"))
            if path.is_dir():
                inside = (path / f"__init__{suffix}" for suffix in (".py", bytecode.SUFFIX))
                place = next(filter(pathlib.Path.is_file, inside), None)
                vars(module).update(__path__=str(path), __file__=place)
                return module
            for suffix in (".py", bytecode.SUFFIX):
                if path.with_suffix(suffix).is_file():
                    vars(module)["__file__"] = path.with_suffix(suffix)
                    return module
        raise ImportError(f"no module named '{name}'")

    def end(self) -> None:
        """Close every file that is still open, as the finalisers do."""
        for file in self.files:
            file.close()
