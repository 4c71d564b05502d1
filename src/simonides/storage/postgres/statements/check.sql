-- name: analyze
SELECT simonides_analyze()

-- name: policies
-- Of each table with rows of tenants, whether it is under row-level security, and its policies with what they let through.
SELECT c.relname::text, c.relrowsecurity, coalesce(array_agg(
    concat_ws(' ', p.polname, p.polpermissive, p.polcmd, p.polroles::text, pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid))
    ORDER BY p.polname
) FILTER (WHERE p.oid IS NOT NULL), '{}')
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant' AND NOT a.attisdropped
LEFT JOIN pg_policy AS p ON p.polrelid = c.oid
WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'memory_items'::regclass) AND c.relkind IN ('r', 'p')
    AND (c.relname LIKE 'memory\_%' OR c.relname IN ('corpora', 'documents', 'simonides_due')) AND c.relname <> 'memory_tenants'
GROUP BY c.oid, c.relname, c.relrowsecurity ORDER BY c.relname COLLATE "C"

-- name: counters
-- Numbers that were given last, and those that must have been.
SELECT 'items', h.last_key, (SELECT coalesce(max(key), 0) FROM memory_items WHERE tenant = :tenant)
FROM memory_heads AS h WHERE h.tenant = :tenant
UNION ALL
SELECT 'changes', h.last_change, (SELECT coalesce(max(change), 0) FROM memory_changes WHERE tenant = :tenant)
FROM memory_heads AS h WHERE h.tenant = :tenant
UNION ALL
SELECT 'revisions', h.last_revision, (SELECT coalesce(max(key), 0) FROM memory_revisions WHERE tenant = :tenant)
FROM memory_heads AS h WHERE h.tenant = :tenant

-- name: every_text
SELECT i.key, w.length, w.counts, w.tallies IS NOT DISTINCT FROM simonides_tallies(w.counts), i.title, i.content, i.tags, i.entities, i.derived
FROM memory_items AS i LEFT JOIN memory_words AS w ON w.tenant = i.tenant AND w.item = i.key
WHERE i.tenant = :tenant ORDER BY i.key

-- name: every_term
SELECT term, documents FROM memory_terms WHERE tenant = :tenant

-- name: worded
SELECT worded, tokens FROM memory_heads WHERE tenant = :tenant

-- name: misplaced_vectors
SELECT count(*) FROM memory_embeddings AS e JOIN memory_items AS i ON i.tenant = e.tenant AND i.key = e.item
WHERE e.tenant = :tenant AND (
    e.scope_key <> i.scope_key OR e.expires_at IS DISTINCT FROM i.expires_at
    OR e.standing <> CASE i.status WHEN 'active' THEN 0 WHEN 'archived' THEN 1 ELSE -1 END
)

-- name: columns_of
-- Of a table, with their types.
SELECT a.attname::text, format_type(a.atttypid, NULL) FROM pg_attribute AS a
WHERE a.attrelid = :table::regclass AND a.attnum > 0 AND NOT a.attisdropped
