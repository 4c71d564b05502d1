-- name: claim_due
SELECT tenant, name, tries FROM simonides_claim_due(:holder, :lease_s::float8)

-- name: keep_due
-- Nothing where somebody else has taken it over.
UPDATE simonides_due SET until = clock_timestamp() + make_interval(secs => :lease_s::float8)
WHERE tenant = :tenant AND holder = :holder
RETURNING tenant

-- name: leave_due
UPDATE simonides_due SET
    holder = NULL, until = NULL, due_at = clock_timestamp() + make_interval(secs => :wait_s::float8),
    tries = CASE WHEN :failed::boolean THEN tries ELSE 0 END
WHERE tenant = :tenant AND holder = :holder

-- name: wait_until_due
SELECT simonides_wait_until_due()

-- name: note_due
-- What was written is looked at within a minute.
UPDATE simonides_due SET due_at = least(due_at, clock_timestamp() + interval '60 seconds') WHERE tenant = :tenant

-- name: make_due
INSERT INTO simonides_due (tenant, due_at) VALUES (:tenant, now()) ON CONFLICT (tenant) DO NOTHING

-- name: time_of_day
-- Microseconds since 1970, by the clock that all processes share.
SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
