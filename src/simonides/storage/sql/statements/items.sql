-- name: key_of_item
SELECT key FROM memory_items WHERE tenant = :tenant AND id = :id

-- name: items_oldest_first
SELECT i.key FROM memory_items AS i WHERE i.tenant = :tenant AND /*conditions*/ ORDER BY i.key LIMIT :limit

-- name: items_newest_first
SELECT i.key FROM memory_items AS i WHERE i.tenant = :tenant AND /*conditions*/ ORDER BY i.key DESC LIMIT :limit

-- name: pinned_items
SELECT i.key FROM memory_items AS i /*INDEXED BY memory_items_pinned*/
WHERE i.tenant = :tenant AND i.pinned = 1 AND i.status = 'active' AND /*conditions*/
ORDER BY i.importance DESC, i.id LIMIT :limit

-- name: expiring_items
SELECT i.key FROM memory_items AS i /*INDEXED BY memory_items_expiring*/
WHERE i.tenant = :tenant AND i.expires_at IS NOT NULL AND /*conditions*/
ORDER BY i.expires_at, i.id LIMIT :limit

-- name: items_weakest_first
-- Effective confidence is computed by the registered function, from base, rate and last use.
SELECT i.key FROM memory_items AS i JOIN memory_item_rows AS r ON r.tenant = i.tenant AND r.key = i.key
WHERE i.tenant = :tenant AND r.tenant = :tenant AND /*conditions*/
ORDER BY effective_confidence(r.confidence, r.decay_rate, coalesce(r.last_used_at, r.created_at), :now), i.key
LIMIT :limit

-- name: behind_oldest
i.key > :behind

-- name: behind_newest
i.key < :behind

-- name: behind_pinned
(-i.importance, i.id) > (
    SELECT -b.importance, b.id FROM memory_items AS b WHERE b.tenant = :tenant AND b.key = :behind
)

-- name: behind_expiry
(i.expires_at, i.id) > (SELECT b.expires_at, b.id FROM memory_items AS b WHERE b.tenant = :tenant AND b.key = :behind)

-- name: behind_weakest
(effective_confidence(r.confidence, r.decay_rate, coalesce(r.last_used_at, r.created_at), :now), i.key) > (
    SELECT effective_confidence(b.confidence, b.decay_rate, coalesce(b.last_used_at, b.created_at), :now), b.key
    FROM memory_item_rows AS b WHERE b.tenant = :tenant AND b.key = :behind
)

-- name: count_items
SELECT count(*) FROM memory_items AS i WHERE i.tenant = :tenant AND /*conditions*/

-- name: addresses
-- Of records alone, for which the selection asks.
SELECT i.source_id FROM memory_items AS i WHERE i.tenant = :tenant AND /*conditions*/ ORDER BY i.source_id

-- name: keys_that_pass
-- planned: once
SELECT i.key FROM memory_items AS i WHERE i.tenant = :tenant AND i.key = ANY(:keys) AND /*conditions*/

-- name: holders_of_content
SELECT content_hash, id FROM memory_items
WHERE tenant = :tenant AND scope_key = :scope_key AND content_hash = ANY(:hashes::bytea[]) AND status = :status
    AND status <> 'archived' AND type NOT IN ('episode', 'chunk', 'record')

-- name: insert_item
INSERT INTO memory_items (tenant, key, /*columns*/) VALUES (:tenant, /*values*/)

-- name: update_item
UPDATE memory_items SET /*assignments*/ WHERE tenant = :tenant AND key = ?

-- name: delete_item
DELETE FROM memory_items WHERE tenant = :tenant AND key = :key

-- name: scope_key
SELECT key FROM memory_scopes WHERE tenant = :tenant AND path = :path

-- name: scope_keys
-- planned: once
SELECT path, key FROM memory_scopes WHERE tenant = :tenant AND path = ANY(:paths)

-- name: every_scope
SELECT path FROM memory_scopes WHERE tenant = :tenant ORDER BY path

-- name: items_without_revision
SELECT i.id FROM memory_items AS i
WHERE i.tenant = :tenant AND NOT EXISTS (
    SELECT 1 FROM memory_revisions AS r WHERE r.tenant = :tenant AND r.item = i.key AND r.row_hash = i.row_hash
)
ORDER BY i.key
