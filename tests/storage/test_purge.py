"""Purging: no byte of what was purged is left."""

import json
import random
import shutil

import pytest

from simonides import Memory
from simonides.domain.kept import kept
from simonides.domain.records import Injection
from simonides.domain.scope import ALL
from simonides.errors import InvalidInput, NotFound
from simonides.governance.wordings import quotes_nobody
from simonides.testing import FakeEmbedder, FrozenClock
from tests.storage import leaving

WORDS = [f"planted{chr(97 + n % 26)}{n:02}zyx" for n in range(50)]


def everything_on_disk(path):
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


def found_on_disk(path, words):
    files = everything_on_disk(path)
    return sorted({word for word in words for data in files.values() if word.encode() in data})


def found_in_index(raw, words):
    terms = {term for (term,) in raw().execute("SELECT term FROM memory_items_terms")}
    return sorted(
        word for word in words if any(word in term or term in word for term in terms if len(term) > 6)
    )


def filler(number, length):
    return " ".join(f"ordinary{random.Random(number).randrange(5000)}" for _ in range(length))


@pytest.fixture(scope="module")
def garden(tmp_path_factory):
    """A store in which the words were planted, and the ids of the items that hold them."""
    path = tmp_path_factory.mktemp("garden") / "memory.db"
    with Memory(path, clock=FrozenClock(), embedder=FakeEmbedder(8)) as memory:
        ids = plant(memory)
    return path, ids


@pytest.fixture
def planted(garden, path):
    """Ids of items that hold the words."""
    shutil.copyfile(garden[0], path)
    return list(garden[1])


@pytest.fixture
def memory(request, open_memory):
    if "planted" in request.fixturenames:
        request.getfixturevalue("planted")  # Before the store is opened.
    return open_memory()


def plant(memory):
    """Add items that hold the words: in contents, titles, tags, entities, metadata; some reworded since."""
    ids = []
    for number, word in enumerate(WORDS):
        for between in range(4):
            memory.add(f"{number} {between} {filler(number, 5 + 40 * (between == 3))}")
        place = number % 6
        fields = [
            {},
            {"title": f"About {word}"},
            {"tags": [word, "other"]},
            {"entities": [word]},
            {"metadata": {"note": word}},
            {"provenance": {"source_kind": "doc", "source_id": f"file-{word}"}},
        ][place]
        content = (
            f"{number} {word} {filler(number, 60)}"
            if place == 0
            else f"{number} says little {filler(number, 9)}"
        )
        (verdict,) = memory.add(content, **fields)
        ids.append(verdict.item_id)
        if number % 4 == 0:  # Its words are in its history only.
            memory.update(ids[-1], content=f"{number} was reworded {filler(number, 30)}", title="", tags=[])
        if number % 5 == 0:
            memory.search(f"what about {word}?")
            memory.context(f"tell me of {word} reworded {number}")
        if number % 7 == 0:
            memory.palace.assign(ids[-1], room=f"room of {word}")
    for word in WORDS[:5]:
        verdict, *_ = memory.propose([{"content": f"the model says {word}", "why_store": word}])
        ids.append(verdict.item_id)
    (turn,) = memory.add([{"role": "user", "content": f"hello {WORDS[0]}", "name": WORDS[1]}], session_id="s")
    ids.append(turn.item_id)
    memory.flush()
    return ids


def test_the_planted_words_are_there_before_and_nowhere_after(memory, planted, path, raw):
    assert len(found_on_disk(path, WORDS)) == 50
    counts = memory.purge(*planted)
    assert counts["items"] == len(planted)
    assert counts["revisions"] >= len(planted) + 12
    assert found_on_disk(path, WORDS) == []
    assert found_in_index(raw, WORDS) == []
    assert memory.doctor().healthy
    memory.close()
    assert found_on_disk(path, WORDS) == []


def test_items_purged_one_by_one_leave_nothing_either(memory, planted, path, raw):
    random.Random(1).shuffle(planted)
    for item_id in planted:
        memory.purge(item_id)
    assert found_on_disk(path, WORDS) == []
    assert found_in_index(raw, WORDS) == []
    assert memory.doctor().healthy


