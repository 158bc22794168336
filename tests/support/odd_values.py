"""Values that somebody may put into any column of an archive."""

from host.archive import table_shapes

VALUES = (
    "'x'", "X'FF'", "CAST(X'FF' AS TEXT)", "-1", "65536", "4294967296", "9223372036854775807", "''",
    "7.5", "NULL", "replace(hex(zeroblob(60000)), '0', 'A')",
)  # fmt: skip
COLUMNS = [(table, name) for table, named in table_shapes.tables().items() for name in named]
