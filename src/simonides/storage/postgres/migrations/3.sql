-- Whether the tenant has an index of its own for the vectors of a model (HNSW of pgvector): searches in many vectors take it.
ALTER TABLE memory_models ADD COLUMN indexed smallint NOT NULL DEFAULT 0 CHECK (indexed IN (0, 1));
