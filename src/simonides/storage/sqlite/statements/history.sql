-- name: revisions_of_item
SELECT number, at, reason, run_id, snapshot FROM memory_revisions WHERE item = :item ORDER BY number

-- name: revision
SELECT number, at, reason, run_id, snapshot FROM memory_revisions WHERE item = :item AND number = :number

-- name: add_revision
INSERT INTO memory_revisions (item, number, at, reason, run_id, snapshot, row_hash) VALUES (?, ?, ?, ?, ?, ?, ?)

-- name: last_revision
SELECT coalesce(max(number), 0) FROM memory_revisions WHERE item = :item

-- name: states_as_of
-- Of each item the newest revision not after an instant, and whether it is as it was sealed.
SELECT r.item, r.snapshot, r.number, r.at, r.reason,
    r.seal = seal_of('memory_revisions', r.key, r.item, r.number, r.at, r.reason, r.run_id, r.snapshot, r.row_hash)
FROM memory_revisions AS r
WHERE r.at <= :at AND r.number = (
    SELECT max(number) FROM memory_revisions AS n WHERE n.item = r.item AND n.at <= :at
)
ORDER BY r.item

-- name: former_states_as_of
-- The same of items that have changed since.
SELECT r.item, r.snapshot, r.number, r.at, r.reason,
    r.seal = seal_of('memory_revisions', r.key, r.item, r.number, r.at, r.reason, r.run_id, r.snapshot, r.row_hash)
FROM memory_revisions AS r
WHERE r.at <= :at AND r.number = (
    SELECT max(number) FROM memory_revisions AS n WHERE n.item = r.item AND n.at <= :at
) AND EXISTS (SELECT 1 FROM memory_revisions AS n WHERE n.item = r.item AND n.number > r.number)
ORDER BY r.item

-- name: standing_since
-- Items whose last state is not later than an instant.
SELECT i.key, s.path
FROM memory_items AS i JOIN memory_scopes AS s ON s.key = i.scope_key JOIN memory_revisions AS r ON r.item = i.key
WHERE r.at <= :at AND r.number = (SELECT max(number) FROM memory_revisions AS n WHERE n.item = i.key)
ORDER BY i.key

-- name: rows_of_items
SELECT i.key, /*columns*/ FROM memory_items AS i WHERE i.key IN (SELECT value FROM carray(:keys)) ORDER BY i.key

-- name: last_states_of_items
SELECT r.item, r.number, r.at, r.reason, NULL, r.snapshot, r.row_hash
FROM memory_revisions AS r
WHERE r.item IN (SELECT value FROM carray(:keys))
    AND r.number = (SELECT max(number) FROM memory_revisions AS n WHERE n.item = r.item)
ORDER BY r.item

-- name: vectors_by_key
SELECT item, model, checksum, vector FROM memory_embeddings
WHERE item IN (SELECT value FROM carray(:keys)) ORDER BY item, model

-- name: mentions_of_items
SELECT src, dst, 0 FROM memory_links
WHERE src IN (SELECT value FROM carray(:keys)) AND rel = 'mentions' ORDER BY src, dst

-- name: entities_mentioned
SELECT DISTINCT dst FROM memory_links WHERE rel = 'mentions' ORDER BY dst

-- name: scopes_by_key
SELECT key, path, seal FROM memory_scopes

-- name: put_scope
INSERT INTO memory_scopes (key, path, seal) VALUES (?, ?, ?)

-- name: models_by_key
SELECT key, name, fingerprint, dimension FROM memory_models

-- name: put_model
INSERT INTO memory_models (key, name, fingerprint, dimension) VALUES (?, ?, ?, ?)

-- name: lift_uniqueness
-- For a view of the past: with a clock that was set back, what was never there together may be dated so.
DROP INDEX memory_items_content;
DROP INDEX memory_items_turn_id;
DROP INDEX memory_items_turn

-- name: verdict_of_item
SELECT verdict, reasons, why_store, actor, at, wished FROM memory_verdicts WHERE item = :item

-- name: every_verdict
SELECT verdict, reasons, why_store, actor, at, wished FROM memory_verdicts

-- name: put_verdict
INSERT INTO memory_verdicts (item, verdict, reasons, why_store, actor, at, wished) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (item) DO UPDATE SET
    verdict = excluded.verdict, reasons = excluded.reasons,
    why_store = coalesce(excluded.why_store, why_store), actor = excluded.actor, at = excluded.at,
    wished = coalesce(excluded.wished, wished)

-- name: events_newest_first
SELECT number, at, action, item_id, scope, actor, details, content_hash FROM memory_events
WHERE :action IS NULL OR action = :action
ORDER BY number DESC LIMIT :limit

-- name: events_of_items
SELECT number, at, action, item_id, scope, actor, details, content_hash FROM memory_events
WHERE item_id IN (SELECT value FROM carray(:item_ids)) AND (:action IS NULL OR action = :action)
ORDER BY number DESC LIMIT :limit

-- name: events_in_order
SELECT number, at, action, item_id, scope, actor, details, content_hash, hash FROM memory_events ORDER BY number

-- name: add_event
INSERT INTO memory_events (number, at, action, item_id, scope, actor, details, content_hash, hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: fact
SELECT value FROM meta WHERE name = :name

-- name: things
SELECT type, name, sql FROM sqlite_schema

-- name: facts
SELECT name, value FROM meta

-- name: put_fact
INSERT INTO meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- name: add_injection
INSERT INTO memory_injections (id, at, scope, session_id, mode, query, items, tokens) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO NOTHING

-- name: injection
SELECT id, at, scope, session_id, mode, query, items, tokens FROM memory_injections WHERE id = :id

-- name: every_injection
SELECT id, at, scope, session_id, mode, query, items, tokens FROM memory_injections

-- name: injections_newest_first
SELECT id, at, scope, session_id, mode, query, items, tokens FROM memory_injections
ORDER BY at DESC, id DESC LIMIT :limit

-- name: injections_of_session
SELECT id, at, scope, session_id, mode, query, items, tokens FROM memory_injections
WHERE session_id = :session_id
ORDER BY at DESC, id DESC LIMIT :limit

-- name: purge_revisions
DELETE FROM memory_revisions WHERE item = :item

-- name: purge_injections
-- The question of an injection repeats words of what it brought.
DELETE FROM memory_injections
WHERE EXISTS (SELECT 1 FROM json_each(items) WHERE json_extract(value, '$[0]') = :item_id)

-- name: every_revision
SELECT key, item, number, snapshot, row_hash FROM memory_revisions ORDER BY key

-- name: revisions_with_hashes
SELECT number, at, reason, run_id, snapshot, row_hash FROM memory_revisions WHERE item = :item ORDER BY number

-- name: all_revised_keys
SELECT DISTINCT item FROM memory_revisions ORDER BY item

-- name: merged_items
-- `i` is the item that took the place; a correction takes one, too, but is no merge.
SELECT m.id, m.superseded_by, coalesce(m.corpus_id, m.session_id, ''), coalesce(m.source_id, '')
FROM memory_items AS m INDEXED BY memory_items_superseded
JOIN memory_items AS i ON i.id = m.superseded_by
JOIN memory_revisions AS r ON r.item = i.key AND r.number = 1
WHERE m.superseded_by IS NOT NULL AND r.reason IN ('consolidation_merge', 'delta_consolidation_merge') AND /*conditions*/
ORDER BY m.key LIMIT :limit
