-- name: items_by_key
-- planned: once
SELECT /*row*/ FROM memory_item_rows AS r WHERE r.tenant = :tenant AND r.key = ANY(:keys) ORDER BY r.key

-- name: items_by_id
-- planned: once
SELECT /*row*/ FROM memory_item_rows AS r WHERE r.tenant = :tenant AND r.id = ANY(:ids) ORDER BY r.id

-- name: items_latest_first
SELECT i.key FROM memory_items AS i WHERE i.tenant = :tenant AND /*conditions*/
ORDER BY CASE WHEN i.event_at IS NULL THEN i.created_at ELSE i.event_at END DESC, i.key DESC LIMIT :limit

-- name: behind_latest
(CASE WHEN i.event_at IS NULL THEN i.created_at ELSE i.event_at END, i.key) < (
    SELECT coalesce(b.event_at, b.created_at), b.key FROM memory_items AS b WHERE b.tenant = :tenant AND b.key = :behind
)

-- name: move_vectors
-- Scope, standing and expiry stand beside the vectors, too.
UPDATE memory_embeddings AS e SET
    scope_key = i.scope_key, standing = CASE i.status WHEN 'active' THEN 0 WHEN 'archived' THEN 1 ELSE -1 END,
    expires_at = i.expires_at
FROM memory_items AS i
WHERE e.tenant = :tenant AND e.item = :key AND i.tenant = :tenant AND i.key = :key

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
