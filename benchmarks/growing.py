"""A tenant of PostgreSQL made large by copies of what it has, for benches that cannot wait for a million writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, Final

import psycopg

from simonides.domain.ids import new_id
from simonides.domain.item import Item, snapshot
from simonides.domain.text import content_hash
from simonides.language.search_tokens import tokens_of
from simonides.storage.postgres.address import PostgresAddress
from simonides.storage.postgres.conditions import folded_lines
from simonides.storage.postgres.migrate import tenant_named
from simonides.storage.postgres.nearest import FEW
from simonides.storage.postgres.statements import FOLDED
from simonides.storage.postgres.store import PostgresStore
from simonides.storage.postgres.words import prefix_of
from simonides.storage.sql.rows import COLUMNS, row_hash, to_row

#: Each number of a copied vector is moved by at most so much, so that no two are the same.
_NOISE: Final = 0.02
_COPIED: Final = (
    """INSERT INTO memory_words (tenant, item, length, counts, lexemes, tallies)
    SELECT tenant, item + %(shift)s, length + 1, c.counts, lexemes || array_to_tsvector(ARRAY[%(lexeme)s]),
        simonides_tallies(c.counts)
    FROM memory_words AS w, LATERAL (
        SELECT w.counts || jsonb_build_object(%(token)s::text, 1) AS counts
    ) AS c WHERE tenant = %(tenant)s AND item <= %(last)s""",
    """INSERT INTO memory_embeddings (tenant, item, model, scope_key, standing, expires_at, checksum, vector)
    SELECT e.tenant, e.item + %(shift)s, e.model, e.scope_key, e.standing, e.expires_at, 0, (
        SELECT l2_normalize(array_agg(v + (random() - 0.5) * %(noise)s)::halfvec)
        FROM unnest(e.vector::vector::real[]) AS v
    )
    FROM memory_embeddings AS e WHERE e.tenant = %(tenant)s AND e.item <= %(last)s""",
    """INSERT INTO memory_links (tenant, src, dst, rel, created_at)
    SELECT tenant, src + %(shift)s, dst, rel, created_at FROM memory_links
    WHERE tenant = %(tenant)s AND src <= %(last)s AND rel = 'mentions'""",
    "INSERT INTO memory_terms (tenant, term, documents) VALUES (%(tenant)s, %(token)s, %(rows)s)",
)
_COUNTED: Final = (
    "UPDATE memory_terms SET documents = documents * %(times)s WHERE tenant = %(tenant)s",
    "UPDATE memory_entities SET mention_count = mention_count * %(times)s WHERE tenant = %(tenant)s",
    """UPDATE memory_heads SET last_key = last_key * %(times)s, worded = worded * %(times)s,
        tokens = tokens * %(times)s + worded * (%(times)s - 1) WHERE tenant = %(tenant)s""",
)


def grow(owner: str, name: str, items: int) -> int:
    """Give a tenant about so many items: copies of what it has, each with a word of its copy behind it.

    What searching reads is as the library would write it, vectors but for a little noise. Copies have no
    revisions, events and checksums.

    Args:
        owner: Address of the owner of the tables, who may switch off the checks of foreign keys.

    Returns:
        How many it has by now.
    """
    with psycopg.connect(owner, autocommit=True) as connection:
        tenant = tenant_named(connection, owner, name)
        (last,) = connection.execute(
            "SELECT last_key FROM memory_heads WHERE tenant = %s", (tenant,)
        ).fetchone() or (0,)
        times = max(1, round(items / last))
        with closing(PostgresStore(PostgresAddress(url=owner, tenant=name), compares=FEW)) as store:
            with store.read() as reader:
                found = reader.load([*range(1, last + 1)])
            scopes = dict(
                connection.execute("SELECT path, key FROM memory_scopes WHERE tenant = %s", (tenant,))
            )
            connection.execute("SET session_replication_role = replica")
            about: dict[str, Any] = {"tenant": tenant, "last": last, "noise": _NOISE, "rows": len(found)}
            with connection.transaction():
                for statement in _COUNTED:
                    connection.execute(statement, about | {"times": times})
            for number in range(1, times):
                word = f"copy{number}"
                (token,) = tokens_of(word)
                told = {"shift": number * last, "token": token, "lexeme": f"{prefix_of(tenant)}{token}"}
                with connection.transaction():
                    _copy(connection, _rows(tenant, number * last, found, word, scopes))
                    for statement in _COPIED:
                        connection.execute(statement, about | told)
            connection.execute("VACUUM (ANALYZE)")
            store.index_vectors()
    return times * len(found)


def _copy(connection: psycopg.Connection[Any], rows: Iterator[Sequence[Any]]) -> None:
    columns = ", ".join(("tenant", "key", *COLUMNS, *FOLDED))
    with connection.cursor().copy(f"COPY memory_items ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _rows(
    tenant: int, shift: int, found: dict[int, Item], word: str, scopes: dict[str, int]
) -> Iterator[Sequence[Any]]:
    for key, item in found.items():
        made = replace(item, id=new_id(item.created_at), content=f"{item.content} {word}")
        row = to_row(
            made, scopes[str(made.scope)], content_hash(made.type, made.content), row_hash(snapshot(made))
        )
        yield (
            tenant,
            key + shift,
            *row,
            folded_lines("\n".join(made.tags)),
            folded_lines("\n".join(made.entities)),
        )
