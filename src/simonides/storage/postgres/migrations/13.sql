-- What large tenants read whole: items made from others, when something is forgotten; those of a session; and those of a time,
-- where archived ones are asked for as well.
CREATE INDEX memory_items_of_source ON memory_items (tenant, source_id) WHERE source_id IS NOT NULL;
CREATE INDEX memory_items_of_chunks ON memory_items (tenant) WHERE strpos(source_details, '"chunk_ids"') > 0;
CREATE INDEX memory_items_of_session ON memory_items (tenant, session_id) WHERE session_id IS NOT NULL;
DROP INDEX memory_items_by_time;
CREATE INDEX memory_items_by_time ON memory_items (
    tenant, scope_key, (CASE WHEN event_at IS NULL THEN created_at ELSE event_at END)
);
