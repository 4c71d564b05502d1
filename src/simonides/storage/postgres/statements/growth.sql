-- name: shifts
-- Of the newest revisions those of a time, each compared with the one before it; `raw` is what was said or read
-- as it stands.
SELECT
    (r.at - :start) / :length AS period, i.type IN ('episode', 'chunk') AS raw, r.number = 1 AS first, r.reason,
    CASE simonides_without_nul(p.snapshot)::json ->> 'status' WHEN 'active' THEN simonides_without_nul(p.snapshot)::json ->> 'tier' END AS tier_before,
    CASE simonides_without_nul(r.snapshot)::json ->> 'status' WHEN 'active' THEN simonides_without_nul(r.snapshot)::json ->> 'tier' END AS tier_after,
    count(*)
FROM memory_revisions AS r
JOIN memory_items AS i ON i.tenant = r.tenant AND i.key = r.item
LEFT JOIN memory_revisions AS p ON p.tenant = r.tenant AND p.item = r.item AND p.number = r.number - 1
WHERE r.tenant = :tenant AND r.key > :after_key AND r.at >= :start AND /*conditions*/
GROUP BY 1, 2, 3, 4, 5, 6
