-- name: moved_links_of_items
SELECT src, dst, rel, predicate, weight, confidence, evidence, valid_from, valid_until, created_at
FROM memory_moved_links WHERE tenant = :tenant AND (src = ANY(:ids) OR dst = ANY(:ids))
ORDER BY 1, 2, 3

-- name: note_moved_changes
-- What runs did to an item can be told, and taken back, once it is here again. Details stay the text that they are: what is
-- written as \u0000 goes through no jsonb.
UPDATE memory_run_changes SET
    item = NULL, details = CASE details WHEN '{}' THEN '{' ELSE left(details, -1) || ',' END || '"moved_item":' || to_json(:id::text) || '}'
WHERE tenant = :tenant AND item = :key

-- name: note_moved_others
UPDATE memory_run_changes SET
    other = NULL, details = CASE details WHEN '{}' THEN '{' ELSE left(details, -1) || ',' END || '"moved_other":' || to_json(:id::text) || '}'
WHERE tenant = :tenant AND other = :key

-- name: rejoin_moved_changes
UPDATE memory_run_changes AS c SET item = i.key, details = regexp_replace(
    c.details, ',\s*"moved_item":\s*"([^"\\]|\\.)*"|"moved_item":\s*"([^"\\]|\\.)*"(,\s*|)', ''
)
FROM memory_items AS i
WHERE c.tenant = :tenant AND c.item IS NULL AND i.tenant = :tenant AND i.id = simonides_without_nul(c.details)::json ->> 'moved_item'
    AND i.id = ANY(:ids)

-- name: rejoin_moved_others
UPDATE memory_run_changes AS c SET other = i.key, details = regexp_replace(
    c.details, ',\s*"moved_other":\s*"([^"\\]|\\.)*"|"moved_other":\s*"([^"\\]|\\.)*"(,\s*|)', ''
)
FROM memory_items AS i
WHERE c.tenant = :tenant AND c.other IS NULL AND i.tenant = :tenant AND i.id = simonides_without_nul(c.details)::json ->> 'moved_other'
    AND i.id = ANY(:ids)

-- name: faintest
-- What may be moved out, faintest first, with about how many bytes it takes: what is archived, what was superseded
-- first of all; then by reinforcement and by the days since the last hit or use. What is pinned, verified, settled,
-- waits for a decision or for extraction, is a document's or a record, stays.
SELECT
    i.key,
    (
        2 * (octet_length(i.content) + octet_length(i.title) + length(i.derived)) + 400
        + (SELECT coalesce(sum(octet_length(r.snapshot) + 60), 0) FROM memory_revisions AS r WHERE r.tenant = :tenant AND r.item = i.key)
        + (SELECT coalesce(sum(pg_column_size(e.vector) + 40), 0) FROM memory_embeddings AS e WHERE e.tenant = :tenant AND e.item = i.key)
    )::bigint AS bytes
FROM memory_items AS i LEFT JOIN memory_usage AS u ON u.tenant = i.tenant AND u.item = i.key
WHERE i.tenant = :tenant AND i.type NOT IN ('chunk', 'record') AND i.pinned = 0 AND i.status <> 'quarantined'
    AND (
        i.status = 'archived'
        OR i.tier <> 'ltm' AND i.validation <> 'verified' AND (i.decay_rate > 0 OR i.type = 'episode')
            AND NOT EXISTS (SELECT 1 FROM memory_buffer AS b WHERE b.tenant = :tenant AND b.item = i.key)
            AND NOT EXISTS (
                SELECT 1 FROM memory_sessions AS n
                WHERE n.tenant = :tenant AND i.type = 'episode' AND n.scope_key = i.scope_key
                    AND n.session_id = i.session_id AND n.last_seen_at > :quiet_since
            )
    )
    AND /*conditions*/
ORDER BY
    CASE WHEN i.status <> 'archived' THEN 2 WHEN i.superseded_by IS NULL THEN 1 ELSE 0 END,
    faintness(
        coalesce(u.reinforcement, 0.0), greatest(i.created_at, coalesce(u.last_hit_at, 0), coalesce(u.last_used_at, 0)), :now
    ),
    i.key
LIMIT :limit

-- name: made_from
-- Items whose provenance names one of these ids: as their source, or among their chunks.
SELECT id, source_id, source_details FROM (
    SELECT i.key, i.id, i.source_id, i.source_details FROM memory_items AS i
    WHERE i.tenant = :tenant AND i.source_id = ANY(:ids)
    UNION
    SELECT i.key, i.id, i.source_id, i.source_details FROM memory_items AS i
    WHERE i.tenant = :tenant AND strpos(i.source_details, '"chunk_ids"') > 0 AND EXISTS (
        SELECT 1 FROM json_array_elements_text(simonides_without_nul(i.source_details)::json -> 'chunk_ids') AS c (id) WHERE c.id = ANY(:ids)
    )
) AS made
ORDER BY key
