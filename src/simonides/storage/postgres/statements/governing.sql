-- name: settled_items
-- The row's hash tells a cache whether it has the item as it is.
SELECT i.key, i.row_hash FROM memory_items AS i
WHERE i.tenant = :tenant AND i.status = 'active' AND (i.pinned = 1 OR i.validation = 'verified')
    AND i.scope_key = ANY(ARRAY(SELECT s.key FROM memory_scopes AS s WHERE s.tenant = :tenant AND s.path = ANY(:paths)))
ORDER BY i.key
