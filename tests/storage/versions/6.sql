-- A store as the release with schema 6 left it: its schema, then its rows. The text index is made from them.

-- The schema of a Simonides store. This file is the truth; a test proves that the numbered
-- migrations lead to it. Instants are UTC microseconds. `seal` is a hash of the other columns of its row, written
-- before a transaction commits (seals.py); doctor compares.

-- One row per fact about the store itself: schema version, epoch, audit key and head.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value ANY NOT NULL,
    seal  BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT, WITHOUT ROWID;

-- Scope paths are long and few; items hold the key.
CREATE TABLE memory_scopes (
    key  INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT;

-- `key` ties the text index, the vectors and the links to a row. It must be declared: VACUUM may
-- renumber an implicit rowid. AUTOINCREMENT: a purged item's key never names another one.
CREATE TABLE memory_items (
    key            INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT NOT NULL UNIQUE,
    scope_key      INTEGER NOT NULL REFERENCES memory_scopes (key),
    tier           TEXT NOT NULL CHECK (tier IN ('stm', 'mtm', 'ltm')),
    type           TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('active', 'quarantined', 'archived')),
    validation     TEXT NOT NULL CHECK (validation IN ('unverified', 'verified', 'contested', 'retracted')),
    origin         TEXT NOT NULL,
    trust          TEXT NOT NULL CHECK (trust IN ('high', 'medium', 'low')),
    injectable     INTEGER NOT NULL CHECK (injectable IN (0, 1)),
    pinned         INTEGER NOT NULL CHECK (pinned IN (0, 1)),
    confidence     REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance     REAL NOT NULL CHECK (importance BETWEEN 0 AND 1),
    decay_rate     REAL NOT NULL CHECK (decay_rate >= 0),
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    event_at       INTEGER,
    valid_from     INTEGER,
    valid_until    INTEGER,
    expires_at     INTEGER,
    superseded_by  TEXT,
    session_id     TEXT,
    ordinal        INTEGER,
    task_id        TEXT,
    narrative_id   TEXT,
    corpus_id      TEXT,
    rule_id        TEXT,
    source_kind    TEXT NOT NULL CHECK (source_kind IN ('chat', 'doc', 'tool', 'mixed')),
    source_id      TEXT,
    source_role    TEXT,
    -- JSON of chunk_ids, content_hashes and span, where there are any.
    source_details TEXT,
    metadata       TEXT,
    title          TEXT NOT NULL,
    content        TEXT NOT NULL,
    -- One tag or entity a line: the text index reads them as words.
    tags           TEXT NOT NULL,
    entities       TEXT NOT NULL,
    derived        TEXT NOT NULL,
    content_hash   BLOB NOT NULL CHECK (length(content_hash) = 32),
    -- First 16 bytes of the SHA-256 of the item's snapshot; doctor compares.
    row_hash       BLOB NOT NULL CHECK (length(row_hash) = 16),
    seal           BLOB NOT NULL DEFAULT x'00000000000000000000000000000000',
    CHECK (valid_until IS NULL OR valid_from IS NULL OR valid_until >= valid_from)
) STRICT;

-- Serves: listing a scope newest first; filling the vector index (scope and status of every row); telling
-- of a row that a word hits whether it may be seen and holds now, without reading the row itself.
CREATE INDEX memory_items_by_scope ON memory_items (scope_key, status, key, expires_at, valid_from, valid_until);

-- Serves: a search among long texts alone, which most stores have none of. The bound is `text.LONG_BYTES`.
CREATE INDEX memory_items_long ON memory_items (key) WHERE octet_length(content) > 4000;

-- Holds, not the code: no two items that take part in recall have the same content in one scope.
-- Episodes, chunks and records repeat by nature. Quarantined items are held apart: they block nobody.
CREATE UNIQUE INDEX memory_items_content ON memory_items (scope_key, content_hash, status)
    WHERE status <> 'archived' AND type NOT IN ('episode', 'chunk', 'record');

-- A record is known by its address, a source that begins with a slash: one item for all of its versions, also while it
-- is deleted. ('0' follows '/'.)
-- Serves: reading one, and what lies under a space.
CREATE UNIQUE INDEX memory_items_record ON memory_items (scope_key, source_id)
    WHERE type = 'record' AND source_id >= '/' AND source_id < '0';

-- Clients resend their whole history: a turn is known by its own id, else by place and hash.
CREATE UNIQUE INDEX memory_items_turn_id ON memory_items (session_id, scope_key, source_id)
    WHERE type = 'episode' AND source_id IS NOT NULL;
CREATE UNIQUE INDEX memory_items_turn ON memory_items (session_id, scope_key, ordinal, content_hash)
    WHERE type = 'episode';

-- Serves: expiry, in upkeep and in the vector index.
CREATE INDEX memory_items_expiring ON memory_items (expires_at) WHERE expires_at IS NOT NULL;
-- Serves: the core profile.
CREATE INDEX memory_items_pinned ON memory_items (scope_key) WHERE pinned = 1 AND status = 'active';
-- Serves: what a new item may contradict.
CREATE INDEX memory_items_settled ON memory_items (scope_key)
    WHERE status = 'active' AND (pinned = 1 OR validation = 'verified');
-- Serves: what an item replaced.
CREATE INDEX memory_items_superseded ON memory_items (superseded_by) WHERE superseded_by IS NOT NULL;

-- Serves: what happened within a time. The expression is that of the conditions `after` and `before`.
CREATE INDEX memory_items_by_time ON memory_items (scope_key, coalesce(event_at, created_at))
    WHERE status = 'active';

