-- name: links_of_ids
SELECT s.id, d.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l
JOIN memory_items AS s ON s.tenant = l.tenant AND s.key = l.src
JOIN memory_items AS d ON d.tenant = l.tenant AND d.key = l.dst
WHERE l.tenant = :tenant AND l.rel <> 'mentions' AND l.src = ANY(ARRAY(
    SELECT o.key FROM memory_items AS o WHERE o.tenant = :tenant AND o.id = ANY(:ids)
))
UNION
SELECT s.id, d.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l
JOIN memory_items AS s ON s.tenant = l.tenant AND s.key = l.src
JOIN memory_items AS d ON d.tenant = l.tenant AND d.key = l.dst
WHERE l.tenant = :tenant AND l.rel <> 'mentions' AND l.dst = ANY(ARRAY(
    SELECT o.key FROM memory_items AS o WHERE o.tenant = :tenant AND o.id = ANY(:ids)
))
ORDER BY 1, 2, 3

-- name: taken_from_turns
-- planned: once
-- What was taken from turns, and of what narratives tell what holds no more; behind these all that took their places. The union
-- ends a circle, which only rows that were changed by hand can hold.
WITH RECURSIVE asked AS MATERIALIZED (
    SELECT i.key, i.id, i.type = 'episode' AS whole FROM memory_items AS i
    WHERE i.tenant = :tenant AND i.key = ANY(:keys) AND (i.type = 'episode' OR i.type = ANY(:narratives))
), told AS MATERIALIZED (
    SELECT a.id AS teller, a.id AS turn, TRUE AS whole FROM asked AS a WHERE a.whole
    UNION ALL
    SELECT a.id, l.id, FALSE FROM asked AS a CROSS JOIN LATERAL (
        SELECT t.id FROM memory_links AS l JOIN memory_items AS t ON t.tenant = l.tenant AND t.key = l.dst
        WHERE l.tenant = :tenant AND l.src = a.key AND l.rel = 'derived_from' OFFSET 0
    ) AS l WHERE NOT a.whole
    UNION ALL
    SELECT a.id, l.dst, FALSE FROM asked AS a CROSS JOIN LATERAL (
        SELECT m.dst FROM memory_moved_links AS m
        WHERE m.tenant = :tenant AND m.src = a.id AND m.rel = 'derived_from' OFFSET 0
    ) AS l WHERE NOT a.whole
), taken AS MATERIALIZED (
    SELECT o.teller, o.turn, o.whole, i.id, i.updated_at, i.superseded_by, i.content,
        i.superseded_by IS NOT NULL AND i.valid_until IS NOT NULL AS ended
    FROM told AS o CROSS JOIN LATERAL (
        SELECT s.* FROM memory_items AS d
        JOIN memory_links AS l ON l.tenant = d.tenant AND l.dst = d.key AND l.rel = 'derived_from'
        JOIN memory_items AS s ON s.tenant = l.tenant AND s.key = l.src
        WHERE d.tenant = :tenant AND d.id = o.turn
        UNION ALL
        SELECT s.* FROM memory_moved_links AS m JOIN memory_items AS s ON s.tenant = m.tenant AND s.id = m.src
        WHERE m.tenant = :tenant AND m.dst = o.turn AND m.rel = 'derived_from'
        OFFSET 0
    ) AS i
    WHERE i.type <> ALL(:narratives) AND (:everywhere OR i.scope_key = ANY(:scope_keys))
), later (id) AS (
    SELECT t.superseded_by FROM taken AS t WHERE t.ended
    UNION
    SELECT n.superseded_by FROM later AS c CROSS JOIN LATERAL (
        SELECT i.superseded_by FROM memory_items AS i WHERE i.tenant = :tenant AND i.id = c.id OFFSET 0
    ) AS n WHERE n.superseded_by IS NOT NULL
)
(
    SELECT t.teller, t.id, t.updated_at, CASE WHEN t.ended THEN t.superseded_by END, CASE WHEN t.ended THEN t.content ELSE '' END
    FROM taken AS t WHERE t.ended OR t.whole ORDER BY t.teller, t.turn, t.id
)
UNION ALL
SELECT NULL, n.id, n.updated_at, n.superseded_by, n.content FROM later AS c CROSS JOIN LATERAL (
    SELECT i.* FROM memory_items AS i WHERE i.tenant = :tenant AND i.id = c.id OFFSET 0
) AS n WHERE :everywhere OR n.scope_key = ANY(:scope_keys)

-- name: strengthen_link
-- The weight is that of `valid_from`, from which it fades by the formula of the domain.
INSERT INTO memory_links (tenant, src, dst, rel, weight, valid_from, created_at)
VALUES (:tenant, :src, :dst, 'co_recalled', 1.0, :at, :at)
ON CONFLICT (tenant, src, dst, rel) DO UPDATE SET
    weight = strengthened(
        memory_links.weight, coalesce(memory_links.valid_from, memory_links.created_at), excluded.valid_from
    ),
    valid_from = greatest(coalesce(memory_links.valid_from, memory_links.created_at), excluded.valid_from)

-- name: contradictions
SELECT s.id, i.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at
FROM memory_links AS l
JOIN memory_items AS s ON s.tenant = l.tenant AND s.key = l.src
JOIN memory_items AS i ON i.tenant = l.tenant AND i.key = l.dst
WHERE l.tenant = :tenant AND l.rel = 'contradicts' AND /*conditions*/
    AND EXISTS (SELECT 1 FROM memory_items AS i WHERE i.tenant = s.tenant AND i.key = s.key AND /*conditions*/)
ORDER BY l.created_at DESC, s.id, i.id LIMIT :limit
