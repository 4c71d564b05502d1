"""Reading that PostgreSQL does otherwise: text search, and what was changed outside."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import Item, Status
from simonides.domain.link import Link, Relation
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection, happening
from simonides.domain.text import cleaned_text, is_lone
from simonides.language.russian_names import forms
from simonides.language.search_tokens import search_tokens, tokens_of
from simonides.language.variants import MOST_COMPARED, TAILS_OF_NAMES, Lookups, lookups, variants
from simonides.ports.entities import Edge
from simonides.ports.governing import PrecedentQuery, Precedents
from simonides.ports.recalling import (
    Intact,
    Looked,
    Neared,
    Nearing,
    Opened,
    Opening,
    Taken,
    VectorComparer,
    ViewState,
    Words,
)
from simonides.ports.store import Sketch, TextMatches, TextQuery
from simonides.storage.postgres.database import PostgresDatabase, Rows
from simonides.storage.postgres.nearest import FEW, NO_INDEX, SEARCHING, TenantIndex, compared, comparing
from simonides.storage.postgres.statements import query, with_figures
from simonides.storage.postgres.tallies import tally_questions
from simonides.storage.postgres.words import KINDS, cut, prefix_of, quoted
from simonides.storage.sql.conditions import NOTHING
from simonides.storage.sql.entities import named_of, names_by_form, surroundings_of, taken_of
from simonides.storage.sql.expression import SMALL_STORE
from simonides.storage.sql.reader import SqlReader
from simonides.storage.sql.recalling import (
    ReaderVocabulary,
    counted,
    respelt,
    tokens_with_variants,
    with_aliases,
)
from simonides.storage.sql.recalling import former as former_wordings
from simonides.storage.sql.rows import is_sound, to_items
from simonides.storage.sql.runs import to_link
from simonides.storage.sql.statement_reader import KnownScopes

#: Searches of a process that the server compares vectors for: to hold them, it would read all of them first.
_FIRST_SEARCHES: Final = 8
#: Most tokens in one query.
MAX_TERMS: Final = 64
#: Words that begin like a prefix and are looked for.
_MOST_PREFIXED: Final = 64
#: Items whose texts are read for a term of several tokens; of more, the newest.
_MOST_PLACED: Final = 2_000
_LAST: Final = "\U0010ffff"
#: Values of conditions that `simonides_search` takes by these names.
_NARROW: Final = frozenset({
    "live_at", "types", "tiers", "tags", "named", "named_line", "happened_from", "happened_before", "valid_at",
    "begun_at", "lasting_at", "former_since", "former_until", "former_copies", "session_id", "task_id", "corpus_id",
    "source_id", "metadata", "injectable", "path", "space", "among",
})  # fmt: skip
#: Conditions that it is told in other ways: of scopes and statuses, and those without a value.
_TOLD: Final = ("i.scope_key ", "i.status ", "i.pinned = ")
_VALUE: Final = re.compile(r"(?<![:\w]):([a-z]\w*)")
_EVERY: Final = 1 << 53
#: Place of the key in a row of `search_text`, where the sketch begins.
_KEY: Final = 2
_CONTENT: Final = _KEY + 3
#: Sets of scopes, some of which are not there, that a view looks up again with its first question.
_MOST_PARTIAL: Final = 16
_MOST_EDGES: Final = 10_000
#: Kinds of the rows of `near_and_around`.
_EDGES, _END, _TURN, _NEAR = (0, 1), 2, 3, 4
#: Kind of the rows of `vocabulary` that are names.
_NAME: Final = 2
#: Links in a row that it follows.
_DEEPEST: Final = 2
#: Columns of such a row before those of a sketch.
_AROUND: Final = 6


class LastSeen:
    """The last that readers of a store have seen of what the first question of a view depends on.

    Attributes:
        partial: Sets of scopes that were asked for lately and were not all there, with the keys of those that were.
        searches: Number of searches so far.
    """

    def __init__(self) -> None:
        self.partial: dict[tuple[Scope, ...], list[int]] = {}
        self.state = ViewState(
            change=0, extent=0, models=(), superseded=False, documents=False, pinned=False, aside=False
        )
        self.searches = 0
        self._held = False

    def held(self) -> bool:
        """True if the process is to hold the vectors: it goes on searching, and they are few."""
        # A store about the bound is not read anew each time that it crosses it.
        most = FEW + FEW // 4 if self._held else FEW
        self._held = self.searches > _FIRST_SEARCHES and self.state.extent <= most
        return self._held


class PostgresReader(SqlReader):
    """Meets `ports.store.Reader` over one view; the caller holds the transaction."""

    _database: PostgresDatabase

    def __init__(
        self,
        database: PostgresDatabase,
        known_scopes: KnownScopes | None = None,
        last_seen: LastSeen | None = None,
        *,
        compares: int | None = None,
        holds: bool = False,
    ) -> None:
        super().__init__(database, known_scopes)
        self._last_seen = last_seen or LastSeen()
        #: What a search has read of candidates, and what each of them mentions.
        self._sketched: dict[int, Sketch] = {}
        self._mentions: dict[int, Sequence[int]] = {}
        #: Candidates that need no vectors.
        self._given: Sequence[int] = ()
        #: The last question names an entity: what mentions it is told apart.
        self._names_known = False
        #: What took the place of items whose former wording the last question found.
        self._heirs: _Heirs | None = None
        #: Keys of items that were read, by id.
        self._keys: dict[str, int] = {}
        #: Ids of items that were asked for ahead, and not read yet.
        self._expected: Mapping[str, None] = {}
        #: Of those that were, the items; None for what is not there.
        self._items: dict[str, Item | None] = {}
        self._compares = compares
        self._holds = holds
        #: What was looked up of the words of the last question.
        self._vocabulary: _LookedUp | None = None
        #: How often items have terms of several tokens, by what they must hold.
        self._times: dict[str, dict[int, int]] = {}
        self._expected_opening: Callable[[ViewState], Opening] | None = None
        #: What was asked with the state of the view, by a state that was seen before.
        self._opening: _Sent | None = None
        #: Indexes of the tenant by the model whose vectors they hold, and vectors that were read, by model and key.
        self._indexed: dict[str, TenantIndex] = {}
        self._vectors: dict[tuple[str, int], bytes | None] = {}

    def get(self, item_ids: Sequence[str]) -> dict[str, Item]:
        if not item_ids:
            return {}
        if self._expected and not self._expected.keys().isdisjoint(item_ids):
            expected, self._expected = list(self._expected), {}
            self._items = dict.fromkeys(expected) | self.get(expected)
        if self._items.keys() >= set(item_ids):
            return {one: item for one in sorted({*item_ids}) if (item := self._items[one]) is not None}
        rows = self._database.rows("items_by_id", ids=item_ids).fetchall()
        if self.stands:
            self._keys.update((row[1], row[0]) for row in rows)
        return to_items(rows, 1)

    def key(self, item_id: str) -> int | None:
        if item_id in self._expected:
            self.get([item_id])
        known = self._keys.get(item_id)
        return super().key(item_id) if known is None else known

    def expect(self, item_ids: Sequence[str]) -> None:
        if not item_ids or not self.stands:
            return
        ids, ahead = list(item_ids), self._database.look
        undone = [Relation.DERIVED_FROM, Relation.SUPERSEDES]
        with self._database.together():
            for name in ("items_by_id", "links_of_ids", "moved_links_of_items"):
                ahead(name, {"ids": ids})
            ahead("links_undone_of_ids", {"ids": ids, "relations": undone})
            for name in ("made_from", "entities_told_by"):
                ahead(name, {"ids": frozenset(ids)})
        self._expected = dict.fromkeys(ids)

    def links_undone(
        self, item_ids: Sequence[str], relations: Iterable[Relation]
    ) -> list[tuple[str, str, Relation]]:
        if not self.stands or any(item_id not in self._keys for item_id in item_ids):
            return super().links_undone(item_ids, relations)
        rows = self._database.rows("links_undone_of_ids", ids=list(item_ids), relations=list(relations))
        return [(src, dst, Relation(rel)) for src, dst, rel in rows]

    def links(
        self, item_ids: Sequence[str], relations: Iterable[Relation] | None = None, *, between: bool = False
    ) -> list[Link]:
        if not self.stands or between or not item_ids:
            return super().links(item_ids, relations, between=between)
        wanted = None if relations is None else frozenset(relations)
        with self._database.together():
            links = self._database.rows("links_of_ids", ids=list(item_ids))
            moved = self._database.rows("moved_links_of_items", ids=list(item_ids))
        found = map(to_link, [*links, *moved])
        return [link for link in found if wanted is None or link.rel in wanted]

    def taken(
        self, keys: Sequence[int], narratives: Collection[str], scopes: tuple[Scope, ...] | None
    ) -> Taken:
        if not self.stands or not len(keys):
            return super().taken(keys, narratives, scopes)
        self._seen_from(scopes)  # Asked for before the rest, where they are not known.
        with self._database.together():
            rows = self._taken_rows(keys, narratives, scopes)
            self._database.look("items_by_key", {"keys": keys})
        return taken_of(rows)

    def intact(self, keys: Sequence[int]) -> Intact:
        rows = self._database.rows("items_by_key", keys=keys).fetchall() if len(keys) else []
        items = to_items(rows)
        altered = {row[0]: row[1] for row in rows if not is_sound(row, items[row[0]])}
        return Intact(
            {key: items[key] for key in keys if key in items and key not in altered},
            frozenset(altered.values()),
        )

    def altered_entities(self, entity_ids: Sequence[str]) -> frozenset[str]:
        known = self._database.rows("known_entities", ids=list(entity_ids)) if entity_ids else ()
        return frozenset(entity_ids).difference(id_ for (id_,) in known)

    def precedents(self, query: PrecedentQuery) -> Precedents:
        asked = dict.fromkeys(map(tuple, query.names))
        if self.stands and any(asked):
            visible, ahead = query.scope.visible(), self._database.look
            with self._database.together():
                ahead("settled_items", {"paths": visible})
                if len(visible) > 1:
                    ahead("scope_keys", {"paths": visible})
            seen = self._seen_from(visible)
            with self._database.together():
                for names in filter(None, asked):
                    ahead("entities_of_names", {"folded": list(names_by_form(names)), **seen})
        return super().precedents(query)

    # A search in few round trips

    def expect_opening(self, opening: Callable[[ViewState], Opening]) -> None:
        self._expected_opening = opening
        self._last_seen.searches += 1

    def state(self) -> ViewState:
        if not self.stands:  # What is written changes: nothing is remembered for the next question.
            return super().state()
        # With it comes what else the last searches had to ask: which of their scopes are there by now.
        asked = dict(self._last_seen.partial)
        self._scopes_in_part |= asked
        paths = sorted({str(scope) for scopes in asked for scope in scopes})
        with self._database.together():
            # What takes longest is sent first: the rest is made ready meanwhile.
            if self._expected_opening is not None:
                self._open_ahead(self._expected_opening(self._last_seen.state))
                self._expected_opening = None
            state = self._database.rows("state")
            known = self._database.rows("scope_keys", paths=paths) if paths else Rows()
            indexed = self._database.rows("indexed_models") if self._compares is not None else Rows()
        keys = dict(known)
        for scopes, before in asked.items():
            found = [keys[str(scope)] for scope in scopes if str(scope) in keys]
            self._last_seen.partial[scopes] = self._scopes_in_part[scopes] = found
            if set(found) != set(before):
                self._last_conditions = None  # Also of what was not asked ahead.
                if self._opening is not None and self._opening.asked.selection.scopes == scopes:
                    self._opening = None
        self._indexed = {name: TenantIndex(*rest) for name, *rest in indexed}
        self._last_seen.state = now = self._state_of(next(state))
        if self._holds and self._last_seen.held():
            self._compares = None
        return now

    def _open_ahead(self, asked: Opening) -> None:
        """Ask what `open` is likely to be asked, without the variants of words that nobody knows yet."""
        scopes = asked.selection.scopes
        if scopes is None or scopes in self._known_scopes or scopes in self._scopes_in_part:
            conditions, _ = self._conditions(asked.selection)
            if self._in_one_go(asked, conditions, _terms(asked.text)):
                self._opening = self._ask(asked, {}, respelt(asked.names, {}))
        self._vocabulary = _LookedUp(self, self._database, asked.words, scopes)

    def _looked_up(self, scopes: Sequence[Scope]) -> list[int]:
        found = super()._looked_up(scopes)
        if len(found) < len(set(scopes)):
            partial = self._last_seen.partial
            partial[tuple(scopes)] = found
            while len(partial) > _MOST_PARTIAL:
                partial.pop(next(iter(partial)), None)
        return found

    def open(self, asked: Opening) -> Opened:
        self._heirs = None
        conditions, values = self._conditions(asked.selection)
        terms = _terms(asked.text)
        if not self._in_one_go(asked, conditions, terms):
            return super().open(asked)
        keys = _keys_of(values)
        tokens, scopes = asked.words.tokens, asked.selection.scopes
        looked = self._vocabulary
        if looked is not None and not looked.serves(asked.words, scopes):
            looked = None
        known = {} if looked is None else variants(*asked.words, looked)
        names = respelt(asked.names, known)
        sent, self._opening = self._opening, None
        if looked is None or known or sent is None or sent.asked != asked:
            with self._database.together():
                sent = self._ask(asked, known, names)
                if looked is None:
                    looked = self._vocabulary = _LookedUp(self, self._database, asked.words, scopes)
        entities = named_of(sent.named, names_by_form(names))
        meant = variants(*asked.words, looked)
        before, known = known, with_aliases(meant, tokens, entities)
        if known != before:  # Other words are meant as well, and names that are spelt like these.
            spelt, names = names, respelt(asked.names, meant)
            with self._database.together():
                text, held, former = self._worded(asked, terms, known)
                sent = sent._replace(text=text, held=held, former=former)
                if list(names) != list(spelt):
                    named, mentioning = self._named(asked, names, keys)
                    sent = sent._replace(named=named, mentioning=mentioning)
                    entities = None
            entities = named_of(sent.named, names_by_form(names)) if entities is None else entities
            if with_aliases(meant, tokens, entities) != known:
                return super().open(asked)  # Whoever is called so has other names again.
        rows, telling_rows = _merged(asked, [some.fetchall() for some in sent.text]), sent.telling.fetchall()
        found = {row[_KEY]: Sketch(*row[_KEY:]) for row in rows}
        self._sketched = found | {row[_KEY]: Sketch(*row[_KEY:]) for row in telling_rows}
        self._names_known = bool(entities)
        heirs = self._heirs_by_former(asked, sent.former.fetchall())
        opened = Opened(
            scopes=keys,
            text=_matches(rows, terms),
            sketches=found,
            counts=counted(
                tokens,
                known,
                {**_counts(tokens_with_variants((), known), sent.held), **looked.counts(tokens)},
            ),
            variants=known,
            entities=entities,
            mentioning=[key for (key,) in sent.mentioning],
            former=heirs,
            changing=_matches(telling_rows, _changed(asked)).keys.tolist(),
            within=[key for (key,) in sent.within],
            session=None,
            pinned=[key for (key,) in sent.pinned],
        )
        given = heirs if self._heirs is None else ()
        self._given = (*opened.mentioning, *given, *opened.within, *opened.pinned, *self._sketched)
        return opened

    def _ask(self, asked: Opening, known: Mapping[str, Sequence[str]], names: Sequence[str]) -> _Sent:
        """Send what answers a request, with variants of its words and names that are spelt like these."""
        conditions, values = self._conditions(asked.selection)
        text, held, former = self._worded(asked, _terms(asked.text), known)
        within = pinned = telling = Rows()
        if asked.changing:
            changed = _changed(asked)
            telling = self._searched(
                self._words(changed, TextQuery(changed)), asked.selection, limit=asked.narrow
            )
        named, mentioning = self._named(asked, names, _keys_of(values))
        if asked.window is not None:
            narrowed, bound = self._database.conditions(
                happening(asked.selection, *asked.window), self._scope_keys
            )
            within = self._database.execute("items_latest_first", bound | {"limit": asked.narrow}, *narrowed)
        if asked.pinned:
            pinned = self._database.execute("pinned_items", values | {"limit": asked.pinned}, *conditions)
        return _Sent(asked, text, held, former, telling, named, mentioning, within, pinned)

    def _named(self, asked: Opening, names: Sequence[str], keys: Sequence[int] | None) -> tuple[Rows, Rows]:
        """Entities of names, and what mentions the rarer of them."""
        if not names:
            return Rows(), Rows()
        conditions, values = self._database.conditions(asked.selection, self._scope_keys)
        written, folded = names_by_form(names), sorted(set(names))
        cases = [(form, name) for form, some in written.items() for name in some if form not in folded]
        seen = {
            "everywhere": keys is None,
            "seen": keys or [],
            "scope_keys": keys or [],
            "folded": sorted(written),
        }
        about = {
            "asked": folded, "forms": [form for form, _ in cases], "names": [name for _, name in cases],
            "too_common": asked.too_common, "limit": asked.narrow,
        }  # fmt: skip
        named = self._database.rows("entities_of_names", **seen)
        return named, self._database.execute("mentioning_named", values | about | seen, *conditions)

    def _worded(
        self,
        asked: Opening,
        terms: Sequence[str],
        known: Mapping[str, Sequence[str]],
    ) -> tuple[list[Rows], Rows, Rows]:
        """Matches of the words of a question and their variants, counts of these, and matches of former wordings.

        The first for each part of the selection.
        """
        words = self._words(terms, replace(asked.text, variants=known))
        others = {cut(token) for token in tokens_with_variants((), known)}
        text = [
            self._searched(words, part, limit=asked.width, long=asked.long, above=asked.long_bytes)
            for part in _parts(asked.selection)
        ]
        held = self._database.rows("documents_with_terms", terms=sorted(others)) if others else Rows()
        if not asked.former:
            return text, held, Rows()
        old = Selection(scopes=asked.selection.scopes, statuses=frozenset({Status.ARCHIVED}), live_at=None)
        return text, held, self._searched(words, old, limit=asked.narrow)

    def _in_one_go(self, asked: Opening, conditions: Sequence[str], terms: Sequence[str]) -> bool:
        """True if nothing that is asked depends on the answer to something else."""
        return (
            self.stands
            and asked.given is None
            and not asked.last_session
            and bool(terms)
            and not all(map(is_lone, terms))
            and not (asked.changing and all(map(is_lone, asked.changing)))
            and bool(asked.selection.statuses)
            and conditions != NOTHING
            and all(map(_is_known, conditions))
        )

    def _heirs_by_former(self, asked: Opening, rows: Sequence[tuple[Any, ...]]) -> Mapping[int, float]:
        """Items that have taken the place of those whose former wording matches, with how well it does."""
        if len(rows) >= asked.narrow:  # What does not pass may have crowded out what does.
            return former_wordings(self, asked)
        scores = {row[_KEY]: row[0] for row in rows}
        if scores:
            self._heirs = _Heirs(scores, partial(self._heirs_of, asked.selection), asked.narrow)
        return {} if self._heirs is None else self._heirs

    def _heirs_of(self, selection: Selection, keys: Sequence[int], models: _Models) -> Rows:
        conditions, values = self._conditions(selection)
        about = {"keys": keys, "mentioning": self._names_known, **models.values}
        return self._database.execute("heirs_of_former", values | about, *conditions)

    def _note(self, rows: Iterable[Sequence[Any]], models: _Models) -> None:
        """Note what ranking needs to know of items, so that nobody asks again."""
        for key, vector, reading, mentions, *sketch in rows:
            if sketch[0] is not None:
                self._sketched[key] = Sketch(*sketch)
            if mentions is not None:
                self._mentions[key] = mentions
            for model, one in zip(models, (vector, reading), strict=True):
                if model is not None:
                    self._vectors[model, key] = one

    def near(self, asked: Nearing) -> Neared:
        if not self.stands or asked.depth > _DEEPEST:
            found = self._nearest(asked) if asked.questions else None
            return super().near(
                asked if found is None else replace(asked, near=found, asked=[0] * len(found))
            )
        models = _Models.of(asked)
        with self._database.together():
            if self._heirs is not None:
                self._heirs.ask(models)
            found = self._near_and_around(asked, models)
        rows = found.fetchall()
        if self._heirs is not None:
            self._note((row[1:] for row in self._heirs.rows), models)
        count = len(compared(asked) if asked.questions else asked.near)
        near = _numbered(count, ((row[5], row[1]) for row in rows if row[0] == _NEAR))
        short = frozenset(
            number
            for number, (some, limit) in enumerate(zip(asked.near, asked.asked, strict=True))
            if limit and len(near[number]) < asked.wanted and len(some) >= limit
        )
        if short:
            return Neared(near=near, short=short)
        self._note((row[_AROUND + 1 :] for row in rows if row[0] is None), models)
        edges = dict.fromkeys(edge for kind in _EDGES for edge in _edges_of(rows, kind))
        return Neared(
            near=near,
            around=sorted(row[1] for row in rows if row[0] == _TURN),
            edges=list(edges),
            passing=frozenset(row[1] for row in rows if row[0] == _END),
        )

    def _near_and_around(self, asked: Nearing, models: _Models) -> Rows:
        """The rows of all that surrounds the best of some questions, in one go."""
        conditions, values = self._database.conditions(asked.selection, self._scope_keys)
        given: list[int] = [key for some in asked.near for key in some.tolist()]
        half = asked.seeds // 2
        about = {
            "near": given, "numbers": [number for number, some in enumerate(asked.near, 1) for _ in some],
            "wanted": asked.wanted, "above": asked.above, "half": half, "depth": asked.depth,
            "seeds": list(asked.text[:half]), "best": list(asked.text[: asked.surrounded]),
            "surrounded": asked.surrounded, "reach": asked.reach, "limit": _MOST_EDGES,
            "relations": sorted(asked.relations - {Relation.MENTIONS}), **models.values,
            "given": sorted({*given, *self._given}), "known": sorted(self._sketched),
            "mentioning": self._names_known,
        }  # fmt: skip
        if not asked.questions:
            return self._database.execute("near_and_around", values | about, *conditions)
        about |= comparing(asked, values, self._compares or 0)
        return self._compared("compared_and_around", "indexed_and_around", asked, values | about, conditions)

    def _nearest(self, asked: Nearing) -> list[NDArray[np.int64]]:
        """The nearest of each question that pass."""
        conditions, values = self._database.conditions(asked.selection, self._scope_keys)
        bound = (
            values
            | comparing(asked, values, self._compares or 0)
            | {"wanted": asked.wanted, "above": asked.above}
        )
        found = self._compared("compared", "indexed", asked, bound, conditions)
        return _numbered(len(compared(asked)), ((number, key) for number, key in found))

    def _compared(
        self, name: str, indexed: str, asked: Nearing, values: dict[str, Any], conditions: Sequence[str]
    ) -> Rows:
        """The rows of a statement that compares vectors, of another where a model of them has an index."""
        models = dict.fromkeys(model.fingerprint for model, _ in compared(asked))
        indexes = [self._indexed[model] for model in models if model in self._indexed]
        if not indexes:
            return self._database.execute(name, values, *conditions)
        index, other = [*indexes, NO_INDEX][:2]
        statement = with_figures(
            query(indexed, *conditions),
            tenant=self._database.tenant,
            model=index.model,
            dimension=index.dimension,
            other_model=other.model,
            other_dimension=other.dimension,
        )
        with self._database.together():
            for setting in SEARCHING:
                self._database.let(setting)
            return self._database.run(statement, values)

    @property
    def comparer(self) -> VectorComparer | None:
        return None if self._compares is None else self

    def vectors(self, model: EmbedderIdentity, keys: Sequence[int]) -> NDArray[np.float32]:
        known, name = self._vectors, model.fingerprint
        unknown = [int(key) for key in keys if (name, int(key)) not in known]
        if unknown:
            known.update(((name, key), None) for key in unknown)
            found = self._database.rows("vectors_of_keys", keys=unknown, fingerprint=name)
            known.update(((name, key), vector) for key, vector in found)
        rows = np.zeros((len(keys), model.dimension), np.float32)
        for place, key in enumerate(keys):
            if (vector := known[name, int(key)]) is not None:
                rows[place] = np.frombuffer(vector, "<f4")
        return rows

    def look(self, keys: Sequence[int], mentioning: Sequence[int] = ()) -> Looked:
        if not self._sketched.keys() >= set(keys):
            return super().look(keys, mentioning)
        unknown = [key for key in mentioning if key not in self._mentions]
        more = self.mentioned_by(unknown)
        known = [(key, entity) for key in mentioning for entity in self._mentions.get(key, ())]
        return Looked({key: self._sketched[key] for key in keys}, sorted({*known, *more}))

    def search_text(self, query: TextQuery, selection: Selection, limit: int) -> TextMatches:
        terms = _terms(query)
        conditions, values = self._conditions(selection)
        if not terms or conditions == NOTHING or not selection.statuses:
            return _matches([], terms)
        if all(map(is_lone, terms)):
            return self._like(terms, query, conditions, values, limit)
        words = self._words(terms, query)
        with self._database.together():
            parts = [
                self._searched(
                    words,
                    part,
                    every=query.every,
                    whole=query.prefixes,
                    above=query.above_bytes,
                    limit=limit,
                )
                for part in _parts(selection)
            ]
        return _matches(_best([part.fetchall() for part in parts], limit), terms)

    def _searched(
        self,
        words: str,
        selection: Selection,
        *,
        limit: int,
        every: bool = False,
        whole: bool = False,
        above: int = 0,
        long: int = 0,
    ) -> Rows:
        """The rows of a text search."""
        conditions, values = self._conditions(selection)
        narrow = {name: value for name, value in values.items() if name in _NARROW}
        if selection.pinned is not None:
            narrow["pinned"] = int(selection.pinned)
        if not all(map(_is_known, conditions)):
            rows = self._database.execute("items_newest_first", values | {"limit": _EVERY}, *conditions)
            narrow = {"among": [key for (key,) in rows]}
        asked = {
            "words": words,
            "every": every,
            "kinds": self._kinds(_keys_of(values), [KINDS[status.value] for status in selection.statuses]),
            "above": above,
            "narrow": json.dumps(narrow),
            "small": _EVERY if every or whole else SMALL_STORE,
            "limit": limit,
            "long": long,
        }
        return self._database.execute("search_text", asked)

    def _kinds(self, scope_keys: Sequence[int] | None, statuses: Sequence[str]) -> str:
        """What rows must hold besides, as part of a tsquery."""
        prefix = prefix_of(self._database.tenant)
        groups = [[f"'{prefix}{status}'" for status in sorted(statuses)]]
        if scope_keys is not None:
            groups.append([f"'{prefix}#s{key}'" for key in scope_keys])
        return "".join(f" & ({' | '.join(group)})" for group in groups)

    def _words(self, terms: Sequence[str], query: TextQuery) -> str:
        """Terms as `simonides_search` takes them."""
        words = [_word(term, tokens, query) for term, tokens in zip(terms, search_tokens(terms), strict=True)]
        if query.prefixes:
            self._expand(words)
        self._place([word for word in words if len(word["tokens"]) > 1])
        for word in words:
            word["lexemes"] = self._lexemes(word)
        tokens = (
            form for word in words for some in (*word["tokens"], *word.get("groups", ())) for form in some
        )
        return json.dumps({"terms": words, **tally_questions(tokens)})

    def _place(self, words: Sequence[dict[str, Any]]) -> None:
        """Tell how often items have the tokens of a term in a row: the texts are read that hold all of them."""
        known = self._times if self.stands else {}
        asked = {self._tsquery(word["tokens"]): word["tokens"] for word in words}
        unread = [lexemes for lexemes in asked if lexemes not in known]
        if unread:
            holding = self._database.rows("holders_of_names", asked=unread, best=_MOST_PLACED).fetchall()
            keys = sorted({key for _, key in holding})
            texts = {key: row for key, *row in self._database.rows("texts_of", keys=keys)} if keys else {}
            times: list[dict[int, int]] = [{} for _ in unread]
            for number, key in holding:
                if count := sum(_times(asked[unread[number - 1]], text) for text in texts[key]):
                    times[number - 1][key] = count
            known |= dict(zip(unread, times, strict=True))
        for word in words:
            word["times"] = known[self._tsquery(word["tokens"])]

    def _lexemes(self, word: Mapping[str, Any]) -> str | None:
        """Tokens of a term, or of what stands for it, as a tsquery; None of one without tokens."""
        if not word["tokens"]:
            return None
        groups = [self._tsquery([[form] for form in group]) for group in word.get("groups", ())]
        return f"({' | '.join(f'({one})' for one in (self._tsquery(word['tokens']), *groups))})"

    def _tsquery(self, tokens: Sequence[Sequence[str]]) -> str:
        """What items must hold, as a tsquery: of each token, one of its forms."""
        prefix = prefix_of(self._database.tenant)
        each = ([f"'{quoted(prefix + form)}'" for form in forms] for forms in tokens)
        return " & ".join(f"({' | '.join(forms)})" for forms in each)

    def _expand(self, words: Sequence[dict[str, Any]]) -> None:
        """Let the last token of each term stand for all tokens that begin like it."""
        for word in words:
            if not word["tokens"]:
                continue
            first, *others = word["tokens"][-1]
            rows = self._database.rows("terms_between", first=first, last=first + _LAST, limit=_MOST_PREFIXED)
            word["tokens"][-1] = sorted({first, *others, *(term for term, _ in rows)})

    def document_counts(self, tokens: Sequence[str]) -> dict[str, int]:
        if not tokens:
            return {}
        cuts = {token: cut(token) for token in tokens}
        held = dict(self._database.rows("documents_with_terms", terms=sorted(set(cuts.values()))))
        return {token: held.get(short, 0) for token, short in cuts.items()}

    def tokens_beginning(self, beginnings: Sequence[str], most: int) -> list[tuple[str, int]]:
        found: dict[str, int] = {}
        for first in beginnings:
            rows = self._database.rows(
                "terms_between", first=first, last=first + _LAST, limit=most - len(found)
            )
            found |= dict(rows)
        return list(found.items())

    def _like(
        self,
        terms: Sequence[str],
        query: TextQuery,
        conditions: Sequence[str],
        values: dict[str, Any],
        limit: int,
    ) -> TextMatches:
        """The rows that hold most of some lone characters: the texts of all that meet the conditions are read."""
        least = len(terms) if query.every else 1
        rows = self._database.execute(
            "search_like", values | {"terms": list(terms), "least": least, "limit": limit}, *conditions
        ).fetchall()
        return _matches(rows, tuple(terms))


class _Sent(NamedTuple):
    """The answers to a request of a search, which are waited for when they are read.

    Attributes:
        text: Matches of its words, for each part of the selection.
        held: How many items hold variants of its words.
        former: Matches of former wordings.
        telling: Matches of what tells of a change.
        named: Entities of its names.
    """

    asked: Opening
    text: list[Rows]
    held: Rows
    former: Rows
    telling: Rows
    named: Rows
    mentioning: Rows
    within: Rows
    pinned: Rows


class _Models(NamedTuple):
    """Fingerprints of the models whose vectors of candidates are looked up; None where there is none."""

    model: str | None = None
    reading: str | None = None

    @classmethod
    def of(cls, asked: Nearing) -> _Models:
        """Those of a request."""
        return cls(*(one and one.fingerprint for one in (asked.model, asked.reading)))

    @property
    def values(self) -> dict[str, Any]:
        """Values of statements that look them up."""
        return self._asdict()


class _Heirs(Mapping[int, float]):
    """Items that have taken the place of others, with how well a question matches the wording of these.

    They are asked for with what surrounds the best, else when they are first looked at.

    Args:
        scores: Of the former wordings, by key.
        read: Reads what passes and has taken their places, with what ranking needs to know, for vectors of models.
        most: Of them, at most.
    """

    def __init__(
        self,
        scores: Mapping[int, float],
        read: Callable[[Sequence[int], _Models], Rows],
        most: int,
    ) -> None:
        self._scores = scores
        self._read = read
        self._most = most
        self._rows: Rows | None = None

    def ask(self, models: _Models) -> None:
        """Send the question, if it was not sent."""
        if self._rows is None:
            self._rows = self._read(sorted(self._scores), models)

    @property
    def rows(self) -> Sequence[tuple[Any, ...]]:
        """Origin, key, vectors, mentions and sketch of each."""
        self.ask(_Models())
        assert self._rows is not None
        return self._rows.read()

    @cached_property
    def _found(self) -> dict[int, float]:
        found: dict[int, float] = {}
        for origin, heir, *_ in self.rows:
            found[heir] = max(found.get(heir, 0.0), self._scores[origin])
        best = sorted(found, key=lambda key: (-found[key], key))[: self._most]
        return {key: found[key] for key in sorted(best)}

    def __getitem__(self, key: int) -> float:
        return self._found[key]

    def __iter__(self) -> Iterator[int]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


class _LookedUp(ReaderVocabulary):
    """The vocabulary of a store of which is looked up what is likely to be asked about the words of a question.

    It is sent with what is sent together, and waited for when it is first asked.
    """

    def __init__(
        self,
        reader: PostgresReader,
        database: PostgresDatabase,
        words: Words,
        scopes: tuple[Scope, ...] | None,
    ) -> None:
        super().__init__(reader, scopes)
        self._words = words
        self._looking = looking = lookups(*words)
        counted = sorted({cut(one) for one in (*words.tokens, *looking.alike)})
        self._held = database.rows("documents_with_terms", terms=counted)
        self._rows = database.rows("vocabulary", **_looked_up(looking, scopes))

    def serves(self, words: Words, scopes: tuple[Scope, ...] | None) -> bool:
        """True if it is about these words, as they are seen from these scopes."""
        return (self._words, self._scopes) == (words, scopes)

    @cached_property
    def _found(self) -> tuple[dict[str, list[tuple[str, int]]], dict[str, int], set[str]]:
        """Terms that begin in some ways, how many items hold words and their parts, and names of entities."""
        looking = self._looking
        counts = _counts((*self._words.tokens, *looking.alike), self._held)
        absent = {word for word, held in counts.items() if not held}
        looked = {*looking.beginnings, *(first for word, first in looking.slips.items() if word in absent)}
        beginning: dict[str, list[tuple[str, int]]] = {first: [] for first in sorted(looked)}
        parts = {part for word, some in looking.parts.items() if word in absent for part in some}
        counts = dict.fromkeys(parts, 0) | counts
        names: set[str] = set()
        for kind, first, term, held in sorted(self._rows.read(), key=lambda row: row[2]):
            if kind == _NAME:
                names.add(term)
            elif kind:
                counts[term] = held
            elif first in beginning:
                beginning[first].append((term, held))
        return beginning, counts, names

    def beginning(self, beginnings: Sequence[str], most: int) -> Sequence[tuple[str, int]]:
        known, _, _ = self._found
        if most > MOST_COMPARED or not known.keys() >= set(beginnings):
            return super().beginning(beginnings, most)
        found: dict[str, int] = {}
        for first in beginnings:
            found |= dict(known[first][: most - len(found)])
        return list(found.items())

    def counts(self, tokens: Sequence[str]) -> Mapping[str, int]:
        _, counts, _ = self._found
        return counts if counts.keys() >= set(tokens) else super().counts(tokens)

    def named(self, words: Sequence[str]) -> frozenset[str]:
        if not all(set(forms(word)) == {word} for word in words):
            return super().named(words)  # In other cases a name may begin and end in other ways.
        _, _, names = self._found
        return frozenset(names.intersection(words))


def _looked_up(looking: Lookups, scopes: tuple[Scope, ...] | None) -> dict[str, Any]:
    """The values of `vocabulary`."""
    parts = [(word, part) for word, some in looking.parts.items() for part in some]
    calling = list(looking.names.values())
    return {
        "calling": list(looking.names),
        "first": [first for first, _, _ in calling],
        "halves": [half for _, half, _ in calling],
        "rests": [rest for _, _, rest in calling],
        "tails": f"({'|'.join(TAILS_OF_NAMES)})$",
        "everywhere": scopes is None,
        "paths": [str(scope) for scope in scopes or ()],
        "beginnings": list(looking.beginnings),
        "slipping": list(looking.slips),
        "slips": list(looking.slips.values()),
        "whole": [word for word, _ in parts],
        "parts": [part for _, part in parts],
        "last": _LAST,
        "most": MOST_COMPARED,
    }


def _counts(tokens: Sequence[str], held: Rows) -> dict[str, int]:
    """How many items hold each token, by the rows of `documents_with_terms`."""
    counts = dict(held.fetchall())
    return {token: counts.get(cut(token), 0) for token in tokens}


def _terms(query: TextQuery) -> tuple[str, ...]:
    cleaned = (cleaned_text(term) for term in query.terms)
    return tuple(dict.fromkeys(term for term in cleaned if term and not term.isspace()))[:MAX_TERMS]


def _changed(asked: Opening) -> tuple[str, ...]:
    """Terms that tell of a change."""
    return _terms(TextQuery(tuple(asked.changing)))


def _times(forms: Sequence[Sequence[str]], text: str) -> int:
    """How often a text has tokens one behind the other, each in one of its forms."""
    tokens = [cut(token) for token in tokens_of(text)]
    return sum(
        all(token in some for token, some in zip(tokens[place:], forms, strict=False))
        for place in range(len(tokens) - len(forms) + 1)
    )


def _word(term: str, tokens: Sequence[str], query: TextQuery) -> dict[str, Any]:
    """A term with its tokens; one of a single token with its variants, of one word or of several."""
    others = query.variants.get(tokens[0], ()) if len(tokens) == 1 else ()
    forms = [[cut(token) for token in one.split()] for one in others]
    word: dict[str, Any] = {"term": term, "tokens": [[cut(token)] for token in tokens]}
    if others:
        word["tokens"][0] += [one[0] for one in forms if len(one) == 1]
        word["groups"] = [one for one in forms if len(one) > 1]
    return word


def _parts(selection: Selection) -> list[Selection]:
    """What stands and what was replaced, each to be searched by itself: of the latter there are few, which are read."""
    if selection.former is None or Status.ACTIVE not in selection.statuses:
        return [selection]
    return [
        replace(selection, former=None, statuses=selection.statuses - {Status.ARCHIVED}),
        replace(selection, statuses=frozenset({Status.ARCHIVED})),
    ]


def _best(parts: Sequence[Sequence[tuple[Any, ...]]], most: int) -> Sequence[tuple[Any, ...]]:
    """The best of the rows of several text searches, ordered as each of them is; of equals the newest."""
    if len(parts) == 1:
        return parts[0]
    return sorted(chain(*parts), key=lambda row: (-round(row[0] * 1e6), -row[_KEY]))[:most]


def _merged(asked: Opening, parts: Sequence[Sequence[tuple[Any, ...]]]) -> Sequence[tuple[Any, ...]]:
    """The best of the parts of a selection, and where there are no fewer than asked, its long texts behind them."""
    if len(parts) == 1:
        return parts[0]
    best = _best([part[: asked.width] for part in parts], asked.width)
    if len(best) < asked.width:
        return best
    # Of a part that gave fewer than asked, the long ones are among these.
    long = [
        [
            row
            for row in (part[asked.width :] if len(part) >= asked.width else part)
            if len(row[_CONTENT].encode()) > asked.long_bytes
        ]
        for part in parts
    ]
    return [*best, *_best(long, asked.long)]


def _is_known(condition: str) -> bool:
    """True if `simonides_search` applies it itself, by the values that it is told."""
    names = {*_VALUE.findall(condition)} - {"tenant"}
    return condition.startswith(_TOLD) or (bool(names) and names <= _NARROW)


def _numbered(count: int, rows: Iterable[tuple[int, int]]) -> list[NDArray[np.int64]]:
    """The keys of so many questions, of rows (number of the question from 1, key), best first."""
    found: list[list[int]] = [[] for _ in range(count)]
    for number, key in rows:
        found[number - 1].append(key)
    return [np.array(keys, np.int64) for keys in found]


def _edges_of(rows: Iterable[Sequence[Any]], kind: int) -> list[Edge]:
    """The links of a kind of rows of `near_and_around`."""
    return surroundings_of([(0, *row[1:_AROUND]) for row in rows if row[0] == kind])[0]


def _keys_of(values: dict[str, Any]) -> Sequence[int] | None:
    """Keys of the scopes that conditions are about; None for every scope."""
    return [values["scope_key"]] if "scope_key" in values else values.get("scope_keys")


def _matches(rows: Sequence[tuple[Any, ...]], terms: tuple[str, ...]) -> TextMatches:
    """Matches of rows of `search_text`; of what was found twice, the first."""
    found = {row[_KEY]: row[0] for row in reversed(rows)}
    keys = list(dict.fromkeys(row[_KEY] for row in rows))
    used: set[int] = set(rows[0][1] or ()) if rows else set()
    return TextMatches(
        keys=np.array(keys, np.int64),
        scores=np.array([found[key] for key in keys], np.float64),
        terms=tuple(term for place, term in enumerate(terms, 1) if not used or place in used),
    )
