-- name: add_revision
INSERT INTO memory_revisions (tenant, item, number, at, reason, run_id, snapshot, row_hash, key)
VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: last_revisions
-- Of some items by their ids: their keys, and the numbers of their last revisions.
SELECT i.key, (SELECT coalesce(max(r.number), 0) FROM memory_revisions AS r WHERE r.tenant = :tenant AND r.item = i.key)
FROM memory_items AS i WHERE i.tenant = :tenant AND i.id = ANY(:ids)

-- name: states_as_of
-- Of each item the newest revision not after an instant.
SELECT DISTINCT ON (r.item) r.item, r.snapshot, r.number, r.at, r.reason, r.row_hash
FROM memory_revisions AS r
WHERE r.tenant = :tenant AND r.at <= :at
ORDER BY r.item, r.number DESC

-- name: purge_injections
-- The question of an injection repeats words of what it brought.
DELETE FROM memory_injections AS n
WHERE n.tenant = :tenant
    AND EXISTS (SELECT 1 FROM json_array_elements(n.items::json) AS e (entry) WHERE e.entry ->> 0 = :item_id)

-- name: said_today
SELECT key, title, content, entities FROM memory_items WHERE tenant = :tenant AND key = ANY(:keys)

-- name: vectors_with_models
SELECT e.item, m.name, m.fingerprint, m.dimension, e.vector
FROM memory_embeddings AS e JOIN memory_models AS m ON m.tenant = e.tenant AND m.key = e.model
WHERE e.tenant = :tenant AND e.item = ANY(:keys) ORDER BY e.item, m.key
