-- What people said is not to stay with the planner: a purge takes the rows out, and common values, elements and bounds of their
-- columns stayed for the owner to read in pg_stats until the next ANALYZE. Of all text, and what is made of it, it knows nothing
-- from now on, but of keys, addresses of scopes and words of a list; hashes stand in the audit log anyway. No query takes another
-- index for it. Before PostgreSQL 18 only a superuser can delete what it knew.
DO $$
DECLARE
    one record;
    known text[] := '{}';
BEGIN
    FOR one IN
        SELECT p.schemaname AS space, p.tablename AS name, a.attname AS said, a.attrelid AS id, a.attnum AS place
        FROM pg_policies AS p JOIN pg_attribute AS a ON a.attrelid = format('%I.%I', p.schemaname, p.tablename)::regclass
        WHERE p.policyname = 'one_tenant' AND p.schemaname = current_schema() AND a.attnum > 0 AND NOT a.attisdropped
            AND format_type(a.atttypid, NULL) IN ('text', 'text[]', 'jsonb', 'tsvector', 'halfvec')
            AND (p.tablename::text, a.attname::text) NOT IN (
                ('corpora', 'id'), ('corpora', 'parent'), ('documents', 'id'), ('documents', 'corpus_id'),
                ('memory_buffer', 'session_id'), ('memory_buffer', 'state'), ('memory_entities', 'id'),
                ('memory_entities', 'type'), ('memory_events', 'action'), ('memory_events', 'item_id'),
                ('memory_events', 'scope'), ('memory_events', 'actor'), ('memory_injections', 'id'),
                ('memory_injections', 'scope'), ('memory_injections', 'session_id'), ('memory_injections', 'mode'),
                ('memory_items', 'id'), ('memory_items', 'tier'), ('memory_items', 'type'), ('memory_items', 'status'),
                ('memory_items', 'validation'), ('memory_items', 'origin'), ('memory_items', 'trust'),
                ('memory_items', 'superseded_by'), ('memory_items', 'session_id'), ('memory_items', 'task_id'),
                ('memory_items', 'narrative_id'), ('memory_items', 'corpus_id'), ('memory_items', 'rule_id'),
                ('memory_items', 'source_kind'), ('memory_judged', 'job'), ('memory_leases', 'name'),
                ('memory_leases', 'holder'), ('memory_links', 'rel'), ('memory_models', 'name'),
                ('memory_models', 'fingerprint'), ('memory_moved_links', 'src'), ('memory_moved_links', 'dst'),
                ('memory_moved_links', 'rel'), ('memory_revisions', 'run_id'), ('memory_run_changes', 'run'),
                ('memory_run_changes', 'kind'), ('memory_run_changes', 'undone_by'), ('memory_runs', 'id'),
                ('memory_runs', 'job'), ('memory_runs', 'trigger'), ('memory_runs', 'scope'), ('memory_runs', 'status'),
                ('memory_runs', 'parent'), ('memory_runs', 'undoes'), ('memory_scopes', 'path'),
                ('memory_scopes', 'project'), ('memory_sessions', 'session_id'), ('memory_uses', 'session_id'),
                ('memory_verdicts', 'verdict'), ('memory_verdicts', 'actor'), ('simonides_due', 'holder')
            )
    LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0', one.name, one.said);
        IF current_setting('server_version_num')::integer >= 180000 THEN
            EXECUTE format('SELECT pg_clear_attribute_stats(%L, %L, %L, FALSE)', one.space, one.name, one.said);
        ELSIF EXISTS (
            SELECT FROM pg_stats WHERE schemaname = one.space AND tablename = one.name AND attname = one.said
        ) THEN
            BEGIN
                DELETE FROM pg_statistic WHERE starelid = one.id AND staattnum = one.place;
            EXCEPTION WHEN insufficient_privilege THEN
                known := known || format('%s (%s)', one.name, one.said);
            END;
        END IF;
    END LOOP;
    IF known <> '{}' THEN
        RAISE WARNING 'what the planner knows of what was said stays, also of what is purged, for the owner to read in pg_stats: only '
            'a superuser can delete it, from pg_statistic, of the columns %', array_to_string(known, ', ');
    END IF;
END $$;
