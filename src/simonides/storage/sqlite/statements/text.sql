-- name: insert_item_words
INSERT INTO memory_items_fts (rowid, title, content, tags, entities, derived) VALUES (?, ?, ?, ?, ?, ?)

-- name: search_text
-- The text index is walked first, from the newest row back; each row it gives is checked before it is scored.
-- What repeated terms add to a score is taken off once. Column weights: title, content, tags, entities, derived.
WITH repeated AS MATERIALIZED (
    SELECT rowid AS key, -bm25(memory_items_fts, 1.0, 1.0, 1.0, 1.0, 1.0) AS part
    FROM memory_items_fts WHERE :repeated IS NOT NULL AND memory_items_fts MATCH :repeated
)
SELECT key, whole - coalesce(part, 0.0) AS score FROM (
    SELECT i.key AS key, -bm25(memory_items_fts, 1.0, 1.0, 1.0, 1.0, 1.0) AS whole
    FROM memory_items_fts CROSS JOIN memory_items AS i ON i.key = memory_items_fts.rowid
    WHERE memory_items_fts MATCH :match AND /*conditions*/
    ORDER BY memory_items_fts.rowid DESC LIMIT :most
) LEFT JOIN repeated USING (key)
ORDER BY CAST(score * 1e6 + 0.5 AS INTEGER) DESC, key DESC LIMIT :limit

-- name: search_text_in_scopes
-- As above, with scope, status and expiry read from an index that holds them: it is a tenth of the table,
-- and most rows that a word hits belong to other scopes.
WITH repeated AS MATERIALIZED (
    SELECT rowid AS key, -bm25(memory_items_fts, 1.0, 1.0, 1.0, 1.0, 1.0) AS part
    FROM memory_items_fts WHERE :repeated IS NOT NULL AND memory_items_fts MATCH :repeated
)
SELECT key, whole - coalesce(part, 0.0) AS score FROM (
    SELECT i.key AS key, -bm25(memory_items_fts, 1.0, 1.0, 1.0, 1.0, 1.0) AS whole
    FROM memory_items_fts CROSS JOIN memory_items AS i INDEXED BY memory_items_by_scope
        ON i.key = memory_items_fts.rowid
    WHERE memory_items_fts MATCH :match AND /*conditions*/
    ORDER BY memory_items_fts.rowid DESC LIMIT :most
) LEFT JOIN repeated USING (key)
ORDER BY CAST(score * 1e6 + 0.5 AS INTEGER) DESC, key DESC LIMIT :limit

-- name: any_long_item
SELECT EXISTS (SELECT 1 FROM memory_items INDEXED BY memory_items_long WHERE octet_length(content) > 4000)

-- name: items_holding
-- The newest first, unscored.
SELECT i.key FROM memory_items_fts CROSS JOIN memory_items AS i INDEXED BY memory_items_by_scope
    ON i.key = memory_items_fts.rowid
WHERE memory_items_fts MATCH :match AND i.scope_key = :scope_key AND i.status = 'active'
ORDER BY memory_items_fts.rowid DESC LIMIT :limit

-- name: search_like
-- Without FTS5: how many of the terms occur in the text.
SELECT i.key, (
    SELECT count(*) FROM json_each(:patterns)
    WHERE i.title || ' ' || i.content || ' ' || i.tags || ' ' || i.entities || ' ' || i.derived LIKE value ESCAPE '\'
) AS score
FROM memory_items AS i
WHERE score >= :least AND /*conditions*/
ORDER BY score DESC, i.key DESC LIMIT :limit

-- name: documents_with_terms
SELECT term, doc FROM memory_items_terms WHERE term IN (SELECT value FROM carray(:terms))

-- name: state_of_text
-- What changes when words do: the last item key and the last change.
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory_items'), 0),
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory_changes'), 0)

-- name: terms_beginning
SELECT DISTINCT t.term, t.doc FROM carray(:beginnings) AS b CROSS JOIN memory_items_terms AS t
WHERE t.term >= b.value AND t.term <= b.value || char(1114111) LIMIT :limit

-- name: rebuild_text_index
INSERT INTO memory_items_fts (memory_items_fts) VALUES ('rebuild')

-- name: drop_text_index
DROP TABLE IF EXISTS memory_items_terms; DROP TABLE IF EXISTS memory_items_fts

-- name: definition_of_text_index
SELECT sql FROM sqlite_schema WHERE name = 'memory_items_fts'

-- name: check_text_index
INSERT INTO memory_items_fts (memory_items_fts, rank) VALUES ('integrity-check', 1)

-- name: optimize_text_index
INSERT INTO memory_items_fts (memory_items_fts) VALUES ('optimize')

-- name: settings_of_text_index
SELECT k, v FROM memory_items_fts_config
