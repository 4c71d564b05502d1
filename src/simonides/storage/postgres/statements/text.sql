-- name: search_text
-- planned: once
SELECT * FROM simonides_search(
    :tenant, :words::jsonb, :every, :kinds, :above::integer, :narrow::jsonb, :small, :limit, :long
)

-- name: holders_of_names
SELECT * FROM simonides_holders(:tenant, :asked::text[], :best::bigint)

-- name: texts_of
-- planned: once
SELECT key, title, content, tags, entities, derived FROM memory_items WHERE tenant = :tenant AND key = ANY(:keys::bigint[])

-- name: put_words
INSERT INTO memory_words (tenant, item, length, counts, lexemes, tallies)
VALUES (:tenant, ?, ?, ?::jsonb, array_to_tsvector(?::text[]), ?::text::sparsevec)

-- name: drop_words
-- What items said counts no more.
WITH gone AS (
    DELETE FROM memory_words WHERE tenant = :tenant AND item = ANY(:keys) RETURNING length, counts
), terms AS (
    SELECT t.term COLLATE "C" AS term, count(*) AS documents FROM gone AS g, jsonb_object_keys(g.counts) AS t (term) GROUP BY 1
), counted AS (
    UPDATE memory_terms AS m SET documents = m.documents - t.documents FROM terms AS t
    WHERE m.tenant = :tenant AND m.term = t.term
)
UPDATE memory_heads AS h SET worded = h.worded - s.rows, tokens = h.tokens - s.tokens
FROM (SELECT count(*) AS rows, coalesce(sum(length), 0)::bigint AS tokens FROM gone) AS s
WHERE h.tenant = :tenant AND s.rows > 0

-- name: count_terms
INSERT INTO memory_terms (tenant, term, documents)
SELECT :tenant, t.term, t.documents FROM unnest(:terms::text[], :counts::integer[]) AS t (term, documents)
ORDER BY t.term
ON CONFLICT (tenant, term) DO UPDATE SET documents = memory_terms.documents + excluded.documents

-- name: documents_with_terms
-- planned: once
SELECT term, documents FROM memory_terms WHERE tenant = :tenant AND term = ANY(:terms) AND documents > 0

-- name: terms_between
SELECT term, documents FROM memory_terms
WHERE tenant = :tenant AND term >= :first AND term <= :last AND documents > 0 ORDER BY term LIMIT :limit

-- name: vocabulary
-- planned: once
-- What stands in the place of words: terms that begin in some ways (0), in others where no item holds a word (0), how many
-- items hold the parts of such a word (1), and the names that it may be meant for (2). What ends at `last` is what begins so.
WITH absent AS MATERIALIZED (
    SELECT w.word FROM (
        SELECT unnest(:slipping::text[]) AS word UNION SELECT unnest(:whole::text[])
    ) AS w
    WHERE NOT EXISTS (
        SELECT 1 FROM (SELECT documents FROM memory_terms WHERE tenant = :tenant AND term = w.word OFFSET 0) AS t
        WHERE t.documents > 0
    )
)
SELECT 0, b.beginning, t.term, t.documents FROM (
    SELECT unnest(:beginnings::text[]) AS beginning
    UNION SELECT s.beginning FROM unnest(:slipping::text[], :slips::text[]) AS s (word, beginning)
    WHERE s.word IN (SELECT word FROM absent)
) AS b CROSS JOIN LATERAL (
    SELECT term, documents FROM memory_terms
    WHERE tenant = :tenant AND term >= b.beginning AND term <= b.beginning || :last::text AND documents > 0
    ORDER BY term LIMIT :most
) AS t
UNION ALL
SELECT 1, NULL, term, documents FROM memory_terms WHERE tenant = :tenant AND documents > 0 AND term = ANY(ARRAY(
    SELECT p.part FROM unnest(:whole::text[], :parts::text[]) AS p (word, part) WHERE p.word IN (SELECT word FROM absent)
))
UNION ALL
SELECT DISTINCT 2, NULL, c.folded, 0
FROM unnest(:calling::text[], :first::text[], :halves::text[], :rests::text[]) AS w (word, beginning, half, rest)
CROSS JOIN LATERAL (
    SELECT n.folded FROM memory_entity_names AS n
    WHERE n.tenant = :tenant AND n.folded >= w.beginning AND n.folded <= w.beginning || :last::text
        AND (starts_with(n.folded, w.half) OR n.folded ~ (w.rest || :tails::text)) AND (:everywhere OR n.scope_key = ANY(ARRAY(
            SELECT s.key FROM memory_scopes AS s WHERE s.tenant = :tenant AND s.path = ANY(:paths::text[])
        )))
    OFFSET 0
) AS c
WHERE w.word IN (SELECT word FROM absent)

-- name: terms_gone
DELETE FROM memory_terms WHERE tenant = :tenant AND documents = 0

-- name: search_like
-- How many of the terms occur in the text.
SELECT found.score::float8, NULL, found.key FROM (
    SELECT i.key, (
        SELECT count(*) FROM unnest(:terms::text[]) AS t (term)
        WHERE strpos(i.title || ' ' || i.content || ' ' || i.tags || ' ' || i.entities || ' ' || i.derived, t.term) > 0
    ) AS score
    FROM memory_items AS i WHERE i.tenant = :tenant AND /*conditions*/
) AS found
WHERE found.score >= :least ORDER BY found.score DESC, found.key DESC LIMIT :limit