def test_what_moved_between_pages_before_it_was_purged_leaves_nothing(memory, path):
    """Rows are moved when pages split; a copy must not stay behind in the space that they left."""
    ids = {}
    for number in range(300):
        word = f"wandering{number:04}"
        (verdict,) = memory.add(f"{word} " + "z" * random.Random(number).randrange(10, 900))
        ids[word] = verdict.item_id
    for number, (word, item_id) in enumerate(ids.items()):
        if number % 3 == 0:
            memory.update(item_id, content=f"{word} grew " + "y" * random.Random(number).randrange(900, 1500))
    gone = [word for number, word in enumerate(ids) if number % 4 == 0]
    memory.purge(*[ids[word] for word in gone])
    assert found_on_disk(path, gone) == []
    kept = [word for word in ids if word not in gone]
    assert len(found_on_disk(path, kept)) == len(kept)


def test_the_rest_is_untouched(memory, planted):
    before = {item.id: item for item in memory.list(scope=ALL, limit=1000) if item.id not in planted}
    memory.purge(*planted)
    after = {item.id: item for item in memory.list(scope=ALL, limit=1000)}
    assert after == before
    assert memory.search("ordinary", min_relevance=0).hits is not None


def test_a_receipt_without_a_word_of_it_stays_in_the_audit_log(memory, clock):
    (verdict,) = memory.add("planted words", title="planted title")
    clock.advance(days=1)
    counts = memory.purge(verdict.item_id)
    receipt = memory.audit.events()[0]
    assert (receipt.action, receipt.item_id, receipt.at) == ("purge", verdict.item_id, clock.now())
    assert receipt.details == {"receipt": dict(counts)}
    assert "planted" not in json.dumps([event.to_dict() for event in memory.audit.events()])
    assert memory.audit.verify() == []


def test_an_unknown_id_removes_nothing(memory, path):
    (verdict,) = memory.add("planted words")
    memory.flush()
    events = len(memory.audit.events())
    with pytest.raises(NotFound, match="nothing was purged"):
        memory.purge(verdict.item_id, "019b76da-a800-7000-8000-000000000000")
    with pytest.raises(NotFound, match="no id"):
        memory.purge(verdict.item_id, "unknown")
    with pytest.raises(InvalidInput):
        memory.purge()
    assert memory.get(verdict.item_id).content == "planted words"
    assert found_on_disk(path, ["planted"])
    assert len(memory.audit.events()) == events


def test_what_is_purged_cannot_be_found_opened_or_explained(memory):
    (gone,), (kept,) = memory.add("a planted falcon"), memory.add("another falcon")
    memory.link(kept.item_id, gone.item_id)
    memory.purge(gone.item_id)
    assert [hit.item.id for hit in memory.search("falcon").hits] == [kept.item_id]
    for read in (memory.get, memory.history, memory.explain, memory.reinforce):
        with pytest.raises(NotFound):
            read(gone.item_id)
    assert memory.explain(kept.item_id).links == ()
    assert memory.stats()["items"] == 1


def test_the_same_words_may_be_remembered_again(memory):
    (first,) = memory.add("a planted falcon")
    memory.purge(first.item_id)
    (second,) = memory.add("a planted falcon")
    assert second.outcome == "accepted"
    assert second.item_id != first.item_id


@pytest.mark.parametrize("second", ["confirm", "update", "forget"])
@pytest.mark.parametrize("first", ["confirm", "update", "forget"])
def test_two_changed_items_purged_one_after_the_other_leave_no_word(memory, path, first, second):
    """The text index is then one segment, of which nothing is ever merged, with the terms of what was deleted."""
    words = ["plantedfalcon", "plantedheron"]
    ids = [memory.add(f"the {word} is here").verdicts[0].item_id for word in words]
    for change, item_id, word in zip((first, second), ids, words, strict=True):
        if change == "update":
            memory.update(item_id, content=f"now the {word} is elsewhere")
        else:
            getattr(memory, change)(item_id)
    for number, item_id in enumerate(ids):
        memory.purge(item_id)
        assert found_on_disk(path, words[: number + 1]) == []


def test_what_was_written_of_an_item_beside_others_goes_with_it(memory, path):
    kept = [memory.add(f"the {bird} is here").verdicts[0].item_id for bird in ("falcon", "heron")]
    (ours,) = memory.add("the falcon flies 77313 metres", pinned=True, session_id="plantedsession")
    (held,) = memory.add("the falcon flies 45 metres")
    assert "77313" in held.reasons[0]
    memory.link(*kept, evidence="both saw plantedword")
    (said,) = memory.add("there is a plantedword here")
    memory.context("the heron and the plantedword", session_id="plantedsession")
    memory.search("heron", session_id="plantedsession")
    memory.flush()
    traces = ["77313", "plantedword", "plantedsession"]
    assert found_on_disk(path, traces) == sorted(traces)
    memory.purge(ours.item_id, said.item_id)
    assert found_on_disk(path, traces) == []
    (reason,) = memory.explain(held.item_id).verdict.reasons
    assert reason == "contradiction: it told of an item that was purged"
    assert memory.explain(kept[0]).links[0].evidence is None
    assert memory.doctor().healthy


