-- How often an item has a word is found by whole numbers, many words at a time, not by looking each up in `counts`. `tallies`: the
-- number of its occurrences, at most 3, at the place of each word; NULL where there are too many words for a sparsevec.

-- The place of a word in `tallies`, by its hash; some words share one. As bytes backslashes would be read; by MD5 a server that
-- keeps to FIPS 140 would refuse.
CREATE FUNCTION simonides_place(term text) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN 1 + ('x' || left(encode(sha256(replace(term, E'\\', E'\\\\')::bytea), 'hex'), 7))::bit(28)::integer;

-- Of words with their occurrences, what `tallies` has.
CREATE FUNCTION simonides_tallies(counts jsonb) RETURNS sparsevec
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    BEGIN ATOMIC
        SELECT CASE WHEN coalesce(sum(p.words), 0) <= 16000
            THEN ('{' || coalesce(string_agg(p.place || ':' || p.tally, ','), '') || '}/268435456')::sparsevec END
        FROM (
            SELECT simonides_place(c.key) AS place, max(least(c.value::integer, 3)) AS tally, count(*) AS words
            FROM jsonb_each(counts) AS c GROUP BY 1
        ) AS p;
    END;

-- The inner product of what an item has with what is asked; -1, all bits of it, where nothing is known. Its body was bound to
-- the extension when it was made, wherever that lies, and is put in place of the call.
CREATE FUNCTION simonides_tallied(tallies sparsevec, asked text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(inner_product(tallies, asked::sparsevec)::integer, -1);

-- All rows are written once more, and the indexes with them.
ALTER TABLE memory_words ADD COLUMN tallies sparsevec;
ALTER TABLE memory_words ALTER COLUMN tallies TYPE sparsevec USING simonides_tallies(counts);
-- Beside the row as long as that can be: every search reads it. Of text that was said the planner keeps nothing.
ALTER TABLE memory_words ALTER COLUMN tallies SET STORAGE MAIN, ALTER COLUMN tallies SET STATISTICS 0;

-- Words that share a place are told apart in `counts`.
ALTER TABLE memory_terms ADD COLUMN place integer GENERATED ALWAYS AS (simonides_place(term)) STORED;
ALTER TABLE memory_terms ALTER COLUMN place SET STATISTICS 0;
CREATE INDEX memory_terms_by_place ON memory_terms (tenant, place);

-- The text search that reads them stands in `functions/simonides_search.sql`.
