"""The schema of a database, brought up to this release by its owner; and tenants."""

from __future__ import annotations

import logging
import re
import time
from importlib import resources
from typing import Any, Final, LiteralString

import psycopg
from psycopg import errors, sql

from simonides.domain.address import shown
from simonides.errors import InvalidInput, NotAStore, StoreError, StoreReadOnly
from simonides.storage.postgres.address import require_name
from simonides.storage.postgres.errors import in_our_words, newer
from simonides.storage.postgres.pool import AS_WRITTEN, connected, require_search_path
from simonides.storage.postgres.statements import ours, query
from simonides.storage.postgres.transaction import new_head

_log: Final = logging.getLogger(__name__)
#: Version of the schema. A change raises it and adds `migrations/<version>.sql`, which leads there from the one before.
#: A step stands alone. Of a large function the present text is in a file, which is read by the step that made its
#: signature and by the last that changed it: where a migration breaks off between, it refuses an earlier release.
SCHEMA_VERSION: Final = 21
#: Of PostgreSQL and of pgvector, the least that statements and columns need.
LEAST_SERVER: Final = 160_000
LEAST_VECTOR: Final = (0, 8)
#: Owners that migrate at the same time wait for each other.
_LOCK: Final = 0x536D6E64
#: A line of a step that stands for a file.
_FILE: Final = re.compile(r"^-- file: (\S+)$", re.MULTILINE)
_ROLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_$-]{0,62}")


def migrate(url: str, *, role: str | None = None, tenants: tuple[str, ...] = ("default",)) -> int:
    """Bring a database to this release's schema, one transaction a step; the version it is at.

    Args:
        url: For the owner of the tables, who may make the extension or finds it there.
        role: Who reads and writes from now on; it is made without a password where there is none, and owns nothing.
        tenants: Stores that are there afterwards.

    Raises:
        NewerSchema: A later release migrated it.
        NotAStore: The server or the extension is too old, or the extension is not there.
        InvalidInput: Row-level security does not hold for the role.
    """
    for name in tenants:
        require_name(name)
    if role is not None and not _ROLE.fullmatch(role):
        raise InvalidInput(f"{role!r:.70} is no name of a role")
    with in_our_words(url), connected(url) as owner:
        owner.add_notice_handler(_pass_on)
        owner.execute(ours("; ".join(f"SET {one}" for one in AS_WRITTEN)))
        _require_versions(owner, url)
        if role is not None:
            _require_bound(owner, role)
        owner.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        try:
            found = version_of(owner)
            if found > SCHEMA_VERSION:
                raise newer(shown(url), found, SCHEMA_VERSION)
            for step in range(found + 1, SCHEMA_VERSION + 1):
                with owner.transaction():
                    owner.execute(_step(step))
                    owner.execute("INSERT INTO simonides_schema (version) VALUES (%s)", (step,))
            if role is not None:
                _grant(owner, role)
            for name in tenants:
                make_tenant(owner, name)
        finally:
            owner.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))
    return SCHEMA_VERSION


def _pass_on(notice: errors.Diagnostic) -> None:
    """Log a warning of the server, of which psycopg tells nobody."""
    if notice.severity_nonlocalized == "WARNING":
        _log.warning("%s", notice.message_primary)


def version_of(connection: psycopg.Connection[Any]) -> int:
    """The version of a database's schema; 0 where there is none."""
    row = connection.execute("SELECT to_regclass('simonides_schema') IS NOT NULL").fetchone()
    if row is None or not row[0]:
        return 0
    row = connection.execute("SELECT coalesce(max(version), 0) FROM simonides_schema").fetchone()
    return 0 if row is None else int(row[0])


def require_schema(connection: psycopg.Connection[Any], url: str) -> None:
    """See that a database is at this release's schema.

    Raises:
        NotAStore: It has none, or one of an earlier release.
        NewerSchema: It has one of a later release.
    """
    found = version_of(connection)
    if found > SCHEMA_VERSION:
        raise newer(shown(url), found, SCHEMA_VERSION)
    if found < SCHEMA_VERSION:
        require_search_path(connection, url)
        what = f"has schema {found}" if found else "has not been prepared"
        raise NotAStore(
            f"the database at {shown(url)} {what}; its owner runs `simonides migrate --db URL`, which brings "
            f"it to {SCHEMA_VERSION}"
        )


