-- name: settled_items
-- The row's hash tells a cache whether it has the item as it is.
SELECT i.key, i.row_hash FROM memory_items AS i
WHERE i.tenant = :tenant AND i.status = 'active' AND (i.pinned = 1 OR i.validation = 'verified')
    AND i.scope_key = ANY(ARRAY(SELECT s.key FROM memory_scopes AS s WHERE s.tenant = :tenant AND s.path = ANY(:paths)))
ORDER BY i.key

-- name: only_files_brought
-- Items of which the log has nothing but that a file brought them for which nobody vouched.
SELECT item_id FROM memory_events WHERE tenant = :tenant AND item_id = ANY(:ids)
GROUP BY item_id
HAVING bool_and(action = 'load' AND (details::json ->> 'vouched') IS NOT DISTINCT FROM 'false')
