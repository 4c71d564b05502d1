-- name: items_by_key
SELECT * FROM memory_item_rows WHERE key IN (SELECT value FROM carray(:keys))

-- name: items_by_id
SELECT * FROM memory_item_rows WHERE id IN (SELECT value FROM carray(:ids))

-- name: items_latest_first
-- By when what they tell happened, else was recorded.
SELECT i.key FROM memory_items AS i WHERE /*conditions*/
ORDER BY coalesce(i.event_at, i.created_at) DESC, i.key DESC LIMIT :limit

-- name: behind_latest
(coalesce(i.event_at, i.created_at), i.key) < (
    SELECT coalesce(event_at, created_at), key FROM memory_items WHERE key = :behind
)

-- name: last_item_key
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory_items'), 0)

-- name: add_scope
INSERT INTO memory_scopes (path) VALUES (:path) ON CONFLICT (path) DO UPDATE SET path = path RETURNING key

-- name: item_counts
SELECT s.path, i.status, i.type, i.tier, count(*)
FROM memory_items AS i JOIN memory_scopes AS s ON s.key = i.scope_key
WHERE /*conditions*/ GROUP BY i.scope_key, i.status, i.type, i.tier

-- name: store_size
SELECT page_count * page_size, (page_count - freelist_count) * page_size
FROM pragma_page_count, pragma_page_size, pragma_freelist_count

-- name: text_of_item
SELECT title, content FROM memory_items WHERE key = :item

-- name: every_item
SELECT * FROM memory_item_rows ORDER BY key

-- name: sketches
-- The sender of a turn is the first of its entities.
SELECT
    i.key, i.type, i.title, i.content, i.tags, i.derived,
    CASE i.type WHEN 'episode' THEN substr(i.entities, 1, instr(i.entities || char(10), char(10)) - 1) ELSE '' END,
    i.source_role, i.scope_key, i.session_id, i.ordinal, i.validation,
    min(1.0, i.confidence + coalesce(u.confidence_gain, 0)), i.importance, i.decay_rate, i.created_at,
    coalesce(i.event_at, i.created_at),
    coalesce(u.reinforcement, 0.0), u.last_used_at, u.last_hit_at, i.entities, i.source_kind,
    coalesce(i.source_details LIKE '%"content_hashes"%', 0), i.trust, i.pinned, i.valid_until, i.superseded_by,
    i.valid_from
FROM memory_items AS i LEFT JOIN memory_usage AS u ON u.item = i.key
WHERE i.key IN (SELECT value FROM carray(:keys))
ORDER BY i.key

-- name: all_indexed_keys
SELECT key FROM memory_items INDEXED BY memory_items_by_scope ORDER BY key

-- name: all_item_keys
SELECT key FROM memory_items ORDER BY key

-- name: state
-- Last change and last key, and what a search need not look for because there is none of it.
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory_changes'), 0),
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory_items'), 0),
    EXISTS (SELECT 1 FROM memory_items INDEXED BY memory_items_superseded WHERE superseded_by IS NOT NULL),
    EXISTS (SELECT 1 FROM corpora),
    EXISTS (SELECT 1 FROM memory_items INDEXED BY memory_items_pinned WHERE pinned = 1 AND status = 'active'),
    (SELECT json_group_array(fingerprint) FROM (SELECT fingerprint FROM memory_models ORDER BY key))
