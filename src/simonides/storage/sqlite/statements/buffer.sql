-- name: waiting_sessions
-- The buffer is small where it is drained, and is read whole. A turn that was forgotten or corrected says nothing.
SELECT s.path, b.session_id, sum(b.state = 'waiting'), sum(b.state = 'failed'),
    sum(CASE b.state WHEN 'waiting' THEN octet_length(i.content) ELSE 0 END), max(i.created_at),
    max(CASE b.state WHEN 'waiting' THEN b.tries ELSE 0 END), max(CASE b.state WHEN 'waiting' THEN b.retry_at END)
FROM memory_buffer AS b JOIN memory_items AS i ON i.key = b.item JOIN memory_scopes AS s ON s.key = i.scope_key
WHERE i.status = 'active' AND (:everywhere OR i.scope_key IN (SELECT value FROM carray(:scope_keys)))
GROUP BY i.scope_key, b.session_id ORDER BY min(b.item)

-- name: waiting_turns
SELECT r.*, b.tries, b.state, b.error, b.retry_at
FROM memory_buffer AS b JOIN memory_items AS i ON i.key = b.item JOIN memory_item_rows AS r ON r.key = b.item
WHERE b.session_id = :session_id AND i.scope_key = :scope_key AND i.status = 'active'
    AND (b.state = 'waiting' OR :failed)
ORDER BY i.ordinal, b.item LIMIT :limit
