-- name: entities_told_by
-- Those with a summary that any of these items mentions.
SELECT e.key, e.id, s.path, e.name, e.type, e.aliases, e.summary, e.mention_count, e.first_seen_at, e.last_seen_at,
    e.attributes, e.settled
FROM memory_entities AS e JOIN memory_scopes AS s ON s.tenant = e.tenant AND s.key = e.scope_key
WHERE e.tenant = :tenant AND e.summary IS NOT NULL AND e.key = ANY(ARRAY(
    SELECT l.dst FROM memory_links AS l JOIN memory_items AS i ON i.tenant = l.tenant AND i.key = l.src
    WHERE l.tenant = :tenant AND i.id = ANY(:ids) AND l.rel = 'mentions'
))
ORDER BY e.key

-- name: entities_of_names
-- planned: once
SELECT n.folded, e.key, e.id, s.path, e.name, e.type, e.aliases, e.summary, e.mention_count, e.first_seen_at,
    e.last_seen_at, e.attributes, e.settled
FROM (
    SELECT folded, entity FROM memory_entity_names
    WHERE tenant = :tenant AND folded = ANY(:folded) AND (:everywhere OR scope_key = ANY(:scope_keys::bigint[])) OFFSET 0
) AS n
CROSS JOIN LATERAL (SELECT * FROM memory_entities WHERE tenant = :tenant AND key = n.entity OFFSET 0) AS e
CROSS JOIN LATERAL (SELECT path FROM memory_scopes WHERE tenant = :tenant AND key = e.scope_key OFFSET 0) AS s
ORDER BY n.folded, n.entity

-- name: mentions_of_entity
SELECT i.key
FROM memory_links AS l JOIN memory_items AS i ON i.tenant = l.tenant AND i.key = l.src
WHERE l.tenant = :tenant AND i.tenant = :tenant AND l.dst = :entity AND l.rel = 'mentions' AND /*conditions*/
ORDER BY l.src DESC LIMIT :limit

-- name: edges_from_items
WITH linked AS NOT MATERIALIZED (SELECT unnest(:keys::bigint[]) AS key) /*part_strongest*/ ORDER BY src, dst, rel

-- name: surroundings
-- In one go: links from and to items (0), the ends of these that pass (1), and the turns around others that pass (2).
-- Links as `edges_from_items` gives them, without their order.
WITH edges AS MATERIALIZED (
    WITH linked AS NOT MATERIALIZED (SELECT unnest(:keys::bigint[]) AS key) /*part_strongest*/
), seeds AS MATERIALIZED (
    SELECT i.session_id, i.scope_key, i.ordinal FROM unnest(:around::bigint[]) AS k (key) CROSS JOIN LATERAL (
        SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = k.key OFFSET 0
    ) AS i
    WHERE i.type = 'episode'
)
SELECT 0, src, dst, rel, weight, valid_from FROM edges
UNION ALL
SELECT 1, i.key, NULL, NULL, NULL, NULL
FROM (SELECT src AS key FROM edges UNION SELECT dst FROM edges) AS k CROSS JOIN LATERAL (
    SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = k.key OFFSET 0
) AS i
WHERE /*conditions*/
UNION ALL
SELECT DISTINCT 2, i.key, NULL::bigint, NULL, NULL::float8, NULL::bigint
FROM seeds AS t CROSS JOIN LATERAL (
    SELECT * FROM memory_items AS n
    WHERE n.tenant = :tenant AND n.session_id = t.session_id AND n.scope_key = t.scope_key AND n.type = 'episode'
        AND n.ordinal BETWEEN t.ordinal - :reach AND t.ordinal + :reach
    OFFSET 0
) AS i
WHERE /*conditions*/

-- name: count_unnamed
-- At most so many: told by the bounds alone.
SELECT greatest(0, coalesce(names_until, 0) - coalesce(names_after, 0)) FROM memory_heads WHERE tenant = :tenant

-- name: count_mentions_of_many
UPDATE memory_entities AS e SET
    mention_count = e.mention_count + r.mentions, first_seen_at = least(e.first_seen_at, r.first),
    last_seen_at = greatest(coalesce(e.last_seen_at, e.first_seen_at), r.last)
