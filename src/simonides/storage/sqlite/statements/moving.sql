-- name: moved_links_of_items
SELECT src, dst, rel, predicate, weight, confidence, evidence, valid_from, valid_until, created_at
FROM memory_moved_links WHERE src IN (SELECT value FROM carray(:ids))
UNION
SELECT src, dst, rel, predicate, weight, confidence, evidence, valid_from, valid_until, created_at
FROM memory_moved_links WHERE dst IN (SELECT value FROM carray(:ids))
ORDER BY 1, 2, 3

-- name: note_moved_changes
-- What runs did to an item can be told, and taken back, once it is here again.
UPDATE memory_run_changes SET item = NULL, details = json_set(details, '$.moved_item', :id) WHERE item = :key

-- name: note_moved_others
UPDATE memory_run_changes SET other = NULL, details = json_set(details, '$.moved_other', :id) WHERE other = :key

-- name: rejoin_moved_changes
UPDATE memory_run_changes SET
    item = (SELECT key FROM memory_items WHERE id = details ->> '$.moved_item'),
    details = json_remove(details, '$.moved_item')
WHERE item IS NULL AND details ->> '$.moved_item' IN (SELECT value FROM carray(:ids))

-- name: rejoin_moved_others
UPDATE memory_run_changes SET
    other = (SELECT key FROM memory_items WHERE id = details ->> '$.moved_other'),
    details = json_remove(details, '$.moved_other')
WHERE other IS NULL AND details ->> '$.moved_other' IN (SELECT value FROM carray(:ids))

-- name: faintest
-- What may be moved out, faintest first, with about how many bytes of the file it takes: what is archived, what
-- was superseded first of all; then by reinforcement and by the days since the last hit or use. What is
-- pinned, verified, settled, waits for a decision or for extraction, is a document's or a record, stays.
SELECT
    i.key,
    2 * (length(CAST(i.content AS BLOB)) + length(CAST(i.title AS BLOB)) + length(i.derived)) + 400
        + (SELECT coalesce(sum(length(CAST(snapshot AS BLOB)) + 60), 0) FROM memory_revisions WHERE item = i.key)
        + (SELECT coalesce(sum(length(vector) + 40), 0) FROM memory_embeddings WHERE item = i.key) AS bytes
FROM memory_items AS i LEFT JOIN memory_usage AS u ON u.item = i.key
WHERE i.type NOT IN ('chunk', 'record') AND i.pinned = 0 AND i.status <> 'quarantined'
    AND (
        i.status = 'archived'
        OR i.tier <> 'ltm' AND i.validation <> 'verified' AND (i.decay_rate > 0 OR i.type = 'episode')
            AND NOT EXISTS (SELECT 1 FROM memory_buffer WHERE item = i.key)
            AND NOT EXISTS (
                SELECT 1 FROM memory_sessions AS n
                WHERE i.type = 'episode' AND n.scope_key = i.scope_key AND n.session_id = i.session_id
                    AND n.last_seen_at > :quiet_since
            )
    )
    AND /*conditions*/
ORDER BY
    CASE WHEN i.status <> 'archived' THEN 2 WHEN i.superseded_by IS NULL THEN 1 ELSE 0 END,
    faintness(coalesce(u.reinforcement, 0.0), max(i.created_at, coalesce(u.last_hit_at, 0), coalesce(u.last_used_at, 0)), :now),
    i.key
LIMIT :limit

-- name: made_from
-- Items whose provenance names one of these ids: as their source, or among their chunks.
SELECT id, source_id, source_details FROM memory_items
WHERE source_id IN (SELECT value FROM carray(:ids))
    OR source_details IS NOT NULL AND EXISTS (
        SELECT 1 FROM json_each(source_details, '$.chunk_ids') WHERE value IN (SELECT value FROM carray(:ids))
    )
ORDER BY key
