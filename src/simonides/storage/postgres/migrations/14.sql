-- Whose upkeep is due, and until when a worker has it, is a tenant's own like everything else: within a transaction of a tenant
-- nobody sees another's hours, or puts its upkeep off.
ALTER TABLE simonides_due ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_tenant ON simonides_due USING (coalesce(abs(tenant) = (SELECT abs(simonides_tenant())), FALSE));

-- Functions that know all tenants tell something only to a transaction that is no tenant's: of a worker, or of who opens a
-- store.

-- The tenant that has waited longest and is nobody's: others pass it over while it is taken. On Citus this table is the
-- coordinator's alone.
CREATE FUNCTION simonides_claim_due(worker text, lease_s float8, OUT tenant integer, OUT name text, OUT tries integer)
RETURNS SETOF record
LANGUAGE plpgsql SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF public.simonides_tenant() IS NOT NULL THEN
        RETURN;
    END IF;
    UPDATE public.simonides_due AS d SET
        holder = worker, until = clock_timestamp() + make_interval(secs => lease_s), tries = d.tries + 1
    WHERE d.tenant = (
        SELECT w.tenant FROM public.simonides_due AS w
        WHERE w.due_at <= clock_timestamp() AND (w.until IS NULL OR w.until < clock_timestamp())
        ORDER BY w.due_at, w.tenant LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    RETURNING d.tenant, d.tries INTO simonides_claim_due.tenant, simonides_claim_due.tries;
    IF FOUND THEN
        simonides_claim_due.name := (
            SELECT t.name FROM public.memory_tenants AS t WHERE t.tenant = simonides_claim_due.tenant
        );
        RETURN NEXT;
    END IF;
END $$;

-- Seconds until a tenant is due that is nobody's; NULL where none will ever be.
CREATE FUNCTION simonides_wait_until_due() RETURNS float8
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
        SELECT extract(epoch FROM min(greatest(due_at, coalesce(until, due_at))) - clock_timestamp())::float8
        FROM public.simonides_due WHERE public.simonides_tenant() IS NULL
    $$;

-- The number of a tenant; NULL for an unknown one. Who may open a store need not be able to list the others.
CREATE OR REPLACE FUNCTION simonides_tenant_named(wanted text) RETURNS integer
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$ SELECT tenant FROM public.memory_tenants WHERE name = wanted AND public.simonides_tenant() IS NULL $$;
DROP FUNCTION simonides_name_of_tenant(integer);

REVOKE EXECUTE ON FUNCTION simonides_claim_due(text, float8), simonides_wait_until_due() FROM PUBLIC;
DO $$
DECLARE
    one record;
BEGIN
    -- To whom opening was open before: `simonides migrate --role` need not be told again.
    FOR one IN
        SELECT DISTINCT a.grantee::regrole AS role FROM pg_proc AS p CROSS JOIN LATERAL aclexplode(p.proacl) AS a
        WHERE p.oid = 'simonides_tenant_named'::regproc AND a.grantee NOT IN (0, p.proowner)
    LOOP
        EXECUTE format(
            'GRANT EXECUTE ON FUNCTION simonides_claim_due(text, float8), simonides_wait_until_due() TO %s', one.role
        );
    END LOOP;
END $$;
