CREATE TABLE memory_items (id TEXT PRIMARY KEY, tier TEXT, type TEXT, title TEXT, content TEXT, tags TEXT,
    confidence REAL, importance REAL, usage_count INTEGER, reinforcement REAL, status TEXT, created_at TEXT,
    updated_at TEXT, mood TEXT);
INSERT INTO memory_items VALUES
 ('i1', 'ltm', 'decision', 'Release', 'We ship on Fridays.', '["release"]', 0.9, 0.8, 4, 6.0, 'active',
  '2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z', 'calm'),
 ('i2', 'stm', 'fact', NULL, 'The mill has a new roof.', NULL, NULL, NULL, 0, 0, 'archived',
  '2025-01-02T00:00:00Z', NULL, NULL);
CREATE TABLE memory_revisions (id INTEGER PRIMARY KEY, item_id TEXT, content TEXT, reason TEXT, created_at TEXT);
INSERT INTO memory_revisions VALUES
 (1, 'i1', 'We ship on Mondays.', 'create', '2025-01-01T00:00:00Z'),
 (2, 'i1', 'We ship on Fridays.', 'update', '2025-02-01T00:00:00Z');
CREATE TABLE memory_links (src TEXT, dst TEXT, rel TEXT, weight REAL, created_at TEXT);
INSERT INTO memory_links VALUES ('i1', 'i2', 'depends_on', 0.5, '2025-01-03T00:00:00Z');
CREATE TABLE memory_palace_locations (item TEXT, domain TEXT, room TEXT, shelf TEXT, card TEXT);
INSERT INTO memory_palace_locations VALUES ('i1', 'apollo', 'release', 'decisions', 'c1');
