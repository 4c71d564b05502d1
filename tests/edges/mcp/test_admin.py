"""Tools of people: a model may ask for them, and nothing is changed without its user's word."""

import re
from datetime import date

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

pytest.importorskip("mcp")

from simonides import Memory, NotFound
from simonides.agent.tools import Tools
from simonides.domain.instant import iso
from simonides.edges.mcp.asking import question, visible
from simonides.testing import FakeEmbedder

from .conftest import User, called, with_client

PLACE = "user:ana"
CHANGES = [
    "memory_review_approve",
    "memory_review_reject",
    "memory_upkeep_start",
    "memory_upkeep_undo",
    "memory_purge",
    "memory_restore",
]


def added(memory, text, **options):
    """Id of what was added."""
    [verdict] = memory.add(text, **options)
    return verdict.item_id


@pytest.fixture
def known(memory):
    """Something to decide about: a memory, one that is archived, one that waits, and a run."""

    class Known:
        item = added(memory, "The dome of the observatory is green.", scope=PLACE)
        archived = added(memory, "The dome of the observatory is shut.", scope=PLACE)
        twin = added(memory, "The dome of the observatory is green!", scope=PLACE)

    memory.forget(Known.archived)
    proposal = {"content": "I prefer green tea to coffee.", "why_store": "x", "type": "preference"}
    [verdict] = memory.propose([proposal], scope=PLACE)
    Known.waiting = verdict.item_id
    Known.run = memory.maintain(["consolidate"], scope=PLACE).id
    Known.arguments = {
        "memory_review_approve": {"id": Known.waiting},
        "memory_review_reject": {"id": Known.waiting},
        "memory_upkeep_start": {"jobs": ["consolidate"]},
        "memory_upkeep_undo": {"run_id": Known.run},
        "memory_purge": {"ids": [Known.item]},
        "memory_restore": {"id": Known.archived},
    }
    return Known


def state(memory):
    """Everything that these tools could change."""
    runs = [(run.id, run.status) for run in memory.runs.list(limit=100) if not run.dry_run]
    held = [one.item.id for one in memory.review.list(scope=PLACE)]
    return (
        sorted((item.to_dict()["id"], item.status) for item in memory.list(scope=PLACE, archived=True)),
        held,
        runs,
    )


@pytest.mark.parametrize("name", CHANGES)
def test_without_a_way_to_ask_nothing_is_done_and_the_model_is_told_what_to_say(
    name, era, known, served, memory
):
    before = state(memory)
    answer = with_client(
        served(profile="admin"), lambda client: called(client, name, **known.arguments[name]), mode=era
    )
    assert answer["outcome"] == "undecided"
    assert "simonides " in answer["say"]
    assert state(memory) == before


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("action", ["accept", "decline", "cancel"])
def test_what_the_user_was_shown_is_done_where_they_accept(action, name, era, known, served, memory):
    user, before = User(action), state(memory)
    answer = with_client(
        served(profile="admin"),
        lambda client: called(client, name, **known.arguments[name]),
        mode=era,
        user=user,
    )
    assert len(user.shown) == 1
    assert (state(memory) != before) == (action == "accept")
    assert ("run_id" in answer or answer["outcome"] != "undecided") == (action != "cancel")


@pytest.mark.parametrize("name", CHANGES)
def test_a_client_that_asks_at_each_call_needs_no_second_question(name, known, served, memory):
    server = served(profile="admin", trust_client=True)
    answer = with_client(server, lambda client: called(client, name, **known.arguments[name]))
    assert answer.get("outcome") != "undecided"
    assert "error" not in answer


def test_the_user_sees_what_is_deleted_in_one_line_each(memory, served):
    item = added(memory, "Green.\nDelete nothing.\u202e", scope=PLACE)
    user = User("decline")
    with_client(served(profile="admin"), lambda client: called(client, "memory_purge", ids=[item]), user=user)
    question, told, *_ = user.shown[0].split("\n")
    assert "cannot be undone" in question
    assert "Green. ⏎ Delete nothing.[U+202E]" in told


def test_what_changed_while_the_user_read_is_not_done(memory, served):
    item = added(memory, "The dome of the observatory is green.", scope=PLACE)

    class Slow(User):
        async def __call__(self, context, asked):
            memory.update(item, content="The dome of the observatory is red.")
            return await super().__call__(context, asked)

    answer = with_client(
        served(profile="admin"), lambda client: called(client, "memory_purge", ids=[item]), user=Slow()
    )
    assert answer["error"]["code"] == "conflict"
    assert memory.get(item).content.endswith("red.")


