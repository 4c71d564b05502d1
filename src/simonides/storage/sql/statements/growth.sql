-- name: last_revision_key
SELECT coalesce(max(key), 0) FROM memory_revisions WHERE tenant = :tenant

-- name: revised_at
SELECT at FROM memory_revisions WHERE tenant = :tenant AND key <= :key ORDER BY key DESC LIMIT 1

-- name: standing_items
SELECT i.type IN ('episode', 'chunk') AS raw, i.tier, count(*)
FROM memory_items AS i WHERE i.tenant = :tenant AND /*conditions*/ GROUP BY 1, 2

-- name: runs_in_periods
SELECT (started_at - :start) / :length AS period, status, scope, count(*)
FROM memory_runs
WHERE tenant = :tenant AND started_at >= :start AND job <> 'maintain'
    AND key > (SELECT coalesce(max(m.key), 0) FROM memory_runs AS m WHERE m.tenant = :tenant) - :most
GROUP BY 1, 2, 3
