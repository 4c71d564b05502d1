-- name: waiting_sessions
-- The buffer is small where it is drained, and is read whole. A turn that was forgotten or corrected says nothing.
SELECT s.path, b.session_id, count(*) FILTER (WHERE b.state = 'waiting'), count(*) FILTER (WHERE b.state = 'failed'),
    coalesce(sum(octet_length(i.content)) FILTER (WHERE b.state = 'waiting'), 0)::bigint, max(i.created_at),
    coalesce(max(b.tries) FILTER (WHERE b.state = 'waiting'), 0), max(b.retry_at) FILTER (WHERE b.state = 'waiting')
FROM memory_buffer AS b
JOIN memory_items AS i ON i.tenant = b.tenant AND i.key = b.item
JOIN memory_scopes AS s ON s.tenant = i.tenant AND s.key = i.scope_key
WHERE b.tenant = :tenant AND i.status = 'active' AND (:everywhere OR i.scope_key = ANY(:scope_keys))
GROUP BY s.path, b.session_id ORDER BY min(b.item)

-- name: waiting_turns
SELECT /*row*/, b.tries, b.state, b.error, b.retry_at
FROM memory_buffer AS b
JOIN memory_items AS i ON i.tenant = b.tenant AND i.key = b.item
JOIN memory_item_rows AS r ON r.tenant = b.tenant AND r.key = b.item
WHERE b.tenant = :tenant AND b.session_id = :session_id AND i.scope_key = :scope_key AND i.status = 'active'
    AND (b.state = 'waiting' OR :failed)
ORDER BY i.ordinal NULLS FIRST, b.item LIMIT :limit