FROM unnest(:mentions::integer[], :first::bigint[], :last::bigint[], :keys::bigint[]) AS r (mentions, first, last, key)
WHERE e.tenant = :tenant AND e.key = r.key

-- name: take_over_entity
UPDATE memory_entities AS k SET
    type = CASE WHEN k.type = 'concept' AND NOT k.settled THEN g.type ELSE k.type END,
    settled = k.settled OR g.settled AND k.type = 'concept',
    summary = coalesce(k.summary, g.summary),
    first_seen_at = least(k.first_seen_at, g.first_seen_at),
    last_seen_at = greatest(coalesce(k.last_seen_at, k.first_seen_at), coalesce(g.last_seen_at, g.first_seen_at))
FROM memory_entities AS g
WHERE k.tenant = :tenant AND k.key = :keep AND g.tenant = :tenant AND g.key = :gone

-- name: make_merged
UPDATE memory_entities SET
    name = '', aliases = '[]', summary = NULL, attributes = :record, mention_count = 0, merged_into = :keep
WHERE tenant = :tenant AND key = :gone

-- name: texts_that_mention
SELECT i.title, i.content, i.entities
FROM memory_links AS l JOIN memory_items AS i ON i.tenant = l.tenant AND i.key = l.src
WHERE l.tenant = :tenant AND l.dst = :entity AND l.rel = 'mentions'
ORDER BY l.src DESC

-- name: drop_summary
UPDATE memory_entities SET summary = NULL WHERE tenant = :tenant AND key = :key

-- name: mentioning_named
-- planned: once
-- What mentions an entity of one of these names, unless too much does; of a name that nobody has, in other cases.
-- Table by table: where it is planned once, no join is left to a guess.
WITH known AS MATERIALIZED (
    SELECT n.folded, n.entity FROM memory_entity_names AS n
    WHERE n.tenant = :tenant AND n.folded = ANY(:folded) AND (:everywhere OR n.scope_key = ANY(:seen::bigint[]))
), named AS MATERIALIZED (
    SELECT k.entity FROM known AS k WHERE k.folded = ANY(:asked::text[]) OR EXISTS (
        SELECT 1 FROM unnest(:forms::text[], :names::text[]) AS w (form, name)
        WHERE w.form = k.folded AND w.name NOT IN (SELECT o.folded FROM known AS o)
    )
), rare AS MATERIALIZED (
    SELECT e.key FROM memory_entities AS e
    WHERE e.tenant = :tenant AND e.key = ANY(ARRAY(SELECT entity FROM named)) AND e.mention_count <= :too_common
), mentioning AS MATERIALIZED (
    SELECT l.src FROM memory_links AS l
    WHERE l.tenant = :tenant AND l.dst = ANY(ARRAY(SELECT key FROM rare)) AND l.rel = 'mentions'
)
SELECT i.key FROM (SELECT DISTINCT src FROM mentioning) AS m CROSS JOIN LATERAL (
    SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = m.src OFFSET 0
) AS i
WHERE /*conditions*/ ORDER BY i.key DESC LIMIT :limit

-- name: heirs_of_former
-- planned: once
-- Living successors, as `living_successors` gives them, that pass, with what ranking needs to know of them.
WITH RECURSIVE chain (origin, key, next, status, depth) AS (
    SELECT i.key, i.key, i.superseded_by, i.status, 0 FROM memory_items AS i
    WHERE i.tenant = :tenant AND i.key = ANY(:keys) AND i.superseded_by IS NOT NULL
    UNION ALL
    SELECT c.origin, i.key, i.superseded_by, i.status, c.depth + 1
    FROM chain AS c CROSS JOIN LATERAL (
        SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.id = c.next OFFSET 0
    ) AS i
    WHERE c.depth < 1000
)
SELECT c.origin, c.key, v.vector, r.vector, CASE WHEN :mentioning THEN ARRAY(
    SELECT l.dst FROM memory_links AS l
    WHERE l.tenant = :tenant AND l.src = c.key AND l.rel = 'mentions' ORDER BY l.dst
) END, /*sketch*/
FROM chain AS c
CROSS JOIN LATERAL (SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = c.key OFFSET 0) AS i
LEFT JOIN LATERAL (SELECT * FROM memory_usage AS n WHERE n.tenant = :tenant AND n.item = c.key OFFSET 0) AS u ON TRUE
LEFT JOIN LATERAL (
    SELECT n.vector FROM memory_embeddings AS n WHERE n.tenant = :tenant AND n.item = c.key AND n.model = (
        SELECT m.key FROM memory_models AS m WHERE m.tenant = :tenant AND m.fingerprint = :model::text
    ) OFFSET 0
) AS v ON TRUE
LEFT JOIN LATERAL (
    SELECT n.vector FROM memory_embeddings AS n WHERE n.tenant = :tenant AND n.item = c.key AND n.model = (
        SELECT m.key FROM memory_models AS m WHERE m.tenant = :tenant AND m.fingerprint = :reading::text
    ) OFFSET 0
) AS r ON TRUE
WHERE c.next IS NULL AND c.status = 'active' AND /*conditions*/ ORDER BY c.origin

