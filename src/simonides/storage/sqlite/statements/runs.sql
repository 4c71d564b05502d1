-- name: every_run
SELECT id, job, trigger, scope, started_at, ended_at, status, counts, notes, error, lease_until, parent, undoes
FROM memory_runs

-- name: runs_last_first
SELECT id, job, trigger, scope, started_at, ended_at, status, counts, notes, error, lease_until, parent, undoes
FROM memory_runs WHERE /*conditions*/
ORDER BY key DESC LIMIT :limit

-- name: put_run
INSERT INTO memory_runs
    (id, job, trigger, scope, started_at, ended_at, status, counts, notes, error, lease_until, parent, undoes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    ended_at = excluded.ended_at, status = excluded.status, counts = excluded.counts, notes = excluded.notes,
    error = excluded.error, lease_until = excluded.lease_until

-- name: run_changes
SELECT c.number, c.step, c.kind, i.id, o.id, e.id, c.before, c.after, c.details, c.undone_by
FROM memory_run_changes AS c
LEFT JOIN memory_items AS i ON i.key = c.item
LEFT JOIN memory_items AS o ON o.key = c.other
LEFT JOIN memory_entities AS e ON e.key = c.entity
WHERE c.run = :run AND c.number > :after AND (NOT :left OR c.undone_by IS NULL)
ORDER BY c.number LIMIT :limit

-- name: standing_changes_of_item
SELECT c.run, r.started_at, c.details FROM memory_run_changes AS c JOIN memory_runs AS r ON r.id = c.run
WHERE c.item = :item AND c.kind IN (SELECT value FROM carray(:kinds))
    AND (:other IS NULL OR c.other = :other) AND c.undone_by IS NULL AND r.undoes IS NULL
    AND (:after IS NULL OR r.key > (SELECT key FROM memory_runs WHERE id = :after))
ORDER BY r.started_at DESC, c.number DESC

-- name: standing_changes_of_entity
SELECT c.run, r.started_at, c.details FROM memory_run_changes AS c JOIN memory_runs AS r ON r.id = c.run
WHERE c.entity = :entity AND c.kind IN (SELECT value FROM carray(:kinds))
    AND c.undone_by IS NULL AND r.undoes IS NULL
    AND (:after IS NULL OR r.key > (SELECT key FROM memory_runs WHERE id = :after))
ORDER BY r.started_at DESC, c.number DESC

-- name: links_undone
SELECT coalesce(i.id, c.details ->> '$.moved_item'), o.id, c.details ->> '$.rel'
FROM memory_run_changes AS c JOIN memory_items AS o ON o.key = c.other LEFT JOIN memory_items AS i ON i.key = c.item
WHERE c.other IN (SELECT value FROM carray(:keys)) AND c.kind = 'link' AND c.undone_by IS NOT NULL
    AND c.details ->> '$.rel' IN (SELECT value FROM carray(:relations))

-- name: links_undone_of_moved
SELECT coalesce(i.id, c.details ->> '$.moved_item'), c.details ->> '$.moved_other', c.details ->> '$.rel'
FROM memory_run_changes AS c LEFT JOIN memory_items AS i ON i.key = c.item
WHERE c.other IS NULL AND c.details ->> '$.moved_other' IN (SELECT value FROM carray(:ids))
    AND c.kind = 'link' AND c.undone_by IS NOT NULL AND c.details ->> '$.rel' IN (SELECT value FROM carray(:relations))

-- name: revision_stood_for
-- An undo makes a revision that stands for the one it restored; that may be one of an undo, too. The numbers fall.
WITH RECURSIVE standing (number) AS (
    SELECT max(number) FROM memory_revisions WHERE item = :item
    UNION
    SELECT json_extract(c.details, '$.restores')
    FROM standing AS s JOIN memory_run_changes AS c ON c.item = :item AND c.after = s.number
    WHERE json_extract(c.details, '$.restores') IS NOT NULL
)
SELECT coalesce(min(number), 0) FROM standing

-- name: add_run_change
INSERT INTO memory_run_changes (run, number, step, kind, item, other, entity, before, after, details)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: mark_undone
UPDATE memory_run_changes SET undone_by = :by WHERE run = :run AND number IN (SELECT value FROM carray(:numbers))

-- name: purge_summary_changes
-- A summary may tell what a purged item told.
DELETE FROM memory_run_changes WHERE entity = :key

-- name: lease
SELECT holder, taken_at, until FROM memory_leases WHERE name = :name

-- name: take_lease
INSERT INTO memory_leases (name, holder, taken_at, until) VALUES (?, ?, ?, ?)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, taken_at = excluded.taken_at, until = excluded.until

-- name: drop_lease
DELETE FROM memory_leases WHERE name = :name

-- name: drop_link
DELETE FROM memory_links WHERE src = :src AND dst = :dst AND rel = :rel

-- name: drop_verdict
DELETE FROM memory_verdicts WHERE item = :item

-- name: drop_place
DELETE FROM memory_palace_locations WHERE item = :item

-- name: judged_pairs
SELECT j.job, a.id, b.id, j.at
FROM memory_judged AS j JOIN memory_items AS a ON a.key = j.a JOIN memory_items AS b ON b.key = j.b
WHERE /*conditions*/
ORDER BY j.job, j.a, j.b

-- name: bookmark
SELECT coalesce(max(a), 0) FROM memory_judged WHERE job = :job

-- name: note_judged
INSERT INTO memory_judged (job, a, b, at) VALUES (:job, :a, :b, :at) ON CONFLICT (job, a, b) DO NOTHING

-- name: forget_judged
DELETE FROM memory_judged WHERE job = :job AND a = :a AND b = :b

-- name: keep_bookmarks
-- A job goes on behind the item before one that is purged, as it does in a copy, which knows no other.
INSERT INTO memory_judged (job, a, b, at)
SELECT job, before, before, at
FROM memory_judged, (SELECT max(key) AS before FROM memory_items WHERE key < :key)
WHERE a = :key AND b = :key AND job LIKE '%:%' AND before IS NOT NULL
ON CONFLICT DO NOTHING

-- name: purge_judged
DELETE FROM memory_judged WHERE a = :key OR b = :key

-- name: set_usage
INSERT INTO memory_usage (item, reinforcement, usage_count, last_used_at, last_hit_at)
VALUES (:item, :reinforcement, :usage_count, :last_used_at, :last_hit_at)
ON CONFLICT (item) DO UPDATE SET
    reinforcement = excluded.reinforcement, usage_count = excluded.usage_count,
    last_used_at = excluded.last_used_at, last_hit_at = excluded.last_hit_at
