-- By when something happened, in words that row-level security lets an index answer: it takes COALESCE for what may tell of rows
-- of others, and a question about a time read every item of a tenant.
DROP INDEX memory_items_by_time;
CREATE INDEX memory_items_by_time ON memory_items (tenant, scope_key, (CASE WHEN event_at IS NULL THEN created_at ELSE event_at END))
    WHERE status = 'active';
