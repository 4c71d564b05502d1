-- The text channel's door to `memory_words`. SECURITY DEFINER: row-level security keeps `@@` out of the GIN index, because that
-- operator is not leakproof.
--   words: `terms`, each with its `lexemes` as a tsquery, its `tokens`, of each all forms, and `groups` of tokens that stand for
--     it; one of several tokens has `times`: {item: how often}. Of all these tokens, once each: `forms`, their `spots` in `tallies`,
--     those that two of them `share`, and questions for `tallies` that ask for twelve at a time.
CREATE OR REPLACE FUNCTION simonides_search(
    whose integer, words jsonb, every boolean, kinds text, above integer, narrow jsonb, small bigint, best bigint, long bigint
) RETURNS TABLE (
    score float8, used integer[], key bigint, type text, title text, content text, tags text, derived text, sender text,
    role text, scope integer, session_id text, ordinal bigint, validation text, confidence float8, importance float8,
    decay_rate float8, created_at bigint, event_at bigint, reinforcement float8, last_used_at bigint, last_hit_at bigint,
    entities text, source_kind text, hashed integer, trust text, pinned integer, valid_until bigint, superseded_by text,
    valid_from bigint
)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 60 SET search_path = pg_catalog, public, pg_temp
AS $search$
#variable_conflict use_column
DECLARE
    worded bigint;
    rows bigint;
    mean float8;
    held jsonb;
    shared integer[];
    forms text[] := words ->> 'forms';
    spots integer[] := words ->> 'spots';
    holding bigint;
    few boolean;
    places integer[];
    counts bigint[];
    alone integer[] := '{}';
    odd integer[] := '{}';
    even integer[] := '{}';
    odd_held bigint := 0;
    even_held bigint := 0;
    spent bigint := 0;
    number integer := 0;
    most bigint;
    most_held bigint;
    reach bigint;
    sample bigint[];
    needed bigint;
    chosen integer[];
    found bigint;
    long_ones bigint[];
    named bigint[];
    newest text;
    query tsquery;
    least_bytes integer := CASE WHEN long = 0 THEN above ELSE 0 END;
    scored text;
    first text;
    asked text;
    terms text[];
    scores text := '';
    columns text := '';
    dozens integer[];
    dozen integer;
    masks text := '';
    placed boolean;
    tests text[];
    tested integer[];
    holds text := '';
    one record;
    passing text := '($2 = 0 OR octet_length(i.content) > $2)';
    item text;
