-- name: entities_by_key
-- planned: once
SELECT e.key, e.id, s.path, e.name, e.type, e.aliases, e.summary, e.mention_count, e.first_seen_at, e.last_seen_at,
    e.attributes, e.settled
FROM memory_entities AS e JOIN memory_scopes AS s ON s.tenant = e.tenant AND s.key = e.scope_key
WHERE e.tenant = :tenant AND e.key = ANY(:keys)
ORDER BY e.key

-- name: key_of_entity
-- Of one that was merged: the key of what it was merged into.
WITH RECURSIVE living (key, next) AS (
    SELECT key, merged_into FROM memory_entities WHERE tenant = :tenant AND id = :id
    UNION
    SELECT e.key, e.merged_into FROM living AS l JOIN memory_entities AS e ON e.tenant = :tenant AND e.key = l.next
)
SELECT key FROM living WHERE next IS NULL

-- name: entities_of_prefix
-- `before` is the first text that does not begin so.
SELECT DISTINCT entity FROM memory_entity_names
WHERE tenant = :tenant AND folded >= :prefix AND folded < :before AND (:everywhere OR scope_key = ANY(:scope_keys))

-- name: entities_most_mentioned_first
SELECT key FROM memory_entities
WHERE tenant = :tenant AND merged_into IS NULL AND (:everywhere OR scope_key = ANY(:scope_keys))
    AND (:type::text IS NULL OR type = :type)
    AND (NOT :told OR settled OR aliases <> '[]')
    AND (NOT :only OR key = ANY(:keys))
ORDER BY mention_count DESC, name, key LIMIT :limit

-- name: mentioned_by_items
-- planned: once
SELECT src, dst FROM memory_links
WHERE tenant = :tenant AND src = ANY(:keys) AND rel = 'mentions'
ORDER BY src, dst

-- name: living_successors
-- The depth ends a circle, which only a store that was changed by hand can hold.
WITH RECURSIVE chain (origin, key, next, status, depth) AS (
    SELECT key, key, superseded_by, status, 0 FROM memory_items
    WHERE tenant = :tenant AND key = ANY(:keys) AND superseded_by IS NOT NULL
    UNION ALL
    SELECT c.origin, i.key, i.superseded_by, i.status, c.depth + 1
    FROM chain AS c JOIN memory_items AS i ON i.tenant = :tenant AND i.id = c.next
    WHERE c.depth < 1000
)
SELECT origin, key FROM chain WHERE next IS NULL AND status = 'active' ORDER BY origin

-- name: items_to_name
-- Of what was held back or turned down nothing is registered.
SELECT i.key, i.scope_key, coalesce(i.event_at, i.created_at), i.updated_at FROM memory_items AS i
WHERE i.tenant = :tenant AND i.key = ANY(:keys) AND i.status <> 'quarantined'
    AND NOT (i.status = 'archived' AND i.validation = 'retracted')
    AND NOT EXISTS (
        SELECT 1 FROM memory_verdicts AS v
        WHERE v.tenant = :tenant AND v.item = i.key AND v.verdict IN ('quarantined', 'rejected')
    )
ORDER BY i.key

-- name: known_names
SELECT n.folded, n.scope_key, n.entity, e.type, e.settled
FROM memory_entity_names AS n JOIN memory_entities AS e ON e.tenant = n.tenant AND e.key = n.entity
WHERE n.tenant = :tenant AND n.folded = ANY(:folded) AND n.scope_key = ANY(:scope_keys)

-- name: any_unspaced_name
SELECT EXISTS (SELECT 1 FROM memory_entity_names WHERE tenant = :tenant AND folded >= :first)

-- name: last_entity_key
SELECT coalesce(max(key), 0) FROM memory_entities WHERE tenant = :tenant

