-- name: entities_by_key
SELECT e.key, e.id, s.path, e.name, e.type, e.aliases, e.summary, e.mention_count, e.first_seen_at, e.last_seen_at,
    e.attributes, e.settled
FROM memory_entities AS e JOIN memory_scopes AS s ON s.key = e.scope_key
WHERE e.key IN (SELECT value FROM carray(:keys))
ORDER BY e.key

-- name: entities_told_by
-- Those with a summary that any of these items mentions.
SELECT e.key, e.id, s.path, e.name, e.type, e.aliases, e.summary, e.mention_count, e.first_seen_at, e.last_seen_at,
    e.attributes, e.settled
FROM memory_entities AS e JOIN memory_scopes AS s ON s.key = e.scope_key
WHERE e.summary IS NOT NULL AND e.key IN (
    SELECT l.dst FROM memory_items AS i JOIN memory_links AS l ON l.src = i.key AND l.rel = 'mentions'
    WHERE i.id IN (SELECT value FROM carray(:ids))
)
ORDER BY e.key

-- name: key_of_entity
-- Of one that was merged: the key of what it was merged into.
WITH RECURSIVE living (key, next) AS (
    SELECT key, merged_into FROM memory_entities WHERE id = :id
    UNION
    SELECT e.key, e.merged_into FROM living AS l JOIN memory_entities AS e ON e.key = l.next
)
SELECT key FROM living WHERE next IS NULL

-- name: entities_of_names
SELECT n.folded, e.key, e.id, s.path, e.name, e.type, e.aliases, e.summary, e.mention_count, e.first_seen_at,
    e.last_seen_at, e.attributes, e.settled
FROM memory_entity_names AS n CROSS JOIN memory_entities AS e ON e.key = n.entity
    CROSS JOIN memory_scopes AS s ON s.key = e.scope_key
WHERE n.folded IN (SELECT value FROM carray(:folded))
    AND (:everywhere OR n.scope_key IN (SELECT value FROM carray(:scope_keys)))
ORDER BY n.folded, n.entity

-- name: entities_of_prefix
-- `before` is the first text that does not begin so.
SELECT DISTINCT entity FROM memory_entity_names
WHERE folded >= :prefix AND folded < :before
    AND (:everywhere OR scope_key IN (SELECT value FROM carray(:scope_keys)))

-- name: entities_most_mentioned_first
SELECT key FROM memory_entities
WHERE merged_into IS NULL
    AND (:everywhere OR scope_key IN (SELECT value FROM carray(:scope_keys)))
    AND (:type IS NULL OR type = :type)
    AND (NOT :told OR settled OR aliases <> '[]')
    AND (NOT :only OR key IN (SELECT value FROM carray(:keys)))
ORDER BY mention_count DESC, name, key LIMIT :limit

-- name: mentions_of_entity
-- In the order of the index, so that it ends with the limit however often an entity is mentioned.
SELECT i.key
FROM memory_links AS l INDEXED BY memory_links_by_dst CROSS JOIN memory_items AS i NOT INDEXED ON i.key = l.src
WHERE l.dst = :entity AND l.rel = 'mentions' AND /*conditions*/
ORDER BY l.src DESC LIMIT :limit

-- name: mentioned_by_items
SELECT src, dst FROM memory_links
WHERE src IN (SELECT value FROM carray(:keys)) AND rel = 'mentions'
ORDER BY src, dst

-- name: edges_from_items
-- Each link once, also where both of its ends are asked for. Of an item that everything refers to the strongest links
-- are kept, and no more of them are held at a time: with a limit the sorter lets go of what falls behind.
SELECT src, dst, rel, weight, valid_from FROM (
    SELECT src, dst, rel, weight, valid_from FROM memory_links
    WHERE src IN (SELECT value FROM carray(:keys)) AND rel IN (SELECT value FROM carray(:relations))
    UNION ALL
    SELECT src, dst, rel, weight, valid_from FROM memory_links
    WHERE dst IN (SELECT value FROM carray(:keys)) AND rel IN (SELECT value FROM carray(:relations))
        AND src NOT IN (SELECT value FROM carray(:keys))
    ORDER BY weight DESC, src, dst, rel LIMIT :limit
)
ORDER BY src, dst, rel