@pytest.mark.parametrize(
    "fields",
    [
        *({name: "the plantedword"} for name in ("title", "session_id", "task_id")),
        *({name: "the plantedword"} for name in ("narrative_id", "corpus_id", "rule_id")),
        *({name: ["plantedword"]} for name in ("tags", "entities")),
        *({"metadata": metadata} for metadata in ({"plantedword": 1}, {"of": [{"it": "plantedword"}]})),
        *({"provenance": {name: "a plantedword"}} for name in ("source_id", "source_role")),
        {"provenance": {"chunk_ids": ["plantedword"]}},
    ],
    ids=str,
)  # fmt: skip
def test_what_an_item_says_in_any_field_goes_from_what_others_say_of_it(memory, path, fields):
    """But not while another item says it as well, in the same field or in its content."""
    kept = [memory.add(f"the {bird} is here").item_ids[0] for bird in ("falcon", "heron")]
    said = memory.add("a stork sings", **fields).item_ids[0]
    same, content = (memory.add("a stork swims", **fields), memory.add("the plantedword flies"))
    memory.link(*kept, evidence="both saw plantedword")
    for number, others in enumerate((same, content), 1):
        memory.purge(said)
        assert memory.explain(kept[0]).links[0].evidence == "both saw plantedword"
        (said,) = others.item_ids
        assert len(memory.list()) == 5 - number
    memory.purge(said)
    assert memory.explain(kept[0]).links[0].evidence is None
    assert found_on_disk(path, ["plantedword"]) == []


def waiting_or_low(memory):
    """Items that wait, and those that are kept out of prompts."""
    return [*memory.review.list(), *memory.review.list(low_trust=True)]


def test_no_reason_in_the_policys_own_words_goes_with_what_happens_to_use_them(memory, path):
    """A word that is missing there would tell that somebody purged it."""
    turn = memory.add([{"role": "user", "content": "I live in Oslo."}], session_id="s").item_ids[0]
    memory.extract(session_id="s")
    memory.forget(turn)
    gone = memory.add("The mill is closed.").item_ids[0]
    memory.forget(gone)
    for said in (
        {"content": "Ana prefers tea.", "confidence": 0.1, "type": "preference"},
        {"content": "The mill is closed."},
    ):
        memory.propose([said])
    before = {one.item.id: one.verdict.reasons for one in waiting_or_low(memory)}
    reasons = [reason for reasons in before.values() for reason in reasons]
    assert {reason.partition(":")[0] for reason in reasons} >= {
        "no reason", "no source", "low confidence", "not the user's word", "forgotten", "retracted",
    }  # fmt: skip
    assert all(map(quotes_nobody, reasons))
    [waiting] = [
        id_ for id_, reasons in before.items() if any("low confidence" in reason for reason in reasons)
    ]
    memory.purge(memory.add(" ".join(reasons)).item_ids[0])
    assert {one.item.id: one.verdict.reasons for one in waiting_or_low(memory)} == before
    memory.purge(memory.add("plantedword retracted").item_ids[0])
    assert memory.explain(waiting).verdict.reasons == before[waiting]


@pytest.mark.parametrize(
    "reason",
    [
        "no source: plantedword", "low confidence: plantedword", "contradiction: date 'plantedword' and 'Mondays'",
        "no reason: a proposal says in why_store why it is worth keeping plantedword",
        "retracted: made from plantedword, forgotten",
        "not the user's word: a plantedword from a tool needs confirmation",
    ],
)  # fmt: skip
def test_a_reason_that_only_begins_like_the_policys_quotes_somebody(memory, path, reason):
    held = memory.propose([{"content": "It hails."}]).item_id
    memory.review.approve(held, reason)
    assert not quotes_nobody(reason)
    memory.purge(memory.add("the plantedword is here").item_ids[0])
    assert found_on_disk(path, ["plantedword"]) == []