-- name: add_entity
INSERT INTO memory_entities (tenant, key, id, scope_key, name, type, mention_count, first_seen_at, last_seen_at)
VALUES (:tenant, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: add_name
INSERT INTO memory_entity_names (tenant, folded, scope_key, entity) VALUES (:tenant, ?, ?, ?)

-- name: guess_type
UPDATE memory_entities SET type = ? WHERE tenant = :tenant AND key = ? AND NOT settled

-- name: add_mention
INSERT INTO memory_links (tenant, src, dst, rel, created_at) VALUES (:tenant, ?, ?, 'mentions', ?)

-- name: count_mentions
UPDATE memory_entities SET
    mention_count = mention_count + ?, first_seen_at = least(first_seen_at, ?),
    last_seen_at = greatest(coalesce(last_seen_at, first_seen_at), ?)
WHERE tenant = :tenant AND key = ?

-- name: drop_mention
DELETE FROM memory_links WHERE tenant = :tenant AND src = ? AND dst = ? AND rel = 'mentions'

-- name: uncount_mentions
UPDATE memory_entities SET mention_count = mention_count - ? WHERE tenant = :tenant AND key = ?

-- name: look_again_when_seen
-- When the first and the last of what still mentions an entity happened, where one of them may be gone.
UPDATE memory_entities SET (first_seen_at, last_seen_at) = (
    SELECT min(coalesce(i.event_at, i.created_at)), max(coalesce(i.event_at, i.created_at))
    FROM memory_links AS l JOIN memory_items AS i ON i.tenant = l.tenant AND i.key = l.src
    WHERE l.tenant = :tenant AND l.dst = memory_entities.key AND l.rel = 'mentions'
)
WHERE tenant = :tenant AND key = :key AND mention_count > 0
    AND (first_seen_at >= :at OR coalesce(last_seen_at, :at) <= :at)

-- name: recount_mentions
UPDATE memory_entities SET mention_count = (
    SELECT count(*) FROM memory_links WHERE tenant = :tenant AND dst = :key AND rel = 'mentions'
)
WHERE tenant = :tenant AND key = :key

-- name: entities_that_nobody_needs
-- Mentioned by nothing, and nobody has said anything about them.
SELECT key FROM memory_entities
WHERE tenant = :tenant AND key = ANY(:keys) AND mention_count = 0 AND NOT settled AND aliases = '[]'

-- name: names_of_entity
SELECT scope_key, name, aliases FROM memory_entities WHERE tenant = :tenant AND key = :key AND merged_into IS NULL

-- name: drop_name
DELETE FROM memory_entity_names
WHERE tenant = :tenant AND folded = :folded AND scope_key = :scope_key AND entity = :entity

-- name: drop_merged_entities
DELETE FROM memory_entities WHERE tenant = :tenant AND merged_into = :key

-- name: drop_entity
DELETE FROM memory_entities WHERE tenant = :tenant AND key = :key

-- name: move_names
UPDATE memory_entity_names SET entity = :keep
WHERE tenant = :tenant AND scope_key = :scope_key AND folded = ANY(:folded)

-- name: move_mentions
INSERT INTO memory_links (tenant, src, dst, rel, created_at)
SELECT :tenant, src, :keep, 'mentions', created_at FROM memory_links
WHERE tenant = :tenant AND dst = :gone AND rel = 'mentions'
ON CONFLICT (tenant, src, dst, rel) DO NOTHING

-- name: drop_mentions_of_entity
DELETE FROM memory_links WHERE tenant = :tenant AND dst = :gone AND rel = 'mentions'

-- name: point_merged_entities
UPDATE memory_entities SET merged_into = :keep WHERE tenant = :tenant AND merged_into = :gone

-- name: point_run_changes
-- What runs did to an entity they did to what it is now.
UPDATE memory_run_changes SET entity = :keep WHERE tenant = :tenant AND entity = :gone

-- name: merged_into
SELECT key, id, merged_into, attributes FROM memory_entities
WHERE tenant = :tenant AND merged_into IS NOT NULL AND merged_into = ANY(:keys)
ORDER BY key

-- name: merge_of
SELECT merged_into, attributes FROM memory_entities
WHERE tenant = :tenant AND key = :key AND merged_into IS NOT NULL

-- name: put_merge
UPDATE memory_entities SET attributes = :record WHERE tenant = :tenant AND key = :key AND merged_into IS NOT NULL

-- name: make_living
UPDATE memory_entities SET attributes = :attributes, merged_into = NULL WHERE tenant = :tenant AND key = :key

-- name: put_seen
UPDATE memory_entities SET first_seen_at = :first, last_seen_at = :last WHERE tenant = :tenant AND key = :key

-- name: mentions_of
SELECT src, created_at FROM memory_links
WHERE tenant = :tenant AND dst = :entity AND rel = 'mentions'
ORDER BY src

-- name: run_changes_of
SELECT run, number FROM memory_run_changes WHERE tenant = :tenant AND entity = :entity ORDER BY run, number

-- name: point_run_change
UPDATE memory_run_changes SET entity = ? WHERE tenant = :tenant AND run = ? AND number = ? AND entity = ?

-- name: point_merged_entity
UPDATE memory_entities SET merged_into = ? WHERE tenant = :tenant AND key = ? AND merged_into = ?

-- name: id_of_entity
SELECT id FROM memory_entities WHERE tenant = :tenant AND key = :key

-- name: holder_of_name
SELECT entity FROM memory_entity_names WHERE tenant = :tenant AND folded = :folded AND scope_key = :scope_key

-- name: claim_name
INSERT INTO memory_entity_names (tenant, folded, scope_key, entity) VALUES (:tenant, :folded, :scope_key, :entity)

-- name: change_entity
UPDATE memory_entities SET type = :type, settled = :settled, summary = :summary WHERE tenant = :tenant AND key = :key

-- name: put_names
UPDATE memory_entities SET name = :name, aliases = :aliases WHERE tenant = :tenant AND key = :key

-- name: scope_of_item
SELECT scope_key FROM memory_items WHERE tenant = :tenant AND key = :item

-- name: names_of_scope
SELECT folded, entity FROM memory_entity_names WHERE tenant = :tenant AND scope_key = :scope_key

-- name: every_entity
SELECT key, scope_key, name, aliases FROM memory_entities WHERE tenant = :tenant AND merged_into IS NULL

-- name: every_name
SELECT scope_key, folded, entity FROM memory_entity_names WHERE tenant = :tenant

-- name: miscounted_entities
SELECT count(*) FROM memory_entities AS e
WHERE e.tenant = :tenant AND e.mention_count <> (
    SELECT count(*) FROM memory_links AS l WHERE l.tenant = :tenant AND l.dst = e.key AND l.rel = 'mentions'
)

-- name: dangling_names
SELECT count(*) FROM memory_entity_names AS n
WHERE n.tenant = :tenant AND NOT EXISTS (
    SELECT 1 FROM memory_entities AS e
    WHERE e.tenant = :tenant AND e.key = n.entity AND e.scope_key = n.scope_key AND e.merged_into IS NULL
)

-- name: drop_dangling_names
DELETE FROM memory_entity_names AS n
WHERE n.tenant = :tenant AND NOT EXISTS (
    SELECT 1 FROM memory_entities AS e
    WHERE e.tenant = :tenant AND e.key = n.entity AND e.scope_key = n.scope_key AND e.merged_into IS NULL
)

-- name: drop_dangling_mentions
DELETE FROM memory_links AS l
WHERE l.tenant = :tenant AND l.rel = 'mentions' AND (
    NOT EXISTS (SELECT 1 FROM memory_items AS i WHERE i.tenant = :tenant AND i.key = l.src)
    OR NOT EXISTS (
        SELECT 1 FROM memory_entities AS e WHERE e.tenant = :tenant AND e.key = l.dst AND e.merged_into IS NULL
    )
)

-- name: recount_all_mentions
UPDATE memory_entities AS e SET mention_count = (
    SELECT count(*) FROM memory_links AS l WHERE l.tenant = :tenant AND l.dst = e.key AND l.rel = 'mentions'
)
WHERE e.tenant = :tenant

-- name: add_missing_name
INSERT INTO memory_entity_names (tenant, folded, scope_key, entity) VALUES (:tenant, ?, ?, ?)
ON CONFLICT (tenant, folded, scope_key) DO NOTHING
