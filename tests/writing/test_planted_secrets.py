"""Made-up secrets, sent in through every door: not one of them reaches the disk."""

import random
import string

import pytest

from simonides.errors import InvalidInput, NotFound
from simonides.testing import an_item

ALPHANUMERIC = string.ascii_letters + string.digits
CAPITALS = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"

#: Sentences around secrets, and the secret's prefix, alphabet and length. They are drawn at random, so that no
#: scanner of repositories takes them for real.
KINDS = [
    ("the deploy user has {} now", "AKIA", CAPITALS, 16),
    ("my token is {}", "ghp_", ALPHANUMERIC, 36),
    ("CI uses {} there", "glpat-", ALPHANUMERIC, 20),
    ("the key: {}", "sk-proj-", ALPHANUMERIC, 44),
    ("charge with {}", "sk_live_", ALPHANUMERIC, 24),
    ("publish with {} please", "npm_", ALPHANUMERIC, 36),
    ("shop {} end", "shpat_", HEX, 32),
    ("send Bearer {} with it", "", ALPHANUMERIC, 30),
    ("The wifi password is {}", "plum", string.ascii_lowercase + string.digits, 8),
    ('STAGING_SECRET = "{}"', "", ALPHANUMERIC, 24),
]


def drawn(number):
    """A sentence that holds a secret, and the secret."""
    sentence, prefix, alphabet, length = KINDS[number % len(KINDS)]
    generator = random.Random(number)
    value = prefix + "".join(generator.choices(alphabet, k=length - 1)) + "7"
    return sentence.format(value), value


SECRETS = [drawn(number) for number in range(30)]


def found_on_disk(path):
    files = [file.read_bytes() for file in path.parent.rglob("*") if file.is_file()]
    return sorted({value for _, value in SECRETS for data in files if value.encode() in data})


@pytest.fixture
def searched(memory, path):
    """The memory; at the end everything is flushed and no secret is in any file, open or closed."""
    yield memory
    memory.flush()
    assert found_on_disk(path) == []
    memory.close()
    assert found_on_disk(path) == []


@pytest.fixture
def known(searched):
    (verdict,) = searched.add("the lighthouse is white")
    return verdict.item_id


def rejected(verdicts):
    verdicts = list(verdicts)
    assert {verdict.outcome.value for verdict in verdicts} == {"rejected"}
    assert all(verdict.reasons[0].startswith(("secret: ", "invalid: a type is")) for verdict in verdicts)
    assert all(value not in str(verdicts) for _, value in SECRETS)


def test_there_are_thirty_different_secrets():
    assert len({value for _, value in SECRETS}) == 30


def test_the_search_for_them_would_find_them(memory, path):
    memory.add(SECRETS[0][1][::-1] + " is no secret")
    memory.flush()
    assert SECRETS[0][1][::-1].encode() in b"".join(file.read_bytes() for file in path.parent.iterdir())


def test_a_text_with_a_secret_is_refused(searched):
    rejected(searched.add([sentence for sentence, _ in SECRETS]))
    rejected(verdict for sentence, _ in SECRETS for verdict in searched.add(sentence))
    assert searched.stats()["items"] == 0


@pytest.mark.parametrize(
    "beside",
    [
        lambda text: {"title": text[:200]},
        lambda text: {"tags": ["kitchen", text[:200]]},
        lambda text: {"entities": [text[:200]]},
        lambda text: {"metadata": {"deep": [{"note": text}]}},
        lambda text: {"metadata": {text: 1}},
        lambda text: {"provenance": {"source_id": text[:200]}},
        lambda text: {"provenance": {"source_role": text[:200]}},
        lambda text: {"type": text[:200]},
        lambda text: {"task_id": text[:200]},
        lambda text: {"session_id": text[:200]},
    ],
    ids=[
        "title",
        "tag",
        "entity",
        "metadata",
        "name in metadata",
        "source",
        "role",
        "type",
        "task",
        "session",
    ],
)
def test_a_secret_beside_a_text_is_refused(searched, beside):
    inputs = [{"content": f"note {n} of the cook"} | beside(text) for n, (text, _) in enumerate(SECRETS)]
    rejected(searched.add(inputs))


