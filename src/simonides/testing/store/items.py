"""Items, text search and vectors: what a store must find of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import Status, Validation
from simonides.domain.provenance import Provenance, SourceKind
from simonides.domain.scope import Scope
from simonides.domain.selection import HeldOnce, ItemOrder, lacking_vector
from simonides.domain.taxonomy import Tier
from simonides.domain.verdict import Outcome
from simonides.errors import (
    InvalidVector,
)
from simonides.language.search_tokens import search_tokens
from simonides.ports.store import NewItem
from simonides.testing.fakes import FakeEmbedder, an_item
from simonides.testing.raising import raises
from simonides.testing.store.case import HALF, StoreCase


class ItemsContract(StoreCase):
    """Items are found again, by their fields, words and vectors."""

    # Items

    def test_an_item_comes_back_as_it_was_stored(self) -> None:
        item = an_item(
            "Ship on Fridays, 每周五发布",
            type="decision",
            scope=Scope("user:ana/project:apollo"),
            tier=Tier.LTM,
            title="Releases",
            tags=("release", "Срок"),
            entities=("Ana Lovelace", "Apollo"),
            provenance=Provenance(source_id="m1", chunk_ids=("c1",), content_hashes=("ab",), span=(3, 9)),
            confidence=0.7,
            importance=0.9,
            validation=Validation.CONTESTED,
            injectable=False,
            pinned=True,
            decay_rate=0.0,
            event_at=5,
            valid_from=1,
            valid_until=9,
            expires_at=99,
            superseded_by="x",
            session_id="s1",
            task_id="t1",
            narrative_id="n1",
            corpus_id="c1",
            rule_id="r1",
            ordinal=0,
            metadata={"sender": "Ana", "deep": [1, {"a": None}]},
        )
        self.put(item)
        assert self.get(item) == item

    def test_items_are_read_by_key_and_by_id_and_unknown_ones_are_left_out(self) -> None:
        items = [an_item(f"item {n}") for n in range(3)]
        self.put(*items)
        with self.store.read() as reader:
            keys = [reader.key(item.id) for item in items]
            found = reader.load([key for key in keys if key is not None])
            assert [found[key] for key in keys if key is not None] == items
            assert reader.key("unknown") is None
            assert reader.load([10**9]) == {}
            assert reader.load([]) == {}
            assert reader.get([]) == {}
            assert reader.get(["unknown", items[0].id]) == {items[0].id: items[0]}
            some = sorted(found)[:2]
            assert reader.keys(self.selection(among=tuple(some)), ItemOrder.OLDEST, limit=9) == some
            assert reader.keys(self.selection(among=()), limit=9) == []
            assert reader.state().extent >= 3

    def test_items_are_listed_newest_first_by_pages(self) -> None:
        for n in range(7):
            self.put(an_item(f"item {n}"))
        assert self.find() == [f"item {n}" for n in range(6, -1, -1)]
        assert self.find(3) == ["item 6", "item 5", "item 4"]

    def test_scopes_are_meant_exactly_and_none_at_all_finds_nothing(self) -> None:
        self.put(an_item("hers", scope=self.ANA), an_item("his", scope=self.BO), an_item("all"))
        assert self.find(scopes=(self.ANA,)) == ["hers"]
        assert self.find(scopes=(self.BO, self.ANA)) == ["his", "hers"]
        assert self.find(scopes=(Scope("user:nobody"),)) == []
        assert self.find(scopes=(Scope("user:nobody"), self.BO)) == ["his"]
        assert self.find(scopes=()) == []
        assert self.words("hers", "his", "all", scopes=()) == []
        assert len(self.find(scopes=None)) == 3

    def test_status_and_expiry_restrict(self) -> None:
        self.put(
            an_item("active"), an_item("archived", status=Status.ARCHIVED), an_item("brief", expires_at=10)
        )
        self.put(an_item("held", status=Status.QUARANTINED), outcome=Outcome.QUARANTINED)
        assert self.find() == ["brief", "active"]
        assert self.find(live_at=9) == ["brief", "active"]
        assert self.find(live_at=10) == ["active"]
        assert self.find(statuses=frozenset({Status.ARCHIVED})) == ["archived"]
        assert self.find(statuses=frozenset(Status)) == ["held", "brief", "archived", "active"]
        assert self.find(statuses=frozenset()) == []

    def test_every_filter_restricts_lists_texts_and_keys_alike(self) -> None:
        wanted = an_item(
            "the wanted falcon",
            type="decision",
            tier=Tier.MTM,
            tags=("Срочно", "release"),
            entities=("Éva Nagy",),
            event_at=50,
            valid_from=20,
            valid_until=30,
            session_id="s1",
            task_id="t1",
            corpus_id="c1",
            metadata={"channel": "почта", "n": 3, "sent": True, "gone": None, "deep": {"n": 4}},
            pinned=True,
            injectable=False,
        )
        self.put(wanted, an_item("another falcon", at=1))
        passes: list[dict[str, Any]] = [
            {"tiers": frozenset({Tier.MTM, Tier.LTM})},
            {"types": frozenset({"decision"})},
            {"tags": frozenset({"срочно"})},
            {"tags": frozenset({"срочно", "release"})},
            {"entity": "éva nagy"},
            {"after": 50, "before": 51},
            {"valid_at": 20, "types": frozenset({"decision"})},
            {"valid_at": 29, "types": frozenset({"decision"})},
            {"session_id": "s1"},
            {"task_id": "t1"},
            {"corpus_id": "c1"},
            {"metadata": (("channel", '"почта"'), ("n", "3"))},
            {"metadata": (("n", "3.0"), ("sent", "true"), ("gone", "null"))},
            {"pinned": True},
            {"injectable": False},
        ]
        fails: list[dict[str, Any]] = [
            {"tiers": frozenset({Tier.LTM})},
            {"tiers": frozenset()},
            {"types": frozenset({"note"})},
            {"tags": frozenset({"release", "missing"})},
            {"tags": frozenset({"rel"})},
            {"entity": "éva"},
            {"after": 51},
            {"after": 2, "before": 50},
            {"valid_at": 30, "types": frozenset({"decision"})},
            {"valid_at": 19, "types": frozenset({"decision"})},
            {"session_id": "s"},
            {"task_id": "t"},
            {"corpus_id": ""},
            {"metadata": (("channel", '"почта"'), ("n", "4"))},
            {"metadata": (("sent", "1"),)},
            {"metadata": (("n", '"3"'),)},
            {"metadata": (("missing", "null"),)},
            {"pinned": False, "after": 2},
            {"injectable": True, "after": 2},
        ]
        for filters in passes:
            assert self.find(**filters) == ["the wanted falcon"], filters
            assert self.words("falcon", **filters) == ["the wanted falcon"], filters
        for filters in fails:
            assert self.find(**filters) == [], filters
            assert self.words("falcon", **filters) == [], filters

    def test_of_what_is_archived_only_what_held_then_and_was_replaced_by_what_stands_passes(self) -> None:
        def put(name: str, by: str | None, status: Status = Status.ARCHIVED, **fields: Any) -> None:
            self.put(an_item(f"falcon {name}", id=f"id-{name}", status=status, superseded_by=by, **fields))

        put("now", None, Status.ACTIVE)
        put("gone", None, valid_until=60)
        put("first", "id-second", valid_until=40)
        put("second", "id-now", valid_from=40, valid_until=60)
        put("copy", "id-now")
        put("wrong", "id-now", valid_until=60, validation=Validation.RETRACTED)
        put("forgotten", "id-gone", valid_until=60)
        put("earlier", "id-forgotten", valid_until=50)
        put("lost", "id-purged", valid_until=60)
        put("circle", "id-circle", valid_until=60)
        everything = frozenset({Status.ACTIVE, Status.ARCHIVED})
        times = {
            HeldOnce(10, 20): ["first", "now"],
            HeldOnce(10, 20, copies=True): ["copy", "first", "now"],
            HeldOnce(39, 41): ["first", "now", "second"],
            HeldOnce(40, 50): ["now", "second"],
            HeldOnce(60, 70): ["now"],
            HeldOnce(None, 90): ["first", "now", "second"],
        }
        for former, names in times.items():
            wanted = [f"falcon {name}" for name in names]
            assert sorted(self.find(statuses=everything, former=former)) == wanted, former
            assert sorted(self.words("falcon", statuses=everything, former=former)) == wanted, former
            assert (
                self.words("falcon", statuses=everything, former=former, limit=2)
                == self.words("falcon", statuses=everything, former=former)[:2]
            )
        archived = frozenset({Status.ARCHIVED})
        assert self.words("falcon", statuses=archived, former=HeldOnce(10, 20), limit=1) == ["falcon first"]
        assert self.find(statuses=frozenset({Status.ACTIVE}), former=HeldOnce(10, 20)) == ["falcon now"]

    def test_chunks_are_chosen_by_their_document_or_a_folder_of_it(self) -> None:
        for path in ("docs/guide.md", "docs/guide/first.md", "docs.md", "docs-2/guide.md"):
            place = Provenance(SourceKind.DOC, path)
            self.put(an_item(f"falcon {path}", type="chunk", provenance=place))
        self.put(an_item("falcon aside", provenance=Provenance(SourceKind.DOC, "docs/guide.md")))
        assert set(self.find(path="docs")) == {"falcon docs/guide.md", "falcon docs/guide/first.md"}
        assert self.words("falcon", path="docs/guide.md") == ["falcon docs/guide.md"]
        assert self.find(path="docs/guide") == ["falcon docs/guide/first.md"]
        assert self.find(path="doc") == self.find(path="docs/") == []

    def test_a_thousand_items_that_do_not_pass_crowd_nothing_out(self) -> None:
        others = [an_item(f"falcon falcon falcon {n}", scope=self.BO) for n in range(1000)]
        notes = [an_item(f"falcon falcon falcon {n}", type="note", scope=self.ANA) for n in range(1000)]
        self.put(an_item("one falcon among many other words", scope=self.ANA), *others, *notes)
        facts = frozenset({"fact"})
        wanted = ["one falcon among many other words"]
        assert self.words("falcon", limit=3, scopes=(self.ANA,), types=facts) == wanted
        assert self.find(3, scopes=(self.ANA,), types=facts) == wanted
        assert len(self.words("falcon", limit=3)) == 3

    # Text

    def test_any_term_or_every_term_or_their_beginnings(self) -> None:
        self.put(an_item("red falcon"), an_item("red heron"), an_item("grey heron"))
        assert set(self.words("red", "falcon")) == {"red falcon", "red heron"}
        assert self.words("red", "falcon")[0] == "red falcon"
        assert self.words("red", "falcon", every=True) == ["red falcon"]
        assert set(self.words("her", prefixes=True)) == {"red heron", "grey heron"}
        assert self.words("her") == []
        assert self.words("nothing") == []
        assert self.words() == []

    def test_words_are_found_in_title_tags_entities_and_parts_of_names(self) -> None:
        self.put(an_item("one", title="Quarterly falcon"), an_item("two", tags=("heron",)))
        self.put(an_item("three", entities=("Ana Lovelace",)), an_item("set retryCount to 4"))
        self.put(an_item("请打开配置文件"), an_item("Où est le café ?"))
        assert self.words("falcon") == ["one"]
        assert self.words("heron") == ["two"]
        assert self.words("lovelace") == ["three"]
        assert self.words("retry") == ["set retryCount to 4"]
        assert self.words("配置") == ["请打开配置文件"]
        assert self.words("CAFE") == ["Où est le café ?"]

    def test_equally_good_matches_are_ordered_by_age(self) -> None:
        self.put(*[an_item(f"falcon {n}") for n in (10, 11, 12, 13)])
        assert self.words("falcon") == ["falcon 13", "falcon 12", "falcon 11", "falcon 10"]
        assert self.words("falcon", limit=2) == ["falcon 13", "falcon 12"]

    def test_a_reworded_item_is_found_by_its_present_words_only(self) -> None:
        item = an_item("falcon", title="heron", tags=("stork",))
        self.put(item)
        self.revise(replace(item, content="osprey", title="", tags=()))
        assert self.words("osprey") == ["osprey"]
        assert self.words("falcon", "heron", "stork") == []

    def test_operators_and_quotes_are_words_like_any_others(self) -> None:
        self.put(an_item("falcon"))
        for term in (
            '"',
            "'",
            "*",
            "AND",
            "NEAR(",
            "(",
            "a:b",
            "-falcon",
            "^",
            "falcon*",
            "\\",
            "%",
            "\0",
            "a\0b",
        ):
            self.words(term)
            self.words(term, "falcon", every=True, prefixes=True)
            assert self.words(term, "falcon") == ["falcon"], term

    def test_every_scope_that_holds_something_is_known(self) -> None:
        assert self.view.scopes() == []
        self.put(an_item("one", scope=self.ANA), an_item("two"), an_item("three", scope=self.ANA))
        assert self.view.scopes() == [Scope(), self.ANA]

    def test_tokens_are_counted_over_all_items(self) -> None:
        self.put(an_item("running falcons"), an_item("a falcon runs"), an_item("heron"))
        (falcon,), (run,) = search_tokens(["falcons", "running"])
        assert self.view.document_counts([falcon, run, "nothing"]) == {falcon: 2, run: 2, "nothing": 0}

    # Vectors

    def test_vectors_come_with_scope_status_and_expiry(self) -> None:
        self.put(an_item("one", scope=self.ANA), an_item("two", status=Status.ARCHIVED, expires_at=7))
        with self.store.read() as reader:
            (changes,) = reader.vector_changes(0, self.MODEL.fingerprint)
            assert reader.open(self.opening(selection=self.selection())).scopes is None
            assert reader.open(self.opening(selection=self.selection(scopes=(self.ANA,)))).scopes == [
                changes.scopes[0]
            ]
            assert list(reader.open(self.opening(selection=self.selection(scopes=()))).scopes or ()) == []
        assert changes.statuses.tolist() == [0, 1]
        assert changes.expires_at.tolist() == [np.iinfo(np.int64).max, 7]
        assert np.allclose(changes.vectors, FakeEmbedder(8).embed(["one", "two"]), atol=HALF)

    def test_a_mark_holds_in_this_and_in_later_states_of_this_store_only(self) -> None:
        marks: list[str] = []

        def mark() -> None:
            marks.append(self.view.mark())

        mark()
        item = an_item("one")
        self.put(item)
        mark()
        self.revise(replace(item, status=Status.ARCHIVED))
        mark()
        self.store.purge([item.id], 0)
        mark()
        with self.store.read() as reader:
            assert all(reader.holds(given) for given in marks)
            assert reader.mark() == marks[-1]
            assert not any(reader.holds(given) for given in ("", "nothing", "0.0.0.0.0", marks[1][:-1]))
        with TemporaryDirectory() as name:
            other = self.make_store(Path(name))
            try:
                other.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED)], None))
                with other.read() as reader:
                    assert not any(reader.holds(given) for given in marks)
            finally:
                other.close()

    def test_changes_are_numbered_and_never_forgotten(self) -> None:
        item = an_item("one")
        self.put(item)
        before = self.view.state().change
        self.revise(replace(item, status=Status.ARCHIVED))
        with self.store.read() as reader:
            (moved,) = reader.vector_changes(before, self.MODEL.fingerprint)
            key = reader.key(item.id)
            middle = reader.state().change
        assert moved.keys.tolist() == [key]
        assert moved.statuses.tolist() == [1]
        self.store.purge([item.id], 0)
        with self.store.read() as reader:
            (gone,) = reader.vector_changes(middle, self.MODEL.fingerprint)
            assert reader.state().change > middle > before
        assert gone.keys.tolist() == [key]
        assert gone.scopes.tolist() == [-1]

    def test_what_lacks_a_vector_of_a_model_is_listed_by_key(self) -> None:
        self.put(an_item("one"), an_item("two"))
        self.store.write(lambda tx: tx.insert([NewItem(an_item("three"), Outcome.ACCEPTED)], None))
        held = NewItem(an_item("held", status=Status.QUARANTINED), Outcome.QUARANTINED)
        self.store.write(lambda tx: tx.insert([held], None))
        ((key, missing),) = self.view.select(lacking_vector(self.MODEL.fingerprint), limit=10).items()
        others = self.view.select(lacking_vector("other"), ItemOrder.OLDEST, limit=2)
        assert [item.content for item in others.values()] == ["one", "two"]
        assert missing.content == "three"
        self.store.write(lambda tx: tx.put_vectors(self.MODEL, [(key, None)]))
        assert self.view.keys(lacking_vector(self.MODEL.fingerprint), limit=10) == []
        assert self.view.models() == [(self.MODEL, 2)]

    def test_what_is_held_back_loses_its_vector_and_has_the_one_that_it_is_let_in_with(self) -> None:
        item = an_item("one")
        self.put(item)
        vector = self.view.vectors_of(self.MODEL.fingerprint, [item.id])[item.id]
        self.revise(replace(item, status=Status.QUARANTINED), vector=vector, model=self.MODEL)
        assert [count for _, count in self.view.models()] in ([], [0])
        self.revise(item, vector=vector, model=self.MODEL)
        assert (self.view.vectors_of(self.MODEL.fingerprint, [item.id])[item.id] == vector).all()

    def test_what_lacks_a_vector_is_counted_and_found_among_what_changed(self) -> None:
        name, others = self.MODEL.fingerprint, EmbedderIdentity("other", "other-4", 4)
        self.put(an_item("one"), an_item("two"))
        with self.store.read() as reader:
            assert reader.count_lacking_vector(name) == (0, 2)
            assert reader.count_lacking_vector(others.fingerprint) == (2, 2)
            state = reader.state()
            change, extent = state.change, state.extent
            assert change == reader.state().change
        self.store.write(lambda tx: tx.insert([NewItem(an_item("three"), Outcome.ACCEPTED)], None))
        held = NewItem(an_item("held", status=Status.QUARANTINED), Outcome.QUARANTINED)
        self.store.write(lambda tx: tx.insert([held], None))
        with self.store.read() as reader:
            assert reader.count_lacking_vector(name) == (1, 3)
            (three,) = reader.keys(lacking_vector(name), limit=10)
            assert reader.lacking_vector(name, (), change, extent, 10) == [three]
            later = reader.state().change, reader.state().extent
            assert reader.lacking_vector(name, (), *later, 10) == []
            assert reader.lacking_vector(name, (1, three), *later, 10) == [three]
            assert len(reader.lacking_vector(others.fingerprint, (), change, 0, 2)) == 2
        self.store.write(lambda tx: tx.put_vectors(self.MODEL, [(three, None)]))
        assert self.view.count_lacking_vector(name) == (0, 3)
        assert self.view.lacking_vector(name, (three,), change, extent, 10) == []
        self.store.write(lambda tx: tx.drop_vectors(name))
        assert len(self.view.lacking_vector(name, (), *later, 10)) == 3

    def test_vectors_of_two_models_stand_beside_each_other_until_one_is_dropped(self) -> None:
        other = EmbedderIdentity("other", "other-4", 4)
        self.put(an_item("one"))
        (key,) = self.view.keys(lacking_vector(other.fingerprint), limit=10)
        self.store.write(lambda tx: tx.put_vectors(other, [(key, np.ones(4, np.float32))]))
        assert self.view.models() == [(self.MODEL, 1), (other, 1)]
        self.store.write(lambda tx: tx.drop_vectors(self.MODEL.fingerprint))
        assert self.view.models() == [(other, 1)]
        assert len(self.view.keys(lacking_vector(self.MODEL.fingerprint), limit=10)) == 1

    def test_vectors_that_were_set_aside_are_read_by_nobody_until_they_are_brought_back(self) -> None:
        name = self.MODEL.fingerprint
        self.put(an_item("one"), an_item("two"))
        ids = [item.id for item in self.view.select(lacking_vector("other"), limit=10).values()]
        held = {item_id: vector.tolist() for item_id, vector in self.view.vectors_of(name, ids).items()}
        self.store.write(lambda tx: tx.set_vectors_aside(name, "run 1"))
        with self.store.read() as reader:
            assert (reader.models(), reader.state().models, reader.vectors_of(name, ids)) == ([], (), {})
            assert reader.state().aside
            change = reader.state().change
        assert not self.store.write(lambda tx: tx.set_vectors_aside(name, "run 2", back=True))
        assert self.store.write(lambda tx: tx.set_vectors_aside(name, "run 1", back=True))
        with self.store.read() as reader:
            found = {item_id: vector.tolist() for item_id, vector in reader.vectors_of(name, ids).items()}
            assert found == held
            assert reader.models() == [(self.MODEL, 2)]
            assert reader.state().change > change  # Whoever keeps vectors in memory looks at them anew.

    def test_what_one_run_set_aside_goes_when_another_does_so(self) -> None:
        self.put(an_item("one"))
        self.store.write(lambda tx: tx.set_vectors_aside(self.MODEL.fingerprint, "run 1"))
        self.put(an_item("two"))
        self.store.write(lambda tx: tx.set_vectors_aside(self.MODEL.fingerprint, "run 2"))
        assert not self.store.write(
            lambda tx: tx.set_vectors_aside(self.MODEL.fingerprint, "run 1", back=True)
        )
        assert self.store.write(lambda tx: tx.set_vectors_aside(self.MODEL.fingerprint, "run 2", back=True))
        assert self.view.models() == [(self.MODEL, 1)]

    def test_a_vector_that_is_no_vector_of_its_model_is_refused(self) -> None:
        self.put(an_item("one"))
        for vector in (np.ones(7, np.float32), np.zeros(9, np.float32), np.full(8, np.nan, np.float32)):
            new = NewItem(an_item("two"), Outcome.ACCEPTED, vector)
            with raises(InvalidVector):
                self.store.write(lambda tx, new=new: tx.insert([new], self.MODEL))
        grown = replace(self.MODEL, dimension=9)
        with raises(InvalidVector):
            self.store.write(lambda tx: tx.put_vectors(grown, [(1, np.ones(9, np.float32))]))
        assert self.find() == ["one"]
