-- name: put_moved_link
INSERT INTO memory_moved_links
    (tenant, src, dst, rel, predicate, weight, confidence, evidence, valid_from, valid_until, created_at)
VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (tenant, src, dst, rel) DO UPDATE SET
    predicate = excluded.predicate, weight = excluded.weight, confidence = excluded.confidence,
    evidence = excluded.evidence, valid_from = excluded.valid_from, valid_until = excluded.valid_until

-- name: drop_moved_links
-- Of an item; those that join it to another one that is still here stay.
DELETE FROM memory_moved_links AS l
WHERE l.tenant = :tenant AND (
    l.src = :id AND NOT EXISTS (SELECT 1 FROM memory_items AS i WHERE i.tenant = :tenant AND i.id = l.dst)
    OR l.dst = :id AND NOT EXISTS (SELECT 1 FROM memory_items AS i WHERE i.tenant = :tenant AND i.id = l.src)
)

-- name: purge_moved_links
DELETE FROM memory_moved_links WHERE tenant = :tenant AND (src = :id OR dst = :id)

-- name: usage_of_item
SELECT reinforcement, usage_count, last_used_at, last_hit_at, confidence_gain FROM memory_usage
WHERE tenant = :tenant AND item = :item

-- name: uses_of_item
SELECT session_id, used_at FROM memory_uses WHERE tenant = :tenant AND item = :item ORDER BY session_id

-- name: add_use
INSERT INTO memory_uses (tenant, item, session_id, used_at) VALUES (:tenant, ?, ?, ?)

-- name: vectors_of_item
SELECT m.name, m.fingerprint, m.dimension, e.checksum, e.vector
FROM memory_embeddings AS e JOIN memory_models AS m ON m.tenant = e.tenant AND m.key = e.model
WHERE e.tenant = :tenant AND e.item = :item ORDER BY m.key

-- name: put_whole_verdict
INSERT INTO memory_verdicts (tenant, item, verdict, reasons, why_store, actor, at, wished)
VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?)

-- name: names_mentioned
SELECT e.name, e.type FROM memory_links AS l JOIN memory_entities AS e ON e.tenant = l.tenant AND e.key = l.dst
WHERE l.tenant = :tenant AND l.src = :item AND l.rel = 'mentions' ORDER BY l.dst

-- name: any_run_changes
SELECT EXISTS (SELECT 1 FROM memory_run_changes WHERE tenant = :tenant)

-- name: links_of_relation
SELECT s.id, d.id, l.rel, l.predicate, l.weight, l.confidence, l.evidence, l.valid_from, l.valid_until, l.created_at,
    l.src, l.dst
FROM memory_links AS l
JOIN memory_items AS s ON s.tenant = l.tenant AND s.key = l.src
JOIN memory_items AS d ON d.tenant = l.tenant AND d.key = l.dst
WHERE l.tenant = :tenant AND l.rel = :rel AND (l.src, l.dst) > (:src::bigint, :dst::bigint)
ORDER BY l.src, l.dst LIMIT :limit

-- name: present_ids
SELECT id FROM memory_items WHERE tenant = :tenant AND id = ANY(:ids)

-- name: ids_after
SELECT key, id FROM memory_items WHERE tenant = :tenant AND key > :after ORDER BY key LIMIT :limit

-- name: unmention
-- The entity stays, with what is known of it, though nothing here mentions it for now.
UPDATE memory_entities SET mention_count = mention_count - 1
WHERE tenant = :tenant AND key IN (
    SELECT l.dst FROM memory_links AS l WHERE l.tenant = :tenant AND l.src = :item AND l.rel = 'mentions'
)
