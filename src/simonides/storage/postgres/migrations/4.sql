-- Figures for the planner, of tables that have grown to several times what it knows: the first searches after a fill do not
-- wait for autovacuum. Who reads and writes owns nothing, and may analyse nothing itself. What somebody else is at work on
-- is left out.
CREATE FUNCTION simonides_analyze() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    one regclass;
BEGIN
    FOR one IN
        SELECT c.oid FROM pg_class AS c CROSS JOIN LATERAL (SELECT pg_relation_size(c.oid) / 8192 AS pages) AS s
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND starts_with(c.relname, 'memory_')
            AND (s.pages > 4 * c.relpages + 8 OR (c.reltuples < 0 AND s.pages > 0))
    LOOP
        EXECUTE format('ANALYZE (SKIP_LOCKED) %s', one);
    END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION simonides_analyze() FROM PUBLIC;
DO $$
DECLARE
    one record;
BEGIN
    -- To whom the tables were opened before: `simonides migrate --role` need not be told again.
    FOR one IN
        SELECT DISTINCT a.grantee::regrole AS role FROM pg_class AS c CROSS JOIN LATERAL aclexplode(c.relacl) AS a
        WHERE c.oid = 'memory_items'::regclass AND a.privilege_type = 'INSERT' AND a.grantee NOT IN (0, c.relowner)
    LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION simonides_analyze() TO %s', one.role);
    END LOOP;
END $$;
