"""The archive's tables. Records are append-only: triggers refuse every update and delete."""

VERSION = 6

TABLES = """
CREATE TABLE boards (
    device INTEGER NOT NULL, generation INTEGER NOT NULL, table_number INTEGER NOT NULL,
    since_unix_ms INTEGER NOT NULL, PRIMARY KEY (device, generation));
CREATE TABLE events (
    number INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 65535),
    name TEXT NOT NULL UNIQUE, origin_unix_ms INTEGER NOT NULL, opened INTEGER NOT NULL UNIQUE);
CREATE TABLE rounds (
    event INTEGER NOT NULL REFERENCES events (number), round INTEGER NOT NULL,
    system INTEGER NOT NULL, bits INTEGER NOT NULL, minutes INTEGER NOT NULL,
    PRIMARY KEY (event, round));
CREATE TABLE players (
    event INTEGER NOT NULL REFERENCES events (number), number TEXT NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (event, number));
CREATE TABLE pairings (
    event INTEGER NOT NULL, round INTEGER NOT NULL, pairing INTEGER NOT NULL,
    table_number INTEGER, player_a TEXT NOT NULL, player_b TEXT,
    PRIMARY KEY (event, round, pairing), UNIQUE (event, round, table_number),
    FOREIGN KEY (event, round) REFERENCES rounds (event, round));
CREATE TABLE records (
    device INTEGER NOT NULL, generation INTEGER NOT NULL, epoch INTEGER NOT NULL,
    counter INTEGER NOT NULL, event INTEGER NOT NULL, received_ms INTEGER NOT NULL,
    frame BLOB NOT NULL CHECK (length(frame) = 24),
    PRIMARY KEY (device, generation, epoch, counter)) WITHOUT ROWID;
CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY, device INTEGER NOT NULL, generation INTEGER NOT NULL,
    epoch INTEGER NOT NULL, counter INTEGER NOT NULL, event INTEGER NOT NULL,
    received_ms INTEGER NOT NULL, frame BLOB NOT NULL,
    UNIQUE (device, generation, epoch, counter, frame));
CREATE TABLE commands (
    id INTEGER PRIMARY KEY AUTOINCREMENT, event INTEGER NOT NULL, round INTEGER NOT NULL,
    table_number INTEGER NOT NULL, kind INTEGER NOT NULL, at_ms INTEGER NOT NULL,
    a INTEGER NOT NULL, b INTEGER NOT NULL, c INTEGER NOT NULL,
    author TEXT NOT NULL, reason TEXT NOT NULL, asked_ms INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'done', 'refused', 'dropped')),
    refusal INTEGER NOT NULL DEFAULT 0);
CREATE INDEX commands_waiting ON commands (state, table_number);
CREATE TABLE sends (
    device INTEGER NOT NULL, generation INTEGER NOT NULL, epoch INTEGER NOT NULL,
    counter INTEGER NOT NULL, command INTEGER NOT NULL REFERENCES commands (id),
    PRIMARY KEY (device, generation, epoch, counter)) WITHOUT ROWID;
CREATE TABLE reserved (
    device INTEGER NOT NULL, generation INTEGER NOT NULL, epoch INTEGER NOT NULL,
    below INTEGER NOT NULL, PRIMARY KEY (device, generation, epoch)) WITHOUT ROWID;
"""  # noqa: E501  (SQLite keeps the statements as they stand)

NOTICES = """
CREATE TABLE notices (
    id INTEGER PRIMARY KEY AUTOINCREMENT, event INTEGER NOT NULL, what TEXT NOT NULL,
    value TEXT NOT NULL, author TEXT NOT NULL, unix_ms INTEGER NOT NULL);
"""  # since 2

MOVES = """
CREATE TABLE moves (
    id INTEGER PRIMARY KEY AUTOINCREMENT, device INTEGER NOT NULL, generation INTEGER NOT NULL,
    table_number INTEGER NOT NULL, author TEXT NOT NULL, reason TEXT NOT NULL, unix_ms INTEGER NOT NULL);
CREATE TABLE restores (
    id INTEGER PRIMARY KEY AUTOINCREMENT, floor INTEGER NOT NULL, last_order INTEGER NOT NULL,
    unix_ms INTEGER NOT NULL);
"""  # since 3  # noqa: E501

DESK = """
CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, event INTEGER NOT NULL, player TEXT NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('entered', 'late', 'dropped', 'returned')),
    author TEXT NOT NULL, reason TEXT NOT NULL, unix_ms INTEGER NOT NULL);
CREATE TABLE links (
    id INTEGER PRIMARY KEY AUTOINCREMENT, role TEXT NOT NULL, name TEXT NOT NULL,
    digest BLOB NOT NULL UNIQUE, author TEXT NOT NULL, made_unix_ms INTEGER NOT NULL);
CREATE TABLE revoked_links (
    id INTEGER PRIMARY KEY REFERENCES links (id), author TEXT NOT NULL, unix_ms INTEGER NOT NULL);
"""  # since 4

COUNTERFOILS = """
CREATE TABLE counterfoils (
    id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, body BLOB NOT NULL,
    mark BLOB NOT NULL CHECK (length(mark) = 16));
"""  # since 5

# since 6 the audit log (table counterfoils) tells of the set-up, too (``audited_tables``): a
# program that keeps none of it must not write here

_OF_DESK = ("entries", "links", "revoked_links")
_FIRST = ("records", "quarantine", "sends")
GUARDED = (*_FIRST, "notices", "moves", "restores", *_OF_DESK, "counterfoils")
_ADDED = (
    (2, NOTICES, ("notices",)), (3, MOVES, ("moves", "restores")), (4, DESK, _OF_DESK),
    (5, COUNTERFOILS, ("counterfoils",)), (6, "", ()),
)  # fmt: skip


def statements(version: int = VERSION) -> str:
    """Return the SQL script that makes an empty database an archive of ``version``."""
    parts = [TABLES, *map(_guards, _FIRST)]
    for since, tables, guarded in _ADDED:
        if since <= version:
            parts += [tables, *map(_guards, guarded)]
    return _script(parts, version)


def upgrade(version: int) -> str | None:
    """Return the SQL script that upgrades an older archive, None for an unknown ``version``."""
    if not 1 <= version < VERSION:
        return None
    parts: list[str] = []
    for since, tables, guarded in _ADDED:
        if since > version:
            parts += [tables, *map(_guards, guarded)]
    return _script(parts)


def _guards(table: str) -> str:
    return "\n".join(
        f"CREATE TRIGGER {table}_never_{act.lower()} BEFORE {act} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} are only ever added'); END;"
        for act in ("UPDATE", "DELETE")
    )


def _script(parts: list[str], version: int = VERSION) -> str:
    return "\n".join(["BEGIN;", *parts, f"PRAGMA user_version = {version};", "COMMIT;"])
