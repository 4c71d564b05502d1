-- name: links_of_items
SELECT s.id, d.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l JOIN memory_items AS s ON s.key = l.src JOIN memory_items AS d ON d.key = l.dst
WHERE l.rel <> 'mentions' AND l.src IN (SELECT value FROM carray(:keys))
UNION
SELECT s.id, d.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l JOIN memory_items AS s ON s.key = l.src JOIN memory_items AS d ON d.key = l.dst
WHERE l.rel <> 'mentions' AND l.dst IN (SELECT value FROM carray(:keys))
ORDER BY 1, 2, 3

-- name: links_between
SELECT s.id, d.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l JOIN memory_items AS s ON s.key = l.src JOIN memory_items AS d ON d.key = l.dst
WHERE l.rel <> 'mentions' AND l.src IN (SELECT value FROM carray(:keys)) AND l.dst IN (SELECT value FROM carray(:keys))
ORDER BY 1, 2, 3

-- name: taken_from_turns
-- What was taken from turns, and of what narratives tell what holds no more; behind these all that took their places. The union
-- ends a circle, which only rows that were changed by hand can hold.
WITH RECURSIVE told (teller, turn, whole) AS (
    SELECT i.id, i.id, 1 FROM memory_items AS i WHERE i.key IN (SELECT value FROM carray(:keys)) AND i.type = 'episode'
    UNION ALL
    SELECT i.id, t.id, 0 FROM memory_items AS i
    CROSS JOIN memory_links AS l ON l.src = i.key AND l.rel = 'derived_from' CROSS JOIN memory_items AS t ON t.key = l.dst
    WHERE i.key IN (SELECT value FROM carray(:keys)) AND i.type IN (SELECT value FROM carray(:narratives))
    UNION ALL
    SELECT i.id, l.dst, 0 FROM memory_items AS i
    CROSS JOIN memory_moved_links AS l ON l.src = i.id AND l.rel = 'derived_from'
    WHERE i.key IN (SELECT value FROM carray(:keys)) AND i.type IN (SELECT value FROM carray(:narratives))
), taken AS MATERIALIZED (
    SELECT t.teller, t.turn, i.id, i.updated_at, i.superseded_by, i.content,
        i.superseded_by IS NOT NULL AND i.valid_until IS NOT NULL AS ended, t.whole
    FROM (
        SELECT o.teller, o.turn, o.whole, l.src FROM told AS o CROSS JOIN memory_items AS d ON d.id = o.turn
        CROSS JOIN memory_links AS l ON l.dst = d.key AND l.rel = 'derived_from'
        UNION ALL
        SELECT o.teller, o.turn, o.whole, s.key FROM told AS o
        CROSS JOIN memory_moved_links AS l ON l.dst = o.turn AND l.rel = 'derived_from'
        CROSS JOIN memory_items AS s ON s.id = l.src
    ) AS t CROSS JOIN memory_items AS i ON i.key = t.src
    WHERE i.type NOT IN (SELECT value FROM carray(:narratives))
        AND (:everywhere OR i.scope_key IN (SELECT value FROM carray(:scope_keys)))
), later (id) AS (
    SELECT superseded_by FROM taken WHERE ended
    UNION
    SELECT i.superseded_by FROM later AS c CROSS JOIN memory_items AS i ON i.id = c.id WHERE i.superseded_by IS NOT NULL
)
SELECT * FROM (
    SELECT teller, id, updated_at, iif(ended, superseded_by, NULL), iif(ended, content, '') FROM taken
    WHERE ended OR whole ORDER BY teller, turn, id
)
UNION ALL
SELECT NULL, i.id, i.updated_at, i.superseded_by, i.content FROM later AS c CROSS JOIN memory_items AS i ON i.id = c.id
WHERE :everywhere OR i.scope_key IN (SELECT value FROM carray(:scope_keys))

