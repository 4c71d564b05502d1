-- name: note_uses
-- Once per item and session: only what is noted for the first time comes back.
INSERT INTO memory_uses (item, session_id, used_at)
SELECT key, :session_id, :at FROM memory_items WHERE id IN (SELECT value FROM carray(:ids))
ON CONFLICT (item, session_id) DO NOTHING RETURNING item, (SELECT id FROM memory_items WHERE key = item)
