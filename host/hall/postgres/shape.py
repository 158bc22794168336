"""Makes a database's schema an archive, and compares it with the schema that this program makes.

Nothing here is looked up in the archive's own schema: a function or an operator that somebody put
there would run with the archive's rights.
"""

import secrets
import sqlite3
from collections import Counter

from host.archive import schema, schema_check
from host.archive.schema_check import Element
from host.archive.table_shapes import SchemaMismatch
from host.base.errors import UserError
from host.hall.postgres import dialect, fence, rights
from host.hall.postgres.connection import PostgresConnection

_OURS = "('writer', 'counterfoils', 'records')"  # two of them are an archive that was changed
_PLACES = f"""
SELECT nspname FROM pg_namespace n WHERE nspname !~ '^pg_' AND 1 < (
    SELECT count(*) FROM pg_class WHERE relnamespace = n.oid AND relname IN {_OURS})
"""
_VERSION = """
SELECT 1 FROM pg_class c JOIN pg_attribute ON attrelid = c.oid
    WHERE relnamespace = n AND relkind = 'r' AND NOT relrowsecurity AND relname = 'writer'
    AND attname = 'version' AND atttypid = 'bigint'::regtype
"""
# all that a schema may hold and that changes the stored rows: kind, name, table, definition
_ELEMENTS = """
SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
    WHEN 'p' THEN 'partitioned table' WHEN 'f' THEN 'foreign table' WHEN 'S' THEN 'sequence'
    ELSE 'type' END, relname, relname, concat_ws(' ', relkind, relpersistence, relrowsecurity,
    relforcerowsecurity)
    FROM pg_class WHERE relnamespace = n AND relkind NOT IN ('i', 'I', 't')
UNION ALL SELECT 'column', c.relname || '.' || attname, relname, concat_ws(' ',
    format_type(atttypid, atttypmod), attnotnull, attcollation::regcollation, attgenerated,
    attidentity, pg_get_expr(adbin, adrelid))
    FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef d
    ON (adrelid, adnum) = (attrelid, attnum)
    WHERE relnamespace = n AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
UNION ALL SELECT 'constraint', concat_ws('.', relname, conname), relname,
    pg_get_constraintdef(o.oid)
    FROM pg_constraint o LEFT JOIN pg_class c ON c.oid = conrelid WHERE connamespace = n
UNION ALL SELECT 'index', c.relname, t.relname,
    concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid)
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid JOIN pg_class t ON t.oid = indrelid
    WHERE c.relnamespace = n
UNION ALL SELECT 'trigger', relname || '.' || coalesce(conname, tgname), relname, concat_ws(' ',
    CASE WHEN tgisinternal THEN tgfoid::regprocedure::text ELSE pg_get_triggerdef(t.oid) END,
    tgenabled)
    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
    LEFT JOIN pg_constraint o ON o.oid = tgconstraint WHERE relnamespace = n
UNION ALL SELECT 'function', format('%s(%s)', proname, pg_get_function_identity_arguments(p.oid)),
    '', concat_ws(' ', lanname, prorettype::regtype, prokind, prosecdef, proleakproof, proisstrict,
    proretset, provolatile, proconfig, pg_get_function_arguments(p.oid), prosrc, probin,
    pg_get_function_sqlbody(p.oid))
    FROM pg_proc p JOIN pg_language l ON l.oid = prolang WHERE pronamespace = n
UNION ALL SELECT 'rule', relname || '.' || rulename, relname,
    concat_ws(' ', pg_get_ruledef(r.oid), ev_enabled)
    FROM pg_rewrite r JOIN pg_class c ON c.oid = ev_class WHERE relnamespace = n
UNION ALL SELECT 'policy', relname || '.' || polname, relname, ''
    FROM pg_policy JOIN pg_class c ON c.oid = polrelid WHERE relnamespace = n
UNION ALL SELECT 'child table', inhrelid::regclass::text, '', relname
    FROM pg_inherits JOIN pg_class c ON c.oid = inhparent
    WHERE relnamespace = n OR inhrelid IN (SELECT oid FROM pg_class WHERE relnamespace = n)
UNION ALL SELECT 'subscription', subname, '', relname
    FROM pg_subscription_rel JOIN pg_class c ON c.oid = srrelid
    JOIN pg_subscription s ON s.oid = srsubid WHERE relnamespace = n
UNION ALL SELECT i.type, i.identity, '', '' FROM pg_depend, pg_identify_object(classid, objid, 0) i
    WHERE refclassid = 'pg_namespace'::regclass AND refobjid = n AND classid NOT IN (
    'pg_class'::regclass, 'pg_proc'::regclass, 'pg_default_acl'::regclass)
    AND i.type NOT LIKE 'publication%'
"""


