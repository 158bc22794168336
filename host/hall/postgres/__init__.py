"""An archive in a PostgreSQL database, for a hall of several PCs (docs/hall.md). Imported for an
address alone, and psycopg with it; without psycopg, that is a UserError.
"""

from host.base import installation
from host.base.errors import UserError

try:
    import psycopg as _  # noqa: F401
except ImportError as _failure:
    raise UserError(
        "an archive on a PostgreSQL server wants psycopg ({why}; docs/hall.md); run: {line}",
        why=str(_failure),
        line=installation.to_install("psycopg") or "",
    ) from None
