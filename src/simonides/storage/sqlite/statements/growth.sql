-- name: shifts
-- Of the newest revisions those of a time, each compared with the one before it; `raw` is what was said or read
-- as it stands.
SELECT
    (r.at - :start) / :length AS period, i.type IN ('episode', 'chunk') AS raw, r.number = 1 AS first, r.reason,
    CASE json_extract(p.snapshot, '$.status') WHEN 'active' THEN json_extract(p.snapshot, '$.tier') END AS tier_before,
    CASE json_extract(r.snapshot, '$.status') WHEN 'active' THEN json_extract(r.snapshot, '$.tier') END AS tier_after,
    count(*)
FROM memory_revisions AS r NOT INDEXED CROSS JOIN memory_items AS i ON i.key = r.item
LEFT JOIN memory_revisions AS p ON p.item = r.item AND p.number = r.number - 1
WHERE r.key > :after_key AND r.at >= :start AND /*conditions*/
GROUP BY 1, 2, 3, 4, 5, 6
