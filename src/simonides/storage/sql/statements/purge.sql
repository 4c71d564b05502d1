-- name: texts_beside_the_index
-- What items say in fields that the text index does not hold.
SELECT metadata FROM memory_items WHERE tenant = :tenant AND metadata IS NOT NULL
UNION SELECT source_id FROM memory_items WHERE tenant = :tenant AND source_id IS NOT NULL
UNION SELECT session_id FROM memory_items WHERE tenant = :tenant AND session_id IS NOT NULL
UNION SELECT task_id FROM memory_items WHERE tenant = :tenant AND task_id IS NOT NULL
UNION SELECT narrative_id FROM memory_items WHERE tenant = :tenant AND narrative_id IS NOT NULL
UNION SELECT corpus_id FROM memory_items WHERE tenant = :tenant AND corpus_id IS NOT NULL
UNION SELECT rule_id FROM memory_items WHERE tenant = :tenant AND rule_id IS NOT NULL
UNION SELECT source_role FROM memory_items WHERE tenant = :tenant AND source_role IS NOT NULL
UNION SELECT source_details FROM memory_items WHERE tenant = :tenant AND source_details IS NOT NULL

-- name: name_has_items
SELECT EXISTS (SELECT 1 FROM memory_items WHERE tenant = :tenant AND session_id = :session_id)

-- name: session_has_items
SELECT EXISTS (
    SELECT 1 FROM memory_items
    WHERE tenant = :tenant AND session_id = :session_id
      AND scope_key = (SELECT key FROM memory_scopes WHERE tenant = :tenant AND path = :scope)
)

-- name: name_is_in_use
SELECT EXISTS (SELECT 1 FROM memory_items WHERE tenant = :tenant AND session_id = :session_id)
    OR EXISTS (SELECT 1 FROM memory_sessions WHERE tenant = :tenant AND session_id = :session_id)
    OR EXISTS (SELECT 1 FROM memory_injections WHERE tenant = :tenant AND session_id = :session_id)

-- name: names_of_sessions
-- Under which sessions something was said in a scope, or asked from it.
SELECT session_id FROM memory_sessions
WHERE tenant = :tenant AND scope_key = (SELECT key FROM memory_scopes WHERE tenant = :tenant AND path = :scope)
UNION SELECT session_id FROM memory_injections WHERE tenant = :tenant AND scope = :scope AND session_id IS NOT NULL

-- name: drop_sessions_of_name
DELETE FROM memory_sessions WHERE tenant = :tenant AND session_id = :session_id

-- name: drop_session
DELETE FROM memory_sessions
WHERE tenant = :tenant AND session_id = :session_id
  AND scope_key = (SELECT key FROM memory_scopes WHERE tenant = :tenant AND path = :scope)

-- name: drop_sessions_of_scope
DELETE FROM memory_sessions WHERE tenant = :tenant AND scope_key = (SELECT key FROM memory_scopes WHERE tenant = :tenant AND path = :scope)

-- name: names_beside_items
-- Sessions in which an item served, or was told of: no item need be in them.
SELECT session_id FROM memory_uses WHERE tenant = :tenant
UNION SELECT session_id FROM memory_injections WHERE tenant = :tenant AND session_id IS NOT NULL

-- name: drop_uses_of_name
DELETE FROM memory_uses WHERE tenant = :tenant AND session_id = :session_id

-- name: unname_injections_of_name
UPDATE memory_injections SET session_id = NULL WHERE tenant = :tenant AND session_id = :session_id

-- name: unname_injections
UPDATE memory_injections SET session_id = NULL WHERE tenant = :tenant AND session_id = :session_id AND scope = :scope

-- name: drop_injections_of_scope
DELETE FROM memory_injections WHERE tenant = :tenant AND scope = :scope

-- name: queries_of_injections
SELECT id, query FROM memory_injections WHERE tenant = :tenant

-- name: drop_injection
DELETE FROM memory_injections WHERE tenant = :tenant AND id = ?

-- name: evidence_of_links
SELECT src, dst, rel, evidence, predicate FROM memory_links
WHERE tenant = :tenant AND (evidence IS NOT NULL OR predicate IS NOT NULL)

-- name: drop_evidence_of_links
UPDATE memory_links SET evidence = NULL, predicate = NULL
WHERE tenant = :tenant AND src = ? AND dst = ? AND rel = ?

-- name: evidence_of_moved_links
SELECT src, dst, rel, evidence, predicate FROM memory_moved_links
WHERE tenant = :tenant AND (evidence IS NOT NULL OR predicate IS NOT NULL)

-- name: drop_evidence_of_moved_links
UPDATE memory_moved_links SET evidence = NULL, predicate = NULL
WHERE tenant = :tenant AND src = ? AND dst = ? AND rel = ?

-- name: drop_telling
UPDATE memory_entities SET summary = NULL, attributes = '{}' WHERE tenant = :tenant AND key = ?

-- name: every_reason
SELECT item, reasons FROM memory_verdicts WHERE tenant = :tenant AND reasons <> '[]'

-- name: put_reasons
UPDATE memory_verdicts SET reasons = ? WHERE tenant = :tenant AND item = ?

-- name: errors_of_waiting
SELECT item, error FROM memory_buffer WHERE tenant = :tenant AND error IS NOT NULL

-- name: put_waiting_error
UPDATE memory_buffer SET error = ? WHERE tenant = :tenant AND item = ?

-- name: notes_of_runs
SELECT id, notes, error FROM memory_runs WHERE tenant = :tenant AND (notes <> '{}' OR error IS NOT NULL)

-- name: put_notes_of_run
UPDATE memory_runs SET notes = ? WHERE tenant = :tenant AND id = ?

-- name: put_error_of_run
UPDATE memory_runs SET error = ? WHERE tenant = :tenant AND id = ?

-- name: details_of_changes
SELECT run, number, kind, details FROM memory_run_changes WHERE tenant = :tenant AND details <> '{}'

-- name: drop_run_change
DELETE FROM memory_run_changes WHERE tenant = :tenant AND run = ? AND number = ?

-- name: put_run_change
UPDATE memory_run_changes SET details = ? WHERE tenant = :tenant AND run = ? AND number = ?

-- name: drop_names_leading_to
DELETE FROM memory_entity_names WHERE tenant = :tenant AND entity = :key

-- name: reword_revision
UPDATE memory_revisions SET snapshot = ?, row_hash = ?
WHERE tenant = :tenant AND (item, number) = (?, ?)
