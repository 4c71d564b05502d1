-- name: claim_due
-- The tenant that has waited longest and is nobody's: others pass it over while it is taken. This table is about all
-- tenants; on Citus it is the coordinator's alone.
UPDATE simonides_due SET
    holder = :holder, until = clock_timestamp() + make_interval(secs => :lease_s::float8), tries = tries + 1
WHERE tenant = (
    SELECT tenant FROM simonides_due
    WHERE due_at <= clock_timestamp() AND (until IS NULL OR until < clock_timestamp())
    ORDER BY due_at, tenant LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING tenant, simonides_name_of_tenant(tenant), tries

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
-- Seconds until a tenant is due that is nobody's; NULL where none will ever be.
SELECT extract(epoch FROM min(greatest(due_at, coalesce(until, due_at))) - clock_timestamp())::float8 FROM simonides_due

-- name: note_due
-- What was written is looked at within a minute.
UPDATE simonides_due SET due_at = least(due_at, clock_timestamp() + interval '60 seconds') WHERE tenant = :tenant

-- name: make_due
INSERT INTO simonides_due (tenant, due_at) VALUES (:tenant, now()) ON CONFLICT (tenant) DO NOTHING

-- name: time_of_day
-- Microseconds since 1970, by the clock that all processes share.
SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
