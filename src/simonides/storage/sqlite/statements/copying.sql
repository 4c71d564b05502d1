-- name: add_merged_entity
-- Its row only leads from its id to the other's.
INSERT INTO memory_entities (key, id, scope_key, name, type, first_seen_at, merged_into)
SELECT coalesce((SELECT max(key) FROM memory_entities), 0) + 1, :id, scope_key, '', type, first_seen_at, key
FROM memory_entities WHERE key = :key
ON CONFLICT (id) DO NOTHING
