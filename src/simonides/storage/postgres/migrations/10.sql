-- A tenant is taken for a twentieth of a table, not for a two-hundredth: in one of a few hundred rows that was as little as one
-- row, and indexes were as good as each other again. Nobody's figures are changed by ANALYZE, which leaves the column out. Before
-- PostgreSQL 18 only a superuser can say so; where the owner is none, it stays at a two-hundredth.
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN SELECT p.schemaname AS space, p.tablename AS name, c.oid AS id, a.attnum AS place
        FROM pg_policies AS p JOIN pg_class AS c ON c.oid = format('%I.%I', p.schemaname, p.tablename)::regclass
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant'
        WHERE p.policyname = 'one_tenant' AND p.schemaname = current_schema()
    LOOP
        IF current_setting('server_version_num')::integer >= 180000 THEN
            EXECUTE format(
                'SELECT pg_restore_attribute_stats(''schemaname'', %L, ''relname'', %L, ''attname'', ''tenant'', '
                '''inherited'', FALSE, ''null_frac'', 0::real, ''avg_width'', 4, ''n_distinct'', 20::real)', one.space, one.name
            );
        ELSE
            BEGIN
                DELETE FROM pg_statistic WHERE starelid = one.id AND staattnum = one.place;
                INSERT INTO pg_statistic (
                    starelid, staattnum, stainherit, stanullfrac, stawidth, stadistinct, stakind1, stakind2, stakind3, stakind4,
                    stakind5, staop1, staop2, staop3, staop4, staop5, stacoll1, stacoll2, stacoll3, stacoll4, stacoll5
                ) VALUES (one.id, one.place, FALSE, 0, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
            EXCEPTION WHEN insufficient_privilege THEN NULL;
            END;
        END IF;
    END LOOP;
END $$;
