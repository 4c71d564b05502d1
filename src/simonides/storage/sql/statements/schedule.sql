-- name: scopes_with_recent
-- Of the newest items only: how many there are does not matter.
SELECT s.path, max(i.created_at)
FROM (
    SELECT scope_key, created_at, type, tier, status FROM memory_items
    WHERE tenant = :tenant ORDER BY key DESC LIMIT :newest
) AS i JOIN memory_scopes AS s ON s.tenant = :tenant AND s.key = i.scope_key
WHERE i.status = 'active' AND i.tier = 'stm' AND i.type = ANY(:types) AND (:everywhere OR i.scope_key = ANY(:scope_keys))
GROUP BY s.path ORDER BY s.path