-- name: part_given
-- Of the nearest that an index gave for each question those that pass, in their order.
WITH close AS MATERIALIZED (
    SELECT number, key, place FROM (
        SELECT n.number, n.key, row_number() OVER (PARTITION BY n.number ORDER BY n.place) AS place
        FROM unnest(:near::bigint[], :numbers::bigint[]) WITH ORDINALITY AS n (key, number, place)
        JOIN memory_items AS i ON i.tenant = :tenant AND i.key = n.key
        WHERE /*conditions*/
    ) AS p WHERE place <= :wanted
)

-- name: part_questions
-- Each with the key of the model that made it: NULL where the tenant has no vector of that.
questions AS MATERIALIZED (
    SELECT q.number, q.question, q.question::halfvec AS half, (
        SELECT m.key FROM memory_models AS m WHERE m.tenant = :tenant AND m.fingerprint = q.fingerprint
    ) AS model
    FROM unnest(:questions::vector[], :compared::text[]) WITH ORDINALITY AS q (question, fingerprint, number)
)

-- name: part_compared
-- The nearest of each question that pass, each vector compared. In half precision first, the best of these in single
-- precision.
WITH /*part_questions*/, close AS MATERIALIZED (
    SELECT number, key, place FROM (
        SELECT number, key, cosine, row_number() OVER (PARTITION BY number ORDER BY cosine DESC, key) AS place FROM (
            SELECT q.number, c.item AS key, /*part_cosine*/ AS cosine FROM questions AS q CROSS JOIN LATERAL (
                /*part_one_by_one*/
            ) AS c
        ) AS k
    ) AS p WHERE cosine > :above AND place <= :wanted
)

