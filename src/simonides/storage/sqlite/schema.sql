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
-- of a row that a word hits whether it may be seen, holds now and may go into a prompt, without reading the row itself.
CREATE INDEX memory_items_by_scope
    ON memory_items (scope_key, status, key, expires_at, valid_from, valid_until, injectable);

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