-- name: surroundings
-- In one go: links from and to items (0), the ends of these that pass (1), and the turns around others that pass (2).
-- Links as `edges_from_items` gives them, the strongest first. Every table that holds something for a while costs
-- more than what a search puts into it: there are few.
WITH edges AS MATERIALIZED (
    SELECT src, dst, rel, weight, valid_from FROM memory_links
    WHERE src IN (SELECT value FROM carray(:keys)) AND rel IN (SELECT value FROM carray(:relations))
    UNION ALL
    SELECT src, dst, rel, weight, valid_from FROM memory_links
    WHERE dst IN (SELECT value FROM carray(:keys)) AND rel IN (SELECT value FROM carray(:relations))
        AND src NOT IN (SELECT value FROM carray(:keys))
    ORDER BY weight DESC, src, dst, rel LIMIT :limit
)
SELECT 0, src, dst, rel, weight, valid_from FROM edges
UNION ALL
SELECT 1, i.key, NULL, NULL, NULL, NULL
FROM memory_items AS i
WHERE i.key IN (SELECT src FROM edges UNION ALL SELECT dst FROM edges) AND /*conditions*/
UNION ALL
SELECT DISTINCT 2, i.key, NULL, NULL, NULL, NULL
FROM memory_items AS t NOT INDEXED CROSS JOIN memory_items AS i
    ON i.session_id = t.session_id AND i.scope_key = t.scope_key AND i.type = 'episode'
    AND i.ordinal BETWEEN t.ordinal - :reach AND t.ordinal + :reach
WHERE t.key IN (SELECT value FROM carray(:around)) AND t.type = 'episode' AND /*conditions*/

-- name: few_surroundings
-- As `surroundings`, but for the ends that pass, in no order, and a turn as often as it is found: nothing is held for a
-- while, which takes a fifth of the time. What comes up to the limit has to be asked for by `surroundings`.
SELECT 0, src, dst, rel, weight, valid_from FROM memory_links
WHERE src IN (SELECT value FROM carray(:keys)) AND rel IN (SELECT value FROM carray(:relations))
UNION ALL
SELECT 0, src, dst, rel, weight, valid_from FROM memory_links
WHERE dst IN (SELECT value FROM carray(:keys)) AND rel IN (SELECT value FROM carray(:relations))
    AND src NOT IN (SELECT value FROM carray(:keys))
UNION ALL
SELECT 2, i.key, NULL, NULL, NULL, NULL
FROM memory_items AS t NOT INDEXED CROSS JOIN memory_items AS i
    ON i.session_id = t.session_id AND i.scope_key = t.scope_key AND i.type = 'episode'
    AND i.ordinal BETWEEN t.ordinal - :reach AND t.ordinal + :reach
WHERE t.key IN (SELECT value FROM carray(:around)) AND t.type = 'episode' AND /*conditions*/
LIMIT :limit

-- name: living_successors
-- The depth ends a circle, which only a file that was changed by hand can hold.
WITH RECURSIVE chain (origin, key, next, status, depth) AS (
    SELECT key, key, superseded_by, status, 0 FROM memory_items
    WHERE key IN (SELECT value FROM carray(:keys)) AND superseded_by IS NOT NULL
    UNION ALL
    SELECT c.origin, i.key, i.superseded_by, i.status, c.depth + 1
    FROM chain AS c JOIN memory_items AS i ON i.id = c.next
    WHERE c.depth < 1000
)
SELECT origin, key FROM chain WHERE next IS NULL AND status = 'active' ORDER BY origin

-- name: items_to_name
-- Of what was held back or turned down nothing is registered.
SELECT i.key, i.scope_key, coalesce(i.event_at, i.created_at), i.updated_at FROM memory_items AS i
WHERE i.key IN (SELECT value FROM carray(:keys)) AND i.status <> 'quarantined'
    AND NOT (i.status = 'archived' AND i.validation = 'retracted')
    AND NOT EXISTS (SELECT 1 FROM memory_verdicts WHERE item = i.key AND verdict IN ('quarantined', 'rejected'))
ORDER BY i.key

-- name: count_unnamed
-- At most so many: told by the bounds alone, which can be read where the items cannot.
SELECT max(0, coalesce(
    (SELECT max(value) FROM meta WHERE name = 'names_until')
        - (SELECT max(value) FROM meta WHERE name = 'names_after'),
    0
))

-- name: leave_unnamed
INSERT INTO meta (name, value) VALUES ('names_after', :key - 1), ('names_until', :key)
ON CONFLICT (name) DO UPDATE SET
    value = CASE name WHEN 'names_after' THEN min(value, excluded.value) ELSE max(value, excluded.value) END

-- name: note_named
INSERT INTO meta (name, value)
SELECT 'names_after', :key WHERE EXISTS (SELECT 1 FROM meta WHERE name = 'names_until')
ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)

-- name: end_naming
DELETE FROM meta WHERE name IN ('names_after', 'names_until')
    AND (SELECT max(value) FROM meta WHERE name = 'names_after') >= (SELECT max(value) FROM meta WHERE name = 'names_until')

