-- Version 5: records, items that are known by an address instead of by what they say.

DROP INDEX memory_items_content;
CREATE UNIQUE INDEX memory_items_content ON memory_items (scope_key, content_hash, status)
    WHERE status <> 'archived' AND type NOT IN ('episode', 'chunk', 'record');

CREATE UNIQUE INDEX memory_items_record ON memory_items (scope_key, source_id)
    WHERE type = 'record' AND source_id >= '/' AND source_id < '0';
