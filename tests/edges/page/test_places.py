"""Every other place of the page over HTTP: what it tells, what it does, and the way back."""

import re

import pytest

from simonides import ALL, Scope
from tests.edges.page.conftest import SCOPE


def post(client, path, **form):
    return client.post(path, data=form, follow_redirects=False)


def propose(memory, content, **fields):
    [verdict] = memory.propose([{"content": content, **fields}], scope=SCOPE)
    assert verdict.outcome == "quarantined", verdict
    return verdict.item_id


@pytest.fixture
def held(memory):
    """A proposal that was held back: it has neither a reason nor a source."""
    return propose(memory, "Gwil lends his tractor to the observatory.", type="fact")


@pytest.fixture
def pair(memory):
    """Two memories that contradict each other, the older one first."""
    first, second = memory.add(
        ["The inspection of the dome is on Tuesday.", "The inspection of the dome is on Thursday."],
        type="fact",
        scope=SCOPE,
    ).item_ids
    memory.link(second, first, "contradicts", evidence="Tuesday, Thursday")
    return first, second


# Review


def test_an_empty_queue_says_so(client):
    assert "Nothing waits." in client.get("/review").text


def test_a_proposal_stands_with_its_reasons_and_is_approved(client, memory, held):
    page = client.get("/review").text
    assert "Gwil lends his tractor" in page
    assert "Why it waits" in page
    answer = post(client, f"/review/{held}/approve", held="yes")
    assert memory.get(held).status == "active"
    page = client.get(answer.headers["location"]).text
    assert "Nothing waits." in page
    assert "Approved" in page
    assert "Last decided" in page
    undone(client, answer)
    assert [one.item.id for one in memory.review.list(scope=SCOPE)] == [held]


def undone(client, answer):
    """Take back what an answer's page offers to take back."""
    page = client.get(answer.headers["location"]).text
    form = page.partition('class="undo"')[2].partition("</form>")[0]
    path = re.search(r'action="([^"]+)"', form)[1]
    back = post(client, path, **dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)))
    assert back.status_code == 303
    return client.get(back.headers["location"]).text


def test_a_proposal_is_rejected_and_waits_again_by_undo(client, memory, held):
    answer = post(client, f"/review/{held}/reject")
    assert memory.get(held).status == "archived"
    assert "Rejected" in client.get(answer.headers["location"]).text
    assert "Taken back." in undone(client, answer)
    assert "Gwil lends his tractor" in client.get("/review").text


def test_a_confirmation_is_taken_back_with_what_it_ended(client, memory, pair):
    answer = post(client, f"/m/{pair[1]}/confirm")
    assert memory.get(pair[0]).superseded_by == pair[1]
    undone(client, answer)
    assert {memory.get(one).status for one in pair} == {"active"}
    assert memory.get(pair[1]).validation != "verified"
    assert "Two memories contradict each other." in client.get("/review").text


def test_a_proposal_is_stored_in_ones_own_words_instead(client, memory, held):
    answer = post(client, f"/review/{held}/edit", content="Gwil lends his tractor in spring.")
    [item] = memory.list(scope=SCOPE, types=["fact"])
    assert (item.content, item.origin) == ("Gwil lends his tractor in spring.", "user-said")
    assert memory.get(held).status == "archived"
    undone(client, answer)
    assert memory.get(item.id).status == "archived"
    assert [one.item.id for one in memory.review.list(scope=SCOPE)] == [held]
    assert post(client, f"/review/{held}/edit", content=" ").status_code == 400


def test_what_a_model_asks_for_is_done_once_it_is_approved(client, memory):
    [fact] = memory.add("Wanda drives the van on Fridays.", type="fact", scope=SCOPE).item_ids
    asked = memory.review.ask(fact, "correct", {"content": "Wanda drives the van on Sundays."}, actor="gpt")
    page = client.get("/review").text
    assert "A model asks to correct this." in page
    assert "<ins>Sundays</ins>" in page
    assert f'href="/m/{fact}"' in page
    post(client, f"/review/{asked.item_id}/approve")
    assert memory.get(fact).superseded_by is not None