def test_nothing_outside_of_the_scope_is_listed_or_touched(memory, served):
    wider = added(memory, "The dome of the observatory is green.")
    other = added(memory, "The dome of the observatory is blue.", scope="user:bob")
    memory.propose([{"content": "I prefer tea.", "why_store": "x", "type": "preference"}], scope="user:bob")
    run = memory.maintain(["consolidate"], scope="user:bob").id
    server = served(profile="admin", trust_client=True)

    async def tried(client):
        assert (await called(client, "memory_review_list"))["items"] == []
        assert (await called(client, "memory_upkeep_list"))["runs"] == []
        for item in (wider, other):
            assert "error" in await called(client, "memory_purge", ids=[item])
            assert "error" in await called(client, "memory_restore", id=item)
        assert "error" in await called(client, "memory_upkeep_undo", run_id=run)

    with_client(server, tried)
    assert memory.get(wider)
    assert memory.get(other)


def test_a_plan_changes_nothing_and_what_it_says_is_done(memory, served):
    for text in ("The dome is green.", "The dome is green!", "the dome is green"):
        memory.add(text, scope=PLACE, tier="stm")
    before = state(memory)

    async def work(client):
        planned = await called(client, "memory_upkeep_plan", jobs=["consolidate"])
        assert state(memory) == before
        done = await called(client, "memory_upkeep_start", jobs=["consolidate"])
        assert done["counts"] == planned["counts"]

    with_client(served(profile="admin", trust_client=True), work)


@pytest.mark.parametrize("profile", ["core", "full", "connector"])
def test_other_profiles_have_none_of_them(profile, known, served, memory):
    names = with_client(served(profile=profile), lambda client: client.list_tools())
    assert not {tool.name for tool in names.tools} & {*CHANGES, "memory_review_list", "memory_upkeep_plan"}
    tools = Tools(memory, scope=PLACE, trust_client=True)
    assert tools.call("memory_purge", {"ids": [known.item]})["error"]["code"] == "unknown_tool"


def test_a_purge_leaves_no_trace(known, served, memory):
    with_client(
        served(profile="admin"), lambda client: called(client, "memory_purge", ids=[known.item]), user=User()
    )
    with pytest.raises(NotFound):
        memory.get(known.item)


_WORD = st.text("abcdefgh", min_size=3, max_size=12)
_FIELDS = st.fixed_dictionaries(
    {
        "content": st.builds(
            "The dome of {} is green. {}".format, _WORD, st.integers(0, 60).map("xyz ".__mul__)
        )
    },
    optional={
        "title": _WORD,
        "tags": st.lists(_WORD, min_size=1, max_size=3),
        "entities": st.lists(_WORD, min_size=1, max_size=3),
        "metadata": st.dictionaries(_WORD, _WORD, min_size=1, max_size=3),
        "event_at": st.dates(date(1900, 1, 1), date(2020, 1, 1)).map(date.isoformat),
    },
)


def words_of(item):
    """Every word that an item holds for readers."""
    yield from item.content.split()
    yield from (item.title, *item.tags, *item.entities)
    for name, value in item.metadata.items():
        yield from (name, str(value))
    yield "" if item.event_at is None else iso(item.event_at)


@settings(max_examples=15)
@given(_FIELDS, st.sampled_from(("waits", "archived", "active", "asked for")), st.integers(1, 40))
def test_nothing_that_is_decided_about_is_kept_from_the_user(fields, kind, times):
    """The whole item is in the question, or there is none."""
    fields = fields | {"content": " ".join([fields["content"]] * times)}
    with Memory(":memory:", embedder=FakeEmbedder(8)) as memory:
        tools = Tools(memory, scope=PLACE, admin=True)
        if kind == "waits":
            proposal = fields | {"why_store": "x", "type": "preference", "source": "y"}
            [verdict] = memory.propose([proposal], scope=PLACE)
            assume(verdict.item_id)  # What is far too long is turned down at once.
            asked = [("memory.review.approve", {"id": verdict.item_id})]
        else:
            [verdict] = memory.add(fields.pop("content"), scope=PLACE)
            memory.update(verdict.item_id, pinned=True, **fields)
            asked = [("memory.purge", {"ids": [verdict.item_id]})]
        if kind == "archived":
            memory.forget(verdict.item_id)
            asked = [("memory.restore", {"id": verdict.item_id})]
        if kind == "asked for":
            named = {"id": verdict.item_id, "tags": ["red"]}
            held = tools.call("memory.update", named)["item_id"]
            asked = [("memory.update", named), ("memory.review.approve", {"id": held})]
        item = memory.get(verdict.item_id)
        for name, arguments in asked:
            shown_is_whole(question(memory, name, arguments, tools.call(name, arguments)), item)


def shown_is_whole(asked, item):
    """Nothing of the item is missing in a question, unless it is not asked at all for its length."""
    if asked is None:
        assert len(item.content) > 1000
        return
    assert visible(item.content) in asked.shown
    words = set(re.split(r'[\s,:{}"]+', asked.shown)) | {item.event_at and iso(item.event_at)}
    assert {word for word in words_of(item) if word} <= words
    assert item.event_at is None or iso(item.event_at) in asked.shown
