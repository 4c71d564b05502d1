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

-- name: entities_of_names
SELECT n.folded, e.key, e.id, s.path, e.name, e.type, e.aliases, e.summary, e.mention_count, e.first_seen_at,
    e.last_seen_at, e.attributes, e.settled
FROM memory_entity_names AS n CROSS JOIN memory_entities AS e ON e.key = n.entity
    CROSS JOIN memory_scopes AS s ON s.key = e.scope_key
WHERE n.folded IN (SELECT value FROM carray(:folded))
    AND (:everywhere OR n.scope_key IN (SELECT value FROM carray(:scope_keys)))
ORDER BY n.folded, n.entity

-- name: mentions_of_entity
-- In the order of the index, so that it ends with the limit however often an entity is mentioned.
SELECT i.key
FROM memory_links AS l INDEXED BY memory_links_by_dst CROSS JOIN memory_items AS i NOT INDEXED ON i.key = l.src
WHERE l.dst = :entity AND l.rel = 'mentions' AND /*conditions*/
ORDER BY l.src DESC LIMIT :limit

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

-- name: leave_all_unnamed
INSERT INTO meta (name, value)
    SELECT column1, column2 FROM (VALUES ('names_after', 0), ('names_until', (SELECT max(key) FROM memory_items)))
    WHERE EXISTS (SELECT 1 FROM memory_items)
ON CONFLICT (name) DO UPDATE SET value = excluded.value