@pytest.mark.parametrize("kept", ["older", "newer"])
def test_of_two_that_contradict_each_other_one_is_kept_and_the_other_comes_back_by_undo(
    client, memory, pair, kept
):
    key = ".".join(pair)
    page = client.get("/review").text
    assert "Two memories contradict each other." in page
    answer = post(client, f"/review/{key}/{kept}")
    winner, loser = pair if kept == "older" else pair[::-1]
    assert memory.get(winner).validation == "verified"
    assert memory.get(loser).superseded_by == winner
    undone(client, answer)
    assert memory.get(loser).status == "active"
    assert memory.get(winner).validation != "verified"


def test_what_a_reviewer_decided_a_writer_does_not_take_back(server, client, memory, pair):
    post(client, f"/review/{'.'.join(pair)}/newer")
    [run] = memory.runs.list(job="resolve")
    server.as_caller(role="writer")
    assert post(client, f"/m/{pair[1]}/undo", of="keep", run=run.id).status_code == 403
    assert memory.get(pair[0]).status == "archived"


def test_two_that_were_true_one_after_the_other_wait_no_longer(client, memory, pair):
    answer = post(client, f"/review/{'.'.join(pair)}/both", **{"from": "2026-03-10"})
    assert answer.status_code == 303
    assert memory.get(pair[0]).valid_until == memory.get(pair[1]).valid_from
    assert "Nothing waits." in client.get("/review").text
    undone(client, answer)
    assert (memory.get(pair[0]).valid_until, memory.get(pair[1]).valid_from) == (None, None)
    assert "Two memories contradict each other." in client.get("/review").text
    assert post(client, f"/review/{'.'.join(pair)}/both", **{"from": "soon"}).status_code == 400


def test_a_writer_decides_nothing(server, client, memory, held):
    server.as_caller(role="writer")
    assert 'action="/review/' not in client.get("/review").text
    assert post(client, f"/review/{held}/approve").status_code == 403
    assert memory.get(held).status == "quarantined"


# Runs


@pytest.fixture
def twins(memory):
    said = (
        "Every spring Ruben greases the bearings of the dome.",
        "Ruben greases the dome's bearings every spring.",
    )
    return memory.add(list(said), type="fact", scope=SCOPE).item_ids


def test_a_plan_changes_nothing_and_a_run_is_taken_back(client, memory, twins):
    plan = client.get("/runs/plan", params={"job": "consolidate"}).text
    assert "What consolidate would do" in plan
    assert {memory.get(one).status for one in twins} == {"active"}
    assert memory.runs.list() == []
    answer = post(client, "/runs/start", job="consolidate")
    page = client.get(answer.headers["location"]).text
    assert "greases" in page
    assert {memory.get(one).status for one in twins} == {"archived"}
    assert answer.headers["location"] in client.get("/runs").text
    undone = post(client, f"{answer.headers['location']}/undo")
    assert "An undo" in client.get(undone.headers["location"]).text
    assert {memory.get(one).status for one in twins} == {"active"}


def test_an_undo_says_what_stands_against_it(client, memory, twins):
    run = memory.consolidate(scope=SCOPE, promote=False)
    [made] = memory.list(scope=SCOPE, types=["fact"])
    memory.correct(made.id, "Lev greases the bearings of the dome now.")
    answer = post(client, f"/runs/{run.id}/undo")
    assert answer.status_code == 409
    assert "Take back the rest" in answer.text
    assert memory.runs.show(run.id).status == "done"
    assert post(client, f"/runs/{run.id}/undo", force="yes").status_code == 303


def test_a_run_and_its_plan_are_told_in_sentences_and_not_in_ids(client, memory, twins):
    plan = client.get("/runs/plan", params={"job": "consolidate"}).text
    done = client.get(post(client, "/runs/start", job="consolidate").headers["location"]).text
    for page in (plan, done):
        told = re.sub(r"<[^>]*>", " ", page.partition('id="main"')[2].partition("<h2")[2])
        assert "supersedes" in told
        assert "greases" in told
        assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", told)


def test_jobs_that_are_none_and_runs_that_are_none_are_refused(client):
    assert client.get("/runs/plan", params={"job": "explode"}).status_code == 400
    assert client.get("/runs/01a00000-0000-7000-8000-000000000000").status_code == 404


# Palace


