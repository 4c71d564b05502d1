-- name: settled_items
-- The row's hash tells a cache whether it has the item as it is.
SELECT i.key, i.row_hash FROM memory_items AS i INDEXED BY memory_items_settled
WHERE i.status = 'active' AND (i.pinned = 1 OR i.validation = 'verified')
    AND i.scope_key IN (SELECT s.key FROM memory_scopes AS s WHERE s.path IN (SELECT value FROM carray(:paths)))