-- name: part_indexed
-- The nearest of each question that pass, by the tenant's own index where the scopes hold more than a few; one by one where
-- they do not, and where what is near passes too seldom for the index to find enough of it. An index is only taken where the
-- statement names tenant, model and dimension in figures: of the two models that a search may compare, each has its own.
-- Where little passes, that is looked up first, and its vectors alone are compared.
WITH /*part_questions*/, passing AS MATERIALIZED (
    SELECT i.key FROM memory_items AS i WHERE i.tenant = :tenant AND /*conditions*/
), held AS MATERIALIZED (
    SELECT q.number, (
        SELECT count(*) FROM (
            SELECT 1 FROM memory_embeddings AS e
            WHERE e.tenant = :tenant AND e.model = q.model AND e.standing = ANY(:standings)
                AND (:within::bigint[] IS NULL OR e.scope_key = ANY(:within))
            LIMIT :few + 1
        ) AS m
    ) > :few AS many FROM questions AS q
), by_index AS MATERIALIZED (
    SELECT q.number, c.item AS key, /*part_cosine*/ AS cosine FROM questions AS q CROSS JOIN LATERAL (
        SELECT e.item, e.vector FROM memory_embeddings AS e
        WHERE (SELECT h.many FROM held AS h WHERE h.number = q.number)
            AND e.tenant = /*tenant*/ AND e.model = /*model*/ AND e.standing >= 0
            AND vector_dims(e.vector) = /*dimension*/ AND /*part_may_be_found*/
            AND (NOT :narrow::boolean OR EXISTS (
                SELECT 1 FROM (SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = e.item OFFSET 0) AS i
                WHERE /*conditions*/
            ))
        ORDER BY (e.vector::halfvec(/*dimension*/)) <#> q.half::halfvec(/*dimension*/) LIMIT :looked
    ) AS c WHERE q.model = /*model*/
    UNION ALL
    SELECT q.number, c.item AS key, /*part_cosine*/ AS cosine FROM questions AS q CROSS JOIN LATERAL (
        SELECT e.item, e.vector FROM memory_embeddings AS e
        WHERE (SELECT h.many FROM held AS h WHERE h.number = q.number)
            AND e.tenant = /*tenant*/ AND e.model = /*other_model*/ AND e.standing >= 0
            AND vector_dims(e.vector) = /*other_dimension*/ AND /*part_may_be_found*/
            AND (NOT :narrow::boolean OR EXISTS (
                SELECT 1 FROM (SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = e.item OFFSET 0) AS i
                WHERE /*conditions*/
            ))
        ORDER BY (e.vector::halfvec(/*other_dimension*/)) <#> q.half::halfvec(/*other_dimension*/) LIMIT :looked
    ) AS c WHERE q.model = /*other_model*/
), enough AS MATERIALIZED (
    SELECT number FROM by_index WHERE cosine > :above GROUP BY number HAVING count(*) >= :wanted
), left_over AS MATERIALIZED (
    SELECT q.*, :narrow::boolean AND h.many AS first_passing FROM questions AS q JOIN held AS h ON h.number = q.number
    WHERE q.number NOT IN (SELECT number FROM enough)
), close AS MATERIALIZED (
    SELECT number, key, place FROM (
        SELECT number, key, cosine, row_number() OVER (PARTITION BY number ORDER BY cosine DESC, key) AS place FROM (
            SELECT number, key, cosine FROM by_index WHERE number IN (SELECT number FROM enough)
            UNION ALL
            SELECT q.number, c.item AS key, /*part_cosine*/ AS cosine FROM (
                SELECT * FROM left_over WHERE NOT first_passing
            ) AS q CROSS JOIN LATERAL (
                /*part_one_by_one*/
            ) AS c
            UNION ALL
            SELECT q.number, c.item AS key, /*part_cosine*/ AS cosine FROM (
                SELECT * FROM left_over WHERE first_passing
            ) AS q CROSS JOIN LATERAL (
                SELECT e.item, e.vector FROM passing AS p CROSS JOIN LATERAL (
                    SELECT * FROM memory_embeddings AS n
                    WHERE n.tenant = :tenant AND n.item = p.key AND n.model = q.model OFFSET 0
                ) AS e
                WHERE e.vector IS NOT NULL AND /*part_may_be_found*/
                ORDER BY e.vector <#> q.half LIMIT :most
            ) AS c
        ) AS k
    ) AS p WHERE cosine > :above AND place <= :wanted
)