def test_a_room_has_its_shelves_as_far_as_there_is_room_for_them(client, memory):
    shelves = {"walls": 3, "doors": 2} | {f"shelf {n:02}": 1 for n in range(30)}
    for shelf, cards in shelves.items():
        for n in range(cards):
            [card] = memory.add(f"Card {n} of {shelf}.", type="fact", scope=SCOPE).item_ids
            memory.palace.assign(card, room="Paint", domain="House", shelf=shelf)
    [plain] = memory.add("One card.", type="fact", scope=SCOPE).item_ids
    memory.palace.assign(plain, room="Attic", domain="House", shelf="trunk")
    page = client.get("/palace", params={"domain": "House"}).text
    [paint], [attic] = (
        re.findall(rf'aria-label="{name}, .*?</a>', page, re.DOTALL) for name in ("Paint", "Attic")
    )
    told = re.findall(
        r'<text class="count" x="14" y="(\d+)">([^<]+)</text><text class="count figure"[^>]*>(\d+)<', paint
    )
    assert [(name, int(cards)) for _, name, cards in told][:3] == [
        ("walls", 3),
        ("doors", 2),
        ("shelf 00", 1),
    ]
    heights = [int(y) for y, _, _ in told]
    assert heights == sorted(set(heights))
    [more] = re.findall(r"and (\d+) more shelves", paint)
    assert len(told) + int(more) == len(shelves)
    assert "trunk" not in attic


def test_rooms_are_as_large_as_what_they_hold_and_cards_move(client, memory):
    memory.add([f"Paint {n} is on the shelf." for n in range(9)], type="fact", tags=["paint"], scope=SCOPE)
    [key] = memory.add("The key hangs by the door.", type="fact", tags=["keys"], scope=SCOPE).item_ids
    page = client.get("/palace").text
    areas = {
        name: float(width) * float(height)
        for width, height, name in re.findall(
            r'width="([\d.]+)%" height="([\d.]+)%">\s*<a [^>]*><title>(\w+)', page
        )
    }
    assert areas["paint"] > 2 * areas["keys"]
    before = memory.palace.where(key)
    room = client.get("/palace", params={"domain": before.domain, "room": before.room}).text
    assert "The key hangs by the door." in room
    [to] = re.findall(r'<option value="([^"]+)">[^<]* / paint', room)
    [link] = re.findall(r'href="(/palace[^"]*)#move"', room)
    assert f'action="/m/{key}/move"' in client.get(link.replace("&amp;", "&")).text
    answer = post(client, f"/m/{key}/move", to=to)
    assert memory.palace.where(key).room == "paint"
    page = client.get(answer.headers["location"]).text
    form = page.partition('class="undo"')[2].partition("</form>")[0]
    post(client, f"/m/{key}/undo", **dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)))
    assert memory.palace.where(key) == before
    post(client, f"/m/{key}/move", to=to, room="attic")
    assert memory.palace.where(key).room == "attic"


def test_every_room_of_a_domain_is_listed_however_many_there_are(client, memory):
    names = [f"shelf-{n:03}" for n in range(45)]
    for name in names:
        memory.add(f"What stands in {name}.", type="fact", tags=[name], scope=SCOPE)
    page = client.get("/palace").text
    [path] = re.findall(r'href="(/palace\?domain=[^"&]+)">15 smaller rooms', page)
    listed = client.get(path).text
    assert all(f"room={name}" in listed for name in names)


def test_a_search_lights_up_where_its_hits_lie(client, memory):
    memory.add("The key hangs by the door.", type="fact", tags=["keys"], scope=SCOPE)
    assert 'class="room lit"' in client.get("/palace", params={"q": "Where does the key hang?"}).text


# Entities, timeline, prompts, live, audit, settings


@pytest.fixture
def talk(memory):
    messages = [
        {"role": "user", "name": "Petra", "content": "Wanda Kowalski drives the van up the hill."},
        {"role": "assistant", "name": "Ruben", "content": "Wanda Kowalski drives well."},
    ]
    return memory.add(messages, scope=SCOPE, session_id="s1").item_ids


