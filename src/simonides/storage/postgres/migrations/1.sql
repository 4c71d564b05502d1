-- The schema of a store on PostgreSQL 16 or later with pgvector 0.8 or later. Instants are UTC microseconds. Every table
-- begins with the tenant, which is also the column that Citus distributes by; keys count within a tenant, as they do
-- within a SQLite file. There are no triggers (Citus refuses them), no sequences (a tenant's head is locked by whoever
-- writes), and no extension but `vector`. Flags are smallint, 0 or 1, as rows have them everywhere.
-- The archive of tenant 42 is tenant -42, in the same tables.

-- Tenants by name. On Citus a reference table: it is read to open a store, and written when a tenant is made.
CREATE TABLE memory_tenants (
    tenant     integer PRIMARY KEY CHECK (tenant > 0),
    name       text NOT NULL UNIQUE CHECK (name <> ''),
    created_at bigint NOT NULL
);

-- One row for each tenant, locked by whoever writes: it stands for SQLite's one writer and its table of facts. Numbers are
-- given under the lock, so that they are committed in their order and never given twice.
CREATE TABLE memory_heads (
    tenant        integer PRIMARY KEY,
    epoch         text NOT NULL,
    last_key      bigint NOT NULL DEFAULT 0,
    last_change   bigint NOT NULL DEFAULT 0,
    last_revision bigint NOT NULL DEFAULT 0,
    -- Transactions that wrote: caches of other processes hold until it moves.
    commits       bigint NOT NULL DEFAULT 0,
    -- Of the text index: rows and tokens, for BM25.
    worded        bigint NOT NULL DEFAULT 0,
    tokens        bigint NOT NULL DEFAULT 0,
    audit_key     bytea NOT NULL CHECK (octet_length(audit_key) = 32),
    -- Number and hash of the last audit event.
    audit_head    bytea NOT NULL CHECK (octet_length(audit_head) = 40),
    -- Bounds of the items whose texts nobody has looked through for names.
    names_after   bigint,
    names_until   bigint
) WITH (fillfactor = 50);

CREATE TABLE memory_scopes (
    tenant integer NOT NULL,
    key    integer NOT NULL,
    path   text COLLATE "C" NOT NULL,
    -- Its part `project`, for the palace.
    project text,
    PRIMARY KEY (tenant, key),
    UNIQUE (tenant, path)
);

CREATE TABLE memory_items (
    tenant         integer NOT NULL,
    key            bigint NOT NULL,
    id             text COLLATE "C" NOT NULL,
    scope_key      integer NOT NULL,
    tier           text NOT NULL CHECK (tier IN ('stm', 'mtm', 'ltm')),
    type           text NOT NULL,
    status         text NOT NULL CHECK (status IN ('active', 'quarantined', 'archived')),
    validation     text NOT NULL CHECK (validation IN ('unverified', 'verified', 'contested', 'retracted')),
    origin         text NOT NULL,
    trust          text NOT NULL CHECK (trust IN ('high', 'medium', 'low')),
    injectable     smallint NOT NULL CHECK (injectable IN (0, 1)),
    pinned         smallint NOT NULL CHECK (pinned IN (0, 1)),
    confidence     float8 NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance     float8 NOT NULL CHECK (importance BETWEEN 0 AND 1),
    decay_rate     float8 NOT NULL CHECK (decay_rate >= 0),
    created_at     bigint NOT NULL,
    updated_at     bigint NOT NULL,
    event_at       bigint,
    valid_from     bigint,
    valid_until    bigint,
    expires_at     bigint,
    superseded_by  text COLLATE "C",
    session_id     text COLLATE "C",
    ordinal        bigint,
    task_id        text COLLATE "C",
    narrative_id   text COLLATE "C",
    corpus_id      text COLLATE "C",
    rule_id        text COLLATE "C",
    source_kind    text NOT NULL CHECK (source_kind IN ('chat', 'doc', 'tool', 'mixed')),
    source_id      text COLLATE "C",
    source_role    text,
    -- JSON as text: jsonb would reorder what hashes cover.
    source_details text,
    metadata       text,
    title          text NOT NULL,
    content        text NOT NULL,
    tags           text NOT NULL,
    entities       text NOT NULL,
    derived        text NOT NULL,
    -- Tags and entities case-folded in Python: what `holds_lines` asks of SQLite is `@>` here.
    tags_folded     text[] NOT NULL,
    entities_folded text[] NOT NULL,
    content_hash   bytea NOT NULL CHECK (octet_length(content_hash) = 32),
    row_hash       bytea NOT NULL CHECK (octet_length(row_hash) = 16),
    PRIMARY KEY (tenant, key),
    UNIQUE (tenant, id),
    CHECK (valid_until IS NULL OR valid_from IS NULL OR valid_until >= valid_from)
);
CREATE INDEX memory_items_by_scope ON memory_items (tenant, scope_key, status, key);
CREATE UNIQUE INDEX memory_items_content ON memory_items (tenant, scope_key, content_hash, status)
    WHERE status <> 'archived' AND type NOT IN ('episode', 'chunk', 'record');
