-- The text search takes what items must meet besides by name, and knows nearly all that a caller can ask: what passes is found in the
-- one request, and is not read from elsewhere first.
ALTER FUNCTION simonides_search(
    integer, jsonb, boolean, text, bigint, text[], text, integer, bigint[], bigint, bigint, integer, bigint, bigint, bigint
) RENAME TO simonides_search_before;
-- file: functions/simonides_search.sql
REVOKE EXECUTE ON FUNCTION simonides_search(integer, jsonb, boolean, text, integer, jsonb, bigint, bigint, bigint) FROM PUBLIC;
DO $$
DECLARE
    one record;
BEGIN
    -- To whom the text search was opened before: `simonides migrate --role` need not be told again.
    FOR one IN
        SELECT DISTINCT a.grantee::regrole AS role FROM pg_proc AS p CROSS JOIN LATERAL aclexplode(p.proacl) AS a
        WHERE p.oid = 'simonides_search_before'::regproc AND a.grantee NOT IN (0, p.proowner)
    LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION simonides_search TO %s', one.role);
    END LOOP;
END $$;
DROP FUNCTION simonides_search_before;
