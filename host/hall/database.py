"""The address of a PostgreSQL database as the place of an archive. Opening it imports psycopg."""

from typing import TYPE_CHECKING

from host.archive import places

if TYPE_CHECKING:
    from host.hall.postgres.postgres_backend import PostgresBackend, Watch


class Database(places.Server):
    """A PostgreSQL database's address. What opens it raises UserError, without psycopg, too."""

    def open_backend(self, after: int | None = None) -> "PostgresBackend":
        """Open (or make) the archive and become its writer (``postgres_backend.open_archive``)."""
        from host.hall.postgres import postgres_backend

        return postgres_backend.open_archive(self, after)

    def open_read_only(self) -> "PostgresBackend":
        """Open the archive for reading alone."""
        from host.hall.postgres import postgres_backend

        return postgres_backend.open_view(self)

    def watched(self) -> "Watch":
        """Begin a standby's look at the archive's writer."""
        from host.hall.postgres import postgres_backend

        return postgres_backend.Watch(self)
