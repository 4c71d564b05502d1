-- name: tellings_of_entities
SELECT key, summary, merged_into, attributes FROM memory_entities WHERE summary IS NOT NULL OR attributes <> '{}'
