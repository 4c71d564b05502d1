"""Random histories in which each statement has a word of its own: once it is purged, the word is in no file.

The oracle is the promise: every byte of every file of the store is looked through, for the word as it was
written, as the text index stems it, and as JSON escapes it.
"""

import itertools
import json
import shutil
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import apsw
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.item import Status
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import Origin
from simonides.domain.scope import ALL
from simonides.errors import Conflict, InvalidInput, NotFound
from simonides.language.search_tokens import search_tokens
from simonides.testing import FakeEmbedder, FrozenClock, an_item
from simonides.upkeep.change import AddLink, Revise, new_item
from simonides.upkeep.ground import Order
from simonides.upkeep.job import Step
from simonides.upkeep.jobs.registry import own_jobs
from simonides.upkeep.settings import UpkeepSettings

#: Words that stem, fold, need escapes, or are no words to a tokenizer that splits at blanks.
SHAPES = ("qzx{}ingly", "Qvändo{}es", "жгъшц{}ами", "{}號龘靐", "qW{}Zjk", "qéñ{}")
LETTERS = "bcdfghklmnprtvwz"
PLACES = ("task_id", "narrative_id", "corpus_id", "rule_id")
FIELDS = ("content", "title", "tags", "entities", "metadata", "source", "session", "name", *PLACES)


#: Which of what there is: what is drawn does not depend on ids, which are made at random.
NUMBERS = st.integers(0, 999)


def _one_of(entries, n):
    if not entries:
        raise NotFound("there is none yet")
    return entries[n % len(entries)]


def letters(number):
    """A number as four consonants, so that no word is part of another."""
    return "".join(LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(4))


class Planned:
    name = "planned"
    about = "Do what a test wants."

    def __init__(self, step):
        self.step = step

    def plan(self, _):
        yield self.step


