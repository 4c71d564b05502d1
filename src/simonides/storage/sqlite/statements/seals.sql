-- name: sealed_tables
SELECT t.name FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
WHERE t.schema = 'main' AND t.type = 'table' AND c.name = 'seal' ORDER BY t.name

-- name: columns_of
SELECT name, pk FROM pragma_table_info(?) ORDER BY cid

-- name: seal_row
UPDATE /*table*/ SET seal = seal_of('/*table*/', /*columns*/) WHERE (/*key*/) = (/*values*/)

-- name: seal_rows
UPDATE /*table*/ SET seal = seal_of('/*table*/', /*columns*/)

-- name: broken_seals
SELECT /*key*/ FROM /*table*/ WHERE seal <> seal_of('/*table*/', /*columns*/)

-- name: sound_items
-- An item is as it was sealed if its scope is.
SELECT id FROM memory_items
WHERE id IN (SELECT value FROM carray(:ids)) AND seal = seal_of('memory_items', /*columns*/)
    AND scope_key IN (
        SELECT s.key FROM memory_scopes AS s
        WHERE s.key IN (SELECT i.scope_key FROM memory_items AS i WHERE i.id IN (SELECT value FROM carray(:ids)))
            AND s.seal = seal_of('memory_scopes', s.key, s.path)
    )

-- name: sound_entities
SELECT id FROM memory_entities
WHERE id IN (SELECT value FROM carray(:ids)) AND seal = seal_of('memory_entities', /*columns*/)