def tenant_named(connection: psycopg.Connection[Any], url: str, name: str) -> int:
    """The number of a tenant.

    Raises:
        StoreError: There is none of that name.
    """
    row = connection.execute("SELECT simonides_tenant_named(%s)", (require_name(name),)).fetchone()
    if row is None or row[0] is None:
        raise StoreError(
            f"there is no tenant {name!r} at {shown(url)}; its owner makes one with `simonides migrate "
            f"--tenant {name} --db URL`"
        )
    return int(row[0])


def make_tenant(owner: psycopg.Connection[Any], name: str) -> int:
    """Make a store, as the owner; its number. One that is there is left as it is."""
    with owner.transaction():
        owner.execute("LOCK TABLE memory_tenants IN EXCLUSIVE MODE")
        row = owner.execute(
            """INSERT INTO memory_tenants (tenant, name, created_at)
            SELECT coalesce(max(tenant), 0) + 1, %(name)s, %(at)s FROM memory_tenants
            ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING tenant""",
            {"name": name, "at": time.time_ns() // 1000},
        ).fetchone()
        assert row is not None
        owner.execute(query("make_head").text, new_head(row[0]))
        owner.execute(query("make_due").text, {"tenant": row[0]})
    return int(row[0])


def _require_versions(owner: psycopg.Connection[Any], url: str) -> None:
    if owner.info.server_version < LEAST_SERVER:
        raise NotAStore(
            f"the server at {shown(url)} is PostgreSQL {owner.info.server_version // 10_000}; 16 or later is needed"
        )
    encoding = owner.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise NotAStore(
            f"the database at {shown(url)} is in {encoding}, and text needs UTF8; make another with CREATE DATABASE … "
            "ENCODING 'UTF8' TEMPLATE template0"
        )
    try:
        owner.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except (errors.UndefinedFile, errors.FeatureNotSupported, errors.InsufficientPrivilege) as error:
        raise NotAStore(
            f"the server at {shown(url)} has no extension `vector` ({error.diag.message_primary}); install pgvector "
            "0.8 or later and run CREATE EXTENSION vector as a superuser"
        ) from error
    row = owner.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    version = "0" if row is None else str(row[0])
    if tuple(int(part) for part in version.split(".")[:2]) < LEAST_VECTOR:
        raise NotAStore(
            f"the extension `vector` at {shown(url)} is {version}; 0.8 or later is needed: run "
            "ALTER EXTENSION vector UPDATE"
        )


def _require_bound(owner: psycopg.Connection[Any], role: str) -> None:
    """See that row-level security holds for a role, if there is one."""
    row = owner.execute(
        """SELECT r.rolsuper OR r.rolbypassrls OR pg_has_role(r.oid, current_user, 'MEMBER')
        FROM pg_roles AS r WHERE r.rolname = %s""",
        (role,),
    ).fetchone()
    if row is not None and row[0]:
        raise InvalidInput(
            f"row-level security does not hold for the role {role!r}, which owns the tables or may do anything; "
            "name another"
        )


def _grant(owner: psycopg.Connection[Any], role: str) -> None:
    """Let a role read and write rows; it owns nothing, so that row-level security holds for it."""
    name = sql.Identifier(role)
    with owner.transaction():
        if owner.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is None:
            make = sql.SQL("CREATE ROLE {} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE").format(
                name
            )
            try:
                owner.execute(make)
            except errors.InsufficientPrivilege as error:
                raise StoreReadOnly(
                    f"the owner may make no role ({error.diag.message_primary}); have somebody who may run "
                    f"{make.as_string(owner)}, and then this again"
                ) from error
        owner.execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(name))
        owner.execute(
            sql.SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {}").format(name)
        )
        # Those of an extension that somebody else made are anybody's already, and not the owner's to give.
        (functions,) = owner.execute(
            """SELECT string_agg(p.oid::regprocedure::text, ', ') FROM pg_proc AS p
            WHERE p.pronamespace = 'public'::regnamespace AND p.prokind <> 'p' AND pg_has_role(p.proowner, 'USAGE')"""
        ).fetchone() or ("",)
        owner.execute(sql.SQL("GRANT EXECUTE ON FUNCTION {} TO {}").format(sql.SQL(ours(functions)), name))
        owner.execute(sql.SQL("REVOKE ALL ON memory_tenants FROM {}").format(name))
        owner.execute(sql.SQL("REVOKE INSERT, UPDATE, DELETE ON simonides_schema FROM {}").format(name))


def _step(number: int) -> LiteralString:
    package = resources.files("simonides.storage.postgres")
    text = (package / "migrations" / f"{number}.sql").read_text("utf-8")
    return ours(_FILE.sub(lambda mark: (package / mark[1]).read_text("utf-8"), text))
