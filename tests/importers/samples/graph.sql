CREATE TABLE nodes (id INTEGER PRIMARY KEY, type TEXT, content TEXT, created_at INTEGER, embedding BLOB);
INSERT INTO nodes VALUES (1, 'fact', 'The ferry leaves at eight.', 1735689600, x'00'),
 (2, 'wisdom', 'Storms delay the ferry.', 1735689700, NULL);
CREATE TABLE edges (source INTEGER, target INTEGER, relation TEXT, weight REAL);
INSERT INTO edges VALUES (2, 1, 'caused_by', 0.7), (1, 2, 'talks about', 1.0), (1, 9, 'related', 1.0);
CREATE TABLE entities (id INTEGER PRIMARY KEY, name TEXT, summary TEXT);
INSERT INTO entities VALUES (1, 'Ferry', 'The ferry crosses the bay twice a day.'), (2, 'Bay', NULL);
