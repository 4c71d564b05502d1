-- name: put_run
INSERT INTO memory_runs (
    tenant, key, id, job, trigger, scope, started_at, ended_at, status, counts, notes, error, lease_until, parent, undoes
)
VALUES (
    :tenant, (SELECT coalesce(max(r.key), 0) + 1 FROM memory_runs AS r WHERE r.tenant = :tenant),
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
)
ON CONFLICT (tenant, id) DO UPDATE SET
    ended_at = excluded.ended_at, status = excluded.status, counts = excluded.counts, notes = excluded.notes,
    error = excluded.error, lease_until = excluded.lease_until

-- name: links_undone_of_ids
SELECT coalesce(i.id, simonides_without_nul(c.details)::json ->> 'moved_item'), o.id, simonides_without_nul(c.details)::json ->> 'rel'
FROM memory_run_changes AS c
JOIN memory_items AS o ON o.tenant = c.tenant AND o.key = c.other
LEFT JOIN memory_items AS i ON i.tenant = c.tenant AND i.key = c.item
WHERE c.tenant = :tenant AND c.kind = 'link' AND c.undone_by IS NOT NULL AND simonides_without_nul(c.details)::json ->> 'rel' = ANY(:relations)
    AND c.other = ANY(ARRAY(SELECT o.key FROM memory_items AS o WHERE o.tenant = :tenant AND o.id = ANY(:ids)))
