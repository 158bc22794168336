"""Values that somebody may put into any column of an archive."""

from unguarded import unguarded

from host.archive import places, table_shapes

VALUES = (
    "'x'", "X'FF'", "CAST(X'FF' AS TEXT)", "-1", "65536", "4294967296", "9223372036854775807", "''",
    "7.5", "NULL", "replace(hex(zeroblob(60000)), '0', 'A')",
)  # fmt: skip
COLUMNS = [(table, name) for table, named in table_shapes.tables().items() for name in named]


def change(path, sql, *values):
    """Change an archive's file by one statement, without its triggers."""
    with unguarded(path) as db:
        db.execute(sql.replace("?", "%s") if places.is_address(path) else sql, values)