-- name: part_cosine
round((-(c.vector::vector <#> q.question))::numeric, 6)

-- name: part_one_by_one
-- Items are looked up for the nearest alone: `ahead` of them are put in their order, all others where too few of these pass.
WITH ahead AS MATERIALIZED (
    SELECT e.item, e.model, e.vector <#> q.half AS distance FROM memory_embeddings AS e
    WHERE e.tenant = :tenant AND e.model = q.model AND e.vector IS NOT NULL AND /*part_may_be_found*/
    ORDER BY distance, e.item LIMIT :ahead
), fitting AS MATERIALIZED (
    SELECT o.item, o.model, o.distance FROM ahead AS o WHERE NOT :narrow::boolean OR EXISTS (
        SELECT 1 FROM (SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = o.item OFFSET 0) AS i
        WHERE /*conditions*/
    )
    ORDER BY o.distance, o.item LIMIT :most
)
SELECT o.item, v.vector FROM (
    SELECT * FROM fitting
    UNION ALL
    (SELECT o.item, o.model, o.distance FROM (
        SELECT e.item, e.model, e.vector <#> q.half AS distance FROM memory_embeddings AS e
        WHERE (SELECT count(*) FROM fitting) < :most AND (SELECT count(*) FROM ahead) = :ahead
            AND e.tenant = :tenant AND e.model = q.model AND e.vector IS NOT NULL AND /*part_may_be_found*/
        ORDER BY distance, e.item OFFSET :ahead
    ) AS o
    WHERE EXISTS (
        SELECT 1 FROM (SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = o.item OFFSET 0) AS i
        WHERE /*conditions*/
    )
    ORDER BY o.distance, o.item LIMIT :most)
) AS o CROSS JOIN LATERAL (
    SELECT w.vector FROM memory_embeddings AS w
    WHERE w.tenant = :tenant AND w.model = o.model AND w.item = o.item OFFSET 0
) AS v
ORDER BY o.distance, o.item LIMIT :most

-- name: part_may_be_found
e.standing = ANY(:standings) AND (:within::bigint[] IS NULL OR e.scope_key = ANY(:within))
    AND (:alive_at::bigint IS NULL OR e.expires_at IS NULL OR e.expires_at > :alive_at)

-- name: part_strongest
-- The strongest links from and to the items whose keys `linked` has. Each end is bounded before the two are joined: of an item
-- that everything refers to no more of them are held at a time. They are looked up item by item, those to an item for one
-- relation at a time: for several the planner takes the index that is for the other end, and walks through all links of the tenant.
SELECT src, dst, rel, weight, valid_from FROM (
    (
        SELECT l.src, l.dst, l.rel, l.weight, l.valid_from FROM linked AS k CROSS JOIN LATERAL (
            SELECT * FROM memory_links AS n WHERE n.tenant = :tenant AND n.src = k.key OFFSET 0
        ) AS l WHERE l.rel = ANY(:relations::text[])
        ORDER BY weight DESC, src, dst, rel LIMIT :limit
    )
    UNION
    (
        SELECT l.src, l.dst, l.rel, l.weight, l.valid_from FROM linked AS k CROSS JOIN unnest(:relations::text[]) AS r (rel) CROSS JOIN LATERAL (
            SELECT * FROM memory_links AS n WHERE n.tenant = :tenant AND n.dst = k.key AND n.rel = r.rel OFFSET 0
        ) AS l
        ORDER BY weight DESC, src, dst, rel LIMIT :limit
    )
    ORDER BY weight DESC, src, dst, rel LIMIT :limit
) AS strongest

-- name: part_around
-- What links the best of the nearest and others, over one link or two, the turns around them, and what ranking needs to know
-- of all of them. Rows are looked up by their keys (LATERAL, OFFSET 0): of a tenant that is new the planner knows nothing, and
-- takes every index that begins with it for as good.
, nearest AS MATERIALIZED (
    SELECT key, row_number() OVER (ORDER BY place, number) AS rank FROM (
        SELECT DISTINCT ON (key) key, place, number FROM close ORDER BY key, place, number
    ) AS d
), seeds AS MATERIALIZED (
    SELECT unnest(:seeds::bigint[]) AS key UNION SELECT key FROM nearest WHERE rank <= :half
), edges AS MATERIALIZED (
    WITH linked AS NOT MATERIALIZED (SELECT key FROM seeds) /*part_strongest*/
), ends AS MATERIALIZED (
    SELECT i.key FROM (SELECT src AS key FROM edges UNION SELECT dst FROM edges) AS k CROSS JOIN LATERAL (
        SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = k.key OFFSET 0
    ) AS i
    WHERE /*conditions*/
), onward AS MATERIALIZED (
    SELECT key FROM ends WHERE :depth > 1 EXCEPT SELECT key FROM seeds
), further AS MATERIALIZED (
    WITH linked AS NOT MATERIALIZED (SELECT key FROM onward) /*part_strongest*/
), further_ends AS MATERIALIZED (
    SELECT i.key FROM (SELECT src AS key FROM further UNION SELECT dst FROM further) AS k CROSS JOIN LATERAL (
        SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = k.key OFFSET 0
    ) AS i
    WHERE /*conditions*/
), turns AS MATERIALIZED (
    SELECT i.session_id, i.scope_key, i.ordinal FROM (
        SELECT unnest(:best::bigint[]) AS key UNION SELECT key FROM nearest WHERE rank <= :surrounded
    ) AS k CROSS JOIN LATERAL (
        SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = k.key OFFSET 0
    ) AS i
    WHERE i.type = 'episode'
), around AS MATERIALIZED (
    SELECT DISTINCT i.key
    FROM turns AS t CROSS JOIN LATERAL (
        SELECT * FROM memory_items AS n
        WHERE n.tenant = :tenant AND n.session_id = t.session_id AND n.scope_key = t.scope_key AND n.type = 'episode'
            AND n.ordinal BETWEEN t.ordinal - :reach AND t.ordinal + :reach
        OFFSET 0
    ) AS i
    WHERE /*conditions*/
), found AS (
    SELECT 0 AS kind, src, dst, rel, weight, valid_from FROM edges
    UNION ALL SELECT 1, src, dst, rel, weight, valid_from FROM further
    UNION ALL SELECT 2, key, NULL, NULL, NULL, NULL FROM ends
    UNION ALL SELECT 2, key, NULL, NULL, NULL, NULL FROM further_ends
    UNION ALL SELECT 3, key, NULL, NULL, NULL, NULL FROM around
    UNION ALL SELECT 4, key, place, NULL, NULL, number FROM close
), wanted AS MATERIALIZED (
    SELECT unnest(:given::bigint[]) AS key UNION SELECT key FROM nearest UNION SELECT key FROM around
    UNION SELECT key FROM ends UNION SELECT key FROM further_ends
), sketched AS (
    SELECT -1 AS its_kind, w.key AS its_key, v.vector AS its_vector, r.vector AS its_reading, CASE WHEN :mentioning THEN ARRAY(
        SELECT l.dst FROM (SELECT * FROM memory_links AS n WHERE n.tenant = :tenant AND n.src = w.key OFFSET 0) AS l
        WHERE l.rel = 'mentions' ORDER BY l.dst
    ) END AS its_mentions, /*sketch*/
    FROM wanted AS w
    LEFT JOIN LATERAL (
        SELECT * FROM memory_items AS n WHERE n.tenant = :tenant AND n.key = w.key AND w.key <> ALL(:known::bigint[]) OFFSET 0
    ) AS i ON TRUE
    LEFT JOIN LATERAL (SELECT * FROM memory_usage AS n WHERE n.tenant = :tenant AND n.item = i.key OFFSET 0) AS u ON TRUE
    LEFT JOIN LATERAL (
        SELECT n.vector FROM memory_embeddings AS n WHERE n.tenant = :tenant AND n.item = w.key AND n.model = (
            SELECT m.key FROM memory_models AS m WHERE m.tenant = :tenant AND m.fingerprint = :model::text
        ) OFFSET 0
    ) AS v ON TRUE
    LEFT JOIN LATERAL (
        SELECT n.vector FROM memory_embeddings AS n WHERE n.tenant = :tenant AND n.item = w.key AND n.model = (
            SELECT m.key FROM memory_models AS m WHERE m.tenant = :tenant AND m.fingerprint = :reading::text
        ) OFFSET 0
    ) AS r ON TRUE
    WHERE i.status <> 'quarantined' OR w.key = ANY(:known::bigint[])
)
-- The rows of both, side by side: no kind is in both.
SELECT f.*, s.* FROM found AS f FULL JOIN sketched AS s ON s.its_kind = f.kind ORDER BY f.kind, f.valid_from, f.dst

-- name: near_and_around
-- planned: once
-- In one go: links of the seeds (0) and of what they lead to (1), the ends of these that pass (2), the turns around the best
-- (3), and of the nearest those that pass, in their order (4); beside these, without a kind, what ranking needs to know.
/*part_given*/ /*part_around*/

-- name: compared_and_around
-- planned: once
/*part_compared*/ /*part_around*/

-- name: indexed_and_around
-- planned: once
/*part_indexed*/ /*part_around*/

-- name: compared
/*part_compared*/ SELECT number, key FROM close ORDER BY number, place

-- name: indexed
-- planned: once
/*part_indexed*/ SELECT number, key FROM close ORDER BY number, place
