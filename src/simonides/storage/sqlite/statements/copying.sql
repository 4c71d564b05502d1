-- name: entities_page
SELECT e.key, e.id, s.path, e.name, e.type, e.aliases, e.summary, e.mention_count, e.first_seen_at, e.last_seen_at,
    e.attributes, e.settled
FROM memory_entities AS e JOIN memory_scopes AS s ON s.key = e.scope_key
WHERE e.key > :after AND e.merged_into IS NULL
    AND (:everywhere OR e.scope_key IN (SELECT value FROM carray(:scope_keys)))
ORDER BY e.key LIMIT :limit

-- name: merged_into_entities
SELECT merged_into, id FROM memory_entities
WHERE merged_into IS NOT NULL AND merged_into IN (SELECT value FROM carray(:keys))
ORDER BY key

-- name: uses_of_items
SELECT item, session_id, used_at FROM memory_uses WHERE item IN (SELECT value FROM carray(:keys))
ORDER BY item, session_id

-- name: buffered_items
SELECT item, session_id, state, tries, error, retry_at FROM memory_buffer
WHERE item IN (SELECT value FROM carray(:keys))

-- name: judged_keys
SELECT job, a, b, at FROM memory_judged ORDER BY job, a, b

-- name: keys_of_items
SELECT id, key FROM memory_items WHERE id IN (SELECT value FROM carray(:ids))

-- name: put_use
INSERT INTO memory_uses (item, session_id, used_at) VALUES (?, ?, ?)
ON CONFLICT (item, session_id) DO UPDATE SET used_at = max(used_at, excluded.used_at)

-- name: put_buffered
INSERT INTO memory_buffer (item, session_id, state, tries, error, retry_at) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (item) DO UPDATE SET
    session_id = excluded.session_id, state = excluded.state, tries = excluded.tries, error = excluded.error,
    retry_at = excluded.retry_at

-- name: drop_buffered
DELETE FROM memory_buffer WHERE item = ?

-- name: put_session
INSERT INTO memory_sessions
    (scope_key, session_id, first_seen_at, last_seen_at, turns, consolidated_at, ended_at)
VALUES (:scope_key, :session_id, :first_seen_at, :last_seen_at, :turns, :consolidated_at, :ended_at)
ON CONFLICT (scope_key, session_id) DO UPDATE SET
    first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at, turns = excluded.turns,
    consolidated_at = excluded.consolidated_at, ended_at = excluded.ended_at

-- name: add_whole_entity
INSERT INTO memory_entities
    (key, id, scope_key, name, type, settled, aliases, summary, first_seen_at, last_seen_at, attributes)
VALUES (:key, :id, :scope_key, :name, :type, :settled, :aliases, :summary, :first_seen_at, :last_seen_at, :attributes)

-- name: add_merged_entity
-- Its row only leads from its id to the other's.
INSERT INTO memory_entities (key, id, scope_key, name, type, first_seen_at, merged_into)
SELECT coalesce((SELECT max(key) FROM memory_entities), 0) + 1, :id, scope_key, '', type, first_seen_at, key
FROM memory_entities WHERE key = :key
ON CONFLICT (id) DO NOTHING
