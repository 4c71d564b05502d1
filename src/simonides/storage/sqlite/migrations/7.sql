-- Version 7: what looks for a prompt reads no row for what an index can tell, either.

DROP INDEX memory_items_by_scope;
CREATE INDEX memory_items_by_scope
    ON memory_items (scope_key, status, key, expires_at, valid_from, valid_until, injectable);
