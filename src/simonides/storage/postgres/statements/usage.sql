-- name: note_uses
-- Once per item and session: only what is noted for the first time comes back.
WITH noted AS (
    INSERT INTO memory_uses (tenant, item, session_id, used_at)
    SELECT :tenant, key, :session_id, :at FROM memory_items WHERE tenant = :tenant AND id = ANY(:ids)
    ON CONFLICT (tenant, item, session_id) DO NOTHING RETURNING item
)
SELECT n.item, i.id FROM noted AS n JOIN memory_items AS i ON i.tenant = :tenant AND i.key = n.item
