-- The text of a JSON without NUL, which no jsonb holds and `->>` of no json gives: it stands as \u0001\u0002, and what is \u0001
-- twice, so that no two texts become one. A backslash becomes \u005c first: what looks like an escape behind one is none.
CREATE FUNCTION simonides_without_nul(written text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN strpos(written, '\u000') = 0 THEN written ELSE replace(replace(replace(
        written, '\\', '\u005c'), '\u0001', '\u0001\u0001'), '\u0000', '\u0001\u0002'
    ) END $$;

-- The text search reads metadata so.
-- What it is now stands in `functions/simonides_search.sql`.
