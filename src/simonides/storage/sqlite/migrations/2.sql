-- Version 2: the registry of entities, and an index for the time at which things happened.

-- No release wrote entities before; the views over them are made anew. A mention of this version goes to
-- an entity: whatever else was loaded under that relation leads nowhere.
DROP VIEW graph_nodes;
DROP VIEW graph_edges;
DROP TABLE memory_entities;
DELETE FROM memory_links WHERE rel = 'mentions';

-- What items mention. An entity is mentioned by items of its own scope only, so that no count tells of
-- what cannot be seen. Its type is a guess until somebody says it (`settled`): no part of its identity.
CREATE TABLE memory_entities (
    key           INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    scope_key     INTEGER NOT NULL REFERENCES memory_scopes (key),
    -- Empty of one that was merged into another: its row only leads from its id to the other's.
    name          TEXT NOT NULL,
    type          TEXT NOT NULL CHECK (type IN ('person', 'project', 'organization', 'place', 'concept', 'tool')),
    settled       INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1)),
    -- JSON: as they were written.
    aliases       TEXT NOT NULL DEFAULT '[]',
    summary       TEXT,
    embedding     BLOB,
    mention_count INTEGER NOT NULL DEFAULT 0 CHECK (mention_count >= 0),
    first_seen_at INTEGER NOT NULL,
    last_seen_at  INTEGER,
    attributes    TEXT NOT NULL DEFAULT '{}',
    merged_into   INTEGER REFERENCES memory_entities (key)
) STRICT;
-- Serves: listing the entities of a scope.
CREATE INDEX memory_entities_by_scope ON memory_entities (scope_key);
-- Serves: what was merged into an entity, when that goes.
CREATE INDEX memory_entities_merged ON memory_entities (merged_into) WHERE merged_into IS NOT NULL;

-- Names and aliases, case-folded in Python (SQL folds ASCII only). Holds, not the code: a name means
-- one entity in a scope.
CREATE TABLE memory_entity_names (
    folded    TEXT NOT NULL,
    scope_key INTEGER NOT NULL,
    entity    INTEGER NOT NULL,
    PRIMARY KEY (folded, scope_key)
) STRICT, WITHOUT ROWID;

CREATE VIEW graph_nodes AS
    SELECT id, CASE type WHEN 'chunk' THEN 'chunk' ELSE 'item' END AS kind, title AS label FROM memory_items
    UNION ALL SELECT id, 'entity', name FROM memory_entities WHERE merged_into IS NULL
    UNION ALL SELECT id, 'doc', path FROM documents;

CREATE VIEW graph_edges AS
    SELECT s.id AS src, COALESCE(e.id, d.id) AS dst, l.rel, l.weight, l.confidence
    FROM memory_links AS l
    JOIN memory_items AS s ON s.key = l.src
    LEFT JOIN memory_items AS d ON l.rel <> 'mentions' AND d.key = l.dst
    LEFT JOIN memory_entities AS e ON l.rel = 'mentions' AND e.key = l.dst;

-- Serves: what happened within a time. The expression is that of the conditions `after` and `before`.
CREATE INDEX memory_items_by_time ON memory_items (scope_key, coalesce(event_at, created_at))
    WHERE status = 'active';

-- The names in a text are found in Python, piece by piece: behind the first key up to the last that is
-- still to be done.
INSERT INTO meta (name, value)
    SELECT column1, column2 FROM (VALUES ('names_after', 0), ('names_until', (SELECT max(key) FROM memory_items)))
    WHERE EXISTS (SELECT 1 FROM memory_items);
