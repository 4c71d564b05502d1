-- name: links_of_items
SELECT s.id, d.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l
JOIN memory_items AS s ON s.tenant = l.tenant AND s.key = l.src
JOIN memory_items AS d ON d.tenant = l.tenant AND d.key = l.dst
WHERE l.tenant = :tenant AND l.rel <> 'mentions' AND l.src = ANY(:keys)
UNION
SELECT s.id, d.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l
JOIN memory_items AS s ON s.tenant = l.tenant AND s.key = l.src
JOIN memory_items AS d ON d.tenant = l.tenant AND d.key = l.dst
WHERE l.tenant = :tenant AND l.rel <> 'mentions' AND l.dst = ANY(:keys)
ORDER BY 1, 2, 3

-- name: links_between
SELECT s.id, d.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l
JOIN memory_items AS s ON s.tenant = l.tenant AND s.key = l.src
JOIN memory_items AS d ON d.tenant = l.tenant AND d.key = l.dst
WHERE l.tenant = :tenant AND l.rel <> 'mentions' AND l.src = ANY(:keys) AND l.dst = ANY(:keys)
ORDER BY 1, 2, 3

-- name: put_link
INSERT INTO memory_links
    (tenant, src, dst, rel, predicate, weight, confidence, evidence, valid_from, valid_until, created_at)
VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, src, dst, rel) DO UPDATE SET
    predicate = excluded.predicate, weight = excluded.weight, confidence = excluded.confidence,
    evidence = excluded.evidence, valid_from = excluded.valid_from, valid_until = excluded.valid_until

-- name: ends_of_links
-- What is quarantined takes no part in anything.
SELECT i.id, i.key, s.path
FROM memory_items AS i JOIN memory_scopes AS s ON s.tenant = i.tenant AND s.key = i.scope_key
WHERE i.tenant = :tenant AND i.id = ANY(:ids) AND i.status <> 'quarantined'

-- name: drop_links_of_item
-- The far end of a mention is an entity, which may have the key of an item.
DELETE FROM memory_links WHERE tenant = :tenant AND (src = :key OR dst = :key AND rel <> 'mentions')

-- name: last_turns_of_session
SELECT key, id, ordinal, content_hash, source_role, event_at FROM memory_items
WHERE tenant = :tenant AND session_id = :session_id AND scope_key = :scope_key AND type = 'episode'
ORDER BY ordinal DESC NULLS LAST, key DESC LIMIT :limit

-- name: turns_by_source
SELECT source_id, id FROM memory_items
WHERE tenant = :tenant AND session_id = :session_id AND scope_key = :scope_key AND type = 'episode'
    AND source_id = ANY(:source_ids)

-- name: session_of_scope
SELECT first_seen_at, last_seen_at, turns, consolidated_at, ended_at FROM memory_sessions
WHERE tenant = :tenant AND scope_key = :scope_key AND session_id = :session_id

-- name: sessions_last_heard_first
SELECT n.session_id, s.path, n.first_seen_at, n.last_seen_at, n.turns, n.consolidated_at, n.ended_at
FROM memory_sessions AS n JOIN memory_scopes AS s ON s.tenant = n.tenant AND s.key = n.scope_key
WHERE n.tenant = :tenant AND /*conditions*/
ORDER BY n.last_seen_at DESC, n.session_id, s.path COLLATE "C" LIMIT :limit

-- name: sessions_longest_silent_first
-- One row a session, most of which are over and consolidated.
SELECT n.session_id, s.path, n.first_seen_at, n.last_seen_at, n.turns, n.consolidated_at, n.ended_at
FROM memory_sessions AS n JOIN memory_scopes AS s ON s.tenant = n.tenant AND s.key = n.scope_key
WHERE n.tenant = :tenant AND /*conditions*/
ORDER BY n.last_seen_at, n.session_id, s.path COLLATE "C" LIMIT :limit

-- name: assign_place
INSERT INTO memory_palace_locations (tenant, item, domain, room, shelf) VALUES (:tenant, :item, :domain, :room, :shelf)
ON CONFLICT (tenant, item) DO UPDATE SET domain = excluded.domain, room = excluded.room, shelf = excluded.shelf

-- name: place_of_item
SELECT domain, room, shelf FROM memory_places WHERE tenant = :tenant AND key = :item

-- name: count_by_place
SELECT p.domain, p.room, p.shelf, count(*)
FROM memory_items AS i JOIN memory_places AS p ON p.tenant = i.tenant AND p.key = i.key
WHERE i.tenant = :tenant AND /*conditions*/
GROUP BY p.domain, p.room, p.shelf ORDER BY p.domain COLLATE "C", p.room COLLATE "C", p.shelf COLLATE "C"

-- name: dangling_links
SELECT count(*) FROM memory_links AS l
WHERE l.tenant = :tenant AND (
    NOT EXISTS (SELECT 1 FROM memory_items AS i WHERE i.tenant = :tenant AND i.key = l.src)
    OR l.rel <> 'mentions' AND NOT EXISTS (SELECT 1 FROM memory_items AS i WHERE i.tenant = :tenant AND i.key = l.dst)
    OR l.rel = 'mentions' AND NOT EXISTS (SELECT 1 FROM memory_entities AS e WHERE e.tenant = :tenant AND e.key = l.dst)
)

-- name: assignment_of_item
SELECT domain, room, shelf FROM memory_palace_locations WHERE tenant = :tenant AND item = :item

-- name: every_link
SELECT s.id, d.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l
JOIN memory_items AS s ON s.tenant = l.tenant AND s.key = l.src
JOIN memory_items AS d ON d.tenant = l.tenant AND d.key = l.dst
WHERE l.tenant = :tenant AND l.rel <> 'mentions'
