CREATE TABLE memories (id INTEGER, content TEXT, reinforcement_score REAL, last_accessed TEXT, created_at TEXT);
INSERT INTO memories VALUES (1, 'Rye needs a cold winter.', 4.5, '2025-03-01T00:00:00Z', '2025-01-01T00:00:00Z');
CREATE TABLE memories_archive (id INTEGER, content TEXT, reinforcement_score REAL, created_at TEXT, archived_at TEXT);
INSERT INTO memories_archive VALUES (2, 'Oats were sown in March.', -1, '2025-01-01T00:00:00Z', '2025-04-01T00:00:00Z');
