"""Search and one memory over HTTP: what they tell, what can be done there, and what nobody else may see."""

import html
import re
import shlex

import pytest
from typer.testing import CliRunner

from simonides import Scope
from simonides.edges.cli.main import app
from tests.edges.page.conftest import SCOPE


@pytest.fixture
def opening(memory):
    """A fact with what it was taken from."""
    messages = [
        {"role": "user", "name": "Petra", "content": "The observatory opens to visitors at eight."},
        {"role": "assistant", "name": "Ruben", "content": "I will paint that on the door."},
    ]
    turn = memory.add(messages, scope=SCOPE, session_id="s1").item_ids[0]
    [fact] = memory.add(
        "The observatory opens to visitors at eight.",
        type="fact",
        scope=SCOPE,
        links=[{"to": turn, "rel": "derived_from"}],
    ).item_ids
    return fact


def post(client, path, **form):
    return client.post(path, data=form, follow_redirects=False)


def test_an_empty_store_tells_what_to_do_first(client):
    page = client.get("/").text
    assert "Nothing is remembered yet" in page
    assert len(re.findall("data-copy=", page)) == 3
    assert 'action="/sample"' in page
    assert client.get("/search.json").json() == {"items": []}


def test_the_commands_for_an_empty_store_fill_this_very_one(client, server, memory, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    shown = [
        html.unescape(one) for one in re.findall(r'<code id="command-\d">(.*?)</code>', client.get("/").text)
    ]
    add, install, proxy = (shlex.split(one)[1:] for one in shown)
    done = CliRunner().invoke(app, [*install, "--dry-run"])
    assert done.exit_code == 0
    assert str(memory.path) in done.stdout
    done = CliRunner().invoke(app, [*proxy, "--upstream", "http://127.0.0.1:9", "--check"])
    assert done.exit_code == 5
    assert str(memory.path) in done.stdout
    server.as_caller(scope=Scope("user:ana"), unbound=False)
    refused = client.get("/").text
    assert "Nothing is remembered yet" in refused
    assert str(memory.path) not in refused
    server.as_caller()
    assert CliRunner().invoke(app, add).exit_code == 0
    assert "We ship on Fridays." in client.get("/").text


def test_a_store_in_which_all_waits_leads_to_the_review(client, memory):
    memory.propose([{"content": "Gwil lends his tractor.", "type": "fact"}])
    page = client.get("/").text
    assert re.search(r'1 memory waits for a decision in <a href="/review">', page)
    assert "Nothing is in recall" in page
    assert "What it holds" not in page
    assert "filter" not in re.search('<div class="rows">.*?</div>', page, re.DOTALL)[0]
    assert "Nothing passes these filters" in client.get("/", params={"q": "type:fact"}).text


def test_the_sample_is_loaded_by_its_button_and_asked(client, memory):
    answer = post(client, "/sample")
    assert answer.status_code == 303
    page = client.get(answer.headers["location"]).text
    assert "AF-0417" in page
    assert memory.stats()["by_type"]["episode"] == 257


def test_hits_stand_with_their_scores_and_the_prompt_beside_them(client, opening, memory):
    page = client.get("/", params={"q": "When does the observatory open to visitors?", "scope": SCOPE}).text
    assert f'href="/m/{opening}"' in page
    assert "What an agent would be given" in page
    assert re.search(r"\d+ tokens, \d+ memor", page)
    assert page.count('class="score"') >= 1
    memory.flush()
    # Looking is no use, and no injection.
    assert memory.get(opening).usage_count == 0
    assert memory.injections() == []


def test_the_same_is_told_as_json(client, opening):
    found = client.get("/search.json", params={"q": "When does the observatory open?", "scope": SCOPE}).json()
    assert opening in [hit["item"]["id"] for hit in found["result"]["hits"]]
    assert found["context"]["injection_id"] is None
    item = client.get(f"/m/{opening}.json").json()
    assert item["item"]["id"] == opening
    assert item["history"][0]["number"] == 1


def test_nothing_that_answers_is_said_in_a_sentence(client, opening):
    page = client.get("/", params={"q": "xylophone zebra quantum marmalade", "scope": SCOPE}).text
    assert "Nothing seems to answer this." in page


def test_filters_in_the_line_become_chips_that_can_be_taken_away(client, opening):
    page = client.get("/", params={"q": "observatory type:fact", "scope": SCOPE}).text
    assert 'class="chip" href="/?q=observatory&amp;scope=project%3Amarrow-hill"' in page
    assert "I will paint" not in page.partition("<aside")[0]


def test_filters_alone_list_what_passes_them(client, opening):
    found = client.get("/search.json", params={"q": "type:fact", "scope": SCOPE}).json()
    assert [item["id"] for item in found["items"]] == [opening]


@pytest.mark.parametrize("q", ["type:nonsense x", "after:whenever x", "pinned:perhaps x", "tier:high x"])
def test_a_filter_that_cannot_be_read_says_so(client, opening, q):
    answer = client.get("/", params={"q": q})
    assert answer.status_code == 400
    assert "Nothing was searched." in answer.text


def test_why_a_memory_is_believed_is_its_turn_within_its_conversation(client, opening):
    page = client.get(f"/m/{opening}").text
    marked = page.partition('class="turn marked"')[2].partition("</li>")[0]
    assert "opens to visitors at eight" in marked
    assert "I will paint that on the door." in page
    assert "It goes to the archive" in page


def test_a_correction_is_told_as_a_word_diff_and_can_be_taken_back(client, opening, memory):
    answer = post(client, f"/m/{opening}/correct", content="The observatory opens to visitors at nine.")
    assert answer.status_code == 303
    page = client.get(answer.headers["location"]).text
    assert "<del>eight</del><ins>nine</ins>" in page
    [new] = re.findall(r"/m/([0-9a-f-]+)/undo", page)
    fields = dict(
        re.findall(r'name="(\w+)" value="([^"]*)"', page.partition("/undo")[2].partition("</form>")[0])
    )
    answer = post(client, f"/m/{new}/undo", **fields)
    assert answer.headers["location"].startswith(f"/m/{opening}?done=undone")
    assert memory.get(opening).status == "active"
    assert memory.get(opening).superseded_by is None
    assert memory.get(new).status == "archived"


def test_what_of_a_turn_was_replaced_is_told_where_it_is_found(client, memory):
    turn = [{"role": "user", "content": "The dome is green and the pier is of oak."}]
    (turn_id,) = memory.add(turn, scope=SCOPE, session_id="s1").item_ids
    for content in ("The dome is green.", "The pier is of oak."):
        (fact,) = memory.add(
            content, type="fact", scope=SCOPE, links=[{"to": turn_id, "rel": "derived_from"}]
        ).item_ids
    heir = memory.correct(fact, "The pier is of stone.").item_id
    page = client.get("/", params={"q": "what is the pier of?"}).text
    assert f'No longer: <a href="/m/{heir}"><bdi>The pier is of oak.</bdi></a>' in page
    other = memory.list(scope=SCOPE, types=["fact"])
    memory.correct(next(item.id for item in other if "dome" in item.content), "The dome is white.")
    page = client.get("/", params={"q": "what is the pier of?"}).text
    assert "No longer:" not in page
    assert re.search(f'class="sentence struck"[^>]*><a href="/m/{turn_id}"', page)


DOINGS = ["reinforce", "demote", "pin", "forget"]


def state_of(item):
    return (item.status, item.validation, item.pinned, item.reinforcement, item.content, item.decay_rate)


@pytest.mark.parametrize("verb", DOINGS)
def test_what_is_done_in_place_is_taken_back_in_place(client, opening, memory, verb):
    before = memory.get(opening)
    made = client.post(f"/m/{opening}/{verb}", headers={"HX-Request": "true"})
    assert made.status_code == 200
    assert made.text.lstrip().startswith('<div class="body"')
    assert state_of(memory.get(opening)) != state_of(before)
    form = made.text.partition('class="undo"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    undone = client.post(f"/m/{opening}/undo", data=fields, headers={"HX-Request": "true"})
    assert "Taken back." in undone.text
    assert state_of(memory.get(opening)) == state_of(before)


def test_forgetting_takes_what_was_made_of_it_along_and_undo_brings_both_back(client, memory):
    [first] = memory.add("Ruben greases the dome in spring.", type="fact", scope=SCOPE).item_ids
    [made] = memory.add(
        "The dome is greased once a year.",
        type="fact",
        scope=SCOPE,
        links=[{"to": first, "rel": "derived_from"}],
    ).item_ids
    answer = post(client, f"/m/{first}/forget")
    assert memory.get(made).status == "quarantined"
    page = client.get(answer.headers["location"]).text
    form = page.partition('class="undo"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    assert fields["run"]
    post(client, f"/m/{first}/undo", **fields)
    assert (memory.get(first).status, memory.get(made).status) == ("active", "active")


def test_the_way_back_never_leads_to_another_server(client, opening):
    for back in ("https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"):
        answer = post(client, f"/m/{opening}/pin", back=back)
        location = answer.headers["location"]
        assert location.startswith((f"/m/{opening}?", "/?done=")), back


def test_a_refused_change_says_why_and_changes_nothing(client, opening, memory):
    answer = post(client, f"/m/{opening}/correct", content="The password of the dome is hunter2-Xy9!Kq7zW")
    assert answer.status_code == 409
    assert "not changed" in answer.text
    assert memory.get(opening).superseded_by is None
    assert post(client, f"/m/{opening}/correct", content="  ").status_code == 400
    assert post(client, f"/m/{opening}/explode").status_code == 404
    assert post(client, f"/m/{opening}/undo", of="nothing").status_code == 400


def test_a_form_of_another_site_changes_nothing(client, opening, memory):
    answer = client.post(f"/m/{opening}/forget", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 409
    assert memory.get(opening).status == "active"


def test_a_reader_is_offered_no_change_and_can_make_none(server, client, opening, memory):
    server.as_caller(role="reader")
    page = client.get(f"/m/{opening}").text
    assert 'method="post"' not in page
    assert client.post(f"/m/{opening}/forget").status_code == 403
    assert memory.get(opening).status == "active"


def test_a_key_of_one_scope_sees_nothing_of_another(server, client, opening, memory):
    server.as_caller(scope=Scope("user:lev"), unbound=False)
    assert client.get(f"/m/{opening}").status_code == 404
    assert client.get(f"/m/{opening}.json").status_code == 404
    assert client.post(f"/m/{opening}/forget").status_code == 404
    assert "observatory" not in client.get("/", params={"q": "visitors"}).text
    assert SCOPE not in client.get("/").text
    assert client.get("/", params={"q": "x", "scope": SCOPE}).status_code == 400
    assert memory.get(opening).status == "active"


def test_a_wider_memory_is_seen_and_not_changed_with_a_key_of_a_narrower_scope(server, client, memory):
    [fact] = memory.add("The town has one hill.", type="fact").item_ids
    server.as_caller(scope=Scope("user:lev"), unbound=False)
    assert client.get(f"/m/{fact}").status_code == 200
    assert client.post(f"/m/{fact}/forget").status_code == 403
    assert memory.get(fact).status == "active"


def test_an_unknown_address_and_an_unknown_memory_say_where_to_go(client):
    answer = client.get("/m/01a00000-0000-7000-8000-000000000000")
    assert answer.status_code == 404
    assert 'href="/"' in answer.text


def test_files_of_the_page_are_kept_by_their_content(client):
    page = client.get("/").text
    for address in re.findall(r'"(/static/[^"]+)"', page):
        answer = client.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        again = client.get(address, headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304
    assert client.get("/static/../visit.py").status_code == 404
    assert client.get("/static/nothing.css").status_code == 404


def test_a_first_page_weighs_at_most_150_kilobytes(client, opening):
    page = client.get("/", params={"q": "When does the observatory open?", "scope": SCOPE})
    files = [client.get(address) for address in set(re.findall(r'"(/static/[^"]+)"', page.text))]
    assert len(page.content) + sum(len(file.content) for file in files) <= 150_000


@pytest.mark.parametrize("verb", ["correct", "confirm", "forget"])
def test_a_form_beside_what_was_changed_meanwhile_changes_nothing_and_says_what_to_do(client, memory, verb):
    [fact] = memory.add("Wanda drives the van on Fridays.", type="fact", scope=SCOPE).item_ids
    page = client.get(f"/m/{fact}").text
    form = page.partition(f'action="/m/{fact}/{verb}"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    memory.update(fact, content="Wanda drives the van on Sundays.")
    answer = client.post(
        f"/m/{fact}/{verb}", data=fields | {"content": "On Mondays."}, follow_redirects=False
    )
    assert answer.status_code == 409
    assert "load it again" in answer.text
    assert f'href="/m/{fact}"' in answer.text
    assert "On Mondays." in answer.text
    now = memory.get(fact)
    assert (now.content, now.status, now.validation) == (
        "Wanda drives the van on Sundays.",
        "active",
        "unverified",
    )


def test_a_correction_that_was_taken_back_can_be_read_in_the_history(server, client):
    old = server.memory.add("The gardener comes on Mondays.").item_id
    new = server.memory.correct(old, "The gardener comes on Tuesdays.").item_id
    server.memory.forget(new)
    server.memory.restore(old)
    page = client.get(f"/m/{old}").text
    history = page[page.index('id="history"') : page.index('id="prompts"')]
    assert "<ins>Tuesdays" in history
    assert "after its last use" not in page
    assert server.memory.get(old).usage_count == 0


def test_a_place_of_the_whole_store_is_not_offered_to_a_key_of_a_part(server, client):
    whole = client.get("/").text
    server.as_caller(scope=Scope("user:noor"), unbound=False)
    for name in ("runs", "audit", "settings"):
        assert f'<a href="/{name}"' in whole
        assert f'<a href="/{name}"' not in client.get("/").text
        refused = client.get(f"/{name}")
        assert refused.status_code == 403
        assert "This key may not see that" in refused.text
        assert "nothing was changed" not in refused.text
    server.as_caller(role="reader")
    assert [f'<a href="/{name}"' in client.get("/").text for name in ("runs", "audit", "settings")] == [
        *(True, False, False)
    ]


@pytest.mark.parametrize("verb", ["confirm", "forget"])
def test_what_is_done_in_a_store_without_runs_is_told_as_done(client, memory, verb):
    [item_id] = memory.add("The observatory opens at eight.", scope=SCOPE).item_ids
    answer = client.post(f"/m/{item_id}/{verb}", data={"back": f"/m/{item_id}"}, follow_redirects=False)
    assert (answer.status_code, f"done={verb}" in answer.headers["location"]) == (303, True)
