-- Version 6: a search reads no row for what an index can tell.

DROP INDEX memory_items_by_scope;
CREATE INDEX memory_items_by_scope ON memory_items (scope_key, status, key, expires_at, valid_from, valid_until);

CREATE INDEX memory_items_long ON memory_items (key) WHERE octet_length(content) > 4000;
