-- name: last_change
SELECT last_change FROM memory_heads WHERE tenant = :tenant

-- name: note_changes
INSERT INTO memory_changes (tenant, change, item)
SELECT :tenant, :before + c.place, c.item FROM unnest(:items::bigint[]) WITH ORDINALITY AS c (item, place)

-- name: every_vector
SELECT e.item, e.vector FROM memory_embeddings AS e JOIN memory_models AS m ON m.tenant = e.tenant AND m.key = e.model
WHERE e.tenant = :tenant AND m.fingerprint = :model
ORDER BY e.item

-- name: add_model
INSERT INTO memory_models (tenant, key, name, fingerprint, dimension)
SELECT :tenant, coalesce(max(m.key), 0) + 1, :name, :fingerprint, :dimension FROM memory_models AS m
WHERE m.tenant = :tenant
RETURNING key, dimension

-- name: models
SELECT m.name, m.fingerprint, m.dimension, count(e.item)
FROM memory_models AS m
LEFT JOIN memory_embeddings AS e ON e.tenant = m.tenant AND e.model = m.key AND e.vector IS NOT NULL
WHERE m.tenant = :tenant AND m.fingerprint NOT LIKE 'aside:%'
GROUP BY m.key, m.name, m.fingerprint, m.dimension ORDER BY m.key

-- name: put_vector
INSERT INTO memory_embeddings (tenant, item, model, scope_key, standing, expires_at, checksum, vector)
SELECT :tenant, i.key, v.model, i.scope_key, CASE i.status WHEN 'active' THEN 0 WHEN 'archived' THEN 1 ELSE -1 END,
    i.expires_at, v.checksum, v.vector
FROM (VALUES (?::bigint, ?::integer, ?::bigint, ?::halfvec)) AS v (item, model, checksum, vector)
JOIN memory_items AS i ON i.tenant = :tenant AND i.key = v.item
ON CONFLICT (tenant, model, item) DO UPDATE SET
    checksum = excluded.checksum, vector = excluded.vector, scope_key = excluded.scope_key,
    standing = excluded.standing, expires_at = excluded.expires_at

-- name: drop_vectors_of_model
DELETE FROM memory_embeddings AS e USING memory_models AS m
WHERE e.tenant = :tenant AND m.tenant = :tenant AND m.key = e.model AND m.fingerprint = :fingerprint
RETURNING e.item

-- name: drop_vector
DELETE FROM memory_embeddings AS e USING memory_models AS m
WHERE e.tenant = :tenant AND m.tenant = :tenant AND m.key = e.model AND m.fingerprint = :fingerprint AND e.item = :item

-- name: note_vectors_of_model
-- Whoever holds the vectors of the model in memory looks at them anew.
SELECT item FROM memory_embeddings WHERE tenant = :tenant AND model = :model ORDER BY item

-- name: give_vectors_to_model
UPDATE memory_embeddings AS e SET model = b.key
FROM memory_models AS a, memory_models AS b
WHERE e.tenant = :tenant AND a.tenant = :tenant AND b.tenant = :tenant
    AND a.fingerprint = :fingerprint AND b.fingerprint = :becomes AND e.model = a.key
    AND NOT EXISTS (
        SELECT 1 FROM memory_embeddings AS x WHERE x.tenant = :tenant AND x.model = b.key AND x.item = e.item
    )
RETURNING e.item

-- name: models_set_aside
-- By the runs that set them aside, but for one run.
SELECT fingerprint FROM memory_models
WHERE tenant = :tenant AND fingerprint LIKE 'aside:%' AND NOT starts_with(fingerprint, 'aside:' || :run || ':')

-- name: count_lacking_vector
-- How many of the items that a search looks at have no vector of a model, and how many there are.
SELECT s.items - s.held, s.items FROM (
    SELECT (SELECT count(*) FROM memory_items AS i WHERE i.tenant = :tenant AND i.status = 'active') AS items, (
        SELECT count(*) FROM memory_embeddings AS e
        WHERE e.tenant = :tenant AND e.standing = 0 AND e.model = (
            SELECT m.key FROM memory_models AS m WHERE m.tenant = :tenant AND m.fingerprint = :fingerprint
        )
    ) AS held
) AS s

-- name: lacking_vector
-- Of some items, of those that changed, and of those that came since: which have no vector of a model.
SELECT i.key FROM (
    SELECT unnest(:keys::bigint[]) AS key
    UNION SELECT item FROM memory_changes WHERE tenant = :tenant AND change > :since
    UNION SELECT key FROM memory_items WHERE tenant = :tenant AND key > :extent
) AS c JOIN memory_items AS i ON i.tenant = :tenant AND i.key = c.key
WHERE i.status = 'active' AND NOT EXISTS (
    SELECT 1 FROM memory_embeddings AS e JOIN memory_models AS m ON m.tenant = e.tenant AND m.key = e.model
    WHERE e.tenant = :tenant AND e.item = i.key AND m.fingerprint = :fingerprint
)
ORDER BY i.key LIMIT :limit

-- name: every_checksum
SELECT e.item, m.dimension, e.checksum, e.vector
FROM memory_embeddings AS e JOIN memory_models AS m ON m.tenant = e.tenant AND m.key = e.model
WHERE e.tenant = :tenant ORDER BY e.item

-- name: vectors_of_items
SELECT i.id, e.vector
FROM memory_items AS i
JOIN memory_embeddings AS e ON e.tenant = i.tenant AND e.item = i.key
JOIN memory_models AS m ON m.tenant = e.tenant AND m.key = e.model
WHERE i.tenant = :tenant AND i.id = ANY(:ids) AND e.vector IS NOT NULL AND m.fingerprint = :fingerprint

-- name: vectors_of_keys
-- planned: once
SELECT e.item, e.vector
FROM memory_embeddings AS e JOIN memory_models AS m ON m.tenant = e.tenant AND m.key = e.model
WHERE e.tenant = :tenant AND e.item = ANY(:keys::bigint[]) AND e.vector IS NOT NULL AND m.fingerprint = :fingerprint

-- name: indexed_models
-- planned: once
SELECT fingerprint, key, dimension FROM memory_models WHERE tenant = :tenant AND indexed = 1

-- name: note_indexed
UPDATE memory_models SET indexed = 1 WHERE tenant = :tenant AND key = :model

-- name: unneeded_indexes
-- Indexes of a tenant whose models are gone, and of tenants that are gone; the archive's number is the tenant's below zero.
SELECT c.relname FROM (
    SELECT relname, split_part(relname, '_', 4)::integer AS tenant FROM pg_class
    WHERE relkind = 'i' AND relname ~ '^memory_embeddings_near_[-0-9]+_[0-9]+_[0-9]+$'
) AS c
WHERE (
    c.tenant = :tenant AND NOT EXISTS (
        SELECT 1 FROM memory_models AS m
        WHERE m.tenant = :tenant AND c.relname = format('memory_embeddings_near_%s_%s_%s', m.tenant, m.key, m.dimension)
    )
) OR NOT EXISTS (SELECT 1 FROM memory_tenants AS t WHERE abs(c.tenant) = t.tenant)

-- name: models_with_sizes
SELECT m.key, m.name, m.dimension, m.indexed, count(e.vector)
FROM memory_models AS m LEFT JOIN memory_embeddings AS e ON e.tenant = m.tenant AND e.model = m.key
WHERE m.tenant = :tenant AND m.fingerprint NOT LIKE 'aside:%'
GROUP BY m.key, m.name, m.dimension, m.indexed ORDER BY m.key
