-- Version 3: runs of upkeep with their changes and leases; what a quarantined item was to be; when an
-- extraction is tried again; when a session ended; an index of what is pinned or verified.

ALTER TABLE memory_verdicts ADD COLUMN wished TEXT;
ALTER TABLE memory_buffer ADD COLUMN retry_at INTEGER;
ALTER TABLE memory_sessions ADD COLUMN ended_at INTEGER;

-- No release wrote runs before.
DROP TABLE memory_runs;

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
    undoes      TEXT REFERENCES memory_runs (id)
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
    PRIMARY KEY (src, dst, rel)
) STRICT, WITHOUT ROWID;
-- Serves: such links seen from their far end.
CREATE INDEX memory_moved_links_by_dst ON memory_moved_links (dst);

-- A text query asks of every row that a word hits for scope, status and expiry: the index holds them all.
DROP INDEX memory_items_by_scope;
CREATE INDEX memory_items_by_scope ON memory_items (scope_key, status, key, expires_at);

-- Serves: what a new item may contradict.
CREATE INDEX memory_items_settled ON memory_items (scope_key)
    WHERE status = 'active' AND (pinned = 1 OR validation = 'verified');