def test_entities_are_listed_and_each_tells_what_is_known(client, talk):
    page = client.get("/entities").text
    [(path, name)] = re.findall(r'<th scope="row"><a href="(/entities/[^"]+)"><bdi>(Wanda[^<]*)', page)
    assert "drives the van" in client.get(path).text
    assert client.get(f"{path}.json").json()["entity"]["name"] == name
    assert name not in client.get("/entities", params={"q": "xyz"}).text
    assert client.get("/entities/nobody").status_code == 404
    assert client.get("/entities", params={"type": "nonsense"}).status_code == 400


def test_an_entity_is_renamed_typed_and_made_one_with_another(client, memory, talk):
    memory.add("Wanda K. sold the van.", type="fact", scope=SCOPE)
    [wanda] = [one for one in memory.entities.list(scope=SCOPE) if one.name == "Wanda Kowalski"]
    page = client.get(
        post(client, f"/entities/{wanda.id}/rename", name="Wanda Nowak").headers["location"]
    ).text
    assert memory.entities.get(wanda.id).entity.name == "Wanda Nowak"
    form = page.partition('class="undo"')[2].partition("</form>")[0]
    post(client, f"/entities/{wanda.id}/rename", **dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)))
    assert memory.entities.get("Wanda Nowak", scope=SCOPE).entity.name == "Wanda Kowalski"
    post(client, f"/entities/{wanda.id}/alias", name="the driver")
    assert "the driver</bdi>.</p>" in client.get(f"/entities/{wanda.id}").text
    post(client, f"/entities/{wanda.id}/alias", name="Wanda K.")
    assert "Wanda K.</bdi></p>" in client.get(f"/entities/{wanda.id}").text
    post(client, f"/entities/{wanda.id}/retype", type="person")
    found = memory.entities.get("the driver", scope=SCOPE).entity
    assert (found.id, found.type, found.settled) == (wanda.id, "person", True)
    [other] = [one for one in memory.entities.list(scope=SCOPE) if one.name == "Ruben"]
    before = memory.entities.get(other.id)
    for page in (lambda merged: client.get(merged).text, lambda _: client.get(f"/entities/{wanda.id}").text):
        merged = post(client, f"/entities/{wanda.id}/merge", name="Ruben")
        assert memory.entities.get(other.id).entity.id == wanda.id
        form = re.search(r'action="([^"]+/unmerge)"(.*?)</form>', page(merged.headers["location"]), re.DOTALL)
        post(client, form[1], **dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[2])))
        assert memory.entities.get(other.id) == before
    assert post(client, f"/entities/{wanda.id}/unmerge", other=other.id).status_code == 404
    assert post(client, f"/entities/{wanda.id}/merge", name="Ruben").status_code == 303
    assert memory.entities.get(other.id).entity.id == wanda.id
    for verb, given, status in (
        ("rename", {"name": " "}, 400),
        ("retype", {"type": "ghost"}, 400),
        ("merge", {"name": "nobody at all"}, 404),
        ("explode", {}, 404),
    ):
        assert post(client, f"/entities/{wanda.id}/{verb}", **given).status_code == status


def test_an_entity_of_another_scope_is_not_changed(server, client, memory, talk):
    [wanda] = [one for one in memory.entities.list(scope=SCOPE) if one.name == "Wanda Kowalski"]
    server.as_caller(scope=Scope("user:lev"), unbound=False)
    assert post(client, f"/entities/{wanda.id}/rename", name="Nobody").status_code == 404
    server.as_caller(role="reader")
    assert post(client, f"/entities/{wanda.id}/rename", name="Nobody").status_code == 403
    assert memory.entities.get(wanda.id).entity.name == "Wanda Kowalski"
    assert "Rename" not in client.get(f"/entities/{wanda.id}").text


def test_the_timeline_tells_conversations_word_for_word(client, talk):
    page = client.get("/timeline").text
    assert 'href="/timeline?session=s1"' in page
    assert "Wanda Kowalski drives well." in client.get("/timeline", params={"session": "s1"}).text
    assert client.get("/timeline", params={"session": "none"}).status_code == 404
    assert client.get("/timeline.json", params={"by": "week"}).json()["growth"]["by"] == "week"


