"""Who may write to an archive's schema besides its owner, and what else of a server changes what a
session does there.

The archive's role, the database's owner and superusers are trusted: what they may, nobody can find.
"""

from host.hall.postgres.connection import PostgresConnection

_BUILT_IN = 16384  # the server's own objects have lower numbers

# the fault, the object that has it, and the SQL that ends it; ``n`` stands for the schema's number,
# ``acting`` for the privileges that let one role act as another
_ROWS = f"""
WITH owners AS (
    SELECT oid FROM pg_roles WHERE rolname = current_user
    UNION SELECT datdba FROM pg_database WHERE datname = current_database()),
trusted AS (  -- they need no right, as nothing can be kept from them
    SELECT oid FROM owners
    UNION SELECT oid FROM pg_roles WHERE rolsuper OR rolname = 'pg_database_owner'),
granted AS (  -- to whom what is granted by which the schema can be changed
    SELECT 'may change the table' AS may, relname AS name, grantee,
        format('REVOKE ALL ON ALL TABLES IN SCHEMA %s', relnamespace::regnamespace) AS ends
    FROM pg_class c CROSS JOIN LATERAL (SELECT grantee, privilege_type FROM aclexplode(relacl)
        UNION SELECT x.grantee, x.privilege_type FROM pg_attribute, aclexplode(attacl) x
        WHERE attrelid = c.oid) x
    WHERE relnamespace = n AND relkind = 'r' AND privilege_type <> 'SELECT'
    UNION SELECT 'may plant something in the schema', nspname, grantee,
        format('REVOKE CREATE ON SCHEMA %I', nspname)
    FROM pg_namespace o, aclexplode(nspacl) WHERE o.oid = n AND privilege_type = 'CREATE'
    UNION SELECT 'may change each new table of', defaclrole::regrole::text, grantee,
        format('ALTER DEFAULT PRIVILEGES FOR ROLE %s%s REVOKE ALL ON TABLES', defaclrole::regrole,
            CASE WHEN defaclnamespace <> 0 THEN ' IN SCHEMA ' || defaclnamespace::regnamespace END)
    FROM pg_default_acl, aclexplode(defaclacl)
    WHERE defaclobjtype = 'r' AND privilege_type <> 'SELECT'
        AND (defaclnamespace = 0 OR defaclnamespace = n)
        AND defaclrole IN (SELECT oid FROM owners)
    UNION SELECT 'may act as', o.rolname, r.oid, format('REVOKE %I', o.rolname)
    FROM pg_roles r JOIN pg_roles o ON r.oid <> o.oid AND pg_has_role(r.oid, o.oid, acting)
    WHERE o.oid IN (SELECT oid FROM owners) OR o.rolname = 'pg_write_all_data'),
owned AS (  -- the schema and what is in it
    SELECT 'table' AS kind, relname AS name, relowner AS owner, oid::regclass::text AS whole
    FROM pg_class WHERE relnamespace = n AND relkind = 'r'
    UNION ALL SELECT 'function', proname, proowner, oid::regprocedure::text
    FROM pg_proc WHERE pronamespace = n
    UNION ALL SELECT 'schema', nspname, nspowner, quote_ident(nspname)
    FROM pg_namespace o WHERE o.oid = n),
strange AS (  -- what changes the meaning of any statement, and came with no extension
    SELECT 'cast' AS kind, format('(%s AS %s)', castsource::regtype, casttarget::regtype) AS name
    FROM pg_cast WHERE oid >= {_BUILT_IN} AND greatest(castsource, casttarget) < {_BUILT_IN}
    UNION ALL SELECT i.type, i.identity
    FROM (SELECT 'pg_proc'::regclass AS class, oid, pronamespace AS place FROM pg_proc
        UNION ALL SELECT 'pg_operator'::regclass, oid, oprnamespace FROM pg_operator) o,
        pg_identify_object(class, oid, 0) i
    WHERE oid >= {_BUILT_IN} AND place = 'pg_catalog'::regnamespace AND NOT EXISTS (
        SELECT 1 FROM pg_depend WHERE classid = class AND objid = o.oid AND deptype = 'e')
    UNION ALL SELECT 'event trigger', quote_ident(evtname) FROM pg_event_trigger)
SELECT concat_ws(' ', who, may), name, format('%s FROM %s', ends, who)
    FROM granted, LATERAL (SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END
        AS who) w WHERE grantee NOT IN (SELECT oid FROM trusted)
UNION ALL SELECT format('%s owns the %s', owner::regrole, kind), name,
    format('ALTER %s %s OWNER TO %I', upper(kind), whole, current_user)
    FROM owned WHERE owner NOT IN (SELECT oid FROM trusted)
UNION ALL SELECT 'the archive''s role may not write to the table', name,
    format(CASE count(*) OVER () WHEN 1 THEN 'GRANT ALL ON %s TO %I'
        ELSE 'GRANT ALL ON ALL TABLES IN SCHEMA '
            || (SELECT whole FROM owned WHERE kind = 'schema') || ' TO %2$I' END,
        whole, current_user) FROM owned WHERE kind = 'table' AND NOT (
        has_table_privilege(whole, 'SELECT') AND has_table_privilege(whole, 'INSERT')
        AND has_table_privilege(whole, 'UPDATE') AND has_table_privilege(whole, 'DELETE'))
UNION ALL SELECT format('another program has added the %s', kind), name,
    format('DROP %s %s', upper(kind), name) FROM strange
UNION ALL SELECT 'no trigger runs with session_replication_role =', setting,
    format('ALTER %s RESET session_replication_role', CASE source
        WHEN 'user' THEN format('ROLE %I', current_user)
        WHEN 'database' THEN format('DATABASE %I', current_database())
        WHEN 'database user' THEN format('ROLE %I IN DATABASE %I', current_user, current_database())
        ELSE 'SYSTEM' END)
    FROM pg_settings WHERE name = 'session_replication_role' AND setting <> 'origin'
ORDER BY 1, 2
"""
_SET_SINCE = 160000  # from 16 on a role may be another's without being able to act as it


def fault(db: PostgresConnection) -> str | None:
    """Return the first fault and the SQL that ends it, or None."""
    acting = "'USAGE, SET'" if db.server_version >= _SET_SINCE else "'USAGE, MEMBER'"
    rows = db.apart(within(_ROWS.replace("acting", acting), db.literal))
    if not rows:
        return None
    what, name, line = rows[0]
    others = sum(each == what for each, *_ in rows) - 1
    more = f" and {others} more" if others else ""
    message = f"{what} {name}{more}; end that with: {line}"
    return message if message.isprintable() else ascii(message)


def within(sql: str, literal: str) -> str:
    """Return SQL with the number of a schema in the place of ``n``."""
    return sql.replace("= n", f"= (SELECT oid FROM pg_namespace WHERE nspname = {literal})")
