-- name: key_of_item
SELECT key FROM memory_items WHERE tenant = :tenant AND id = :id

-- name: items_by_key
-- planned: once
SELECT /*row*/ FROM memory_item_rows AS r WHERE r.tenant = :tenant AND r.key = ANY(:keys) ORDER BY r.key

-- name: items_by_id
-- planned: once
SELECT /*row*/ FROM memory_item_rows AS r WHERE r.tenant = :tenant AND r.id = ANY(:ids) ORDER BY r.id

-- name: items_oldest_first
SELECT i.key FROM memory_items AS i WHERE i.tenant = :tenant AND /*conditions*/ ORDER BY i.key LIMIT :limit

-- name: items_newest_first
SELECT i.key FROM memory_items AS i WHERE i.tenant = :tenant AND /*conditions*/ ORDER BY i.key DESC LIMIT :limit

-- name: items_latest_first
SELECT i.key FROM memory_items AS i WHERE i.tenant = :tenant AND /*conditions*/
ORDER BY CASE WHEN i.event_at IS NULL THEN i.created_at ELSE i.event_at END DESC, i.key DESC LIMIT :limit

-- name: pinned_items
SELECT i.key FROM memory_items AS i
WHERE i.tenant = :tenant AND i.pinned = 1 AND i.status = 'active' AND /*conditions*/
ORDER BY i.importance DESC, i.id LIMIT :limit

-- name: expiring_items
SELECT i.key FROM memory_items AS i
WHERE i.tenant = :tenant AND i.expires_at IS NOT NULL AND /*conditions*/
ORDER BY i.expires_at, i.id LIMIT :limit

-- name: items_weakest_first
SELECT i.key FROM memory_items AS i JOIN memory_item_rows AS r ON r.tenant = i.tenant AND r.key = i.key
WHERE i.tenant = :tenant AND r.tenant = :tenant AND /*conditions*/
ORDER BY effective_confidence(r.confidence, r.decay_rate, coalesce(r.last_used_at, r.created_at), :now), i.key
LIMIT :limit

-- name: behind_oldest
i.key > :behind

-- name: behind_newest
i.key < :behind

-- name: behind_latest
(CASE WHEN i.event_at IS NULL THEN i.created_at ELSE i.event_at END, i.key) < (
    SELECT coalesce(b.event_at, b.created_at), b.key FROM memory_items AS b WHERE b.tenant = :tenant AND b.key = :behind
)

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

-- name: move_vectors
-- Scope, standing and expiry stand beside the vectors, too.
UPDATE memory_embeddings AS e SET
    scope_key = i.scope_key, standing = CASE i.status WHEN 'active' THEN 0 WHEN 'archived' THEN 1 ELSE -1 END,
    expires_at = i.expires_at
FROM memory_items AS i
WHERE e.tenant = :tenant AND e.item = :key AND i.tenant = :tenant AND i.key = :key

-- name: delete_item
DELETE FROM memory_items WHERE tenant = :tenant AND key = :key

-- name: scope_key
SELECT key FROM memory_scopes WHERE tenant = :tenant AND path = :path

-- name: scope_keys
-- planned: once
SELECT path, key FROM memory_scopes WHERE tenant = :tenant AND path = ANY(:paths)

-- name: every_scope
SELECT path FROM memory_scopes WHERE tenant = :tenant ORDER BY path

-- name: add_scope
INSERT INTO memory_scopes (tenant, key, path, project)
SELECT :tenant, coalesce(max(s.key), 0) + 1, :path, :project FROM memory_scopes AS s WHERE s.tenant = :tenant
ON CONFLICT (tenant, path) DO UPDATE SET path = excluded.path RETURNING key

-- name: item_counts
SELECT s.path, i.status, i.type, i.tier, count(*)
FROM memory_items AS i JOIN memory_scopes AS s ON s.tenant = i.tenant AND s.key = i.scope_key
WHERE i.tenant = :tenant AND /*conditions*/ GROUP BY s.path, i.status, i.type, i.tier