-- name: known_names
SELECT n.folded, n.scope_key, n.entity, e.type, e.settled
FROM memory_entity_names AS n JOIN memory_entities AS e ON e.key = n.entity
WHERE n.folded IN (SELECT value FROM carray(:folded)) AND n.scope_key IN (SELECT value FROM carray(:scope_keys))

-- name: any_unspaced_name
SELECT EXISTS (SELECT 1 FROM memory_entity_names WHERE folded >= :first)

-- name: last_entity_key
SELECT coalesce(max(key), 0) FROM memory_entities

-- name: add_entity
INSERT INTO memory_entities (key, id, scope_key, name, type, mention_count, first_seen_at, last_seen_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)

-- name: add_name
INSERT INTO memory_entity_names (folded, scope_key, entity) VALUES (?, ?, ?)

-- name: guess_type
UPDATE memory_entities SET type = ? WHERE key = ? AND NOT settled

-- name: add_mention
INSERT INTO memory_links (src, dst, rel, created_at) VALUES (?, ?, 'mentions', ?)

-- name: count_mentions
UPDATE memory_entities SET
    mention_count = mention_count + ?, first_seen_at = min(first_seen_at, ?),
    last_seen_at = max(coalesce(last_seen_at, first_seen_at), ?)
WHERE key = ?

-- name: drop_mention
DELETE FROM memory_links WHERE src = ? AND dst = ? AND rel = 'mentions'

-- name: uncount_mentions
UPDATE memory_entities SET mention_count = mention_count - ? WHERE key = ?

-- name: look_again_when_seen
-- When the first and the last of what still mentions an entity happened, where one of them may be gone.
UPDATE memory_entities SET (first_seen_at, last_seen_at) = (
    SELECT min(coalesce(i.event_at, i.created_at)), max(coalesce(i.event_at, i.created_at))
    FROM memory_links AS l JOIN memory_items AS i ON i.key = l.src
    WHERE l.dst = memory_entities.key AND l.rel = 'mentions'
)
WHERE key = :key AND mention_count > 0 AND (first_seen_at >= :at OR coalesce(last_seen_at, :at) <= :at)

-- name: recount_mentions
UPDATE memory_entities SET
    mention_count = (SELECT count(*) FROM memory_links WHERE dst = :key AND rel = 'mentions')
WHERE key = :key

-- name: entities_that_nobody_needs
-- Mentioned by nothing, and nobody has said anything about them.
SELECT key FROM memory_entities
WHERE key IN (SELECT value FROM carray(:keys)) AND mention_count = 0 AND NOT settled AND aliases = '[]'

-- name: names_of_entity
SELECT scope_key, name, aliases FROM memory_entities WHERE key = :key AND merged_into IS NULL

-- name: drop_name
DELETE FROM memory_entity_names WHERE folded = :folded AND scope_key = :scope_key AND entity = :entity

-- name: drop_merged_entities
DELETE FROM memory_entities WHERE merged_into = :key

-- name: drop_entity
DELETE FROM memory_entities WHERE key = :key

-- name: move_names
UPDATE memory_entity_names SET entity = :keep
WHERE scope_key = :scope_key AND folded IN (SELECT value FROM carray(:folded))

-- name: move_mentions
INSERT INTO memory_links (src, dst, rel, created_at)
SELECT src, :keep, 'mentions', created_at FROM memory_links WHERE dst = :gone AND rel = 'mentions'
ON CONFLICT (src, dst, rel) DO NOTHING

-- name: drop_mentions_of_entity
DELETE FROM memory_links WHERE dst = :gone AND rel = 'mentions'

-- name: point_merged_entities
UPDATE memory_entities SET merged_into = :keep WHERE merged_into = :gone

-- name: point_run_changes
-- What runs did to an entity they did to what it is now.
UPDATE memory_run_changes SET entity = :keep WHERE entity = :gone

-- name: take_over_entity
UPDATE memory_entities SET
    type = CASE WHEN memory_entities.type = 'concept' AND NOT memory_entities.settled THEN g.type ELSE memory_entities.type END,
    settled = max(memory_entities.settled, g.settled AND memory_entities.type = 'concept'),
    summary = coalesce(memory_entities.summary, g.summary),
    first_seen_at = min(memory_entities.first_seen_at, g.first_seen_at),
    last_seen_at = max(
        coalesce(memory_entities.last_seen_at, memory_entities.first_seen_at),
        coalesce(g.last_seen_at, g.first_seen_at)
    )
FROM memory_entities AS g
WHERE memory_entities.key = :keep AND g.key = :gone

