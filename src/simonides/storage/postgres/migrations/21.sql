-- The text search of a large store finds the newest of very many items that hold the words from the newest on, and those with a tag
-- by the tag.

-- Tags as an index has them: each tenant's for itself.
CREATE FUNCTION simonides_tagged(whose integer, tags text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN ARRAY(SELECT whose || ':' || tag FROM unnest(tags) AS t (tag));
CREATE INDEX memory_items_tagged ON memory_items USING gin (simonides_tagged(tenant, tags_folded))
    WITH (fastupdate = on, gin_pending_list_limit = 256) WHERE tags_folded <> '{}';
ALTER INDEX memory_items_tagged ALTER COLUMN 1 SET STATISTICS 0;

-- file: functions/simonides_search.sql
