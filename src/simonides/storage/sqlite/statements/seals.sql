-- name: sealed_tables
-- With whether a row has a number, which its key is then.
SELECT t.name, NOT t.wr FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
WHERE t.schema = 'main' AND t.type = 'table' AND c.name = 'seal' ORDER BY t.name

-- name: columns_of
SELECT name, pk, type FROM pragma_table_info(?) ORDER BY cid

-- name: add_row
INSERT INTO /*table*/ (/*columns*/, seal) VALUES (/*row*/, ?)

-- name: last_key
SELECT coalesce(max(/*key*/), 0) FROM /*table*/

-- name: seal_row
UPDATE /*table*/ SET seal = seal_of('/*table*/', /*columns*/) WHERE (/*key*/) = (/*values*/)

-- name: seal_rows
UPDATE /*table*/ SET seal = seal_of('/*table*/', /*columns*/)

-- name: broken_seals
SELECT /*key*/ FROM /*table*/ WHERE seal <> seal_of('/*table*/', /*columns*/)

-- name: sound_items
-- Items as `items_by_key` gives them, with whether each is as it was sealed, and its scope.
-- What cannot be compared, for want of a key, counts as sound. A scope is compared once, however many items are of it.
SELECT r.*,
    (SELECT coalesce(seal = seal_of('memory_items', /*columns*/), TRUE) FROM memory_items WHERE key = r.key)
    AND r.scope_key IN (
        SELECT key FROM memory_scopes
        WHERE key IN (SELECT scope_key FROM memory_items WHERE key IN (SELECT value FROM carray(:keys)))
            AND coalesce(seal = seal_of('memory_scopes', key, path), TRUE)
    )
FROM memory_item_rows AS r WHERE r.key IN (SELECT value FROM carray(:keys))

-- name: sound_entities
SELECT id FROM memory_entities
WHERE id IN (SELECT value FROM carray(:ids)) AND coalesce(seal = seal_of('memory_entities', /*columns*/), TRUE)

-- name: states_of_items
SELECT id, row_hash FROM memory_items ORDER BY key

-- name: states_in_the_log
-- What the log says of the states of items; after a purge there is none.
SELECT item_id, action, details FROM memory_events
WHERE action IN ('seal', 'purge') OR details LIKE '%"state"%' ORDER BY number

-- name: broken_revisions_of_item
SELECT number FROM memory_revisions
WHERE item = :item
    AND seal <> seal_of('memory_revisions', key, item, number, at, reason, run_id, snapshot, row_hash)

-- name: counters
-- What SQLite has given as the last key, and what it must have been.
SELECT 'memory_items', coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory_items'), 0), max(
    coalesce((SELECT max(key) FROM memory_items), 0), coalesce((SELECT max(item) FROM memory_changes), 0)
)
UNION ALL SELECT 'memory_changes', coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory_changes'), 0),
    coalesce((SELECT max(change) FROM memory_changes), 0)