-- What changes with use. Apart from the items, so that a use writes neither revision nor text index.
CREATE TABLE memory_usage (
    item            INTEGER PRIMARY KEY REFERENCES memory_items (key) ON DELETE CASCADE,
    reinforcement   REAL NOT NULL DEFAULT 0,
    usage_count     INTEGER NOT NULL DEFAULT 0,
    last_used_at    INTEGER,
    last_hit_at     INTEGER,
    -- Gained by use since the last revision, which folds it into the item's confidence.
    confidence_gain REAL NOT NULL DEFAULT 0,
    seal            BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT;

-- An item as it is read: with its scope's path and its usage.
CREATE VIEW memory_item_rows AS
    SELECT
        i.key, i.id, s.path AS scope, i.tier, i.type, i.status, i.validation, i.origin, i.trust,
        i.injectable, i.pinned, i.confidence AS base_confidence,
        min(1.0, i.confidence + coalesce(u.confidence_gain, 0)) AS confidence,
        i.importance, i.decay_rate, i.created_at, i.updated_at, i.event_at, i.valid_from, i.valid_until,
        i.expires_at, i.superseded_by, i.session_id, i.ordinal, i.task_id, i.narrative_id, i.corpus_id,
        i.rule_id, i.source_kind, i.source_id, i.source_role, i.source_details, i.metadata,
        i.title, i.content, i.tags, i.entities,
        u.reinforcement, u.usage_count, u.last_used_at, u.last_hit_at,
        i.scope_key, i.content_hash, i.row_hash
    FROM memory_items AS i
    JOIN memory_scopes AS s ON s.key = i.scope_key
    LEFT JOIN memory_usage AS u ON u.item = i.key;

-- Which session used which item: an item counts once a session.
CREATE TABLE memory_uses (
    item       INTEGER NOT NULL REFERENCES memory_items (key) ON DELETE CASCADE,
    session_id TEXT NOT NULL,
    used_at    INTEGER NOT NULL,
    seal       BLOB NOT NULL DEFAULT x'00000000000000000000000000000000',
    PRIMARY KEY (item, session_id)
) STRICT, WITHOUT ROWID;

-- External content: the words live in memory_items only. Changes and deletions are kept by the
-- triggers below. An insert is not: a trigger on a row that may abort makes SQLite open a savepoint
-- a row, and FTS5 then writes its index row by row, at three times the cost; `insert_item_words` is
-- the one statement that adds words, beside the one that adds items. INSERT OR REPLACE is never used
-- on memory_items, because it goes past the delete trigger.
CREATE VIRTUAL TABLE memory_items_fts USING fts5 (
    title, content, tags, entities, derived,
    content = 'memory_items', content_rowid = 'key',
    -- With its version: language/search_tokens.py cuts the words, text_index.py makes a former index anew.
    tokenize = 'simonides 1'
);

-- How many items hold a term, for choosing the rarest.
CREATE VIRTUAL TABLE memory_items_terms USING fts5vocab ('memory_items_fts', 'row');

CREATE TRIGGER memory_items_deleted AFTER DELETE ON memory_items BEGIN
    INSERT INTO memory_items_fts (memory_items_fts, rowid, title, content, tags, entities, derived)
    VALUES ('delete', old.key, old.title, old.content, old.tags, old.entities, old.derived);
    INSERT INTO memory_changes (item) VALUES (old.key);
END;

CREATE TRIGGER memory_items_reworded AFTER UPDATE OF title, content, tags, entities, derived ON memory_items
BEGIN
    INSERT INTO memory_items_fts (memory_items_fts, rowid, title, content, tags, entities, derived)
    VALUES ('delete', old.key, old.title, old.content, old.tags, old.entities, old.derived);
    INSERT INTO memory_items_fts (rowid, title, content, tags, entities, derived)
    VALUES (new.key, new.title, new.content, new.tags, new.entities, new.derived);
    INSERT INTO memory_changes (item) VALUES (new.key);
END;

-- The change counter that caches follow. AUTOINCREMENT never reuses a number; a row whose item is
-- gone is its tombstone. `meta.epoch` changes when the numbers start anew (restore, salvage).
CREATE TABLE memory_changes (
    change INTEGER PRIMARY KEY AUTOINCREMENT,
    item   INTEGER NOT NULL
) STRICT;

CREATE TRIGGER memory_items_moved AFTER UPDATE OF scope_key, status, expires_at ON memory_items BEGIN
    INSERT INTO memory_changes (item) VALUES (new.key);
END;

-- Models that vectors were made with. Vectors of different models are never compared. A fingerprint `aside:RUN:…` is
-- of one whose vectors a run set aside: nothing reads them, and an undo brings them back.
CREATE TABLE memory_models (
    key         INTEGER PRIMARY KEY,
    name        TEXT NOT NULL,
    fingerprint TEXT NOT NULL UNIQUE,
    dimension   INTEGER NOT NULL CHECK (dimension > 0),
    seal        BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT;

-- float32 little-endian. A text that embeds to nothing has no row. A rowid table, as is the one of
-- revisions: in a WITHOUT ROWID tree a row of 1 kB would spill to a page of its own.
CREATE TABLE memory_embeddings (
    key      INTEGER PRIMARY KEY,
    item     INTEGER NOT NULL REFERENCES memory_items (key) ON DELETE CASCADE,
    model    INTEGER NOT NULL REFERENCES memory_models (key),
    -- CRC-32 of the vector; doctor compares.
    checksum INTEGER NOT NULL,
    vector   BLOB NOT NULL,
    seal     BLOB NOT NULL DEFAULT x'00000000000000000000000000000000',
    UNIQUE (item, model)
) STRICT;

CREATE TRIGGER memory_embeddings_inserted AFTER INSERT ON memory_embeddings BEGIN
    INSERT INTO memory_changes (item) VALUES (new.item);
END;
CREATE TRIGGER memory_embeddings_updated AFTER UPDATE OF item, model, checksum, vector ON memory_embeddings
BEGIN
    INSERT INTO memory_changes (item) VALUES (new.item);
END;
CREATE TRIGGER memory_embeddings_deleted AFTER DELETE ON memory_embeddings BEGIN
    INSERT INTO memory_changes (item) VALUES (old.item);
END;

-- Append-only: the full state that each change left.
CREATE TABLE memory_revisions (
    key      INTEGER PRIMARY KEY,
    item     INTEGER NOT NULL REFERENCES memory_items (key) ON DELETE CASCADE,
    number   INTEGER NOT NULL CHECK (number >= 1),
    at       INTEGER NOT NULL,
    reason   TEXT NOT NULL,
    run_id   TEXT,
    snapshot TEXT NOT NULL,
    -- First 16 bytes of the SHA-256 of the snapshot; doctor compares.
    row_hash BLOB NOT NULL CHECK (length(row_hash) = 16),
    seal     BLOB NOT NULL DEFAULT x'00000000000000000000000000000000',
    UNIQUE (item, number)
) STRICT;
-- Serves: what a run changed.
CREATE INDEX memory_revisions_by_run ON memory_revisions (run_id) WHERE run_id IS NOT NULL;

-- Which kind of thing an end is follows from the relation: `mentions` goes from an item to an
-- entity, all others join items. Integer keys keep a link small.
CREATE TABLE memory_links (
    src         INTEGER NOT NULL,
    dst         INTEGER NOT NULL,
    rel         TEXT NOT NULL,
    predicate   TEXT,
    weight      REAL NOT NULL DEFAULT 1 CHECK (weight >= 0),
    confidence  REAL NOT NULL DEFAULT 1 CHECK (confidence BETWEEN 0 AND 1),
    evidence    TEXT,
    valid_from  INTEGER,
    valid_until INTEGER,
    created_at  INTEGER NOT NULL,
    seal        BLOB NOT NULL DEFAULT x'00000000000000000000000000000000',
    PRIMARY KEY (src, dst, rel)
) STRICT, WITHOUT ROWID;
-- Serves: links seen from their far end.
CREATE INDEX memory_links_by_dst ON memory_links (dst, rel);

-- What items mention. An entity is mentioned by items of its own scope only, so that no count tells of
-- what cannot be seen. Its type is a guess until somebody says it (`settled`): no part of its identity.
CREATE TABLE memory_entities (
    key           INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    scope_key     INTEGER NOT NULL REFERENCES memory_scopes (key),
    -- Empty of one that was merged into another: its row only leads from its id to the other's.
    name          TEXT NOT NULL,
    type          TEXT NOT NULL CHECK (type IN ('person', 'project', 'organization', 'place', 'concept', 'tool')),
    settled       INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1)),
    -- JSON: as they were written.
    aliases       TEXT NOT NULL DEFAULT '[]',
    summary       TEXT,
    embedding     BLOB,
    mention_count INTEGER NOT NULL DEFAULT 0 CHECK (mention_count >= 0),
    first_seen_at INTEGER NOT NULL,
    last_seen_at  INTEGER,
    attributes    TEXT NOT NULL DEFAULT '{}',
    merged_into   INTEGER REFERENCES memory_entities (key),
    seal          BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT;
-- Serves: listing the entities of a scope.
CREATE INDEX memory_entities_by_scope ON memory_entities (scope_key);
-- Serves: what was merged into an entity, when that goes.
CREATE INDEX memory_entities_merged ON memory_entities (merged_into) WHERE merged_into IS NOT NULL;

-- Names and aliases, case-folded in Python (SQL folds ASCII only). Holds, not the code: a name means
-- one entity in a scope.
CREATE TABLE memory_entity_names (
    folded    TEXT NOT NULL,
    scope_key INTEGER NOT NULL,
    entity    INTEGER NOT NULL,
    PRIMARY KEY (folded, scope_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_palace_locations (
    item   INTEGER PRIMARY KEY REFERENCES memory_items (key) ON DELETE CASCADE,
    domain TEXT NOT NULL,
    room   TEXT NOT NULL,
    shelf  TEXT NOT NULL,
    seal   BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT;
-- Serves: walking the palace.
CREATE INDEX memory_palace_by_place ON memory_palace_locations (domain, room, shelf);

-- Where an item stands: as assigned, else by its scope, its first tag or entity, and its type.
-- `palace_domain` is registered by each connection.
CREATE VIEW memory_places AS
    SELECT
        i.key,
        coalesce(p.domain, palace_domain(s.path, i.corpus_id)) AS domain,
        coalesce(
            p.room,
            nullif(substr(i.tags, 1, instr(i.tags || char(10), char(10)) - 1), ''),
            nullif(substr(i.entities, 1, instr(i.entities || char(10), char(10)) - 1), ''),
            'misc'
        ) AS room,
        coalesce(p.shelf, i.type) AS shelf
    FROM memory_items AS i
    JOIN memory_scopes AS s ON s.key = i.scope_key
    LEFT JOIN memory_palace_locations AS p ON p.item = i.key;

-- What the policy decided, where there was something to say; the review queue is a view of it.
CREATE TABLE memory_verdicts (
    item      INTEGER PRIMARY KEY REFERENCES memory_items (key) ON DELETE CASCADE,
    verdict   TEXT NOT NULL CHECK (verdict IN ('accepted', 'quarantined', 'approved', 'rejected')),
    reasons   TEXT NOT NULL,
    why_store TEXT,
    actor     TEXT NOT NULL,
    at        INTEGER NOT NULL,
    -- JSON: what a quarantined item was to be, had it been accepted.
    wished    TEXT,
    seal      BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT;

CREATE VIEW memory_review AS
    SELECT i.key, i.id, v.reasons, v.why_store, v.at
    FROM memory_items AS i JOIN memory_verdicts AS v ON v.item = i.key
    WHERE i.status = 'quarantined' AND v.verdict = 'quarantined';

-- What was put into which prompt. Behind the score of an item may stand its signals: {name: value, …}.
CREATE TABLE memory_injections (
    id         TEXT PRIMARY KEY,
    at         INTEGER NOT NULL,
    scope      TEXT NOT NULL,
    session_id TEXT,
    mode       TEXT NOT NULL,
    query      TEXT NOT NULL,
    -- JSON: [[item id, score], …]
    items      TEXT NOT NULL,
    tokens     INTEGER NOT NULL,
    seal       BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT, WITHOUT ROWID;
-- Serves: the injections of a session, newest last.
CREATE INDEX memory_injections_by_session ON memory_injections (session_id, at) WHERE session_id IS NOT NULL;

-- Episodes that wait for extraction.
CREATE TABLE memory_buffer (
    item       INTEGER PRIMARY KEY REFERENCES memory_items (key) ON DELETE CASCADE,
    session_id TEXT NOT NULL,
    state      TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'failed')),
    tries      INTEGER NOT NULL DEFAULT 0,
    error      TEXT,
    -- Not before this instant is it tried again.
    retry_at   INTEGER,
    seal       BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT;

-- Pairs that a job has already looked at, whatever it found.
CREATE TABLE memory_judged (
    job TEXT NOT NULL,
    a   INTEGER NOT NULL,
    b   INTEGER NOT NULL,
    at  INTEGER NOT NULL,
    seal BLOB NOT NULL DEFAULT x'00000000000000000000000000000000',
    PRIMARY KEY (job, a, b)
) STRICT, WITHOUT ROWID;

-- Append-only audit log. `hash` covers the row and the hash before it; `meta` keeps number and hash
-- of the last row, so that a cut tail shows. Ids and keyed hashes, never text.
CREATE TABLE memory_events (
    number       INTEGER PRIMARY KEY,
    at           INTEGER NOT NULL,
    action       TEXT NOT NULL,
    item_id      TEXT,
    scope        TEXT,
    actor        TEXT NOT NULL,
    details      TEXT NOT NULL,
    content_hash BLOB NOT NULL,
    hash         BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE TABLE memory_sessions (
    scope_key       INTEGER NOT NULL REFERENCES memory_scopes (key),
    session_id      TEXT NOT NULL,
    first_seen_at   INTEGER NOT NULL,
    last_seen_at    INTEGER NOT NULL,
    turns           INTEGER NOT NULL,
    consolidated_at INTEGER,
    -- When somebody said that it is over.
    ended_at        INTEGER,
    seal            BLOB NOT NULL DEFAULT x'00000000000000000000000000000000',
    PRIMARY KEY (scope_key, session_id)
) STRICT, WITHOUT ROWID;

-- One execution of an upkeep job. The jobs of one `maintain` have a run of their own each, and a
-- parent; an undo is a run, too.
CREATE TABLE memory_runs (
    -- In the order in which they began, whatever the clock said.
    key         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    job         TEXT NOT NULL,
    trigger     TEXT NOT NULL,
    -- A scope's path, or ALL.
    scope       TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    status      TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'undone')),
    counts      TEXT NOT NULL DEFAULT '{}',
    -- JSON: degradations, and ids of what was left alone, with why.
    notes       TEXT NOT NULL DEFAULT '{}',
    error       TEXT,
    -- Up to when its process holds the job; one that runs past it was interrupted.
    lease_until INTEGER,
    parent      TEXT REFERENCES memory_runs (id),
    -- The run that this one takes back.
    undoes      TEXT REFERENCES memory_runs (id),
    seal        BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT;
-- Serves: the last runs of a job, and those that were interrupted.
CREATE INDEX memory_runs_by_job ON memory_runs (job);
-- Serves: the runs of one `maintain`.
CREATE INDEX memory_runs_by_parent ON memory_runs (parent) WHERE parent IS NOT NULL;
-- Serves: what took a run back.
CREATE INDEX memory_runs_by_undone ON memory_runs (undoes) WHERE undoes IS NOT NULL;

-- What a run changed, in its order. Numbers of revisions and ids, never text: the text is in the
-- revisions, where `purge` reaches it. What a purged item or entity had part in goes with it.
CREATE TABLE memory_run_changes (
    run       TEXT NOT NULL REFERENCES memory_runs (id),
    number    INTEGER NOT NULL CHECK (number >= 1),
    -- Changes of one step were applied together.
    step      INTEGER NOT NULL,
    kind      TEXT NOT NULL,
    item      INTEGER REFERENCES memory_items (key) ON DELETE CASCADE,
    -- The far end of a link or a judged pair.
    other     INTEGER REFERENCES memory_items (key) ON DELETE CASCADE,
    entity    INTEGER REFERENCES memory_entities (key) ON DELETE CASCADE,
    -- Numbers of revisions.
    before    INTEGER,
    after     INTEGER,
    -- JSON: what else it takes to tell of the change and to take it back.
    details   TEXT NOT NULL DEFAULT '{}',
    undone_by TEXT REFERENCES memory_runs (id),
    seal      BLOB NOT NULL DEFAULT x'00000000000000000000000000000000',
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;
-- Serves: taking the changes of a purged item or entity along.
CREATE INDEX memory_run_changes_by_item ON memory_run_changes (item) WHERE item IS NOT NULL;
CREATE INDEX memory_run_changes_by_other ON memory_run_changes (other) WHERE other IS NOT NULL;
CREATE INDEX memory_run_changes_by_entity ON memory_run_changes (entity) WHERE entity IS NOT NULL;

-- Who runs a job at present: two processes never run the same one.
CREATE TABLE memory_leases (
    name     TEXT PRIMARY KEY,
    holder   TEXT NOT NULL,
    -- Or renewed. Far ahead of the clock, a clock was set back, and the lease says nothing.
    taken_at INTEGER NOT NULL,
    until    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Links of items that were moved into an archive file, which has this schema too; by ids, since their other
-- ends may be in the store that they were moved from. Empty in the store itself.
CREATE TABLE memory_moved_links (
    src         TEXT NOT NULL,
    dst         TEXT NOT NULL,
    rel         TEXT NOT NULL,
    predicate   TEXT,
    weight      REAL NOT NULL CHECK (weight >= 0),
    confidence  REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    evidence    TEXT,
    valid_from  INTEGER,
    valid_until INTEGER,
    created_at  INTEGER NOT NULL,
    seal        BLOB NOT NULL DEFAULT x'00000000000000000000000000000000',
    PRIMARY KEY (src, dst, rel)
) STRICT, WITHOUT ROWID;
-- Serves: such links seen from their far end.
CREATE INDEX memory_moved_links_by_dst ON memory_moved_links (dst);

CREATE TABLE corpora (
    id       TEXT PRIMARY KEY,
    label    TEXT NOT NULL,
    parent   TEXT REFERENCES corpora (id),
    counts   TEXT NOT NULL DEFAULT '{}',
    added_at INTEGER NOT NULL,
    seal     BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
    key         INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    corpus_id   TEXT NOT NULL REFERENCES corpora (id),
    path        TEXT NOT NULL,
    sha256      TEXT NOT NULL,
    ingested_at INTEGER NOT NULL,
    seal        BLOB NOT NULL DEFAULT x'00000000000000000000000000000000',
    UNIQUE (corpus_id, path)
) STRICT;

-- The graph: what there is, and what joins it.
CREATE VIEW graph_nodes AS
    SELECT id, CASE type WHEN 'chunk' THEN 'chunk' ELSE 'item' END AS kind, title AS label FROM memory_items
    UNION ALL SELECT id, 'entity', name FROM memory_entities WHERE merged_into IS NULL
    UNION ALL SELECT id, 'doc', path FROM documents;

CREATE VIEW graph_edges AS
    SELECT s.id AS src, COALESCE(e.id, d.id) AS dst, l.rel, l.weight, l.confidence
    FROM memory_links AS l
    JOIN memory_items AS s ON s.key = l.src
    LEFT JOIN memory_items AS d ON l.rel <> 'mentions' AND d.key = l.dst
    LEFT JOIN memory_entities AS e ON l.rel = 'mentions' AND e.key = l.dst;

INSERT INTO meta (name, value, seal) VALUES
  ('audit_head', X'0000000000000014FDCE44DC341D3F8D388A9BDBEECB7CF2CB1F0E124E0BF7674E0C7058F6BE884B', X'B54062D9216A6D332FEB40743CD8DED3'),
  ('audit_key', X'CE1239351DF0FE7BE4248040BA2DD48F9165A202416491A439337A490893828E', X'D411EF84F2B18B4996DD48D78D46E8A1'),
  ('epoch', 'c6e422dad83b9d2d', X'73A75E6A0DA55B9F58C25F662FFBB9B1');

INSERT INTO memory_scopes (key, path, seal) VALUES
  (1, 'project:apollo', X'D4BA2B07AEBDEC9B5AC83FFF62651568'),
  (2, 'user:ana', X'CF7280D6C3A765F4661C89ED82D0A234');

INSERT INTO memory_items (key, id, scope_key, tier, type, status, validation, origin, trust, injectable, pinned, confidence, importance, decay_rate, created_at, updated_at, event_at, valid_from, valid_until, expires_at, superseded_by, session_id, ordinal, task_id, narrative_id, corpus_id, rule_id, source_kind, source_id, source_role, source_details, metadata, title, content, tags, entities, derived, content_hash, row_hash, seal) VALUES
  (1, '019b7def-6680-7000-9663-da26f1fe4dcd', 1, 'mtm', 'fact', 'active', 'verified', 'user-said', 'high', 1, 0, 1.0, 0.5, 0.0, 1767344400000000, 1767520800000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'chat', 'api', NULL, NULL, NULL, '', 'Petra is allergic to walnuts.', '', 'Petra Novak', '', X'7AB9BE34580FB5A51897B650042D707CEDD86154FB462A74E4BFA599B3F30FAD', X'2A2F29B923E2572B2B93E95A6978D4DF', X'F60A96E5BAA2129A8EDBC07640BFE0FD'),
  (2, '019b8315-c280-7000-a187-72987b21b62e', 1, 'stm', 'decision', 'archived', 'unverified', 'user-said', 'high', 1, 0, 0.3, 0.8, 0.5, 1767430800000000, 1767430800000000, NULL, NULL, 1767430800000000, NULL, '019b8315-c280-7000-b957-6b7865862e17', NULL, NULL, NULL, NULL, NULL, NULL, 'chat', 'api', NULL, NULL, NULL, '', 'We bake for Petra in Rome.', 'kitchen', '', '', X'F768F365D7D3471444B942F81CC606A76039ECD89AE7037F178EBAA47C05F4E5', X'37CA83CF4FD72EEF6CA029EFFBA09D21', X'07A00EDAE505E67218EB3200497D06B7'),
  (3, '019b8315-c280-7000-b957-6b7865862e17', 1, 'mtm', 'decision', 'active', 'verified', 'user-said', 'high', 1, 1, 1.0, 0.8, 0.0, 1767430800000000, 1767520800000000, NULL, 1767430800000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'chat', 'api', NULL, NULL, '{"pinned_by":"profile"}', '', 'We bake for Petra in Milan.', 'kitchen', '', '', X'BBB23BCB566CE91B8E71E5BBE375BE957B4C0490BE7BF0760A00296CFF9408A3', X'1D5B9F1C5DE5C07A2E189FBBA54CA835', X'BA5BC3E23D047F1101718BF7920E98D7'),
  (4, '019b883c-1e80-7000-a618-c18ecb4ab94e', 2, 'stm', 'episode', 'active', 'unverified', 'user-said', 'high', 1, 0, 1.0, 0.3, 0.0, 1767517200000000, 1767517200000000, 1767517200000000, NULL, NULL, NULL, NULL, 'monday', 0, NULL, NULL, NULL, NULL, 'chat', NULL, 'user', NULL, '{"sender":"Ruben"}', '', 'Hey Melanie! Did you see 《红楼梦》?', '', 'Ruben', '红楼 楼梦', X'002703F151781B6B073E54179D666EECA4724ED474BFF45A8DD8CAB03D752A3B', X'505B396DDE0374A19C36DE6C9A734091', X'6951C2870FAB639EED9D32ECCF967461'),
  (5, '019b883c-1e80-7000-acd4-e96b8e4efa55', 2, 'stm', 'episode', 'active', 'unverified', 'assistant-said', 'medium', 1, 0, 1.0, 0.3, 0.0, 1767517200000000, 1767517200000000, 1767517200000000, NULL, NULL, NULL, NULL, 'monday', 1, NULL, NULL, NULL, NULL, 'chat', NULL, 'assistant', NULL, NULL, '', 'Yes, in Rome.', '', '', '', X'EE6021D2AB22877DABCBAF023F1174F920010A7610AF2C9F56913B6974A7FDF1', X'C2DFB4FCE1F157BB3175B8428BE4972F', X'2BA6E4C0A411423610EC40164898504B'),
  (6, '019b883c-1e80-7000-b530-59c395ad9053', 2, 'stm', 'note', 'quarantined', 'unverified', 'assistant-said', 'medium', 0, 0, 0.3, 0.4, 0.1, 1767517200000000, 1767517200000000, NULL, NULL, NULL, 1767776400000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'chat', NULL, NULL, NULL, NULL, '', 'The user met Gwil in Oslo.', '', '', '', X'40311856A226E95698AB78E3870618AE55745C20F307229106E3811B9DFE93D3', X'4F865A3814681088AD3E2C4F8FEF2A21', X'0406E436245C7D11A217185C0AC7E978'),
  (7, '019b883c-1e80-7000-930d-d349adf9492b', 2, 'stm', 'note', 'archived', 'retracted', 'assistant-said', 'medium', 0, 0, 0.3, 0.4, 0.1, 1767517200000000, 1767517200000000, NULL, NULL, NULL, 1767776400000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'chat', NULL, NULL, NULL, NULL, '', 'The user met Tante Agathe in Bergen.', '', '', '', X'6830372C66F531375D5EAF4129C7F3594B45316428EACBF071D639BB0F81F455', X'0828EB38C8D9C6BFCFDEA9887983B951', X'503A352BA97E962BFEB47FCAD98008DA');

INSERT INTO memory_usage (item, reinforcement, usage_count, last_used_at, last_hit_at, confidence_gain, seal) VALUES
  (1, 0.0, 1, 1767517200000000, 1767517200000000, 0.0, X'73CC313032554CD169CF0FBC28389C53'),
  (3, 0.0, 1, 1767517200000000, 1767520800000000, 0.0, X'A68510F6D510577811A3D105179FE5FC');

INSERT INTO memory_uses (item, session_id, used_at, seal) VALUES
  (1, 'unnamed-019b883c-1e80-7000-9504-09b09f269b59', 1767517200000000, X'75411F63F6FE96D850FB7A2998738855'),
  (3, 'unnamed-019b883c-1e80-7000-9504-09b09f269b59', 1767517200000000, X'265093D0E9B5CF306EDDC11901EB913C');

INSERT INTO memory_changes (change, item) VALUES
  (1, 1),
  (2, 2),
  (3, 2),
  (4, 2),
  (5, 3),
  (6, 4),
  (7, 5),
  (8, 7),
  (9, 7),
  (10, 1),
  (11, 1),
  (12, 1),
  (13, 2),
  (14, 3),
  (15, 4),
  (16, 5),
  (17, 7),
  (18, 1),
  (19, 2),
  (20, 3),
  (21, 4),
  (22, 5),
  (23, 7),
  (24, 3),
  (25, 3),
  (26, 1),
  (27, 1),
  (28, 3),
  (29, 3),
  (30, 3),
  (31, 3),
  (32, 1),
  (33, 2),
  (34, 3),
  (35, 4),
  (36, 5),
  (37, 7);

INSERT INTO memory_models (key, name, fingerprint, dimension, seal) VALUES
  (1, 'fake', 'fake-8', 8, X'B1979973EFEFDE6AA6F95D7C75CF0ACE');

INSERT INTO memory_embeddings (key, item, model, checksum, vector, seal) VALUES
  (1, 1, 1, 3335111455, X'D89C0B3FFD8C13BE8B621F3D25A4043F6EA5A53D78222C3EC790313ECDCB16BF', X'76003A9BA8DB42A424A42162ACBC5B2C'),
  (2, 2, 1, 1613995543, X'E78BF5BDC08DF93DF78B473F4135E1BE0D4ECE3DB950823EA1D094BEA7E2CFBD', X'F188A97248A391ADFB2BCDB420E90E22'),
  (3, 3, 1, 913100326, X'408F8B3D69E1603EFF81C73D9CBD0EBF74290EBFC392E23CFE0BCEBEEAFDC93E', X'22295E071BC4BC804A1782B4C0AA222D'),
  (4, 4, 1, 555168805, X'6A6DAA3E5D74E9BEF6E3963D19EF27BE7CF411BD36CD47BF0906493EE57E9ABB', X'B64EDE1284951D398C34D95530BA23E6'),
  (5, 5, 1, 2745074552, X'1DF6CE3EACE2783E711FF9BEF42BA23C128FC7BE72811CBDF1FFCF3EB639F1BE', X'06252E2C0F5823B10803C97722FCA08B'),
  (6, 7, 1, 864733871, X'7453533E6ECB683E9A679A3DA979CB3EB702B63E45D116BFFE98DD3E1105923E', X'2D0F0B96403CAD733B879C4956833BC8');

INSERT INTO memory_revisions (key, item, number, at, reason, run_id, snapshot, row_hash, seal) VALUES
  (1, 1, 1, 1767344400000000, 'create', NULL, '{"confidence":1.0,"content":"Petra is allergic to walnuts.","created_at":1767344400000000,"decay_rate":0.1,"entities":["Petra Novak"],"id":"019b7def-6680-7000-9663-da26f1fe4dcd","importance":0.5,"injectable":true,"origin":"user-said","scope":"project:apollo","source_id":"api","source_kind":"chat","status":"active","tier":"stm","trust":"high","type":"fact","updated_at":1767344400000000,"validation":"unverified"}', X'E1F06DFCFADD3D4B52214F3DF8C05A98', X'0DE66C3C1602F98748FBCB2F4B1C8BBA'),
  (2, 2, 1, 1767430800000000, 'create', NULL, '{"confidence":1.0,"content":"We bake for Petra in Rome.","created_at":1767430800000000,"decay_rate":0.0,"id":"019b8315-c280-7000-a187-72987b21b62e","importance":0.8,"injectable":true,"origin":"user-said","scope":"project:apollo","source_id":"api","source_kind":"chat","status":"active","tags":["kitchen"],"tier":"stm","trust":"high","type":"decision","updated_at":1767430800000000,"validation":"unverified"}', X'E816578BD25730E0C129530D18DCFCAF', X'1CA065DDF4819D3BB3E96398323B7A21'),
  (3, 2, 2, 1767430800000000, 'supersede', NULL, '{"confidence":0.3,"content":"We bake for Petra in Rome.","created_at":1767430800000000,"decay_rate":0.5,"id":"019b8315-c280-7000-a187-72987b21b62e","importance":0.8,"injectable":true,"origin":"user-said","scope":"project:apollo","source_id":"api","source_kind":"chat","status":"archived","superseded_by":"019b8315-c280-7000-b957-6b7865862e17","tags":["kitchen"],"tier":"stm","trust":"high","type":"decision","updated_at":1767430800000000,"valid_until":1767430800000000,"validation":"unverified"}', X'37CA83CF4FD72EEF6CA029EFFBA09D21', X'1ADFFFD2529C75D3ED66B1BB4F80B2E7'),
  (4, 3, 1, 1767430800000000, 'correct', NULL, '{"confidence":1.0,"content":"We bake for Petra in Milan.","created_at":1767430800000000,"decay_rate":0.0,"id":"019b8315-c280-7000-b957-6b7865862e17","importance":0.8,"injectable":true,"origin":"user-said","scope":"project:apollo","source_id":"api","source_kind":"chat","status":"active","tags":["kitchen"],"tier":"stm","trust":"high","type":"decision","updated_at":1767430800000000,"valid_from":1767430800000000,"validation":"unverified"}', X'5EE545E34CB7AC73668868545F760F6F', X'5AAEBD0F38BCD66E34130D3A48001712'),
  (5, 4, 1, 1767517200000000, 'record', NULL, '{"confidence":1.0,"content":"Hey Melanie! Did you see 《红楼梦》?","created_at":1767517200000000,"decay_rate":0.0,"entities":["Ruben"],"event_at":1767517200000000,"id":"019b883c-1e80-7000-a618-c18ecb4ab94e","importance":0.3,"injectable":true,"metadata":{"sender":"Ruben"},"ordinal":0,"origin":"user-said","scope":"user:ana","session_id":"monday","source_kind":"chat","source_role":"user","status":"active","tier":"stm","trust":"high","type":"episode","updated_at":1767517200000000,"validation":"unverified"}', X'505B396DDE0374A19C36DE6C9A734091', X'CE50831EFB37B52D21542EA2EF30FBF1'),
  (6, 5, 1, 1767517200000000, 'record', NULL, '{"confidence":1.0,"content":"Yes, in Rome.","created_at":1767517200000000,"decay_rate":0.0,"event_at":1767517200000000,"id":"019b883c-1e80-7000-acd4-e96b8e4efa55","importance":0.3,"injectable":true,"ordinal":1,"origin":"assistant-said","scope":"user:ana","session_id":"monday","source_kind":"chat","source_role":"assistant","status":"active","tier":"stm","trust":"medium","type":"episode","updated_at":1767517200000000,"validation":"unverified"}', X'C2DFB4FCE1F157BB3175B8428BE4972F', X'C8D54DAB8D89621F4F81C2D9DADC4CF5'),
  (7, 6, 1, 1767517200000000, 'create', NULL, '{"confidence":0.3,"content":"The user met Gwil in Oslo.","created_at":1767517200000000,"decay_rate":0.1,"expires_at":1767776400000000,"id":"019b883c-1e80-7000-b530-59c395ad9053","importance":0.4,"injectable":false,"origin":"assistant-said","scope":"user:ana","source_kind":"chat","status":"quarantined","tier":"stm","trust":"medium","type":"note","updated_at":1767517200000000,"validation":"unverified"}', X'4F865A3814681088AD3E2C4F8FEF2A21', X'F820FC629C0444E302310F54D347EFF9'),
  (8, 7, 1, 1767517200000000, 'create', NULL, '{"confidence":0.3,"content":"The user met Tante Agathe in Bergen.","created_at":1767517200000000,"decay_rate":0.1,"expires_at":1767776400000000,"id":"019b883c-1e80-7000-930d-d349adf9492b","importance":0.4,"injectable":false,"origin":"assistant-said","scope":"user:ana","source_kind":"chat","status":"quarantined","tier":"stm","trust":"medium","type":"note","updated_at":1767517200000000,"validation":"unverified"}', X'37C0CD9BAB76EAEBA38010CB18462CA2', X'F13BE3B43DA12E929665C7ABDF2C71BE'),
  (9, 7, 2, 1767517200000000, 'reject', NULL, '{"confidence":0.3,"content":"The user met Tante Agathe in Bergen.","created_at":1767517200000000,"decay_rate":0.1,"expires_at":1767776400000000,"id":"019b883c-1e80-7000-930d-d349adf9492b","importance":0.4,"injectable":false,"origin":"assistant-said","scope":"user:ana","source_kind":"chat","status":"archived","tier":"stm","trust":"medium","type":"note","updated_at":1767517200000000,"validation":"retracted"}', X'0828EB38C8D9C6BFCFDEA9887983B951', X'532DD6A2B1CEFD4DBFC09A31017A64AE'),
  (10, 1, 2, 1767517200000000, 'confirm', NULL, '{"confidence":1.0,"content":"Petra is allergic to walnuts.","created_at":1767344400000000,"decay_rate":0.0,"entities":["Petra Novak"],"id":"019b7def-6680-7000-9663-da26f1fe4dcd","importance":0.5,"injectable":true,"origin":"user-said","scope":"project:apollo","source_id":"api","source_kind":"chat","status":"active","tier":"stm","trust":"high","type":"fact","updated_at":1767517200000000,"validation":"verified"}', X'DC6C118FCFA02064BCA386C10F073D96', X'D6EF3213578311D02AD1BCF447509CD1'),
  (11, 3, 2, 1767520800000000, 'profile', '019b8873-0d00-7000-b8a9-ac9ff1bc6775', '{"confidence":1.0,"content":"We bake for Petra in Milan.","created_at":1767430800000000,"decay_rate":0.0,"id":"019b8315-c280-7000-b957-6b7865862e17","importance":0.8,"injectable":true,"metadata":{"pinned_by":"profile"},"origin":"user-said","pinned":true,"scope":"project:apollo","source_id":"api","source_kind":"chat","status":"active","tags":["kitchen"],"tier":"stm","trust":"high","type":"decision","updated_at":1767520800000000,"valid_from":1767430800000000,"validation":"unverified"}', X'20BDE7BE1A3DFBC8610F9756805E04C8', X'56C713A5B8E98D92C5DC9A2B3B702642'),
  (12, 1, 3, 1767520800000000, 'promote', '019b8873-0d00-7000-838f-bfa8923cdde6', '{"confidence":1.0,"content":"Petra is allergic to walnuts.","created_at":1767344400000000,"decay_rate":0.0,"entities":["Petra Novak"],"id":"019b7def-6680-7000-9663-da26f1fe4dcd","importance":0.5,"injectable":true,"origin":"user-said","scope":"project:apollo","source_id":"api","source_kind":"chat","status":"active","tier":"mtm","trust":"high","type":"fact","updated_at":1767520800000000,"validation":"verified"}', X'2A2F29B923E2572B2B93E95A6978D4DF', X'4B34D36323710CCBF1513D72C21B2939'),
  (13, 3, 3, 1767520800000000, 'promote', '019b8873-0d00-7000-838f-bfa8923cdde6', '{"confidence":1.0,"content":"We bake for Petra in Milan.","created_at":1767430800000000,"decay_rate":0.0,"id":"019b8315-c280-7000-b957-6b7865862e17","importance":0.8,"injectable":true,"metadata":{"pinned_by":"profile"},"origin":"user-said","pinned":true,"scope":"project:apollo","source_id":"api","source_kind":"chat","status":"active","tags":["kitchen"],"tier":"mtm","trust":"high","type":"decision","updated_at":1767520800000000,"valid_from":1767430800000000,"validation":"unverified"}', X'DC311497CF16C270165D328A2CD4367C', X'41203A156BE727C55B8F29193183D11D'),
  (14, 3, 4, 1767520800000000, 'confirm', NULL, '{"confidence":1.0,"content":"We bake for Petra in Milan.","created_at":1767430800000000,"decay_rate":0.0,"id":"019b8315-c280-7000-b957-6b7865862e17","importance":0.8,"injectable":true,"metadata":{"pinned_by":"profile"},"origin":"user-said","pinned":true,"scope":"project:apollo","source_id":"api","source_kind":"chat","status":"active","tags":["kitchen"],"tier":"mtm","trust":"high","type":"decision","updated_at":1767520800000000,"valid_from":1767430800000000,"validation":"verified"}', X'1D5B9F1C5DE5C07A2E189FBBA54CA835', X'627F202273EF9F495F7F8DE63173B1CB');

INSERT INTO memory_links (src, dst, rel, predicate, weight, confidence, evidence, valid_from, valid_until, created_at, seal) VALUES
  (1, 1, 'mentions', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767517200000000, X'E9E0606C8873ECD3F2C331289E2C5910'),
  (1, 2, 'mentions', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767517200000000, X'B09C55494E320A6237A37AF005664884'),
  (2, 2, 'mentions', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767430800000000, X'A9BEF8544B8A209AA998A520E987964F'),
  (2, 3, 'mentions', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767430800000000, X'2DEC3D2E48B16B0872C2AE9796ABD9EE'),
  (3, 1, 'references', NULL, 1.0, 1.0, 'told together', NULL, NULL, 1767520800000000, X'FBBC01AE84608398EEA93DEB5DCF00E8'),
  (3, 2, 'mentions', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767430800000000, X'CC62954FC27849B0195F113EBCE50031'),
  (3, 2, 'supersedes', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767430800000000, X'31E7CB19FF14EFA8C301C3EA7282E9FF'),
  (3, 4, 'mentions', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767430800000000, X'A5355A2451BCFD5BB422C33146580868'),
  (4, 5, 'mentions', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767517200000000, X'6CE96D6C9FE5BB8A8D4BA3E01EF30FBF'),
  (4, 5, 'temporal', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767517200000000, X'50673CF9456FC6D7F7D37B64ADF5F280'),
  (4, 6, 'mentions', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767517200000000, X'709DB3CDBF668A9428578122A2FEA6E8'),
  (4, 7, 'mentions', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767517200000000, X'5FFE6D872EE66A0A86829817D2DE413A'),
  (5, 8, 'mentions', NULL, 1.0, 1.0, NULL, NULL, NULL, 1767517200000000, X'9A3E3259C1849DC06CFFDCEF92EE5802');

INSERT INTO memory_entities (key, id, scope_key, name, type, settled, aliases, summary, embedding, mention_count, first_seen_at, last_seen_at, attributes, merged_into, seal) VALUES
  (1, '019b883c-1e80-7000-925e-a6882b283ac4', 1, 'Petra Novak', 'concept', 0, '[]', NULL, NULL, 1, 1767344400000000, 1767344400000000, '{}', NULL, X'1803473E3765713C3A191C1AE5074501'),
  (2, '019b883c-1e80-7000-bfc7-6b1fd00181ab', 1, 'Petra', 'person', 0, '[]', 'Petra is allergic to walnuts. We bake for Petra in Milan.', NULL, 3, 1767344400000000, 1767430800000000, '{}', NULL, X'6046651C495140AB8D43C507F6E5FFC3'),
  (3, '019b8315-c280-7000-9611-35cc6893ab4c', 1, 'Rome', 'concept', 0, '[]', NULL, NULL, 1, 1767430800000000, 1767430800000000, '{}', NULL, X'327458ACD4731136911DFB1CE5B558A8'),
  (4, '019b8315-c280-7000-b940-3954a985453c', 1, 'Milan', 'concept', 0, '[]', NULL, NULL, 1, 1767430800000000, 1767430800000000, '{}', NULL, X'BDA377F58A56BD357E4F72C5119565CA'),
  (5, '019b883c-1e80-7000-9b21-cb1e9ea9c461', 2, 'Ruben', 'person', 0, '[]', NULL, NULL, 1, 1767517200000000, 1767517200000000, '{}', NULL, X'ECA8C97DEDA64066D51A413A968406CB'),
  (6, '019b883c-1e80-7000-a56a-eb50a837c0fa', 2, '红楼梦', 'concept', 0, '[]', NULL, NULL, 1, 1767517200000000, 1767517200000000, '{}', NULL, X'7190AD0112F2324410F3C5891E9C821D'),
  (7, '019b883c-1e80-7000-ab7a-96af1a9fc10b', 2, 'Melanie', 'concept', 0, '[]', NULL, NULL, 1, 1767517200000000, 1767517200000000, '{}', NULL, X'9AA7347BB93421275078BCE5582D27BD'),
  (8, '019b883c-1e80-7000-b60e-69526e6155c6', 2, 'Rome', 'concept', 0, '[]', NULL, NULL, 1, 1767517200000000, 1767517200000000, '{}', NULL, X'4C83C6BC20F681A3D7C93E26EE8EF011');

INSERT INTO memory_entity_names (folded, scope_key, entity) VALUES
  ('melanie', 2, 7),
  ('milan', 1, 4),
  ('petra', 1, 2),
  ('petra novak', 1, 1),
  ('rome', 1, 3),
  ('rome', 2, 8),
  ('ruben', 2, 5),
  ('红楼梦', 2, 6);

INSERT INTO memory_palace_locations (item, domain, room, shelf, seal) VALUES
  (3, 'apollo', 'kitchen', 'decision', X'5D344C1152E1BB8EDCC01768E85406CD');

INSERT INTO memory_verdicts (item, verdict, reasons, why_store, actor, at, wished, seal) VALUES
  (6, 'quarantined', '["no reason: a proposal says in why_store why it is worth keeping","no source: a proposal names in source what it was taken from"]', NULL, 'model', 1767517200000000, NULL, X'034DCCD0B6A5351655173D8CD4CA7004'),
  (7, 'rejected', '["no"]', NULL, 'user', 1767517200000000, NULL, X'F8B59C574087B60B88591838634E05EF');

INSERT INTO memory_injections (id, at, scope, session_id, mode, query, items, tokens, seal) VALUES
  ('019b76da-a800-7000-bf78-c3c07d4102e1', 1767225600000000, 'project:apollo', NULL, 'context', 'walnuts', '[["019b7def-6680-7000-9663-da26f1fe4dcd",5.296729,{"base":2.671,"feedback":0.09,"form":0.222,"links":-0.067,"match":1.254,"meaning":0.199,"neighbours":0.676,"prior":0.15,"session":-0.095,"speaker":-0.433,"time":0.278,"words":0.352}],["019b8315-c280-7000-b957-6b7865862e17",1.877875,{"base":2.671,"feedback":0.197,"form":0.172,"links":-0.051,"match":0.51,"meaning":0.72,"neighbours":-0.788,"prior":0.13,"session":-0.115,"speaker":-0.299,"time":-0.808,"words":-0.46}]]', 23, X'6863527C2299932D5E112FC11CBF558C'),
  ('019b8873-0d00-7000-ace9-e0927e36505c', 1767520800000000, 'project:apollo', NULL, 'context', 'walnuts', '[["019b7def-6680-7000-9663-da26f1fe4dcd",6.025247,{"base":3.218,"feedback":-0.079,"form":0.182,"links":0.306,"match":1.247,"meaning":0.2,"neighbours":0.642,"prior":0.15,"session":-0.075,"speaker":-0.397,"standing":0.3,"time":-0.019,"words":0.351}],["019b8315-c280-7000-b957-6b7865862e17",3.534091,{"base":3.218,"feedback":0.198,"form":0.077,"links":0.196,"match":0.432,"meaning":0.786,"neighbours":-0.553,"prior":0.18,"session":-0.166,"speaker":-0.443,"standing":0.3,"time":-0.062,"words":-0.629}]]', 64, X'124A50EE2218A0FED1BD18A6AB26BDCE');

INSERT INTO memory_buffer (item, session_id, state, tries, error, retry_at, seal) VALUES
  (4, 'monday', 'waiting', 0, NULL, NULL, X'9F6401BC33F232D4172ADCA04BFF542D'),
  (5, 'monday', 'waiting', 0, NULL, NULL, X'B71DBC767525FADB22A92B31D5725EC9');

INSERT INTO memory_events (number, at, action, item_id, scope, actor, details, content_hash, hash) VALUES
  (1, 1767344400000000, 'create', '019b7def-6680-7000-9663-da26f1fe4dcd', 'project:apollo', 'user', '{"verdict":"accepted"}', X'8EB42E1C31652DDD0A1B895C132DC17B', X'DEA4091BD65A289D05D61FC362189CBB75A3AC028D85499607F7F9CA5EB0B958'),
  (2, 1767430800000000, 'create', '019b8315-c280-7000-a187-72987b21b62e', 'project:apollo', 'user', '{"verdict":"accepted"}', X'DC2DC72558A51C4312818797A882B5F8', X'F635096C810BDC0DE9DED9B0F6802B12737243F4EFDE204BE2A4664F12CFB6F1'),
  (3, 1767430800000000, 'correct', '019b8315-c280-7000-a187-72987b21b62e', 'project:apollo', 'user', '{"reason":"supersede","revision":2}', X'DC2DC72558A51C4312818797A882B5F8', X'6A17B2E150339CFE082E66A2B42C85B4CC16177D9EA98B6172CA1059BD9CECA0'),
  (4, 1767430800000000, 'correct', '019b8315-c280-7000-b957-6b7865862e17', 'project:apollo', 'user', '{"verdict":"accepted"}', X'A13C6DBA6F1FC81551B47D77D46362EF', X'5D7E4ACFCDB584F4C0A711D65DC29DF9EF0584D5846EA21D9D49E8E6CB9EF5DF'),
  (5, 1767517200000000, 'record', '019b883c-1e80-7000-a618-c18ecb4ab94e', 'user:ana', 'user', '{"verdict":"accepted"}', X'F212A8D13BF1A6C556F445310CBAAED9', X'25717F98EFCD5F82D8CAC590348F99E57F3EE991487845CE02913BBB56BD74C2'),
  (6, 1767517200000000, 'record', '019b883c-1e80-7000-acd4-e96b8e4efa55', 'user:ana', 'user', '{"verdict":"accepted"}', X'3B0772EB0482B28DDAF22C51516FFB8D', X'3FFB88A76C6813A6E5E3C949716FD0AF142F56114E87E4DA706F733AAA22D450'),
  (7, 1767517200000000, 'create', '019b883c-1e80-7000-b530-59c395ad9053', 'user:ana', 'model', '{"verdict":"quarantined"}', X'4EC1A1A6E463E86A2B8CFA29A15C7E34', X'C47536412090639E30DB0E231E34D0CD6AA6A9E8A612A5B497A438B30167D028'),
  (8, 1767517200000000, 'create', '019b883c-1e80-7000-930d-d349adf9492b', 'user:ana', 'model', '{"verdict":"quarantined"}', X'E1432F99D2E22B9034D206F0F6A4FABA', X'6000EB617C446CF1D9BA8AF96F570F7F7981EB4C7898D5F16A4B17F27EC292E2'),
  (9, 1767517200000000, 'reject', '019b883c-1e80-7000-930d-d349adf9492b', 'user:ana', 'user', '{"reason":"reject","revision":2}', X'E1432F99D2E22B9034D206F0F6A4FABA', X'8B2A679CBD18E0A9161ADF30B46E511EDF85FFB966661D42B988CF20EF7FFB81'),
  (10, 1767517200000000, 'confirm', '019b7def-6680-7000-9663-da26f1fe4dcd', 'project:apollo', 'user', '{"reason":"confirm","revision":2}', X'8EB42E1C31652DDD0A1B895C132DC17B', X'0FA4C2B2D76FC28A7B985E814595DA7C03B50B2ED0172CD2EF5A6775708F6B2A'),
  (11, 1767520800000000, 'run:palace', NULL, NULL, 'upkeep', '{"counts":{},"run":"019b8873-0d00-7000-a043-baec01b6e0c7","status":"done"}', X'', X'2B91DDF921F10B8BA35A801E7C2685BE297106D25FBD7608E777B56A83F9C950'),
  (12, 1767520800000000, 'run:entities', NULL, NULL, 'upkeep', '{"counts":{"summarised":1},"run":"019b8873-0d00-7000-a604-261b6d2f4287","status":"done"}', X'', X'6BB702F695858C754607764B150BFDCD5EE10707C9C239BDB617990DCFC6E097'),
  (13, 1767520800000000, 'profile', '019b8315-c280-7000-b957-6b7865862e17', 'project:apollo', 'upkeep', '{"reason":"profile","revision":2}', X'A13C6DBA6F1FC81551B47D77D46362EF', X'2F59B56B1D9713E976E165BF8B50A0C8E3C0BFEB0EA31E79B6FE5BADB21CBF8D'),
  (14, 1767520800000000, 'run:profile', NULL, NULL, 'upkeep', '{"counts":{"revised":1},"run":"019b8873-0d00-7000-b8a9-ac9ff1bc6775","status":"done"}', X'', X'C2C09BAFC81E40FC8321F6B6B5AB222E57E2DB5C44C16668DAC0840CE0C71513'),
  (15, 1767520800000000, 'promote', '019b7def-6680-7000-9663-da26f1fe4dcd', 'project:apollo', 'upkeep', '{"reason":"promote","revision":3}', X'8EB42E1C31652DDD0A1B895C132DC17B', X'6A1EFA34350A489F33B757FCC28A4ED40326121FC32F08EE473DAD398C7C3972'),
  (16, 1767520800000000, 'promote', '019b8315-c280-7000-b957-6b7865862e17', 'project:apollo', 'upkeep', '{"reason":"promote","revision":3}', X'A13C6DBA6F1FC81551B47D77D46362EF', X'B7E5FB651DBD71032F1C8F7ACB26CF805B2FF288CBFC7DAD7A9A78959920C003'),
  (17, 1767520800000000, 'run:consolidate', NULL, NULL, 'upkeep', '{"counts":{"revised":2},"run":"019b8873-0d00-7000-838f-bfa8923cdde6","status":"done"}', X'', X'27DACDE4523B8769442DC671C8A1B56F00D965AEC958DBD8FACD74201263FBA7'),
  (18, 1767520800000000, 'run:maintain', NULL, NULL, 'upkeep', '{"counts":{"revised":3,"summarised":1},"run":"019b8873-0d00-7000-8ff7-5ec0b096ae73","status":"done"}', X'', X'BB01E0AF481D41D63482C721E3B9C043A167A379C04DF53BE9A67ED9AC2380EC'),
  (19, 1767520800000000, 'confirm', '019b8315-c280-7000-b957-6b7865862e17', 'project:apollo', 'user', '{"reason":"confirm","revision":4}', X'A13C6DBA6F1FC81551B47D77D46362EF', X'0C98E3D5D1D80544FA53C25461A26D9CB75A9A2518FDCDA9DCB253211C1353DE'),
  (20, 1767520800000000, 'link', '019b8315-c280-7000-b957-6b7865862e17', 'project:apollo', 'user', '{"dst":"019b7def-6680-7000-9663-da26f1fe4dcd","rel":"references"}', X'', X'FDCE44DC341D3F8D388A9BDBEECB7CF2CB1F0E124E0BF7674E0C7058F6BE884B');

INSERT INTO memory_sessions (scope_key, session_id, first_seen_at, last_seen_at, turns, consolidated_at, ended_at, seal) VALUES
  (2, 'monday', 1767517200000000, 1767517200000000, 2, NULL, NULL, X'2071EDCC2487BFB1DFE78F958B0B2CE1');

INSERT INTO memory_runs (key, id, job, trigger, scope, started_at, ended_at, status, counts, notes, error, lease_until, parent, undoes, seal) VALUES
  (1, '019b8873-0d00-7000-8ff7-5ec0b096ae73', 'maintain', 'hand', 'ALL', 1767520800000000, 1767520800000000, 'done', '{"revised":3,"summarised":1}', '{}', NULL, NULL, NULL, NULL, X'2E147089A4BEFF93513FDD646318BCEB'),
  (2, '019b8873-0d00-7000-a043-baec01b6e0c7', 'palace', 'hand', 'ALL', 1767520800000000, 1767520800000000, 'done', '{}', '{}', NULL, NULL, '019b8873-0d00-7000-8ff7-5ec0b096ae73', NULL, X'7D896017BE8D67A61529D42CD4E4D038'),
  (3, '019b8873-0d00-7000-a604-261b6d2f4287', 'entities', 'hand', 'ALL', 1767520800000000, 1767520800000000, 'done', '{"summarised":1}', '{}', NULL, NULL, '019b8873-0d00-7000-8ff7-5ec0b096ae73', NULL, X'BCCB5755A1E8169F7CA210C874D7ACE5'),
  (4, '019b8873-0d00-7000-b8a9-ac9ff1bc6775', 'profile', 'hand', 'ALL', 1767520800000000, 1767520800000000, 'done', '{"revised":1}', '{}', NULL, NULL, '019b8873-0d00-7000-8ff7-5ec0b096ae73', NULL, X'928EA771AD672927DECFC75BE51695BE'),
  (5, '019b8873-0d00-7000-838f-bfa8923cdde6', 'consolidate', 'hand', 'ALL', 1767520800000000, 1767520800000000, 'done', '{"revised":2}', '{}', NULL, NULL, '019b8873-0d00-7000-8ff7-5ec0b096ae73', NULL, X'E6CC284DE62F0B3E6CFCD099025CAFE0');

INSERT INTO memory_run_changes (run, number, step, kind, item, other, entity, before, after, details, undone_by, seal) VALUES
  ('019b8873-0d00-7000-838f-bfa8923cdde6', 1, 1, 'revise', 1, NULL, NULL, 2, 3, '{"confidence":1.0,"reason":"promote"}', NULL, X'EFD8C656436DB63572DB7BE4B8679813'),
  ('019b8873-0d00-7000-838f-bfa8923cdde6', 2, 2, 'revise', 3, NULL, NULL, 2, 3, '{"confidence":1.0,"reason":"promote"}', NULL, X'931CADBCBFAB44ED1D58D2ABDC893CE7'),
  ('019b8873-0d00-7000-a604-261b6d2f4287', 1, 1, 'summary', NULL, NULL, 2, NULL, NULL, '{"after":"Petra is allergic to walnuts. We bake for Petra in Milan.","sources":["019b7def-6680-7000-9663-da26f1fe4dcd","019b8315-c280-7000-b957-6b7865862e17"]}', NULL, X'2D5847619B731D81C905D67FEAEBD0DA'),
  ('019b8873-0d00-7000-b8a9-ac9ff1bc6775', 1, 1, 'revise', 3, NULL, NULL, 1, 2, '{"confidence":1.0,"reason":"profile"}', NULL, X'1F1BCA9F926D80A06852875D5DBAFFF1');

INSERT INTO memory_items_fts (memory_items_fts) VALUES ('rebuild');

PRAGMA application_id = 0x536D6E64;
PRAGMA user_version = 6;
