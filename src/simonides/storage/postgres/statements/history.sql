-- name: revisions_of_item
SELECT number, at, reason, run_id, snapshot FROM memory_revisions
WHERE tenant = :tenant AND item = :item ORDER BY number

-- name: revision
SELECT number, at, reason, run_id, snapshot FROM memory_revisions
WHERE tenant = :tenant AND item = :item AND number = :number

-- name: add_revision
INSERT INTO memory_revisions (tenant, item, number, at, reason, run_id, snapshot, row_hash, key)
VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: last_revision
SELECT coalesce(max(number), 0) FROM memory_revisions WHERE tenant = :tenant AND item = :item

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

-- name: verdict_of_item
SELECT verdict, reasons, why_store, actor, at, wished FROM memory_verdicts WHERE tenant = :tenant AND item = :item

-- name: every_verdict
SELECT verdict, reasons, why_store, actor, at, wished FROM memory_verdicts WHERE tenant = :tenant

-- name: put_verdict
INSERT INTO memory_verdicts (tenant, item, verdict, reasons, why_store, actor, at, wished)
VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, item) DO UPDATE SET
    verdict = excluded.verdict, reasons = excluded.reasons,
    why_store = coalesce(excluded.why_store, memory_verdicts.why_store), actor = excluded.actor, at = excluded.at,
    wished = coalesce(excluded.wished, memory_verdicts.wished)

-- name: events_newest_first
SELECT number, at, action, item_id, scope, actor, details, content_hash FROM memory_events
WHERE tenant = :tenant AND (:action::text IS NULL OR action = :action)
ORDER BY number DESC LIMIT :limit

-- name: events_of_items
SELECT number, at, action, item_id, scope, actor, details, content_hash FROM memory_events
WHERE tenant = :tenant AND item_id = ANY(:item_ids) AND (:action::text IS NULL OR action = :action)
ORDER BY number DESC LIMIT :limit

-- name: events_in_order
SELECT number, at, action, item_id, scope, actor, details, content_hash, hash FROM memory_events
WHERE tenant = :tenant ORDER BY number

-- name: add_event
INSERT INTO memory_events (tenant, number, at, action, item_id, scope, actor, details, content_hash, hash)
VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: add_injection
INSERT INTO memory_injections (tenant, id, at, scope, session_id, mode, query, items, tokens)
VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, id) DO NOTHING

-- name: injection
SELECT id, at, scope, session_id, mode, query, items, tokens FROM memory_injections
WHERE tenant = :tenant AND id = :id

-- name: every_injection
SELECT id, at, scope, session_id, mode, query, items, tokens FROM memory_injections WHERE tenant = :tenant

-- name: injections_newest_first
SELECT id, at, scope, session_id, mode, query, items, tokens FROM memory_injections
WHERE tenant = :tenant ORDER BY at DESC, id DESC LIMIT :limit

-- name: injections_of_session
SELECT id, at, scope, session_id, mode, query, items, tokens FROM memory_injections
WHERE tenant = :tenant AND session_id = :session_id
ORDER BY at DESC, id DESC LIMIT :limit

-- name: purge_revisions
DELETE FROM memory_revisions WHERE tenant = :tenant AND item = :item

-- name: purge_injections
-- The question of an injection repeats words of what it brought.
DELETE FROM memory_injections AS n
WHERE n.tenant = :tenant
    AND EXISTS (SELECT 1 FROM json_array_elements(n.items::json) AS e (entry) WHERE e.entry ->> 0 = :item_id)

-- name: every_revision
SELECT key, item, number, snapshot, row_hash FROM memory_revisions WHERE tenant = :tenant ORDER BY key

-- name: revisions_with_hashes
SELECT number, at, reason, run_id, snapshot, row_hash FROM memory_revisions
WHERE tenant = :tenant AND item = :item ORDER BY number

-- name: merged_items
-- `i` is the item that took the place; a correction takes one, too, but is no merge.
SELECT m.id, m.superseded_by, coalesce(m.corpus_id, m.session_id, ''), coalesce(m.source_id, '')
FROM memory_items AS m
JOIN memory_items AS i ON i.tenant = m.tenant AND i.id = m.superseded_by
JOIN memory_revisions AS r ON r.tenant = i.tenant AND r.item = i.key AND r.number = 1
WHERE m.tenant = :tenant AND m.superseded_by IS NOT NULL
    AND r.reason IN ('consolidation_merge', 'delta_consolidation_merge') AND /*conditions*/
ORDER BY m.key LIMIT :limit

-- name: said_today
SELECT key, title, content, entities FROM memory_items WHERE tenant = :tenant AND key = ANY(:keys)

-- name: vectors_with_models
SELECT e.item, m.name, m.fingerprint, m.dimension, e.vector
FROM memory_embeddings AS e JOIN memory_models AS m ON m.tenant = e.tenant AND m.key = e.model
WHERE e.tenant = :tenant AND e.item = ANY(:keys) ORDER BY e.item, m.key
