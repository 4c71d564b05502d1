-- name: every_run
SELECT id, job, trigger, scope, started_at, ended_at, status, counts, notes, error, lease_until, parent, undoes
FROM memory_runs WHERE tenant = :tenant

-- name: runs_last_first
SELECT id, job, trigger, scope, started_at, ended_at, status, counts, notes, error, lease_until, parent, undoes
FROM memory_runs WHERE tenant = :tenant AND /*conditions*/
ORDER BY key DESC LIMIT :limit

-- name: run_changes
SELECT c.number, c.step, c.kind, i.id, o.id, e.id, c.before, c.after, c.details, c.undone_by
FROM memory_run_changes AS c
LEFT JOIN memory_items AS i ON i.tenant = c.tenant AND i.key = c.item
LEFT JOIN memory_items AS o ON o.tenant = c.tenant AND o.key = c.other
LEFT JOIN memory_entities AS e ON e.tenant = c.tenant AND e.key = c.entity
WHERE c.tenant = :tenant AND c.run = :run AND c.number > :after AND (NOT :left OR c.undone_by IS NULL)
ORDER BY c.number LIMIT :limit

-- name: add_run_change
INSERT INTO memory_run_changes (tenant, run, number, step, kind, item, other, entity, before, after, details)
VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: mark_undone
UPDATE memory_run_changes SET undone_by = :by WHERE tenant = :tenant AND run = :run AND number = ANY(:numbers)

-- name: purge_summary_changes
-- A summary may tell what a purged item told.
DELETE FROM memory_run_changes WHERE tenant = :tenant AND entity = :key

-- name: lease
SELECT holder, taken_at, until FROM memory_leases WHERE tenant = :tenant AND name = :name

-- name: take_lease
INSERT INTO memory_leases (tenant, name, holder, taken_at, until) VALUES (:tenant, ?, ?, ?, ?)
ON CONFLICT (tenant, name) DO UPDATE SET
    holder = excluded.holder, taken_at = excluded.taken_at, until = excluded.until

-- name: drop_lease
DELETE FROM memory_leases WHERE tenant = :tenant AND name = :name

-- name: drop_link
DELETE FROM memory_links WHERE tenant = :tenant AND src = :src AND dst = :dst AND rel = :rel

-- name: drop_verdict
DELETE FROM memory_verdicts WHERE tenant = :tenant AND item = :item

-- name: drop_place
DELETE FROM memory_palace_locations WHERE tenant = :tenant AND item = :item

-- name: bookmark
SELECT coalesce(max(a), 0) FROM memory_judged WHERE tenant = :tenant AND job = :job

-- name: note_judged
INSERT INTO memory_judged (tenant, job, a, b, at) VALUES (:tenant, :job, :a, :b, :at)
ON CONFLICT (tenant, job, a, b) DO NOTHING

-- name: forget_judged
DELETE FROM memory_judged WHERE tenant = :tenant AND job = :job AND a = :a AND b = :b

-- name: purge_judged
DELETE FROM memory_judged WHERE tenant = :tenant AND (a = :key OR b = :key)

-- name: set_usage
INSERT INTO memory_usage (tenant, item, reinforcement, usage_count, last_used_at, last_hit_at)
VALUES (:tenant, :item, :reinforcement, :usage_count, :last_used_at, :last_hit_at)
ON CONFLICT (tenant, item) DO UPDATE SET
    reinforcement = excluded.reinforcement, usage_count = excluded.usage_count,
    last_used_at = excluded.last_used_at, last_hit_at = excluded.last_hit_at

-- name: judged_pairs
SELECT j.job, a.id, b.id, j.at
FROM memory_judged AS j
JOIN memory_items AS a ON a.tenant = j.tenant AND a.key = j.a
JOIN memory_items AS b ON b.tenant = j.tenant AND b.key = j.b
WHERE j.tenant = :tenant AND /*conditions*/
ORDER BY j.job, j.a, j.b

-- name: standing_changes_of_item
SELECT c.run, r.started_at, c.details
FROM memory_run_changes AS c JOIN memory_runs AS r ON r.tenant = c.tenant AND r.id = c.run
WHERE c.tenant = :tenant AND c.item = :item AND c.kind = ANY(:kinds)
    AND (:other::bigint IS NULL OR c.other = :other) AND c.undone_by IS NULL AND r.undoes IS NULL
    AND (:after::text IS NULL OR r.key > (SELECT m.key FROM memory_runs AS m WHERE m.tenant = :tenant AND m.id = :after))
ORDER BY r.started_at DESC, c.number DESC

-- name: standing_changes_of_entity
SELECT c.run, r.started_at, c.details
FROM memory_run_changes AS c JOIN memory_runs AS r ON r.tenant = c.tenant AND r.id = c.run
WHERE c.tenant = :tenant AND c.entity = :entity AND c.kind = ANY(:kinds)
    AND c.undone_by IS NULL AND r.undoes IS NULL
    AND (:after::text IS NULL OR r.key > (SELECT m.key FROM memory_runs AS m WHERE m.tenant = :tenant AND m.id = :after))
ORDER BY r.started_at DESC, c.number DESC

-- name: links_undone
SELECT coalesce(i.id, simonides_without_nul(c.details)::json ->> 'moved_item'), o.id, simonides_without_nul(c.details)::json ->> 'rel'
FROM memory_run_changes AS c
JOIN memory_items AS o ON o.tenant = c.tenant AND o.key = c.other
LEFT JOIN memory_items AS i ON i.tenant = c.tenant AND i.key = c.item
WHERE c.tenant = :tenant AND c.other = ANY(:keys) AND c.kind = 'link' AND c.undone_by IS NOT NULL
    AND simonides_without_nul(c.details)::json ->> 'rel' = ANY(:relations)

-- name: links_undone_of_moved
SELECT coalesce(i.id, simonides_without_nul(c.details)::json ->> 'moved_item'), simonides_without_nul(c.details)::json ->> 'moved_other', simonides_without_nul(c.details)::json ->> 'rel'
FROM memory_run_changes AS c LEFT JOIN memory_items AS i ON i.tenant = c.tenant AND i.key = c.item
WHERE c.tenant = :tenant AND c.other IS NULL AND simonides_without_nul(c.details)::json ->> 'moved_other' = ANY(:ids)
    AND c.kind = 'link' AND c.undone_by IS NOT NULL AND simonides_without_nul(c.details)::json ->> 'rel' = ANY(:relations)

-- name: revision_stood_for
-- An undo makes a revision that stands for the one it restored; that may be one of an undo, too. The numbers fall.
WITH RECURSIVE standing (number) AS (
    SELECT max(number) FROM memory_revisions WHERE tenant = :tenant AND item = :item
    UNION
    SELECT (simonides_without_nul(c.details)::json ->> 'restores')::integer
    FROM standing AS s JOIN memory_run_changes AS c ON c.tenant = :tenant AND c.item = :item AND c.after = s.number
    WHERE simonides_without_nul(c.details)::json ->> 'restores' IS NOT NULL
)
SELECT coalesce(min(number), 0) FROM standing

-- name: keep_bookmarks
-- A job goes on behind the item before one that is purged, as it does in a copy, which knows no other.
INSERT INTO memory_judged (tenant, job, a, b, at)
SELECT :tenant, j.job, i.before, i.before, j.at
FROM memory_judged AS j
CROSS JOIN (SELECT max(key) AS before FROM memory_items WHERE tenant = :tenant AND key < :key) AS i
WHERE j.tenant = :tenant AND j.a = :key AND j.b = :key AND j.job LIKE '%:%' AND i.before IS NOT NULL
ON CONFLICT DO NOTHING
