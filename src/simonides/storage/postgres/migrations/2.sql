-- Who keeps a tenant up at present, and until when: workers take the tenants that are due, each for a while, by the
-- clock of the database. `due_at`: when somebody is to look at it next.
ALTER TABLE simonides_due ADD COLUMN holder text, ADD COLUMN until timestamptz;
INSERT INTO simonides_due (tenant, due_at) SELECT tenant, now() FROM memory_tenants ON CONFLICT (tenant) DO NOTHING;

-- The name of a tenant by its number, for a worker that has taken it.
CREATE FUNCTION simonides_name_of_tenant(wanted integer) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$ SELECT name FROM public.memory_tenants WHERE tenant = wanted $$;
REVOKE EXECUTE ON FUNCTION simonides_name_of_tenant(integer) FROM PUBLIC;
