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