-- name: store_size
-- Bytes of the tenant's rows: twice the same, for there is no file of its own that could be larger.
WITH bytes AS (
    SELECT (
        (SELECT coalesce(sum(pg_column_size(i.*)), 0) FROM memory_items AS i WHERE i.tenant = :tenant)
        + (SELECT coalesce(sum(pg_column_size(w.*)), 0) FROM memory_words AS w WHERE w.tenant = :tenant)
        + (SELECT coalesce(sum(pg_column_size(r.*)), 0) FROM memory_revisions AS r WHERE r.tenant = :tenant)
        + (SELECT coalesce(sum(pg_column_size(e.*)), 0) FROM memory_embeddings AS e WHERE e.tenant = :tenant)
    )::bigint AS live
)
SELECT live, live FROM bytes

-- name: every_item
SELECT /*row*/ FROM memory_item_rows AS r WHERE r.tenant = :tenant ORDER BY r.key

-- name: items_without_revision
SELECT i.id FROM memory_items AS i
WHERE i.tenant = :tenant AND NOT EXISTS (
    SELECT 1 FROM memory_revisions AS r WHERE r.tenant = :tenant AND r.item = i.key AND r.row_hash = i.row_hash
)
ORDER BY i.key

-- name: sketches
-- planned: once
-- The sender of a turn is the first of its entities.
SELECT /*sketch*/
FROM memory_items AS i LEFT JOIN memory_usage AS u ON u.tenant = i.tenant AND u.item = i.key
WHERE i.tenant = :tenant AND i.key = ANY(:keys)
ORDER BY i.key

-- name: known_entities
SELECT id FROM memory_entities WHERE tenant = :tenant AND id = ANY(:ids)

-- name: state
-- planned: once
-- Last change and last key, and what a search need not look for because there is none of it.
SELECT h.last_change, h.last_key,
    EXISTS (SELECT 1 FROM memory_items AS i WHERE i.tenant = :tenant AND i.superseded_by IS NOT NULL),
    EXISTS (SELECT 1 FROM corpora AS c WHERE c.tenant = :tenant),
    EXISTS (SELECT 1 FROM memory_items AS i WHERE i.tenant = :tenant AND i.pinned = 1 AND i.status = 'active'),
    (SELECT coalesce(json_agg(m.fingerprint ORDER BY m.key), '[]')::text FROM memory_models AS m WHERE m.tenant = :tenant)
FROM memory_heads AS h WHERE h.tenant = :tenant

-- name: head
SELECT epoch, last_key, last_change, last_revision, commits, worded, tokens, audit_key, audit_head, names_after, names_until
FROM memory_heads WHERE tenant = :tenant

-- name: lock_head
-- One writer for each tenant at a time.
SELECT epoch, last_key, last_change, last_revision, commits, worded, tokens, audit_key, audit_head, names_after, names_until
FROM memory_heads WHERE tenant = :tenant FOR UPDATE

-- name: put_head
UPDATE memory_heads SET
    last_key = :last_key, last_change = :last_change, last_revision = :last_revision, commits = :commits,
    worded = worded + :more_worded, tokens = tokens + :more_tokens, audit_head = :audit_head, names_after = :names_after, names_until = :names_until
WHERE tenant = :tenant

-- name: make_head
INSERT INTO memory_heads (tenant, epoch, audit_key, audit_head) VALUES (:tenant, :epoch, :audit_key, :audit_head)
ON CONFLICT (tenant) DO NOTHING

-- name: last_item_key
SELECT last_key FROM memory_heads WHERE tenant = :tenant

-- name: versions
SELECT current_setting('server_version'), (SELECT extversion FROM pg_extension WHERE extname = 'vector'),
    (SELECT max(version) FROM simonides_schema), current_setting('data_checksums'),
    CASE WHEN row_security_active('memory_items') THEN 'holds for this role' ELSE 'does not hold for this role' END