class PurgeMachine(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "memory.db"
        self.clock = FrozenClock()
        self.counter = itertools.count(1)
        self.words: dict[str, list[str]] = {}
        self.rooms: dict[str, str] = {}
        self.dead: list[str] = []
        self.runs: list[str] = []
        self.open()

    def open(self):
        chosen = Settings(store=StoreSettings(synchronous="NORMAL"), upkeep=UpkeepSettings(max_size="400KB"))
        self.memory = Memory(self.path, settings=chosen, clock=self.clock, embedder=FakeEmbedder(8))

    def word(self, shape):
        number = next(self.counter)
        return SHAPES[shape].format(letters(number * 7919 % len(LETTERS) ** 4))

    def plant(self, verdict, *words):
        if verdict.item_id is not None:
            self.words.setdefault(verdict.item_id, []).extend(words)

    def some(self, n):
        return _one_of(list(self.words), n)

    def teardown(self):
        self.memory.close()
        try:
            self.look()
        finally:
            shutil.rmtree(self.folder)

    # What happens

    @rule(shape=st.integers(0, len(SHAPES) - 1), field=st.sampled_from(FIELDS), pinned=st.booleans())
    def add(self, shape, field, pinned):
        word = self.word(shape)
        number = next(self.counter)
        fields = {
            "content": {},
            "title": {"title": f"About {word}"},
            "tags": {"tags": [word.lower(), "bird"]},
            "entities": {"entities": [word]},
            "metadata": {"metadata": {"note": [word]}},
            "source": {"provenance": {"source_kind": "doc", "source_id": f"file-{word}"}},
            "session": {"session_id": f"talk {word}"},
            "name": {},
            **{place: {place: f"the {word}"} for place in PLACES},
        }[field]
        content = {
            "content": f"The heron {word} nests on cliff {number}.",
            "name": f"Petra {word.title()} owns boat {number}.",
        }
        text = content.get(field, f"The heron nests on cliff {number}.")
        self.plant(self.memory.add(text, pinned=pinned, type="fact", **fields).verdicts[0], word)

    @rule(
        shape=st.integers(0, len(SHAPES) - 1),
        where=st.sampled_from(["value", "name", "key", "space", "unindexed"]),
        again=st.sampled_from(["put", "delete", "nothing"]),
    )
    def keep(self, shape, where, again):
        """Keep a record with a word in it, then another version of it, or delete it."""
        word, number = self.word(shape), next(self.counter)
        space = ["shelf", word] if where == "space" else ["shelf"]
        key = word if where == "key" else f"k{number}"
        value = {word if where == "name" else "note": f"It saw {word}." if "key" not in where else number}
        index = False if where == "unindexed" else None
        record = self.memory.records.put(space, key, value, index=index, ttl=None if number % 2 else 100_000)
        self.words.setdefault(record.item_id, []).append(word)
        if again == "put":
            self.memory.records.put(space, key, {"note": number})
        elif again == "delete":
            self.memory.records.delete(space, key)

    @rule(shape=st.integers(0, len(SHAPES) - 1), n=NUMBERS)
    def read_document(self, shape, n):
        """Put a text in the place of another one of its path, or the first time."""
        word, path = self.word(shape), f"{n % 2}.md"
        self.memory.documents.put("notes", path, f"# Cliffs\n\nThe heron {word} nests there.\n")
        for chunk in self.memory.documents.chunks("notes", path):
            self.words.setdefault(chunk.id, []).append(word)

    @rule(n=NUMBERS)
    def purge_document(self, n):
        self.memory.documents.purge("notes", f"{n % 2}.md")
        self.bury([])

    @rule(n=NUMBERS, shape=st.integers(0, len(SHAPES) - 1))
    def place(self, n, shape):
        """Put an item into a room that is called by a word."""
        with suppress(Conflict, NotFound):
            item_id, word = self.some(n), self.word(shape)
            self.memory.palace.assign(item_id, room=word)
            self.rooms[item_id] = word

    @rule(trusted=st.booleans())
    def load_itself(self, trusted):
        self.memory.load(list(self.memory.export()), trusted=trusted)

    @rule(hours=st.sampled_from([1, 40]))
    def set_clock_back(self, hours):
        self.clock.advance(hours=-hours)

    @rule(shapes=st.lists(st.integers(0, len(SHAPES) - 1), min_size=1, max_size=3), own=st.booleans())
    def talk(self, shapes, own):
        session = self.word(0)
        words = [self.word(shape) for shape in shapes]
        roles = ("user", "assistant")
        turns = [
            {"role": roles[n % 2], "content": f"I went to {word} in May."} for n, word in enumerate(words)
        ]
        for verdict, word in zip(
            self.memory.add(turns, session_id=session if own else "s"), words, strict=True
        ):
            self.plant(verdict, word, *([session] if own and len(words) == 1 else ()))

    @rule(n=NUMBERS, shape=st.integers(0, len(SHAPES) - 1), how=st.sampled_from(["update", "correct"]))
    def reword(self, n, shape, how):
        if not self.words:
            return
        item_id, word = self.some(n), self.word(shape)
        change = {"update": lambda text: self.memory.update(item_id, content=text),
                  "correct": lambda text: self.memory.correct(item_id, text)}[how]  # fmt: skip
        with suppress(Conflict, InvalidInput):
            verdict = change(f"The heron {word} nests on cliff {next(self.counter)}.")
            if verdict.outcome in ("accepted", "quarantined"):
                self.plant(verdict, word)
                # What takes the place of another stays in its session: of all that it took over this alone stays.
                session = self.memory.get(verdict.item_id).session_id or ""
                self.plant(verdict, *(known for known in [*self.words[item_id]] if known in session))

    @rule(n=NUMBERS, what=st.sampled_from(["confirm", "forget", "restore", "reinforce", "approve", "move"]))
    def change(self, n, what):
        with suppress(Conflict, InvalidInput, NotFound):
            item_id = self.some(n)
            if what == "move":
                self.memory._parts.store.write(lambda tx: tx.set_aside([item_id]))
            elif what == "approve":
                self.memory.review.approve(item_id)
            else:
                getattr(self.memory, what)(item_id)

    @rule(shape=st.integers(0, len(SHAPES) - 1))
    def propose(self, shape):
        """Propose something against what is settled: reasons quote both."""
        word = self.word(shape)
        said = {
            "content": f"The heron {word} nests on cliff 99 for 3 {word}.",
            "why_store": word,
            "source": "m1",
        }
        for verdict in self.memory.propose([said], session_id="s"):
            self.plant(verdict, word)

    @rule(numbers=st.tuples(NUMBERS, NUMBERS, NUMBERS), asked=st.booleans())
    def tell(self, numbers, asked):
        """Evidence, questions and places that repeat a word of an item beside others."""
        if not self.words:
            return
        ids = [self.some(n) for n in numbers]
        word = self.words[ids[0]][-1]
        if asked:
            self.memory.context(f"what about {word} and the heron?", session_id=word)
            self.memory.search(f"what about {word} and cliff?", session_id=word)
        elif ids[1] != ids[2]:
            with suppress(Conflict, InvalidInput, NotFound):
                self.memory.link(ids[1], ids[2], "references", evidence=f"both tell of {word}")

    @rule(n=NUMBERS, m=NUMBERS)
    def merge(self, n, m):
        """One item is made of two, with the words of both, as consolidation does."""
        found = {item.id: item for item in self.memory.list(scope=ALL, limit=1000) if item.type == "fact"}
        items = [found[item_id] for item_id in self.words if item_id in found]
        if len(items) < 2:
            return
        first = items.pop(n % len(items))
        items = [first, _one_of(items, m)]
        made = an_item(" ".join(item.content for item in items), at=self.clock.now(), origin=Origin.USER_SAID)
        gone = [
            Revise(i, replace(i, status=Status.ARCHIVED, superseded_by=made.id), reason="consolidation_merge")
            for i in items
        ]
        links = [AddLink(Link(src=made.id, dst=item.id, rel=Relation.SUPERSEDES)) for item in items]
        step = Step((*gone, new_item(made, reason="consolidation_merge"), *links))
        self.runs.append(self.memory._parts.upkeep.maintain((Planned(step),), Order(scope=ALL)).id)

    @rule(job=st.sampled_from([*own_jobs(), "sessions", "consolidate", "prune"]))
    def upkeep(self, job):
        self.clock.advance(days=1)
        self.runs += [run.id for run in (self.memory.maintain([job]),)]

    @rule()
    def extract(self):
        self.memory.extract()

    @rule()
    def end_session(self):
        self.memory.sessions.end_silent()
        with suppress(NotFound):
            self.memory.sessions.end("s")

    @rule(n=NUMBERS)
    def undo(self, n):
        with suppress(Conflict, NotFound):
            self.runs.append(self.memory.undo(_one_of(self.runs, n), force=True).id)

    @rule()
    def reopen(self):
        self.memory.close()
        self.open()

    @rule(numbers=st.lists(NUMBERS, min_size=1, max_size=3))
    def purge(self, numbers):
        if not self.words:
            return
        ids = list(dict.fromkeys(self.some(n) for n in numbers))
        try:
            self.memory.purge(*ids)
        except Conflict:
            return
        self.bury([word for item_id in ids for word in self.words.pop(item_id)])

    def bury(self, gone):
        """Look for these words, and for those of what went along, from now on."""
        for item_id in {*self.words, *self.rooms}:
            with suppress(NotFound):
                self.memory.get(item_id)
                continue
            gone += self.words.pop(item_id, [])
            gone += [self.rooms.pop(item_id)] if item_id in self.rooms else []
        left = {word for words in self.words.values() for word in words}
        self.dead += [word for word in gone if word not in left]
        self.look()

    # The promise

    def look(self):
        if not self.dead:
            return
        stems = search_tokens(self.dead)
        shapes = {
            word: {word.encode(), word.lower().encode(), json.dumps(word)[1:-1].encode()}
            for word in self.dead
        }
        for word, tokens in zip(self.dead, stems, strict=True):
            shapes[word] |= {token.encode() for token in tokens if len(token) > 3}
        for file in self.folder.rglob("*"):
            data = file.read_bytes() if file.is_file() else b""
            for word, forms in shapes.items():
                found = [form for form in forms if form in data]
                assert not found, f"{word} is in {file.name}: {found}, {where(file, found[0])}"


def where(file, form):
    """Rows that hold a text, for the message."""
    with suppress(apsw.Error):
        connection = apsw.Connection(str(file))
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        rows = [
            (t, row)
            for t in tables
            if "fts" not in t or "data" in t
            for row in connection.execute(f"SELECT * FROM {t}")
        ]
        return [(t, row) for t, row in rows if form in b"".join(
            v if isinstance(v, bytes) else str(v).encode() for v in row)][:3]  # fmt: skip
    return []


PurgeMachine.TestCase.settings = settings(
    max_examples=10,
    stateful_step_count=30,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestPurgedIsGone = PurgeMachine.TestCase
