CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
    created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);
INSERT INTO history VALUES
 ('h1', 'm1', NULL, 'Rows on Mondays', 'ADD', '2025-01-01T08:00:00+00:00', NULL, 0, NULL, 'user'),
 ('h2', 'm1', 'Rows on Mondays', 'Rows on Tuesdays', 'UPDATE', '2025-01-01T08:00:00+00:00',
  '2025-02-01T08:00:00+00:00', 0, NULL, 'user'),
 ('h3', 'm2', NULL, 'Owns a red bicycle', 'ADD', '2025-01-03T08:00:00+00:00', NULL, 0, NULL, NULL),
 ('h4', 'm2', 'Owns a red bicycle', NULL, 'DELETE', '2025-01-03T08:00:00+00:00', '2025-03-03T08:00:00+00:00',
  1, NULL, NULL);
CREATE TABLE messages (id TEXT PRIMARY KEY, session_scope TEXT, role TEXT, content TEXT, name TEXT,
    created_at DATETIME);
INSERT INTO messages VALUES ('x', 'user_id=ana', 'user', 'hello', NULL, '2025-01-01');
