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

-- name: strengthen_link
-- The weight is that of `valid_from`, from which it fades by the formula of the domain.
INSERT INTO memory_links (src, dst, rel, weight, valid_from, created_at)
VALUES (:src, :dst, 'co_recalled', 1.0, :at, :at)
ON CONFLICT (src, dst, rel) DO UPDATE SET
    weight = strengthened(weight, coalesce(valid_from, created_at), excluded.valid_from),
    valid_from = max(coalesce(valid_from, created_at), excluded.valid_from)

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