def test_a_correction_keeps_no_task_and_no_session_of_what_is_purged(memory, path):
    words = {"task_id": "plantedword-ward", "session_id": "plantedsession"}
    said = memory.add("Ana met Dr. Moss.", user_id="ana", **words).item_id
    other = memory.add("Bo met Dr. Moss.", user_id="bo", task_id="kept").item_id
    corrected = memory.correct(memory.correct(said, "Ana met Dr. Mess.").item_id, "Ana met nobody.").item_id
    assert memory.get(corrected).task_id == "plantedword-ward"
    memory.purge(said)
    for state in [memory.get(corrected), *(one.item for one in memory.history(corrected))]:
        assert (state.task_id, state.session_id) == (None, None)
    assert memory.get(other).task_id == "kept"
    assert found_on_disk(path, ["plantedword", "plantedsession"]) == []
    assert memory.doctor().healthy


@pytest.mark.parametrize("said", [True, False])
def test_a_scope_leaves_no_question_no_session_and_no_row_anywhere(memory, path, raw, said):
    library = leaving.live_in(memory, said=said)
    others = leaving.of(memory, *leaving.OTHERS)
    assert found_on_disk(path, leaving.WORDS) == sorted(leaving.WORDS)
    gone = memory.purge(scope=leaving.LEFT)
    assert gone["injections"] == 2 * len(leaving.MODES)
    assert leaving.of(memory, leaving.LEFT) == [([], [], [])]
    assert leaving.of(memory, *leaving.OTHERS) == others
    assert found_on_disk(path, leaving.WORDS) == []
    assert memory.explain(library).item.usage_count > 0
    assert memory.doctor().healthy
    assert rows_of_scope(raw(), leaving.LEFT) == []


def test_what_was_said_in_a_session_takes_the_session_of_its_scope_alone(memory):
    leaving.live_in(memory)
    others = leaving.of(memory, *leaving.OTHERS)
    memory.purge([item for item in memory.list(scope=ALL) if item.scope == leaving.LEFT])
    [(items, sessions, asked)] = leaving.of(memory, leaving.LEFT)
    assert (items, sessions) == ([], [])
    assert "both" not in {one["session_id"] for one in asked}
    assert leaving.of(memory, *leaving.OTHERS) == others


def rows_of_scope(connection, scope):
    """Tables that still have rows of a scope; the log and the list of scopes name it for good."""
    tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    found = []
    for (table,) in tables:
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
        for column in columns & {"scope", "scope_key"}:
            mark = "?" if column == "scope" else "(SELECT key FROM memory_scopes WHERE path = ?)"
            if connection.execute(f"SELECT count(*) FROM {table} WHERE {column} = {mark}", (scope,)).get:
                found.append(table)
    return sorted(set(found) - {"memory_events", "memory_runs"})


def test_a_session_that_is_called_as_what_is_purged_loses_its_name(memory, path):
    """A session without an item, too; one that is called otherwise keeps its name."""
    kept = memory.add("the falcon is here").item_ids[0]
    said = memory.add("a plantedword sings").item_ids[0]
    for name in ("plantedword talk", "monday"):
        memory.mark_used([kept], session_id=name)
        memory.context("what of the falcon?", asked_in=name)
    memory.flush()
    assert found_on_disk(path, ["plantedword"])
    memory.purge(said)
    assert found_on_disk(path, ["plantedword"]) == []
    assert sorted(str(one.session_id) for one in memory.injections()) == ["None", "monday"]
    assert memory.get(kept).usage_count == 2
    assert memory.doctor().healthy


def test_what_others_say_too_stays_where_it_is(memory):
    kept = [memory.add(f"the {bird} is here").verdicts[0].item_id for bird in ("falcon", "heron")]
    memory.link(*kept, evidence="both are birds of the falcon kind")
    told = Injection(
        id="i",
        at=1,
        scope="global",
        mode="inject",
        query="the falcon is here",
        items=((kept[0], 1.0),),
        tokens=9,
        session_id="walk",
    )
    memory._parts.store.write(lambda tx: tx.keep_injections([told]))
    (gone,) = memory.add("a falcon and a heron in the rain", session_id="walk")
    memory.add("the rain has stopped", session_id="walk")
    memory.purge(gone.item_id)
    assert memory.explain(kept[0]).links[0].evidence == "both are birds of the falcon kind"
    assert [injection.query for injection in memory.injections("walk")] == [told.query]


def test_no_answer_about_a_text_is_held_in_memory_when_an_item_was_purged(memory):
    asked = []

    @kept(10)
    def length(text):
        asked.append(text)
        return len(text)

    item_id = memory.add("the falcon nests on the tower").item_ids[0]
    length(memory.get(item_id).content)
    memory.purge(item_id)
    length("the falcon nests on the tower")
    assert len(asked) == 2