BEGIN
    IF jsonb_typeof(words) <> 'object' THEN
        RAISE EXCEPTION 'an earlier release asks: start its processes anew with this one' USING ERRCODE = 'undefined_function';
    END IF;
    IF whose IS NULL OR abs(whose) IS DISTINCT FROM abs(public.simonides_tenant()) THEN
        RETURN;
    END IF;
    EXECUTE format(
        $q$ SELECT h.worded, h.last_key, h.tokens::float8 / greatest(h.worded, 1), t.held, t.shared FROM public.memory_heads AS h, (
            SELECT jsonb_object_agg(t.term, t.documents) FILTER (WHERE t.term = ANY ($1)) AS held,
                array_agg(t.place) FILTER (WHERE t.term <> ALL ($1)) AS shared
            FROM public.memory_terms AS t WHERE t.tenant = %1$s AND t.place = ANY ($2)
        ) AS t WHERE h.tenant = %1$s $q$, whose
    ) INTO worded, rows, mean, held, shared USING forms, spots;
    IF coalesce(worded, 0) = 0 OR held IS NULL THEN  -- No item holds any of them.
        RETURN;
    END IF;
    SELECT array_agg(w.place ORDER BY w.documents, w.term), array_agg(w.documents ORDER BY w.documents, w.term),
        array_agg(w.lexemes ORDER BY w.place), sum(w.documents)
    INTO places, counts, terms, holding
    FROM (
        SELECT w.place::integer AS place, w.word ->> 'lexemes' AS lexemes, (w.word ->> 'term') COLLATE "C" AS term,
            CASE jsonb_array_length(w.word -> 'tokens')
                WHEN 1 THEN least(rows, coalesce((held ->> (w.word #>> '{tokens,0,0}'))::bigint, 0))
                ELSE coalesce((
                    SELECT min(least(rows, coalesce((held ->> (t ->> 0))::bigint, 0))) FROM jsonb_array_elements(w.word -> 'tokens') AS t
                ), 0) END AS documents
        FROM jsonb_array_elements(words -> 'terms') WITH ORDINALITY AS w (word, place)
    ) AS w;
    IF every THEN
        -- A term without a token is in no item.
        IF array_position(terms, NULL) IS NOT NULL THEN
            RETURN;
        END IF;
        chosen := places;
        asked := array_to_string(terms, ' & ');
    ELSIF rows <= small OR holding <= 5000 THEN
        chosen := places;
        asked := array_to_string(terms, ' | ');
    ELSE
        most := 1000;
        FOR n IN 1 .. cardinality(places) LOOP
            CONTINUE WHEN counts[n] = 0;
            IF number = 0 AND cardinality(odd) = 0 AND spent + counts[n] <= 400 THEN
                spent := spent + counts[n];
                alone := alone || places[n];
                CONTINUE;
            END IF;
            IF number % 2 = 0 THEN
                EXIT WHEN number >= 2 AND (
                    (odd_held + counts[n])::float8 * even_held / rows > 600 OR odd_held + counts[n] + even_held > 100000
                );
                odd := odd || places[n];
                odd_held := odd_held + counts[n];
            ELSE
                EXIT WHEN number >= 2 AND (
                    (even_held + counts[n])::float8 * odd_held / rows > 600 OR even_held + counts[n] + odd_held > 100000
                );
                even := even || places[n];
                even_held := even_held + counts[n];
            END IF;
            number := number + 1;
        END LOOP;
        IF cardinality(even) = 0 THEN
            IF cardinality(alone) = 0 THEN
                alone := odd;
            END IF;
            odd := '{}';
        END IF;
        chosen := alone || odd || even;
        asked := concat_ws(' | ',
            (SELECT string_agg(terms[p], ' | ') FROM unnest(alone) AS p),
            CASE WHEN cardinality(even) > 0 THEN '((' || (SELECT string_agg(terms[p], ' | ') FROM unnest(odd) AS p) || ') & ('
                || (SELECT string_agg(terms[p], ' | ') FROM unnest(even) AS p) || '))' END);
    END IF;
    IF coalesce(asked, '') = '' THEN
        RETURN;
    END IF;
    -- A form of a term of one token is scored by itself, so is each token of a group where the others are there as well; a term
    -- of several tokens as a whole; two terms of one token twice. Of the first, `tallies` tells how often items have twelve at a
    -- time, two bits for each: the inner product with powers of four is a sum of whole numbers below 2^24, which is exact in
    -- single precision. Looked up in `counts` is what occurs three times or more, what shares its place with another word, and
    -- all where that is quicker.
    shared := shared || (words ->> 'share')::integer[];
    few := holding * cardinality(forms) < 1000;
    SELECT
        coalesce(string_agg(format(', %s AS f%s_%s_%s', p.counted, p.place, p.kind, p.rank), '') FILTER (WHERE p.slot IS NULL), ''),
        string_agg(CASE
            WHEN p.slot IS NULL THEN
                format(' + coalesce(%s::float8 * f%2$s_%3$s_%4$s * 2.2 / (f%2$s_%3$s_%4$s + norm), 0)', p.weight, p.place, p.kind, p.rank)
            ELSE format(
                ' + CASE m%s & %s WHEN 0 THEN 0::float8 WHEN %s THEN %s / once WHEN %s THEN %s / twice '
                'ELSE coalesce(%s::float8 * %s * 2.2 / (%8$s + norm), 0) END',
                p.slot / 12, 3 << p.slot % 12 * 2, 1 << p.slot % 12 * 2, p.weight * 2.2::float8, 2 << p.slot % 12 * 2,
                p.weight * 2 * 2.2::float8, p.weight, p.counted
            ) END, '' ORDER BY p.place, p.kind, p.rank),
        bool_or(p.kind = 3), array_agg(format('(%s) IS NOT NULL', p.counted)), array_agg(p.place),
        array_agg(DISTINCT p.slot / 12) FILTER (WHERE p.slot IS NOT NULL)
    INTO columns, scores, placed, tests, tested, dozens
    FROM (
        SELECT w.place, f.kind, f.rank, f.counted, f.slot,
            greatest(ln((worded - f.documents + 0.5::float8) / (f.documents + 0.5::float8)), 1e-6) AS weight
        FROM jsonb_array_elements(words -> 'terms') WITH ORDINALITY AS w (word, place) CROSS JOIN LATERAL (
            SELECT 1 AS kind, f.rank, least(worded, coalesce((held ->> f.form)::bigint, 0)) AS documents,
                format('(w.counts -> %L)::integer::float8', f.form) AS counted,
                CASE WHEN NOT few AND spots[array_position(forms, f.form)] <> ALL (shared) THEN array_position(forms, f.form) - 1 END AS slot
            FROM jsonb_array_elements_text(w.word #> '{tokens,0}') WITH ORDINALITY AS f (form, rank)
            WHERE jsonb_array_length(w.word -> 'tokens') = 1
            UNION ALL
            SELECT 2, row_number() OVER (ORDER BY g.rank, f.rank), least(worded, coalesce((held ->> f.form)::bigint, 0)),
                format('CASE WHEN w.counts ?& %L THEN (w.counts -> %L)::integer::float8 END',
                    ARRAY(SELECT jsonb_array_elements_text(g.forms)), f.form), NULL
            FROM jsonb_array_elements(w.word -> 'groups') WITH ORDINALITY AS g (forms, rank),
                jsonb_array_elements_text(g.forms) WITH ORDINALITY AS f (form, rank)
            UNION ALL
            SELECT 3, 1, least(worded, (SELECT count(*) FROM jsonb_object_keys(w.word -> 'times'))),
                format('(%L::jsonb -> w.item::text)::integer::float8', w.word -> 'times'), NULL
            WHERE jsonb_array_length(w.word -> 'tokens') > 1
        ) AS f WHERE w.place = ANY (chosen)
    ) AS p;
    FOREACH dozen IN ARRAY coalesce(dozens, '{}') LOOP
        masks := masks || format(', public.simonides_tallied(w.tallies, %L) AS m%s', words -> 'asked' ->> dozen, dozen);
    END LOOP;
    -- Of what the index finds, some items lack a term whose tokens they hold: it chooses them no more.
    IF placed THEN
        holds := (
            WITH terms AS (
                SELECT t.place, '(' || string_agg(t.test, ' OR ') || ')' AS test
                FROM unnest(tests, tested) AS t (test, place) GROUP BY t.place
            )
            SELECT CASE
                WHEN every THEN string_agg(test, ' AND ')
                WHEN cardinality(even) = 0 THEN string_agg(test, ' OR ')
                ELSE concat_ws(' OR ', string_agg(test, ' OR ') FILTER (WHERE place = ANY (alone)), format(
                    '(%s) AND (%s)', string_agg(test, ' OR ') FILTER (WHERE place = ANY (odd)),
                    string_agg(test, ' OR ') FILTER (WHERE place = ANY (even))
                )) END
            FROM terms
        );
        holds := format('AND (%s)', holds);
    END IF;
    FOR one IN SELECT n.key AS name, n.value #>> '{}' AS told FROM jsonb_each(narrow) AS n LOOP
        CASE
            WHEN one.name IN ('session_id', 'task_id', 'corpus_id', 'source_id') THEN
                passing := passing || format(' AND i.%I = %L', one.name, one.told);
            WHEN one.name IN ('pinned', 'injectable') THEN
                passing := passing || format(' AND i.%I = %s', one.name, one.told::integer);
            WHEN one.name IN ('types', 'tiers') THEN
                passing := passing || format(
                    ' AND i.%s = ANY (%L)', rtrim(one.name, 's'), ARRAY(SELECT jsonb_array_elements_text(narrow -> one.name))
                );
            WHEN one.name = 'among' THEN
                passing := passing || format(' AND i.key = ANY (%L)', translate(one.told, '[]', '{}'));
            WHEN one.name = 'tags' THEN
                passing := passing || format(
                    ' AND i.tags_folded @> %L', ARRAY(SELECT jsonb_array_elements_text(narrow -> 'tags'))
                );
            WHEN one.name = 'live_at' THEN
                passing := passing || format(' AND (i.expires_at IS NULL OR i.expires_at > %s)', one.told::bigint);
            WHEN one.name = 'happened_from' THEN
                passing := passing || format(' AND coalesce(i.event_at, i.created_at) >= %s', one.told::bigint);
            WHEN one.name = 'happened_before' THEN
                passing := passing || format(' AND coalesce(i.event_at, i.created_at) < %s', one.told::bigint);
            WHEN one.name = 'valid_at' THEN
                passing := passing || format(
                    ' AND coalesce(i.valid_from, i.event_at, i.created_at) <= %1$s AND (i.valid_until IS NULL OR i.valid_until > %1$s)',
                    one.told::bigint
                );
            WHEN one.name = 'begun_at' THEN
                passing := passing || format(' AND (i.valid_from IS NULL OR i.valid_from <= %s)', one.told::bigint);
            WHEN one.name = 'lasting_at' THEN
                passing := passing || format(' AND (i.valid_until IS NULL OR i.valid_until > %s)', one.told::bigint);
            WHEN one.name = 'metadata' THEN
                passing := passing || format(
                    $q$ AND public.simonides_without_nul(coalesce(i.metadata, '{}'))::jsonb @> public.simonides_without_nul(%L)::jsonb$q$, one.told
                );
            WHEN one.name = 'path' THEN
                passing := passing || format(
                    $q$ AND i.type = 'chunk' AND (i.source_id = %1$L OR i.source_id >= %2$L AND i.source_id < %3$L)$q$,
                    one.told, one.told || '/', one.told || '0'
                );
            WHEN one.name = 'space' THEN
                passing := passing || format(
                    $q$ AND i.type = 'record' AND i.source_id >= %L AND i.source_id < %L$q$, one.told || '/', one.told || '0'
                );
            WHEN one.name = 'named' THEN
                passing := passing || format(
                    $q$ AND (i.entities_folded @> %2$L OR EXISTS (
                        SELECT 1 FROM public.memory_entity_names AS n JOIN public.memory_links AS l
                            ON l.tenant = %1$s AND l.dst = n.entity AND l.rel = 'mentions'
                        WHERE n.tenant = %1$s AND n.folded = %3$L AND l.src = i.key
                    )) $q$, whose, ARRAY(SELECT jsonb_array_elements_text(narrow -> 'named_line')), one.told
                );
            WHEN one.name = 'former_until' THEN
                passing := passing || format(
                    $q$ AND (i.status <> 'archived' OR i.superseded_by IS NOT NULL AND i.validation <> 'retracted'
                        AND CASE WHEN i.valid_until IS NULL THEN %2$s = 1
                            ELSE %3$L::bigint IS NULL OR i.valid_until > %3$L::bigint END
                        AND (i.valid_from IS NULL OR i.valid_from < %4$s)
                        AND EXISTS (
                            WITH RECURSIVE later (id) AS (
                                SELECT i.superseded_by
                                UNION
                                SELECT n.superseded_by FROM later JOIN public.memory_items AS n ON n.tenant = %1$s AND n.id = later.id
                                WHERE n.superseded_by IS NOT NULL
                            )
                            SELECT 1 FROM later JOIN public.memory_items AS n ON n.tenant = %1$s AND n.id = later.id
                            WHERE n.status = 'active'
                        )) $q$, whose, (narrow ->> 'former_copies')::integer, narrow ->> 'former_since', one.told::bigint
                );
            WHEN one.name IN ('named_line', 'former_since', 'former_copies') THEN
                NULL;  -- Part of another.
        END CASE;
    END LOOP;
    item := format(
        $q$ CROSS JOIN LATERAL (SELECT * FROM public.memory_items AS n WHERE n.tenant = %s AND n.key = s.item OFFSET 0) AS i $q$, whose
    );
    scored := format(
        $q$ SELECT s.score, $4, i.key, i.type, i.title, i.content, i.tags, i.derived,
            CASE i.type WHEN 'episode' THEN split_part(i.entities, E'\n', 1) ELSE '' END,
            i.source_role, i.scope_key, i.session_id, i.ordinal, i.validation,
            least(1.0, i.confidence + coalesce(u.confidence_gain, 0)), i.importance, i.decay_rate, i.created_at,
            coalesce(i.event_at, i.created_at), coalesce(u.reinforcement, 0.0), u.last_used_at, u.last_hit_at,
            i.entities, i.source_kind, coalesce(strpos(i.source_details, '"content_hashes"') > 0, FALSE)::integer,
            i.trust, i.pinned::integer, i.valid_until, i.superseded_by, i.valid_from
        FROM (
            SELECT x.item, x.score, round(x.score * 1e6) AS height FROM (
                SELECT w.item, 0::float8 %5$s AS score FROM (
                    SELECT w.item, w.counts, w.norm, 1 + w.norm AS once, 2 + w.norm AS twice %10$s %4$s
                    FROM (
                        SELECT s.*, 1.2::float8 * (0.25::float8 + 0.75::float8 * s.length / %3$s::float8) AS norm FROM (
                            SELECT w.item, w.length, w.counts, w.tallies FROM public.memory_words AS w
                            WHERE w.tenant = %1$s AND w.lexemes @@ $1 %9$s /*long*/ %6$s
                        ) AS s %2$s
                    ) AS w OFFSET 0
                ) AS w OFFSET 0
            ) AS x ORDER BY height DESC, x.item DESC OFFSET 0
        ) AS s %7$s
        LEFT JOIN LATERAL (SELECT * FROM public.memory_usage AS n WHERE n.tenant = %1$s AND n.item = s.item OFFSET 0) AS u ON TRUE
        WHERE %8$s
        ORDER BY s.height DESC, s.item DESC LIMIT $3 $q$,
        whose,
        -- Of many that hold the words, the newest that pass are scored; else all, and only the best are looked up.
        CASE WHEN most IS NULL THEN '' ELSE format('%s WHERE %s ORDER BY s.item DESC LIMIT %s', item, passing, most) END,
        greatest(mean, 1e-9), columns, scores,
        CASE WHEN most IS NULL THEN '' ELSE 'ORDER BY w.item DESC OFFSET 0' END, item, passing,
        holds, masks
    );
    chosen := (SELECT array_agg(p ORDER BY p) FROM unnest(chosen) AS p);
    query := '(' || asked || ')' || kinds;
    most_held := spent + CASE WHEN cardinality(even) > 0 THEN least(odd_held, even_held) WHEN spent = 0 THEN odd_held ELSE 0 END;
    IF most IS NOT NULL AND jsonb_array_length(narrow -> 'tags') > 0 THEN
        -- Few items of a large store have a tag: each that holds the words would be looked up for it.
        EXECUTE format(
            $q$ SELECT array_agg(n.key) FROM (
                SELECT n.key FROM public.memory_items AS n WHERE n.tenant = %s AND n.tags_folded <> '{}'
                    AND public.simonides_tagged(n.tenant, n.tags_folded) @> $1 LIMIT 1001
            ) AS n $q$, whose
        ) INTO named USING public.simonides_tagged(whose, ARRAY(SELECT jsonb_array_elements_text(narrow -> 'tags')));
        IF named IS NULL THEN
            RETURN;
        END IF;
        IF cardinality(named) <= 1000 THEN
            scored := replace(scored, 'w.lexemes @@ $1', format('w.item = ANY (%L) AND ts_match_vq(w.lexemes, $1)', named));
            most_held := 0;
        END IF;
    END IF;
    first := scored;
    -- Where very many items hold the words, the newest that pass are looked for from the newest on: the index would have all of them
    -- read and put in order. A sample tells how far there is to go.
    IF most IS NOT NULL AND most_held > 10000 THEN
        newest := format('public.memory_words AS w WHERE w.tenant = %s AND ts_match_vq(w.lexemes, $1) %s', whose, holds);
        reach := least(rows, 8 * most * rows / most_held);
        sample := ARRAY(SELECT generate_series(rows, rows - reach + 1, -greatest(reach / 500, 1)));
        EXECUTE format(
            'SELECT count(*) FROM (SELECT w.item FROM %s AND w.item = ANY ($3) OFFSET 0) AS s %s WHERE %s', newest, item, passing
        ) INTO found USING query, least_bytes, sample;
        -- Half as far again as the sample says. To walk over an item takes less than half of what fetching one takes.
        needed := most * 3 * cardinality(sample) / greatest(2 * found, 1);
        IF needed < least(reach, 2 * found * rows / cardinality(sample)) THEN
            EXECUTE format(
                $q$ SELECT array_agg(s.item) FROM (
                    SELECT s.item FROM (SELECT w.item FROM %s AND w.item BETWEEN $3 AND $4 ORDER BY w.item DESC OFFSET 0) AS s %s
                    WHERE %s ORDER BY s.item DESC LIMIT %s
                ) AS s $q$, newest, item, passing, most
            ) INTO named USING query, least_bytes, rows - needed + 1, rows;
            IF cardinality(named) = most THEN
                first := replace(scored, 'w.lexemes @@ $1', format('w.item = ANY (%L)', named));
            END IF;
        END IF;
    END IF;
    RETURN QUERY EXECUTE first USING query, least_bytes, best, chosen;
    GET DIAGNOSTICS found = ROW_COUNT;
    IF long > 0 AND found >= best THEN
        EXECUTE format(
            'SELECT array_agg(n.key) FROM ('
            'SELECT n.key FROM public.memory_items AS n WHERE n.tenant = %s AND octet_length(n.content) > %s LIMIT 1001) AS n', whose, above
        ) INTO long_ones;
        IF long_ones IS NULL THEN
            RETURN;
        END IF;
        -- A few are named: else the planner looks up whether each item that holds the words is among them.
        scored := replace(scored, '/*long*/', CASE
            WHEN cardinality(long_ones) <= 1000 THEN 'AND w.item = ANY ($5)'
            ELSE format(
                'AND w.item IN (SELECT n.key FROM public.memory_items AS n WHERE n.tenant = %s AND octet_length(n.content) > %s)', whose, above
            ) END);
        RETURN QUERY EXECUTE scored USING query, above, long, chosen, long_ones;
    END IF;
END $search$;
