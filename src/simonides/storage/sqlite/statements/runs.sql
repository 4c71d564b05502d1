-- name: put_run
INSERT INTO memory_runs
    (id, job, trigger, scope, started_at, ended_at, status, counts, notes, error, lease_until, parent, undoes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    ended_at = excluded.ended_at, status = excluded.status, counts = excluded.counts, notes = excluded.notes,
    error = excluded.error, lease_until = excluded.lease_until
