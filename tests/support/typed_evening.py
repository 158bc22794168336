"""An event as its organiser runs it: the commands, and lines typed at a desk without a radio."""

import json

from commands import plusthree

from host.archive import master_key
from host.desk.station import Station
from host.server.console import Console


class TypedEvening:
    """The archive of an event in ``folder``; ``capsys`` reads what commands print."""

    def __init__(self, folder, capsys):
        self.folder, self._capsys = folder, capsys
        self.archive = folder / "evening.db"
        master_key.load_or_make(master_key.path_of(self.archive))

    def command(self, word, *rest):
        """Return ``(exit code, output, errors)`` of a command on the archive."""
        self._capsys.readouterr()
        code = plusthree(*word.split(), *rest, self.archive)
        told = self._capsys.readouterr()
        return code, told.out, told.err

    def command_on(self, word, *rest):
        """The same of a command that names the archive without an option."""
        self._capsys.readouterr()
        code = plusthree(word, self.archive, *rest)
        told = self._capsys.readouterr()
        return code, told.out, told.err

    def done(self, word, *rest):
        code, out, error = self.command(word, *rest)
        assert code == 0, out + error
        return out

    def objects(self, word, *rest):
        """Return what a command prints as JSON, whatever its exit code."""
        code, out, error = self.command(word, *rest, "--json")
        assert code < 2, error
        return json.loads(out)

    def matches(self, number):
        """Return ``(table, a, b)`` of every match of a round."""
        lines = self.objects("show results", "--round", number)
        played = [one for one in lines if one["table"]]
        return [(one["table"], int(one["number_a"]), int(one["number_b"])) for one in played]

    def pair(self, number, *rest):
        """Pair a round, take it and publish it; return what is said of the pairing."""
        path = self.folder / f"round{number}.csv"
        said = self.done("pair", path, "--seed", number, *rest)
        self.done("import", path)
        self.typed(f"publish {number}")
        return said

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def desk(self, *lines):
        with Station(self.archive) as station:
            console = Console(station, "Olga")
            return [said for line in lines for said in map(str, console.run(line))]

    def typed(self, *lines):
        """Type lines that must all be carried out; return what the desk answers."""
        told = self.desk(*lines)
        assert not any(said.startswith("not done") for said in told), told
        return told
