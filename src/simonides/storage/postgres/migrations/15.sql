-- Long texts of a tenant: a search that has found enough looks for these besides.
CREATE INDEX memory_items_long ON memory_items (tenant, key) WHERE octet_length(content) > 4000;
