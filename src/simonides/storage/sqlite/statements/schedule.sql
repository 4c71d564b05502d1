-- name: runs_over_scope
-- Runs of a job that took in a scope, or every one, last first.
SELECT id, job, trigger, scope, started_at, ended_at, status, counts, notes, error, lease_until, parent, undoes
FROM memory_runs WHERE job = :job AND scope IN ('ALL', :scope)
ORDER BY key DESC LIMIT :limit

-- name: scopes_with_recent
-- Of the newest items only: how many there are does not matter.
SELECT s.path, max(i.created_at)
FROM (
    SELECT scope_key, created_at, type, tier, status FROM memory_items ORDER BY key DESC LIMIT :newest
) AS i JOIN memory_scopes AS s ON s.key = i.scope_key
WHERE i.status = 'active' AND i.tier = 'stm' AND i.type IN (SELECT value FROM carray(:types))
    AND (:everywhere OR i.scope_key IN (SELECT value FROM carray(:scope_keys)))
GROUP BY s.path ORDER BY s.path

-- name: sessions_since
-- Of the sessions of a scope those that began or ended since; any of them.
SELECT count(*) FROM memory_sessions
WHERE scope_key = :scope_key AND (first_seen_at > :since OR ended_at > :since)
