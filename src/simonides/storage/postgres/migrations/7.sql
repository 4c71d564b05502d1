-- The planner is to know nothing of single tenants. Where it knew some of them, it took one that had come since for one of no
-- rows: then each index that begins with the tenant is as good as any other, and a look-up by key walked all that the tenant
-- has. Without figures it takes every tenant for a two-hundredth of a table, whoever it is.
DO $$
DECLARE
    one record;
    known text[] := '{}';
BEGIN
    FOR one IN SELECT schemaname AS space, tablename AS name FROM pg_policies
        WHERE policyname = 'one_tenant' AND schemaname = current_schema()
    LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN tenant SET STATISTICS 0', one.name);
        IF current_setting('server_version_num')::integer >= 180000 THEN
            EXECUTE format('SELECT pg_clear_attribute_stats(%L, %L, ''tenant'', FALSE)', one.space, one.name);
        ELSIF EXISTS (
            SELECT FROM pg_stats WHERE schemaname = one.space AND tablename = one.name AND attname = 'tenant'
        ) THEN
            BEGIN
                DELETE FROM pg_statistic AS s USING pg_attribute AS a
                WHERE s.starelid = format('%I.%I', one.space, one.name)::regclass AND a.attrelid = s.starelid
                    AND a.attnum = s.staattnum AND a.attname = 'tenant';
            EXCEPTION WHEN insufficient_privilege THEN known := known || one.name::text;
            END;
        END IF;
        -- As a condition that no index takes, and that the planner takes for no sign of few rows; worked out once a statement.
        EXECUTE format(
            'ALTER POLICY one_tenant ON %I USING (coalesce(abs(tenant) = (SELECT abs(simonides_tenant())), FALSE))', one.name
        );
    END LOOP;
    IF known <> '{}' THEN
        RAISE WARNING 'what the planner knows of single tenants stays, and those that come later may be slow to search: only a '
            'superuser can delete it, from pg_statistic, of the column tenant of %', array_to_string(known, ', ');
    END IF;
END $$;

-- Words are found by the lists of the text index, never by walking all that a tenant has: no index begins with the tenant.
ALTER TABLE memory_words DROP CONSTRAINT memory_words_pkey, ADD PRIMARY KEY (item, tenant);
