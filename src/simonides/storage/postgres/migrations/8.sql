-- Which items hold the words of names: the keys of the newest, for many names in one go, without what a search knows of them.
--   asked: of each name, what the lexemes of an item must hold, as a tsquery.
CREATE FUNCTION simonides_holders(whose integer, asked text[], best bigint) RETURNS TABLE (number bigint, item bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $holders$
BEGIN
    IF whose IS NULL OR abs(whose) IS DISTINCT FROM abs(public.simonides_tenant()) THEN
        RETURN;
    END IF;
    RETURN QUERY EXECUTE format(
        $q$ SELECT q.number, h.item FROM unnest($1) WITH ORDINALITY AS q (words, number) CROSS JOIN LATERAL (
            SELECT s.item FROM (
                SELECT w.item FROM public.memory_words AS w WHERE w.tenant = %s AND w.lexemes @@ q.words::tsquery OFFSET 0
            ) AS s ORDER BY s.item DESC LIMIT $2
        ) AS h $q$, whose
    ) USING asked, best;
END $holders$;
REVOKE EXECUTE ON FUNCTION simonides_holders(integer, text[], bigint) FROM PUBLIC;
DO $$
DECLARE
    one record;
BEGIN
    -- To whom the text search was opened before: `simonides migrate --role` need not be told again.
    FOR one IN
        SELECT DISTINCT a.grantee::regrole AS role FROM pg_proc AS p CROSS JOIN LATERAL aclexplode(p.proacl) AS a
        WHERE p.oid = 'simonides_search'::regproc AND a.grantee NOT IN (0, p.proowner)
    LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION simonides_holders(integer, text[], bigint) TO %s', one.role);
    END LOOP;
END $$;

-- One index for two: vectors are looked up by their items, whichever the model, and walked by model and scope.
ALTER TABLE memory_embeddings DROP CONSTRAINT memory_embeddings_pkey, ADD PRIMARY KEY (tenant, item, model);
DROP INDEX memory_embeddings_by_item;
