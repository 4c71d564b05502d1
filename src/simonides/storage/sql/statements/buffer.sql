-- name: await_extraction
INSERT INTO memory_buffer (tenant, item, session_id) VALUES (:tenant, ?, ?) ON CONFLICT (tenant, item) DO NOTHING

-- name: count_by_buffer
SELECT b.state, count(*) FROM memory_buffer AS b JOIN memory_items AS i ON i.tenant = b.tenant AND i.key = b.item
WHERE b.tenant = :tenant AND /*conditions*/ GROUP BY b.state
