CREATE TABLE memories (id TEXT, tier TEXT, content TEXT, created_at TEXT, access_count INTEGER);
INSERT INTO memories VALUES ('a', 'long_term', 'Ana repairs clocks.', '2025-01-01 10:00:00', 7);
CREATE TABLE daily_events (id TEXT, date TEXT, summary TEXT);
INSERT INTO daily_events VALUES ('d', '2025-01-05', 'The tower clock was repaired.');
CREATE TABLE extraction_buffer (id INTEGER, session_id TEXT, role TEXT, content TEXT, created_at TEXT);
INSERT INTO extraction_buffer VALUES (1, 's', 'user', 'The clock stands again.', '2025-01-06 09:00:00');
