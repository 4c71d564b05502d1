-- Version 4: each row bears a seal, a hash of its other columns, so that `doctor` sees what was changed in it.
-- `seal_of` is registered by each connection.

ALTER TABLE meta ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_scopes ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_items ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_usage ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_uses ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_models ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_embeddings ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_revisions ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_links ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_entities ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_palace_locations ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_verdicts ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_injections ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_buffer ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_judged ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_sessions ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_runs ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_run_changes ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE memory_moved_links ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE corpora ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';
ALTER TABLE documents ADD COLUMN seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000';

-- A seal is no change that caches follow.
DROP TRIGGER memory_embeddings_updated;
CREATE TRIGGER memory_embeddings_updated AFTER UPDATE OF item, model, checksum, vector ON memory_embeddings
BEGIN
    INSERT INTO memory_changes (item) VALUES (new.item);
END;

UPDATE meta SET seal = seal_of('meta', name, value);
UPDATE memory_scopes SET seal = seal_of('memory_scopes', key, path);
UPDATE memory_items SET seal = seal_of(
    'memory_items', key, id, scope_key, tier, type, status, validation, origin, trust, injectable, pinned,
    confidence, importance, decay_rate, created_at, updated_at, event_at, valid_from, valid_until, expires_at,
    superseded_by, session_id, ordinal, task_id, narrative_id, corpus_id, rule_id, source_kind, source_id,
    source_role, source_details, metadata, title, content, tags, entities, derived, content_hash, row_hash
);
UPDATE memory_usage SET seal = seal_of(
    'memory_usage', item, reinforcement, usage_count, last_used_at, last_hit_at, confidence_gain
);
UPDATE memory_uses SET seal = seal_of('memory_uses', item, session_id, used_at);
UPDATE memory_models SET seal = seal_of('memory_models', key, name, fingerprint, dimension);
UPDATE memory_embeddings SET seal = seal_of('memory_embeddings', key, item, model, checksum, vector);
UPDATE memory_revisions SET seal = seal_of(
    'memory_revisions', key, item, number, at, reason, run_id, snapshot, row_hash
);
UPDATE memory_links SET seal = seal_of(
    'memory_links', src, dst, rel, predicate, weight, confidence, evidence, valid_from, valid_until, created_at
);
UPDATE memory_entities SET seal = seal_of(
    'memory_entities', key, id, scope_key, name, type, settled, aliases, summary, embedding, mention_count,
    first_seen_at, last_seen_at, attributes, merged_into
);
UPDATE memory_palace_locations SET seal = seal_of('memory_palace_locations', item, domain, room, shelf);
UPDATE memory_verdicts SET seal = seal_of('memory_verdicts', item, verdict, reasons, why_store, actor, at, wished);
UPDATE memory_injections SET seal = seal_of(
    'memory_injections', id, at, scope, session_id, mode, query, items, tokens
);
UPDATE memory_buffer SET seal = seal_of('memory_buffer', item, session_id, state, tries, error, retry_at);
UPDATE memory_judged SET seal = seal_of('memory_judged', job, a, b, at);
UPDATE memory_sessions SET seal = seal_of(
    'memory_sessions', scope_key, session_id, first_seen_at, last_seen_at, turns, consolidated_at, ended_at
);
UPDATE memory_runs SET seal = seal_of(
    'memory_runs', key, id, job, trigger, scope, started_at, ended_at, status, counts, notes, error,
    lease_until, parent, undoes
);
UPDATE memory_run_changes SET seal = seal_of(
    'memory_run_changes', run, number, step, kind, item, other, entity, before, after, details, undone_by
);
UPDATE memory_moved_links SET seal = seal_of(
    'memory_moved_links', src, dst, rel, predicate, weight, confidence, evidence, valid_from, valid_until,
    created_at
);
UPDATE corpora SET seal = seal_of('corpora', id, label, parent, counts, added_at);
UPDATE documents SET seal = seal_of('documents', key, id, corpus_id, path, sha256, ingested_at);