CREATE UNIQUE INDEX memory_items_record ON memory_items (tenant, scope_key, source_id)
    WHERE type = 'record' AND source_id >= '/' AND source_id < '0';
CREATE UNIQUE INDEX memory_items_turn_id ON memory_items (tenant, session_id, scope_key, source_id)
    WHERE type = 'episode' AND source_id IS NOT NULL;
CREATE UNIQUE INDEX memory_items_turn ON memory_items (tenant, session_id, scope_key, ordinal, content_hash)
    WHERE type = 'episode';
CREATE INDEX memory_items_expiring ON memory_items (tenant, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memory_items_pinned ON memory_items (tenant, scope_key) WHERE pinned = 1 AND status = 'active';
CREATE INDEX memory_items_settled ON memory_items (tenant, scope_key)
    WHERE status = 'active' AND (pinned = 1 OR validation = 'verified');
CREATE INDEX memory_items_superseded ON memory_items (tenant, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_items_by_time ON memory_items (tenant, scope_key, (coalesce(event_at, created_at)))
    WHERE status = 'active';

-- The text index. `lexemes`: the tokens that Python cut, without positions, each behind its tenant in base 36
-- ("2s:falcon"), so that a tenant has lists of its own in the GIN index; besides '2s:#s<scope key>' and '2s:#a' (active),
-- '2s:#x' (archived) or '2s:#q' (quarantined), which the index intersects. `counts`: each token with its occurrences.
CREATE TABLE memory_words (
    tenant  integer NOT NULL,
    item    bigint NOT NULL,
    length  integer NOT NULL,
    counts  jsonb NOT NULL,
    lexemes tsvector NOT NULL,
    PRIMARY KEY (tenant, item),
    FOREIGN KEY (tenant, item) REFERENCES memory_items (tenant, key) ON DELETE CASCADE
);
-- Few pages: every search walks those that are pending.
CREATE INDEX memory_words_lexemes ON memory_words USING gin (lexemes) WITH (fastupdate = on, gin_pending_list_limit = 256);

-- How many items hold a term: BM25, coverage and the choice of rare terms need it.
CREATE TABLE memory_terms (
    tenant    integer NOT NULL,
    term      text COLLATE "C" NOT NULL,
    documents integer NOT NULL CHECK (documents >= 0),
    PRIMARY KEY (tenant, term)
) WITH (fillfactor = 80);

CREATE TABLE memory_models (
    tenant      integer NOT NULL,
    key         integer NOT NULL,
    name        text NOT NULL,
    fingerprint text NOT NULL,
    dimension   integer NOT NULL CHECK (dimension > 0),
    PRIMARY KEY (tenant, key),
    UNIQUE (tenant, fingerprint)
);

-- Scope, status and expiry stand beside the vector: nearest items are found here alone. Any dimension: an index
-- casts to its own.
CREATE TABLE memory_embeddings (
    tenant     integer NOT NULL,
    item       bigint NOT NULL,
    model      integer NOT NULL,
    scope_key  integer NOT NULL,
    -- 0 active, 1 archived, -1 never found.
    standing   smallint NOT NULL,
    expires_at bigint,
    -- CRC-32 of the vector in half precision; doctor compares.
    checksum   bigint NOT NULL,
    -- NULL: the text embeds to nothing.
    vector     halfvec,
    PRIMARY KEY (tenant, model, item),
    FOREIGN KEY (tenant, item) REFERENCES memory_items (tenant, key) ON DELETE CASCADE
);
ALTER TABLE memory_embeddings ALTER vector SET STORAGE PLAIN;
CREATE INDEX memory_embeddings_by_scope ON memory_embeddings (tenant, model, scope_key, standing);

-- The feed that caches outside of the database follow; cut by upkeep (`memory_heads.changes_from`).
CREATE TABLE memory_changes (
    tenant integer NOT NULL,
    change bigint NOT NULL,
    item   bigint NOT NULL,
    PRIMARY KEY (tenant, change)
);

CREATE TABLE memory_usage (
    tenant          integer NOT NULL,
    item            bigint NOT NULL,
    reinforcement   float8 NOT NULL DEFAULT 0,
    usage_count     integer NOT NULL DEFAULT 0,
    last_used_at    bigint,
    last_hit_at     bigint,
    confidence_gain float8 NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, item),
    FOREIGN KEY (tenant, item) REFERENCES memory_items (tenant, key) ON DELETE CASCADE
);
CREATE TABLE memory_uses (
    tenant     integer NOT NULL,
    item       bigint NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    used_at    bigint NOT NULL,
    PRIMARY KEY (tenant, item, session_id),
    FOREIGN KEY (tenant, item) REFERENCES memory_items (tenant, key) ON DELETE CASCADE
);
CREATE TABLE memory_revisions (
    tenant   integer NOT NULL,
    item     bigint NOT NULL,
    number   integer NOT NULL CHECK (number >= 1),
    at       bigint NOT NULL,
    -- The order in which revisions came, whatever the clock said.
    key      bigint NOT NULL,
    reason   text NOT NULL,
    run_id   text COLLATE "C",
    snapshot text NOT NULL,
    row_hash bytea NOT NULL CHECK (octet_length(row_hash) = 16),
    PRIMARY KEY (tenant, item, number),
    FOREIGN KEY (tenant, item) REFERENCES memory_items (tenant, key) ON DELETE CASCADE
);
CREATE INDEX memory_revisions_by_run ON memory_revisions (tenant, run_id) WHERE run_id IS NOT NULL;
CREATE UNIQUE INDEX memory_revisions_by_key ON memory_revisions (tenant, key);

CREATE TABLE memory_links (
    tenant      integer NOT NULL,
    src         bigint NOT NULL,
    dst         bigint NOT NULL,
    rel         text COLLATE "C" NOT NULL,
    predicate   text,
    weight      float8 NOT NULL DEFAULT 1 CHECK (weight >= 0),
    confidence  float8 NOT NULL DEFAULT 1 CHECK (confidence BETWEEN 0 AND 1),
    evidence    text,
    valid_from  bigint,
    valid_until bigint,
    created_at  bigint NOT NULL,
    PRIMARY KEY (tenant, src, dst, rel)
);
CREATE INDEX memory_links_by_dst ON memory_links (tenant, dst, rel, src);

CREATE TABLE memory_entities (
    tenant        integer NOT NULL,
    key           bigint NOT NULL,
    id            text COLLATE "C" NOT NULL,
    scope_key     integer NOT NULL,
    name          text COLLATE "C" NOT NULL,
    type          text NOT NULL CHECK (type IN ('person', 'project', 'organization', 'place', 'concept', 'tool')),
    settled       boolean NOT NULL DEFAULT false,
    aliases       text NOT NULL DEFAULT '[]',
    summary       text,
    mention_count integer NOT NULL DEFAULT 0 CHECK (mention_count >= 0),
    first_seen_at bigint NOT NULL,
    last_seen_at  bigint,
    attributes    text NOT NULL DEFAULT '{}',
    merged_into   bigint,
    PRIMARY KEY (tenant, key),
    UNIQUE (tenant, id)
) WITH (fillfactor = 80);
CREATE INDEX memory_entities_by_scope ON memory_entities (tenant, scope_key);
CREATE INDEX memory_entities_merged ON memory_entities (tenant, merged_into) WHERE merged_into IS NOT NULL;
CREATE TABLE memory_entity_names (
    tenant    integer NOT NULL,
    folded    text COLLATE "C" NOT NULL,
    scope_key integer NOT NULL,
    entity    bigint NOT NULL,
    PRIMARY KEY (tenant, folded, scope_key)
);

CREATE TABLE memory_palace_locations (
    tenant integer NOT NULL,
    item   bigint NOT NULL,
    domain text COLLATE "C" NOT NULL,
    room   text COLLATE "C" NOT NULL,
    shelf  text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, item),
    FOREIGN KEY (tenant, item) REFERENCES memory_items (tenant, key) ON DELETE CASCADE
);
CREATE TABLE memory_verdicts (
    tenant    integer NOT NULL,
    item      bigint NOT NULL,
    verdict   text NOT NULL CHECK (verdict IN ('accepted', 'quarantined', 'approved', 'rejected')),
    reasons   text NOT NULL,
    why_store text,
    actor     text NOT NULL,
    at        bigint NOT NULL,
    wished    text,
    PRIMARY KEY (tenant, item),
    FOREIGN KEY (tenant, item) REFERENCES memory_items (tenant, key) ON DELETE CASCADE
);
CREATE TABLE memory_injections (
    tenant     integer NOT NULL,
    id         text COLLATE "C" NOT NULL,
    at         bigint NOT NULL,
    scope      text NOT NULL,
    session_id text COLLATE "C",
    mode       text NOT NULL,
    query      text NOT NULL,
    items      text NOT NULL,
    tokens     integer NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX memory_injections_by_session ON memory_injections (tenant, session_id, at) WHERE session_id IS NOT NULL;
CREATE INDEX memory_injections_by_time ON memory_injections (tenant, at);
CREATE TABLE memory_buffer (
    tenant     integer NOT NULL,
    item       bigint NOT NULL,
    session_id text COLLATE "C" NOT NULL,
    state      text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'failed')),
    tries      integer NOT NULL DEFAULT 0,
    error      text,
    retry_at   bigint,
    PRIMARY KEY (tenant, item),
    FOREIGN KEY (tenant, item) REFERENCES memory_items (tenant, key) ON DELETE CASCADE
);
CREATE TABLE memory_judged (
    tenant integer NOT NULL,
    job    text COLLATE "C" NOT NULL,
    a      bigint NOT NULL,
    b      bigint NOT NULL,
    at     bigint NOT NULL,
    PRIMARY KEY (tenant, job, a, b)
);
CREATE TABLE memory_events (
    tenant       integer NOT NULL,
    number       bigint NOT NULL,
    at           bigint NOT NULL,
    action       text NOT NULL,
    item_id      text COLLATE "C",
    scope        text,
    actor        text NOT NULL,
    details      text NOT NULL,
    content_hash bytea NOT NULL,
    hash         bytea NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (tenant, number)
);
CREATE INDEX memory_events_of_item ON memory_events (tenant, item_id, number) WHERE item_id IS NOT NULL;
CREATE TABLE memory_sessions (
    tenant          integer NOT NULL,
    scope_key       integer NOT NULL,
    session_id      text COLLATE "C" NOT NULL,
    first_seen_at   bigint NOT NULL,
    last_seen_at    bigint NOT NULL,
    turns           bigint NOT NULL,
    consolidated_at bigint,
    ended_at        bigint,
    PRIMARY KEY (tenant, scope_key, session_id)
) WITH (fillfactor = 70);
CREATE TABLE memory_runs (
    tenant      integer NOT NULL,
    key         bigint NOT NULL,
    id          text COLLATE "C" NOT NULL,
    job         text NOT NULL,
    trigger     text NOT NULL,
    scope       text NOT NULL,
    started_at  bigint NOT NULL,
    ended_at    bigint,
    status      text NOT NULL CHECK (status IN ('running', 'done', 'failed', 'undone')),
    counts      text NOT NULL DEFAULT '{}',
    notes       text NOT NULL DEFAULT '{}',
    error       text,
    lease_until bigint,
    parent      text COLLATE "C",
    undoes      text COLLATE "C",
    PRIMARY KEY (tenant, key),
    UNIQUE (tenant, id),
    FOREIGN KEY (tenant, parent) REFERENCES memory_runs (tenant, id),
    FOREIGN KEY (tenant, undoes) REFERENCES memory_runs (tenant, id)
);
CREATE INDEX memory_runs_by_job ON memory_runs (tenant, job, key);
CREATE INDEX memory_runs_by_parent ON memory_runs (tenant, parent) WHERE parent IS NOT NULL;
CREATE INDEX memory_runs_by_undone ON memory_runs (tenant, undoes) WHERE undoes IS NOT NULL;
CREATE TABLE memory_run_changes (
    tenant    integer NOT NULL,
    run       text COLLATE "C" NOT NULL,
    number    integer NOT NULL CHECK (number >= 1),
    step      integer NOT NULL,
    kind      text NOT NULL,
    item      bigint,
    other     bigint,
    entity    bigint,
    before    integer,
    after     integer,
    details   text NOT NULL DEFAULT '{}',
    undone_by text COLLATE "C",
    PRIMARY KEY (tenant, run, number),
    FOREIGN KEY (tenant, run) REFERENCES memory_runs (tenant, id),
    FOREIGN KEY (tenant, undone_by) REFERENCES memory_runs (tenant, id),
    FOREIGN KEY (tenant, item) REFERENCES memory_items (tenant, key) ON DELETE CASCADE,
    FOREIGN KEY (tenant, other) REFERENCES memory_items (tenant, key) ON DELETE CASCADE,
    FOREIGN KEY (tenant, entity) REFERENCES memory_entities (tenant, key) ON DELETE CASCADE
);
CREATE INDEX memory_run_changes_by_item ON memory_run_changes (tenant, item) WHERE item IS NOT NULL;
CREATE INDEX memory_run_changes_by_other ON memory_run_changes (tenant, other) WHERE other IS NOT NULL;
CREATE INDEX memory_run_changes_by_entity ON memory_run_changes (tenant, entity) WHERE entity IS NOT NULL;
CREATE TABLE memory_leases (
    tenant   integer NOT NULL,
    name     text COLLATE "C" NOT NULL,
    holder   text NOT NULL,
    taken_at bigint NOT NULL,
    until    bigint NOT NULL,
    PRIMARY KEY (tenant, name)
);
-- Links of items in the archive, by ids: their other ends may be outside of it.
CREATE TABLE memory_moved_links (
    tenant      integer NOT NULL,
    src         text COLLATE "C" NOT NULL,
    dst         text COLLATE "C" NOT NULL,
    rel         text COLLATE "C" NOT NULL,
    predicate   text,
    weight      float8 NOT NULL CHECK (weight >= 0),
    confidence  float8 NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    evidence    text,
    valid_from  bigint,
    valid_until bigint,
    created_at  bigint NOT NULL,
    PRIMARY KEY (tenant, src, dst, rel)
);
CREATE INDEX memory_moved_links_by_dst ON memory_moved_links (tenant, dst);
CREATE TABLE corpora (
    tenant   integer NOT NULL,
    id       text COLLATE "C" NOT NULL,
    label    text NOT NULL,
    parent   text COLLATE "C",
    counts   text NOT NULL DEFAULT '{}',
    added_at bigint NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE TABLE documents (
    tenant      integer NOT NULL,
    key         bigint NOT NULL,
    id          text COLLATE "C" NOT NULL,
    corpus_id   text COLLATE "C" NOT NULL,
    path        text NOT NULL,
    sha256      text NOT NULL,
    ingested_at bigint NOT NULL,
    PRIMARY KEY (tenant, key),
    UNIQUE (tenant, id),
    UNIQUE (tenant, corpus_id, path)
);


-- Which tenants have work for `simonides worker`: taken with SKIP LOCKED. Local to the coordinator on Citus, without
-- policies: it names tenants and hours, no more.
CREATE TABLE simonides_due (
    tenant integer PRIMARY KEY,
    due_at timestamptz NOT NULL,
    tries  integer NOT NULL DEFAULT 0
);
CREATE INDEX simonides_due_at ON simonides_due (due_at);

-- An item as it is read: with its scope's path and its usage.
CREATE VIEW memory_item_rows WITH (security_invoker = true) AS
    SELECT
        i.tenant, i.key, i.id, s.path AS scope, i.tier, i.type, i.status, i.validation, i.origin, i.trust,
        i.injectable, i.pinned, i.confidence AS base_confidence,
        least(1.0, i.confidence + coalesce(u.confidence_gain, 0)) AS confidence,
        i.importance, i.decay_rate, i.created_at, i.updated_at, i.event_at, i.valid_from, i.valid_until,
        i.expires_at, i.superseded_by, i.session_id, i.ordinal, i.task_id, i.narrative_id, i.corpus_id,
        i.rule_id, i.source_kind, i.source_id, i.source_role, i.source_details, i.metadata,
        i.title, i.content, i.tags, i.entities,
        u.reinforcement, u.usage_count, u.last_used_at, u.last_hit_at,
        i.scope_key, i.content_hash, i.row_hash
    FROM memory_items AS i
    JOIN memory_scopes AS s ON s.tenant = i.tenant AND s.key = i.scope_key
    LEFT JOIN memory_usage AS u ON u.tenant = i.tenant AND u.item = i.key;

-- Where an item stands: as assigned, else by its scope, its first tag or entity, and its type.
CREATE VIEW memory_places WITH (security_invoker = true) AS
    SELECT
        i.tenant, i.key,
        coalesce(p.domain, s.project, nullif(i.corpus_id, ''), s.path) AS domain,
        coalesce(
            p.room, nullif(split_part(i.tags, E'\n', 1), ''), nullif(split_part(i.entities, E'\n', 1), ''), 'misc'
        ) AS room,
        coalesce(p.shelf, i.type) AS shelf
    FROM memory_items AS i
    JOIN memory_scopes AS s ON s.tenant = i.tenant AND s.key = i.scope_key
    LEFT JOIN memory_palace_locations AS p ON p.tenant = i.tenant AND p.item = i.key;

CREATE VIEW memory_review WITH (security_invoker = true) AS
    SELECT i.tenant, i.key, i.id, v.reasons, v.why_store, v.at
    FROM memory_items AS i JOIN memory_verdicts AS v ON v.tenant = i.tenant AND v.item = i.key
    WHERE i.status = 'quarantined' AND v.verdict = 'quarantined';

-- domain/retention.py in SQL: a property test compares them.
CREATE FUNCTION simonides_days(since bigint, now bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT greatest(0, (now - since) / 86.4e9::float8) $$;
CREATE FUNCTION effective_confidence(base float8, rate float8, since bigint, now bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT base * exp(greatest(-700, -rate * simonides_days(since, now) ^ 0.8::float8)) $$;
CREATE FUNCTION confidence_after_use(confidence float8, uses integer) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT least(1.0::float8, confidence + 0.05::float8 * ln(1 + uses / 20.0::float8)) $$;
CREATE FUNCTION strengthened(strength float8, since bigint, now bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT strength * (0.3::float8 + 0.7::float8 * exp(greatest(-700, -0.004::float8 * simonides_days(since, now)))) + 1 $$;
CREATE FUNCTION faintness(reinforcement float8, since bigint, now bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT exp(0.2::float8 * greatest(-500, least(500, reinforcement))) / (1 + 0.01::float8 * simonides_days(since, now)) $$;

-- The tenant of this transaction; NULL where nobody said it: then nothing passes.
CREATE FUNCTION simonides_tenant() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT nullif(current_setting('simonides.tenant', true), '')::integer $$;

-- The number of a tenant; NULL for an unknown one. Who may open a store need not be able to list the others.
CREATE FUNCTION simonides_tenant_named(wanted text) RETURNS integer
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$ SELECT tenant FROM public.memory_tenants WHERE name = wanted $$;

-- The text channel's door to memory_words. No release that finds the schema of this step searches: the eleventh makes
-- another of the name, and asks of this one who may call it.
CREATE FUNCTION simonides_search(
    whose integer, words jsonb, every boolean, kinds text, live_at bigint, types text[], session text, above integer,
    among bigint[], begun_at bigint, lasting_at bigint, injectable integer, small bigint, best bigint, long bigint
) RETURNS TABLE (
    score float8, used integer[], key bigint, type text, title text, content text, tags text, derived text, sender text,
    role text, scope integer, session_id text, ordinal bigint, validation text, confidence float8, importance float8,
    decay_rate float8, created_at bigint, event_at bigint, reinforcement float8, last_used_at bigint, last_hit_at bigint,
    entities text, source_kind text, hashed integer, trust text, pinned integer, valid_until bigint, superseded_by text,
    valid_from bigint
)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 60 SET search_path = pg_catalog, public, pg_temp
AS $search$ BEGIN RAISE 'the schema of this step is searched by no release'; END $search$;

-- The beginning of a tenant's lexemes: its number in base 36.
CREATE FUNCTION simonides_prefix(whose integer) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    left_over bigint := abs(whose::bigint);
    digits text := '';
BEGIN
    WHILE left_over > 0 LOOP
        digits := substr('0123456789abcdefghijklmnopqrstuvwxyz', (left_over % 36)::integer + 1, 1) || digits;
        left_over := left_over / 36;
    END LOOP;
    RETURN CASE WHEN whose < 0 THEN '-' ELSE '' END || digits || ':';
END $$;

-- A lexeme as a tsquery has it.
CREATE FUNCTION simonides_lexeme(word text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT '''' || replace(replace(word, '\', '\\'), '''', '''''') || '''' $$;

-- Row-level security: who is not the owner sees the tenant of the transaction and its archive, however a statement asks.
DO $$
DECLARE
    one text;
BEGIN
    FOR one IN
        SELECT c.table_name FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
        WHERE c.table_schema = current_schema() AND c.column_name = 'tenant' AND t.table_type = 'BASE TABLE'
            AND c.table_name NOT IN ('memory_tenants', 'simonides_due')
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format(
            'CREATE POLICY one_tenant ON %I USING (tenant = simonides_tenant() OR tenant = -simonides_tenant())', one
        );
    END LOOP;
END $$;

-- They read past the policies: only for the role that `simonides migrate --role` names.
REVOKE EXECUTE ON FUNCTION simonides_tenant_named(text) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION simonides_search(
    integer, jsonb, boolean, text, bigint, text[], text, integer, bigint[], bigint, bigint, integer, bigint, bigint, bigint
) FROM PUBLIC;

-- Steps that were taken.
CREATE TABLE simonides_schema (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
