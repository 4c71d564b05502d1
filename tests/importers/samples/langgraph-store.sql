CREATE TABLE store (prefix text NOT NULL, key text NOT NULL, value text NOT NULL,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    expires_at TIMESTAMP, ttl_minutes REAL, PRIMARY KEY (prefix, key));
INSERT INTO store (prefix, key, value, ttl_minutes) VALUES
 ('users.ana', 'tea', '{"kind": "green", "cups": 3}', NULL),
 ('users.ana', 'note', '{"text": "brief"}', 60.0),
 ('users.ana', 'broken', '{"kind": ', NULL);
