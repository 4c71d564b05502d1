-- name: add_revision
INSERT INTO memory_revisions (item, number, at, reason, run_id, snapshot, row_hash) VALUES (?, ?, ?, ?, ?, ?, ?)

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

-- name: fact
SELECT value FROM meta WHERE name = :name

-- name: things
SELECT type, name, sql FROM sqlite_schema

-- name: facts
SELECT name, value FROM meta

-- name: put_fact
INSERT INTO meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- name: purge_injections
-- The question of an injection repeats words of what it brought.
DELETE FROM memory_injections
WHERE EXISTS (SELECT 1 FROM json_each(items) WHERE json_extract(value, '$[0]') = :item_id)

-- name: all_revised_keys
SELECT DISTINCT item FROM memory_revisions ORDER BY item