def test_an_item_with_a_secret_is_refused(searched):
    rejected(searched.add([an_item(sentence) for sentence, _ in SECRETS]))
    rejected(searched.add([an_item(f"note {n}", tags=(text,)) for n, (text, _) in enumerate(SECRETS)]))


def test_a_turn_keeps_what_was_said_without_its_secrets(searched):
    result = searched.add(
        [{"role": "user", "content": f"Listen: {text}"} for text, _ in SECRETS], session_id="s"
    )
    assert {verdict.outcome.value for verdict in result} == {"accepted"}
    assert all(verdict.reasons[0].startswith("redacted: ") for verdict in result)
    turns = searched.sessions.get("s")
    assert all(turn.content.startswith("Listen: ") and "[secret: " in turn.content for turn in turns)


@pytest.mark.parametrize(
    "beside",
    [
        lambda text: {"name": text[:200]},
        lambda text: {"id": text[:200]},
        lambda text: {"metadata": {"note": text}},
        lambda text: {"role": text[:200]},
    ],
    ids=["name", "id", "metadata", "role"],
)
def test_a_secret_beside_a_turn_is_dropped(searched, beside):
    messages = [
        {"role": "user", "content": f"hello number {n}"} | beside(text) for n, (text, _) in enumerate(SECRETS)
    ]
    result = searched.add(messages, session_id="s")
    assert {verdict.outcome.value for verdict in result} == {"accepted"}
    assert all("a secret beside the text" in verdict.reasons[0] for verdict in result)
    assert len(searched.sessions.get("s")) == 30
    again = searched.add(messages, session_id="s")
    assert {verdict.outcome.value for verdict in again} == {"merged"}


def test_a_session_is_not_named_by_a_secret(searched):
    for text, _ in SECRETS:
        with pytest.raises(InvalidInput, match="session_id cannot be stored"):
            searched.add([{"role": "user", "content": "hello there"}], session_id=text)


@pytest.mark.parametrize(
    "field", ["content", "title", "why_store", "source", "type", "tags", "metadata", "a name"]
)
def test_a_proposal_with_a_secret_is_refused(searched, field):
    def proposal(number, text):
        given = {"content": f"fact {number} of the cook", "why_store": "she said so", "source": "m1"}
        value = [text] if field == "tags" else {"note": text} if field == "metadata" else text[:200]
        return given | ({text: 1} if field == "a name" else {field: value})

    # As many as are judged in a turn, and so on.
    proposals = [proposal(number, text) for number, (text, _) in enumerate(SECRETS)]
    turns = [searched.propose(proposals[start : start + 10]) for start in range(0, len(proposals), 10)]
    rejected([verdict for turn in turns for verdict in turn])


@pytest.mark.parametrize(
    "field", ["content", "title", "tags", "entities", "metadata", "provenance", "task_id"]
)
def test_an_update_with_a_secret_changes_nothing(searched, known, field):
    before = searched.get(known)
    for text, _ in SECRETS:
        value = {
            "tags": [text],
            "entities": [text],
            "metadata": {"note": text},
            "provenance": {"source_id": text},
        }.get(field, text)
        assert searched.update(known, **{field: value}).outcome == "rejected"
    assert searched.get(known) == before
    assert len(searched.history(known)) == 1


def test_a_correction_with_a_secret_changes_nothing(searched, known):
    rejected(searched.correct(known, text) for text, _ in SECRETS)
    assert searched.get(known).status == "active"


def test_words_with_a_secret_name_no_item_and_leave_no_trace(searched, known):
    for text, _ in SECRETS:
        searched.forget(text)
        searched.correct(text, "the lighthouse is red")
        with pytest.raises(NotFound):
            searched.get(text)
    assert searched.get(known).status == "active"


