-- name: entities_page
SELECT e.key, e.id, s.path, e.name, e.type, e.aliases, e.summary, e.mention_count, e.first_seen_at, e.last_seen_at,
    e.attributes, e.settled
FROM memory_entities AS e JOIN memory_scopes AS s ON s.tenant = e.tenant AND s.key = e.scope_key
WHERE e.tenant = :tenant AND e.key > :after AND e.merged_into IS NULL
    AND (:everywhere OR e.scope_key = ANY(:scope_keys))
ORDER BY e.key LIMIT :limit

-- name: merged_into_entities
SELECT merged_into, id FROM memory_entities
WHERE tenant = :tenant AND merged_into IS NOT NULL AND merged_into = ANY(:keys)
ORDER BY key

-- name: uses_of_items
SELECT item, session_id, used_at FROM memory_uses WHERE tenant = :tenant AND item = ANY(:keys)
ORDER BY item, session_id

-- name: buffered_items
SELECT item, session_id, state, tries, error, retry_at FROM memory_buffer
WHERE tenant = :tenant AND item = ANY(:keys)

-- name: judged_keys
SELECT job, a, b, at FROM memory_judged WHERE tenant = :tenant ORDER BY job, a, b

-- name: keys_of_items
SELECT id, key FROM memory_items WHERE tenant = :tenant AND id = ANY(:ids)

-- name: put_use
INSERT INTO memory_uses (tenant, item, session_id, used_at) VALUES (:tenant, ?, ?, ?)
ON CONFLICT (tenant, item, session_id) DO UPDATE SET used_at = greatest(memory_uses.used_at, excluded.used_at)

-- name: put_buffered
INSERT INTO memory_buffer (tenant, item, session_id, state, tries, error, retry_at) VALUES (:tenant, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, item) DO UPDATE SET
    session_id = excluded.session_id, state = excluded.state, tries = excluded.tries, error = excluded.error,
    retry_at = excluded.retry_at

-- name: drop_buffered
DELETE FROM memory_buffer WHERE tenant = :tenant AND item = ?

-- name: put_session
INSERT INTO memory_sessions
    (tenant, scope_key, session_id, first_seen_at, last_seen_at, turns, consolidated_at, ended_at)
VALUES (:tenant, :scope_key, :session_id, :first_seen_at, :last_seen_at, :turns, :consolidated_at, :ended_at)
ON CONFLICT (tenant, scope_key, session_id) DO UPDATE SET
    first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at, turns = excluded.turns,
    consolidated_at = excluded.consolidated_at, ended_at = excluded.ended_at

-- name: add_whole_entity
INSERT INTO memory_entities
    (tenant, key, id, scope_key, name, type, settled, aliases, summary, first_seen_at, last_seen_at, attributes)
VALUES (
    :tenant, :key, :id, :scope_key, :name, :type, :settled, :aliases, :summary, :first_seen_at, :last_seen_at, :attributes
)