-- name: put_link
INSERT INTO memory_links
    (src, dst, rel, predicate, weight, confidence, evidence, valid_from, valid_until, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (src, dst, rel) DO UPDATE SET
    predicate = excluded.predicate, weight = excluded.weight, confidence = excluded.confidence,
    evidence = excluded.evidence, valid_from = excluded.valid_from, valid_until = excluded.valid_until

-- name: ends_of_links
-- What is quarantined takes no part in anything.
SELECT i.id, i.key, s.path
FROM memory_items AS i JOIN memory_scopes AS s ON s.key = i.scope_key
WHERE i.id IN (SELECT value FROM carray(:ids)) AND i.status <> 'quarantined'

-- name: strengthen_link
-- The weight is that of `valid_from`, from which it fades by the formula of the domain.
INSERT INTO memory_links (src, dst, rel, weight, valid_from, created_at)
VALUES (:src, :dst, 'co_recalled', 1.0, :at, :at)
ON CONFLICT (src, dst, rel) DO UPDATE SET
    weight = strengthened(weight, coalesce(valid_from, created_at), excluded.valid_from),
    valid_from = max(coalesce(valid_from, created_at), excluded.valid_from)

-- name: drop_links_of_item
-- Each side by its own index. The far end of a mention is an entity, which may have the key of an item.
DELETE FROM memory_links WHERE src = :key OR dst = :key AND rel <> 'mentions'

-- name: last_turns_of_session
SELECT key, id, ordinal, content_hash, source_role, event_at FROM memory_items
WHERE session_id = :session_id AND scope_key = :scope_key AND type = 'episode'
ORDER BY ordinal DESC, key DESC LIMIT :limit

-- name: turns_by_source
SELECT source_id, id FROM memory_items
WHERE session_id = :session_id AND scope_key = :scope_key AND type = 'episode'
    AND source_id IN (SELECT value FROM carray(:source_ids))

-- name: session_of_scope
SELECT first_seen_at, last_seen_at, turns, consolidated_at, ended_at FROM memory_sessions
WHERE scope_key = :scope_key AND session_id = :session_id

-- name: sessions_last_heard_first
SELECT n.session_id, s.path, n.first_seen_at, n.last_seen_at, n.turns, n.consolidated_at, n.ended_at
FROM memory_sessions AS n JOIN memory_scopes AS s ON s.key = n.scope_key
WHERE /*conditions*/
ORDER BY n.last_seen_at DESC, n.session_id, s.path LIMIT :limit

-- name: sessions_longest_silent_first
-- One row a session, most of which are over and consolidated.
SELECT n.session_id, s.path, n.first_seen_at, n.last_seen_at, n.turns, n.consolidated_at, n.ended_at
FROM memory_sessions AS n JOIN memory_scopes AS s ON s.key = n.scope_key
WHERE /*conditions*/
ORDER BY n.last_seen_at, n.session_id, s.path LIMIT :limit

-- name: assign_place
INSERT INTO memory_palace_locations (item, domain, room, shelf) VALUES (:item, :domain, :room, :shelf)
ON CONFLICT (item) DO UPDATE SET domain = excluded.domain, room = excluded.room, shelf = excluded.shelf

-- name: place_of_item
SELECT domain, room, shelf FROM memory_places WHERE key = :item

-- name: count_by_place
SELECT p.domain, p.room, p.shelf, count(*)
FROM memory_items AS i JOIN memory_places AS p ON p.key = i.key
WHERE /*conditions*/
GROUP BY p.domain, p.room, p.shelf ORDER BY p.domain, p.room, p.shelf

-- name: dangling_links
SELECT count(*) FROM memory_links AS l
WHERE NOT EXISTS (SELECT 1 FROM memory_items WHERE key = l.src)
    OR l.rel <> 'mentions' AND NOT EXISTS (SELECT 1 FROM memory_items WHERE key = l.dst)
    OR l.rel = 'mentions' AND NOT EXISTS (SELECT 1 FROM memory_entities WHERE key = l.dst)

-- name: assignment_of_item
SELECT domain, room, shelf FROM memory_palace_locations WHERE item = :item

-- name: every_link
SELECT s.id, d.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l JOIN memory_items AS s ON s.key = l.src JOIN memory_items AS d ON d.key = l.dst
WHERE l.rel <> 'mentions'

-- name: contradictions
-- The few contradictions are looked up in the narrow index first: rows of all links would be read otherwise.
SELECT s.id, i.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l JOIN memory_items AS s ON s.key = l.src JOIN memory_items AS i ON i.key = l.dst
WHERE (l.src, l.dst, l.rel) IN (
    SELECT src, dst, rel FROM memory_links INDEXED BY memory_links_by_dst WHERE rel = 'contradicts'
)
    AND /*conditions*/
    AND EXISTS (SELECT 1 FROM memory_items AS i WHERE i.key = s.key AND /*conditions*/)
ORDER BY l.created_at DESC, s.id, i.id LIMIT :limit