def test_links_places_and_reviews_take_no_secret(searched, known):
    (other,) = searched.add("the lighthouse is tall")
    (waiting,) = searched.propose([{"content": "the lighthouse is old"}])
    for text, _ in SECRETS:
        calls = (
            lambda text=text: searched.link(known, other.item_id, evidence=text),
            lambda text=text: searched.palace.assign(known, room=text),
            lambda text=text: searched.palace.assign(known, room="coast", domain=text),
            lambda text=text: searched.review.approve(waiting.item_id, text),
            lambda text=text: searched.review.reject(waiting.item_id, text),
        )
        for call in calls:
            with pytest.raises(InvalidInput, match="secret"):
                call()
    assert searched.get(waiting.item_id).status == "quarantined"


def test_questions_are_kept_without_their_secrets(searched, known):
    for text, _ in SECRETS:
        searched.search(f"lighthouse {text}")
        searched.context(f"what of the lighthouse? {text}", min_relevance=0)
        searched.context(f"what of the lighthouse? {text}", min_relevance=0, mode="inject")
    kept = searched.injections(limit=100)
    assert len(kept) == 60
    assert all("[secret: " in injection.query for injection in kept)


def exported(open_memory, tmp_path):
    """The records of a store of another program, which lets everything in."""
    other = open_memory(tmp_path / "elsewhere" / "memory.db")
    other.add("the lighthouse is white", tags=["coast"])
    other.add([{"role": "user", "content": "what colour is the lighthouse?", "name": "Ana"}], session_id="s")
    ids = [item.id for item in other.list()]
    other.link(*ids, evidence="she said so")
    other.palace.assign(ids[1], room="coast")
    other.update(ids[1], tags=["white"])
    records = list(other.export())
    other.close()
    for file in (tmp_path / "elsewhere").iterdir():
        file.unlink()
    return records


def renewed(record, number):
    """The record under an id of its own."""
    item_id = f"019ca945-0a00-7000-a10e-{number:012x}"
    revisions = [
        revision
        | {"item": revision["item"] | {"id": item_id, "content": f"{revision['item']['content']} {number}"}}
        for revision in record["revisions"]
    ]
    return record | {"id": item_id, "revisions": revisions}


@pytest.mark.parametrize("place", ["last revision", "first revision", "tag", "metadata", "reason", "room"])
def test_a_record_with_a_secret_is_refused(searched, open_memory, tmp_path, place):
    record = next(
        r for r in exported(open_memory, tmp_path) if r.get("revisions", [{}])[0].get("item", {}).get("tags")
    )
    for number, (text, _) in enumerate(SECRETS):
        bad = renewed(record, number)
        first, last = bad["revisions"][0], bad["revisions"][-1]
        match place:
            case "last revision":
                last["item"]["content"] = text
            case "first revision":
                first["item"]["content"] = text
            case "tag":
                last["item"]["tags"] = [text]
            case "metadata":
                last["item"]["metadata"] = {"note": text}
            case "reason":
                last["reason"] = text
            case "room":
                bad["place"] = bad["place"] | {"room": text}
        result = searched.load([bad])
        assert [verdict.outcome.value for verdict in result.verdicts] == ["rejected"], text
    assert searched.stats()["items"] == 0


def test_a_record_of_a_turn_comes_in_without_its_secrets(searched, open_memory, tmp_path):
    (record,) = (
        r for r in exported(open_memory, tmp_path) if r.get("revisions", [{}])[0].get("reason") == "record"
    )
    for number, (text, _) in enumerate(SECRETS):
        loaded = renewed(record, number)
        loaded["revisions"][0]["item"] |= {"content": text, "ordinal": number, "metadata": {"note": text}}
        (verdict,) = searched.load([loaded]).verdicts
        assert verdict.outcome == "accepted"
        assert "[secret: " in searched.get(verdict.item_id).content
    assert searched.doctor().healthy


def test_a_record_of_a_link_with_a_secret_is_refused(searched, open_memory, tmp_path):
    records = exported(open_memory, tmp_path)
    searched.load(records)
    link = next(record for record in records if record["kind"] == "link")
    bad = [link | {"evidence": text} for text, _ in SECRETS] + [
        link | {"predicate": text} for text, _ in SECRETS
    ]
    result = searched.load(bad)
    assert {verdict.outcome.value for verdict in result.verdicts} == {"rejected"}