def find(db: PostgresConnection) -> None:
    """Find the schema that the archive is in, or is to be in; from then on nothing is looked up in
    another. Raises UserError where there is none, or nobody knows which.

    What a role or a database prefers counts only while there is no archive, or more than one.
    """
    preferred = db.row("SELECT pg_catalog.current_schema()")[0]
    with_archive = [name for (name,) in db.apart(_PLACES)]
    if preferred in with_archive or not with_archive:
        name = preferred
    elif len(with_archive) == 1:
        (name,) = with_archive
    else:
        names = ", ".join(map(ascii, sorted(with_archive)))
        raise UserError(
            f"{db.shown} holds more than one archive, in the schemas {names}: drop what is none of"
            " yours"
        )
    if name is None:
        raise UserError(f"{db.shown}: this user has no schema there to write in")
    db.schema = name
    db.quoted, db.literal = db.row("SELECT quote_ident(%s), quote_literal(%s)", (name, name))


def make(db: PostgresConnection) -> None:
    """Make an empty schema an archive, in the caller's transaction. Raises UserError for a schema
    that holds something else.
    """
    if _is_archive(db):
        return
    if elements(db, db.literal):
        raise UserError(f"{db.shown} is not an archive of plusthree, nor empty")
    db.look_in(db.quoted)
    db.run(dialect.script())
    db.look_in()


def expected_schema(db: PostgresConnection) -> Counter[Element]:
    """Return the schema that this program makes, in the caller's transaction, and undo it.

    Raises UserError where there is no archive of this version, SchemaMismatch where the schema
    differs.
    """
    if not _is_archive(db):
        raise UserError(
            f"{db.shown} holds no archive yet; make one with: plusthree import EVENT.csv {db.shown}"
        )
    weak = rights.fault(db)  # first: what runs at each change of a table would run at ours
    if weak:
        raise SchemaMismatch(f"{db.shown}: {weak}")
    made = _make_apart(db)
    version = _version(db)
    if version not in (None, schema.VERSION):
        raise UserError(
            f"{db.shown} is not an archive of this plusthree (it says version {version})"
        )
    wrong = fault(db, made) or _odd_writer(db)
    if wrong:
        raise SchemaMismatch(
            f"{db.shown} was changed by another program: {wrong}; keep it, and bring the newest"
            " copy back with: plusthree restore"
        )
    return made


def fault(db: PostgresConnection, wanted: Counter[Element]) -> str | None:
    """Return how the schema differs from the ``wanted`` one, or None."""
    return schema_check.compare(wanted, elements(db, db.literal))


def elements(db: PostgresConnection, literal: str) -> Counter[Element]:
    """Return the elements of the schema whose name is the SQL string ``literal``."""
    rows = db.apart(rights.within(_ELEMENTS, literal))
    return Counter(Element(*map(str, row)) for row in rows)


def tables(copy: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the columns of each table of an SQLite archive, those first that others refer to."""
    names = copy.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        " ORDER BY rowid"
    ).fetchall()
    return {
        name: [row[1] for row in copy.execute(f"PRAGMA table_info({name})").fetchall()]
        for (name,) in names
    }


def _make_apart(db: PostgresConnection) -> Counter[Element]:
    """Return the schema that this program makes, as it would stand in the archive's schema.

    It is made in a schema whose name nobody can guess, so that no text of it holds that name.
    """
    name = f"plusthree_{secrets.token_hex(8)}"
    db.run(f"SAVEPOINT compared; CREATE SCHEMA {name}")
    db.look_in(name)
    db.run(dialect.script())
    made = elements(db, f"'{name}'")
    db.run("ROLLBACK TO compared")
    return Counter(
        {
            element._replace(sql=element.sql.replace(f"{name}.", f"{db.quoted}.")): count
            for element, count in made.items()
        }
    )


def _is_archive(db: PostgresConnection) -> bool:
    """Whether the schema holds an archive's tables already."""
    return (db.schema,) in db.apart(_PLACES)


def _version(db: PostgresConnection) -> int | None:
    """Return the archive's version, None where it cannot be read."""
    if not db.apart(rights.within(_VERSION, db.literal)):
        return None
    rows = db.apart(f"SELECT version FROM ONLY {db.quoted}.writer")
    return rows[0][0] if rows else None


def _odd_writer(db: PostgresConnection) -> str | None:
    """Return what is wrong with the one row of the table ``writer``, or None."""
    sql = f"epoch BETWEEN 0 AND {fence.MOST} AND beats >= 0 AND length(name) < 256"
    return None if db.apart(f"SELECT {sql} FROM {db.quoted}.writer") == [(True,)] else fence.ODD
