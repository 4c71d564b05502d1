"""The engine against a dictionary: whatever is done in whatever order, both hold the same memories."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    precondition,
    rule,
)

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.instant import DAY_US, iso
from simonides.domain.item import Validation
from simonides.domain.scope import ALL
from simonides.domain.verdict import Outcome
from simonides.errors import Conflict, NotFound
from simonides.testing import FakeEmbedder, FrozenClock

# No two of these words have the same stem, and none is a stop word or a type of memory.
WORDS = ["falcon", "heron", "osprey", "stork", "crane", "ibis", "puffin", "petrel", "配置", "сокол"]
CONTENTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
SCOPES = st.sampled_from(["global", "user:ana", "user:bo", "project:apollo", "user:ana/project:apollo"])
TYPES = st.sampled_from(["fact", "note", "decision"])
SETTINGS = Settings(store=StoreSettings(synchronous="NORMAL"))


@dataclass
class Known:
    """The model's knowledge of an item."""

    scope: str
    type: str
    content: str
    order: int
    active: bool = True
    expires_at: int | None = None
    revisions: int = 1
    reinforcement: float = 0.0
    verified: bool = False
    superseded_by: str | None = None


def parts(scope):
    return set() if scope == "global" else set(scope.split("/"))


class Engine(RuleBasedStateMachine):
    """Rules act on both; invariants compare them."""

    ids = Bundle("ids")

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.copies = 0
        self.clock = FrozenClock()
        self.items: dict[str, Known] = {}
        self.purged: set[str] = set()
        self.made = 0

    @initialize()
    def open(self):
        self.path = self.folder / "memory.db"
        self.memory = self.reopened()

    def reopened(self):
        return Memory(self.path, settings=SETTINGS, clock=self.clock, embedder=FakeEmbedder(8))

    def teardown(self):
        if hasattr(self, "memory"):
            assert self.memory.doctor().problems == ()
            self.memory.close()
        shutil.rmtree(self.folder)

    # The model

    def holder(self, scope, type_, content):
        """The active item that says the same in the same scope."""
        for item_id, item in self.items.items():
            if item.active and (item.scope, item.type, item.content) == (scope, type_, content):
                return item_id
        return None

    def visible(self, scope=None):
        """Ids of what may be recalled from a scope, newest first."""
        now = self.clock.now()
        found = [
            item_id
            for item_id, item in self.items.items()
            if item.active
            and (item.expires_at is None or item.expires_at > now)
            and (scope is None or parts(item.scope) <= parts(scope))
        ]
        return sorted(found, key=lambda item_id: -self.items[item_id].order)

    def expired(self, item_id):
        """True if an item has expired; its content is not compared then."""
        at = None if item_id is None else self.items[item_id].expires_at
        return at is not None and at <= self.clock.now()

    def remember(self, item_id, scope, type_, content, expires_at=None):
        self.made += 1
        self.items[item_id] = Known(scope, type_, content, self.made, expires_at=expires_at)

    # Rules

    @rule(target=ids, content=CONTENTS, scope=SCOPES, type_=TYPES, days=st.none() | st.integers(1, 5))
    def add(self, content, scope, type_, days):
        known = self.holder(scope, type_, content)
        if self.expired(known):
            return known
        expires_at = None if days is None else self.clock.now() + days * DAY_US
        fields = {} if expires_at is None else {"expires_at": iso(expires_at)}
        (verdict,) = self.memory.add(content, type=type_, scope=scope, **fields)
        if known is None:
            assert verdict.outcome is Outcome.ACCEPTED
            assert verdict.item_id not in self.items
            self.remember(verdict.item_id, scope, type_, content, expires_at)
        else:
            assert (verdict.outcome, verdict.item_id) == (Outcome.MERGED, known)
            self.said_again(self.items[known], expires_at)
        return verdict.item_id

    def said_again(self, item, expires_at):
        """An item said again lasts as long as the longer-lived saying of it."""
        later = None if None in {item.expires_at, expires_at} else max(item.expires_at, expires_at)
        item.revisions += later != item.expires_at
        item.expires_at = later

    @rule(item_id=ids, content=CONTENTS)
    def update(self, item_id, content):
        if item_id in self.purged:
            self.must_be_gone(lambda: self.memory.update(item_id, content=content))
            return
        item = self.items[item_id]
        known = self.holder(item.scope, item.type, content)
        if self.expired(known):
            return
        verdict = self.memory.update(item_id, content=content)
        if known not in (None, item_id):
            assert (verdict.outcome, verdict.item_id) == (Outcome.REJECTED, known)
            return
        assert verdict.outcome is Outcome.ACCEPTED
        item.content = content
        item.revisions += 1

    @rule(target=ids, item_id=ids, content=CONTENTS)
    def correct(self, item_id, content):
        if item_id in self.purged:
            self.must_be_gone(lambda: self.memory.correct(item_id, content))
            return item_id
        item = self.items[item_id]
        if item.superseded_by is not None:
            with pytest.raises(Conflict):
                self.memory.correct(item_id, content)
            return item_id
        known = self.holder(item.scope, item.type, content)
        if self.expired(known):
            return item_id
        verdict = self.memory.correct(item_id, content)
        if known == item_id:
            assert (verdict.outcome, verdict.item_id) == (Outcome.MERGED, item_id)
            return item_id
        item.active = False
        item.revisions += 1
        item.superseded_by = verdict.item_id
        if known is None:
            assert verdict.outcome is Outcome.ACCEPTED
            self.remember(verdict.item_id, item.scope, item.type, content)
        else:
            assert (verdict.outcome, verdict.item_id) == (Outcome.MERGED, known)
        return verdict.item_id

    @rule(item_id=ids)
    def forget(self, item_id):
        if item_id in self.purged:
            self.must_be_gone(lambda: self.memory.forget(item_id))
            return
        self.memory.forget(item_id)
        self.items[item_id].active = False
        self.items[item_id].verified = False
        self.items[item_id].revisions += 1

    @rule(item_id=ids)
    def confirm(self, item_id):
        if item_id in self.purged:
            self.must_be_gone(lambda: self.memory.confirm(item_id))
            return
        if not self.items[item_id].active:
            with pytest.raises(Conflict):
                self.memory.confirm(item_id)
            return
        item = self.memory.confirm(item_id)
        assert (item.confidence, item.decay_rate) == (1.0, 0.0)
        self.items[item_id].verified = True
        self.items[item_id].revisions += 1

    @rule(item_id=ids, up=st.booleans())
    def reinforce(self, item_id, up):
        verb = self.memory.reinforce if up else self.memory.demote
        if item_id in self.purged:
            self.must_be_gone(lambda: verb(item_id))
            return
        self.items[item_id].reinforcement += 3.0 if up else -1.0
        assert verb(item_id).reinforcement == self.items[item_id].reinforcement

    @rule(item_id=consumes(ids))
    def purge(self, item_id):
        if item_id not in self.purged:
            counts = self.memory.purge(item_id)
            assert counts["items"] == 1
            assert counts["revisions"] == self.items.pop(item_id).revisions
            self.purged.add(item_id)

    @rule(days=st.integers(0, 4), seconds=st.integers(0, 1))
    def let_time_pass(self, days, seconds):
        self.clock.advance(days=days, seconds=seconds)

    @rule(item_id=ids)
    def let_time_come_to_the_end_of_an_item(self, item_id):
        """To the microsecond: from then on it is not to be seen."""
        ends_at = None if item_id in self.purged else self.items[item_id].expires_at
        if ends_at is not None and ends_at > self.clock.now():
            self.clock.advance(seconds=(ends_at - self.clock.now()) / 1_000_000)
            assert self.clock.now() == ends_at

    @rule(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=2, unique=True), scope=SCOPES)
    def search(self, words, scope):
        result = self.memory.search(" ".join(words), scope=scope, k=1000, min_relevance=0)
        found = [hit.item.id for hit in result.hits]
        holding = {i for i in self.visible(scope) if set(words) & set(self.items[i].content.split())}
        assert holding <= set(found) <= set(self.visible(scope))
        assert len(found) == len(set(found))
        assert result.degradations == ()
        for hit in result.hits:
            assert hit.item.content == self.items[hit.item.id].content

    @rule(content=CONTENTS, scope=SCOPES)
    def search_for_exactly_this(self, content, scope):
        saying = {i for i in self.visible(scope) if self.items[i].content == content}
        if saying:
            hits = self.memory.search(content, scope=scope, k=1000).hits
            assert saying <= {hit.item.id for hit in hits}

    @rule()
    def reopen(self):
        self.memory.close()
        self.memory = self.reopened()

    @rule()
    def crash(self):
        """Copy the files as they are now, as another process would find them if this one ended here."""
        self.memory.flush()
        self.copies += 1
        folder = self.folder / str(self.copies)
        folder.mkdir()
        for file in self.path.parent.glob(f"{self.path.name}*"):
            if not file.name.endswith("-shm"):
                shutil.copy(file, folder / file.name)
        self.memory.close()
        self.path = folder / self.path.name
        self.memory = self.reopened()

    @precondition(lambda self: self.items)
    @rule()
    def rebuild_the_text_index(self):
        self.memory.rebuild_fts()

    def must_be_gone(self, use):
        try:
            use()
        except NotFound:
            return
        raise AssertionError("what was purged is still there")

    # Invariants

    @invariant()
    def the_same_items_are_visible_from_everywhere(self):
        if not hasattr(self, "memory"):
            return
        listed = self.memory.list(scope=ALL, limit=1000)
        assert [item.id for item in listed] == self.visible()
        for item in listed:
            known = self.items[item.id]
            assert (item.content, item.type, str(item.scope)) == (known.content, known.type, known.scope)
            assert (item.reinforcement, item.expires_at) == (known.reinforcement, known.expires_at)
            assert (item.validation is Validation.VERIFIED) == known.verified

    @invariant()
    def each_scope_sees_what_it_may_see(self):
        if not hasattr(self, "memory"):
            return
        for scope in ("global", "user:ana/project:apollo", "user:bo"):
            assert [item.id for item in self.memory.list(scope=scope, limit=1000)] == self.visible(scope)

    @invariant()
    def nothing_is_lost_and_every_change_is_in_the_history(self):
        if not hasattr(self, "memory"):
            return
        stats = self.memory.stats()
        assert stats["items"] == len(self.items)
        for item_id, known in list(self.items.items())[-3:]:
            told = self.memory.explain(item_id)
            assert len(told.revisions) == known.revisions
            assert told.revisions[-1].item.content == told.item.content == known.content
            assert (told.item.status == "active") == known.active
            if known.superseded_by is not None:
                assert told.item.superseded_by == known.superseded_by


TestEngine = Engine.TestCase
TestEngine.settings = settings(
    max_examples=15,
    stateful_step_count=30,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