def test_a_prompt_tells_what_was_put_into_it_and_how_it_stands_now(client, memory, talk):
    [fact] = memory.add("Wanda drives the van on Fridays.", type="fact", scope=SCOPE).item_ids
    given = memory.context("When does Wanda drive the van?", scope=SCOPE)
    memory.flush()
    memory.correct(fact, "Wanda drives the van on Saturdays.")
    assert "When does Wanda drive the van?" in client.get("/prompts").text
    page = client.get(f"/prompts/{given.injection_id}").text
    assert "replaced since" in page
    assert given.injection_id in client.get(f"/m/{fact}").text
    assert client.get("/prompts/none").status_code == 404


def test_the_audit_log_is_listed_and_its_chain_checked(client, memory, talk):
    assert "The chain holds" in client.get("/audit", params={"check": 1}).text
    assert client.get("/audit.json").json()["events"][0]["action"]


def test_settings_are_told_with_their_origin_and_without_secrets(client, monkeypatch):
    monkeypatch.setenv("SIMONIDES_RECALL_MIN_RELEVANCE", "0.1")
    rows = client.get("/settings.json").json()["settings"]
    assert rows["recall.min_relevance"]["from"] == "SIMONIDES_RECALL_MIN_RELEVANCE"
    assert "min_relevance" in client.get("/settings").text


def test_what_happens_is_told_where_one_looks_on(client, memory, talk):
    happened = client.get("/live.json").json()["happened"]
    assert "Wanda Kowalski drives well." in [one["text"] for one in happened]
    assert "Wanda Kowalski drives well." in client.get("/live").text


def test_runs_that_followed_one_another_are_told_as_one_where_one_looks_on(client, memory, twins):
    run = memory.maintain(scope=SCOPE)
    told = [one for one in client.get("/live.json").json()["happened"] if one["what"] == "upkeep"]
    assert [one["href"] for one in told] == [f"/runs/{run.id}"]
    assert "consolidate" in told[0]["text"]


def test_purging_is_shown_first_and_leaves_no_trace(client, memory):
    [first] = memory.add("Ruben greases the dome in spring.", type="fact", scope=SCOPE).item_ids
    assert "Delete this for good?" in client.get(f"/m/{first}/purge").text
    answer = post(client, f"/m/{first}/purge")
    assert "Purged" in client.get(answer.headers["location"]).text
    assert client.get(f"/m/{first}").status_code == 404


# Who may see what


WHOLE = ["/runs", "/runs/plan", "/audit", "/settings"]


@pytest.mark.parametrize("place", WHOLE)
def test_what_concerns_the_whole_store_is_not_for_a_key_of_one_scope(server, client, place):
    server.as_caller(scope=Scope("user:lev"), unbound=False)
    assert client.get(place).status_code == 403
    assert client.get(f"{place}.json").status_code == 403


def test_the_log_is_read_by_reviewers(server, client):
    for role, status in (("reader", 403), ("writer", 403), ("reviewer", 200)):
        server.as_caller(role=role)
        assert client.get("/audit").status_code == client.get("/audit.json").status_code == status


def test_no_place_tells_a_key_of_one_scope_anything_of_another(server, client, memory, talk, held, pair):
    secret = "tractor|inspection|Wanda|Kowalski|marrow"
    memory.context("When does Wanda drive the van?", scope=SCOPE)
    memory.flush()
    [prompt] = memory.injections()
    [wanda] = [one.id for one in memory.entities.list(scope=ALL) if "Kowalski" in one.name]
    server.as_caller(scope=Scope("user:lev"), unbound=False)
    paths = ["/review", "/palace", "/entities", "/timeline", "/prompts", "/live", "/timeline?session=s1"]
    paths += [f"/prompts/{prompt.id}", f"/entities/{wanda}", "/entities/Wanda", f"/m/{held}", f"/m/{talk[0]}"]
    paths += ["/palace?domain=marrow-hill&room=general", "/palace?q=drives"]
    for path in paths:
        base, _, query = path.partition("?")
        for found in (client.get(path), client.get(f"{base}.json{'?' if query else ''}{query}")):
            # The address itself may be told again.
            told = re.sub(r"here is no \w+ ('|&#39;).*?\1", "", found.text)
            told = told.replace("marrow-hill", "") if "marrow-hill" in path else told
            assert not re.search(secret, told), path
    for key, verb in ((held, "approve"), (".".join(pair), "older")):
        assert post(client, f"/review/{key}/{verb}").status_code == 404
    assert memory.get(held).status == "quarantined"