-- name: make_merged
UPDATE memory_entities SET
    name = '', aliases = '[]', summary = NULL, embedding = NULL, attributes = :record, mention_count = 0,
    merged_into = :keep
WHERE key = :gone

-- name: merged_into
SELECT key, id, merged_into, attributes FROM memory_entities
WHERE merged_into IS NOT NULL AND merged_into IN (SELECT value FROM carray(:keys))
ORDER BY key

-- name: merge_of
SELECT merged_into, attributes FROM memory_entities WHERE key = :key AND merged_into IS NOT NULL

-- name: put_merge
UPDATE memory_entities SET attributes = :record WHERE key = :key AND merged_into IS NOT NULL

-- name: make_living
UPDATE memory_entities SET attributes = :attributes, merged_into = NULL WHERE key = :key

-- name: put_seen
UPDATE memory_entities SET first_seen_at = :first, last_seen_at = :last WHERE key = :key

-- name: mentions_of
SELECT src, created_at FROM memory_links WHERE dst = :entity AND rel = 'mentions' ORDER BY src

-- name: run_changes_of
SELECT run, number FROM memory_run_changes WHERE entity = :entity ORDER BY run, number

-- name: point_run_change
UPDATE memory_run_changes SET entity = ? WHERE run = ? AND number = ? AND entity = ?

-- name: point_merged_entity
UPDATE memory_entities SET merged_into = ? WHERE key = ? AND merged_into = ?

-- name: id_of_entity
SELECT id FROM memory_entities WHERE key = :key

-- name: holder_of_name
SELECT entity FROM memory_entity_names WHERE folded = :folded AND scope_key = :scope_key

-- name: claim_name
INSERT INTO memory_entity_names (folded, scope_key, entity) VALUES (:folded, :scope_key, :entity)

-- name: change_entity
UPDATE memory_entities SET type = :type, settled = :settled, summary = :summary WHERE key = :key

-- name: put_names
UPDATE memory_entities SET name = :name, aliases = :aliases WHERE key = :key

-- name: scope_of_item
SELECT scope_key FROM memory_items WHERE key = :item

-- name: names_of_scope
SELECT folded, entity FROM memory_entity_names WHERE scope_key = :scope_key

-- name: texts_that_mention
SELECT i.title, i.content, i.entities
FROM memory_links AS l INDEXED BY memory_links_by_dst CROSS JOIN memory_items AS i ON i.key = l.src
WHERE l.dst = :entity AND l.rel = 'mentions'
ORDER BY l.src DESC

-- name: drop_summary
UPDATE memory_entities SET summary = NULL, embedding = NULL WHERE key = :key

-- name: naming_of_item
SELECT title, content, entities FROM memory_items WHERE key = :item

-- name: put_entity
UPDATE memory_entities SET aliases = :aliases, attributes = :attributes, settled = :settled WHERE key = :key

-- name: every_entity
SELECT key, scope_key, name, aliases FROM memory_entities WHERE merged_into IS NULL

-- name: miscounted_entities
SELECT count(*) FROM memory_entities AS e
WHERE mention_count <> (SELECT count(*) FROM memory_links WHERE dst = e.key AND rel = 'mentions')

-- name: dangling_names
SELECT count(*) FROM memory_entity_names AS n
WHERE NOT EXISTS (
    SELECT 1 FROM memory_entities WHERE key = n.entity AND scope_key = n.scope_key AND merged_into IS NULL
)

-- name: leave_all_unnamed
INSERT INTO meta (name, value)
    SELECT column1, column2 FROM (VALUES ('names_after', 0), ('names_until', (SELECT max(key) FROM memory_items)))
    WHERE EXISTS (SELECT 1 FROM memory_items)
ON CONFLICT (name) DO UPDATE SET value = excluded.value

-- name: drop_dangling_names
DELETE FROM memory_entity_names
WHERE NOT EXISTS (
    SELECT 1 FROM memory_entities AS e
    WHERE e.key = entity AND e.scope_key = memory_entity_names.scope_key AND e.merged_into IS NULL
)

-- name: drop_dangling_mentions
DELETE FROM memory_links
WHERE rel = 'mentions' AND (
    NOT EXISTS (SELECT 1 FROM memory_items WHERE key = src)
    OR NOT EXISTS (SELECT 1 FROM memory_entities WHERE key = dst AND merged_into IS NULL)
)

-- name: recount_all_mentions
UPDATE memory_entities SET
    mention_count = (SELECT count(*) FROM memory_links WHERE dst = memory_entities.key AND rel = 'mentions')

-- name: add_missing_name
INSERT INTO memory_entity_names (folded, scope_key, entity) VALUES (?, ?, ?) ON CONFLICT (folded, scope_key) DO NOTHING
