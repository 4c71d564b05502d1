-- name: tellings_of_entities
SELECT key, summary, merged_into, attributes FROM memory_entities
WHERE tenant = :tenant AND (summary IS NOT NULL OR attributes <> '{}')
