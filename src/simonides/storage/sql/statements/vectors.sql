-- name: event_hash
SELECT hash FROM memory_events WHERE tenant = :tenant AND number = :number

-- name: changes_up_to
SELECT change, item FROM memory_changes WHERE tenant = :tenant AND change <= :change ORDER BY change DESC LIMIT :limit

-- name: every_standing
-- Scope and status of every item, from an index that holds both.
SELECT key, scope_key, status FROM memory_items /*INDEXED BY memory_items_by_scope*/ WHERE tenant = :tenant

-- name: every_expiry
SELECT key, expires_at FROM memory_items WHERE tenant = :tenant AND expires_at IS NOT NULL

-- name: changed_vectors
SELECT c.item, i.scope_key, i.status, i.expires_at, e.vector
FROM (SELECT DISTINCT item FROM memory_changes WHERE tenant = :tenant AND change > :since) AS c
LEFT JOIN memory_items AS i ON i.tenant = :tenant AND i.key = c.item
LEFT JOIN memory_embeddings AS e ON e.tenant = :tenant AND e.item = c.item AND e.model = (
    SELECT m.key FROM memory_models AS m WHERE m.tenant = :tenant AND m.fingerprint = :model
)
ORDER BY c.item

-- name: model
SELECT key, dimension FROM memory_models WHERE tenant = :tenant AND fingerprint = :fingerprint

-- name: drop_vectors_of_item
DELETE FROM memory_embeddings WHERE tenant = :tenant AND item = :item

-- name: drop_model_without_vectors
DELETE FROM memory_models AS m
WHERE m.tenant = :tenant AND m.fingerprint = :fingerprint
    AND NOT EXISTS (SELECT 1 FROM memory_embeddings AS e WHERE e.tenant = :tenant AND e.model = m.key)

-- name: rename_model
UPDATE memory_models SET fingerprint = :becomes WHERE tenant = :tenant AND fingerprint = :fingerprint RETURNING key
