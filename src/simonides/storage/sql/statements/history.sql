-- name: revisions_of_item
SELECT number, at, reason, run_id, snapshot FROM memory_revisions
WHERE tenant = :tenant AND item = :item ORDER BY number

-- name: revision
SELECT number, at, reason, run_id, snapshot FROM memory_revisions
WHERE tenant = :tenant AND item = :item AND number = :number

-- name: last_revision
SELECT coalesce(max(number), 0) FROM memory_revisions WHERE tenant = :tenant AND item = :item

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

-- name: every_revision
SELECT key, item, number, snapshot, row_hash FROM memory_revisions WHERE tenant = :tenant ORDER BY key

-- name: revisions_with_hashes
SELECT number, at, reason, run_id, snapshot, row_hash FROM memory_revisions
WHERE tenant = :tenant AND item = :item ORDER BY number

-- name: merged_items
-- `i` is the item that took the place; a correction takes one, too, but is no merge.
SELECT m.id, m.superseded_by, coalesce(m.corpus_id, m.session_id, ''), coalesce(m.source_id, '')
FROM memory_items AS m /*INDEXED BY memory_items_superseded*/
JOIN memory_items AS i ON i.tenant = m.tenant AND i.id = m.superseded_by
JOIN memory_revisions AS r ON r.tenant = i.tenant AND r.item = i.key AND r.number = 1
WHERE m.tenant = :tenant AND m.superseded_by IS NOT NULL
    AND r.reason IN ('consolidation_merge', 'delta_consolidation_merge') AND /*conditions*/
ORDER BY m.key LIMIT :limit
