-- name: add_merged_entity
-- Its row only leads from its id to the other's.
INSERT INTO memory_entities (tenant, key, id, scope_key, name, type, first_seen_at, merged_into)
SELECT :tenant, (SELECT max(key) FROM memory_entities WHERE tenant = :tenant) + 1, :id, e.scope_key, '', e.type,
    e.first_seen_at, e.key
FROM memory_entities AS e WHERE e.tenant = :tenant AND e.key = :key
ON CONFLICT (tenant, id) DO NOTHING
