-- name: last_change
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memory_changes'), 0)

-- name: every_vector
-- In the order of the pages: the rows of the items, which are wide, are not touched for it.
SELECT item, vector FROM memory_embeddings
WHERE model = (SELECT key FROM memory_models WHERE fingerprint = :model)
ORDER BY key

-- name: add_model
INSERT INTO memory_models (name, fingerprint, dimension) VALUES (:name, :fingerprint, :dimension)
ON CONFLICT (fingerprint) DO UPDATE SET name = name RETURNING key, dimension

-- name: models
-- Counted before they are joined: no index of the vectors begins with the model, and a join would make one each time.
SELECT m.name, m.fingerprint, m.dimension, coalesce(e.vectors, 0)
FROM memory_models AS m LEFT JOIN (
    SELECT model, count(*) AS vectors FROM memory_embeddings WHERE length(vector) > 0 GROUP BY model
) AS e ON e.model = m.key
WHERE m.fingerprint NOT GLOB 'aside:*' ORDER BY m.key

-- name: put_vector
INSERT INTO memory_embeddings (item, model, checksum, vector) VALUES (?, ?, ?, ?)
ON CONFLICT (item, model) DO UPDATE SET checksum = excluded.checksum, vector = excluded.vector

-- name: drop_vectors_of_model
DELETE FROM memory_embeddings WHERE model = (SELECT key FROM memory_models WHERE fingerprint = :fingerprint)

-- name: drop_vector
DELETE FROM memory_embeddings
WHERE item = :item AND model = (SELECT key FROM memory_models WHERE fingerprint = :fingerprint)

-- name: note_vectors_of_model
-- Whoever holds the vectors of the model in memory looks at them anew.
INSERT INTO memory_changes (item) SELECT item FROM memory_embeddings WHERE model = :model ORDER BY item

-- name: give_vectors_to_model
UPDATE OR IGNORE memory_embeddings SET model = (SELECT key FROM memory_models WHERE fingerprint = :becomes)
WHERE model = (SELECT key FROM memory_models WHERE fingerprint = :fingerprint)

-- name: models_set_aside
-- By the runs that set them aside, but for one run.
SELECT fingerprint FROM memory_models WHERE fingerprint GLOB 'aside:*' AND fingerprint NOT GLOB 'aside:' || :run || ':*'

-- name: count_lacking_vector
-- How many of the items that a search looks at have no vector of a model, and how many there are.
-- From indexes: the rows of the vectors, which are wide, are not touched.
SELECT i.items - (v.vectors - q.vectors), i.items
FROM (
    SELECT count(*) AS items FROM memory_items INDEXED BY memory_items_by_scope WHERE status = 'active'
) AS i, (
    SELECT count(*) AS vectors FROM memory_embeddings INDEXED BY sqlite_autoindex_memory_embeddings_1
    WHERE model = (SELECT key FROM memory_models WHERE fingerprint = :fingerprint)
) AS v, (
    SELECT count(*) AS vectors
    FROM memory_items AS h INDEXED BY memory_items_by_scope CROSS JOIN memory_embeddings AS e ON e.item = h.key
    WHERE h.status <> 'active' AND e.model = (SELECT key FROM memory_models WHERE fingerprint = :fingerprint)
) AS q

-- name: lacking_vector
-- Of some items, of those that changed, and of those that came since: which have no vector of a model.
SELECT i.key FROM (
    SELECT value AS key FROM carray(:keys)
    UNION SELECT item FROM memory_changes WHERE change > :since
    UNION SELECT key FROM memory_items WHERE key > :extent
) AS c JOIN memory_items AS i ON i.key = c.key
WHERE i.status = 'active' AND NOT EXISTS (
    SELECT 1 FROM memory_embeddings AS e
    WHERE e.item = i.key AND e.model = (SELECT key FROM memory_models WHERE fingerprint = :fingerprint)
)
ORDER BY i.key LIMIT :limit

-- name: every_checksum
SELECT e.item, m.dimension, e.checksum, e.vector
FROM memory_embeddings AS e JOIN memory_models AS m ON m.key = e.model ORDER BY e.key

-- name: vectors_of_items
SELECT i.id, e.vector FROM memory_items AS i JOIN memory_embeddings AS e ON e.item = i.key
WHERE i.id IN (SELECT value FROM carray(:ids)) AND length(e.vector) > 0
    AND e.model = (SELECT key FROM memory_models WHERE fingerprint = :fingerprint)
