"""The wall around a scope on every place of the page, found by listing them, behind the door of the server."""

import itertools

import pytest
from starlette.routing import Route

from simonides.domain.scope import ALL, Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.page import routes
from simonides.edges.server.app import application
from tests.edges.whole_answers import TestClient

#: A word that only Ana writes, nowhere but in what is hers.
SECRET = "zanzibar"
HERS = ("user:ana", "user:ana/project:apollo")
KEYS = {
    "bound": Credential(Scope("project:apollo"), narrows=False, token="b" * 24),
    "reader": Credential(Scope("project:apollo"), narrows=False, token="r" * 24, role=Role.READER),
    "other": Credential(Scope("user:bob"), narrows=True, token="o" * 24),
}
#: Addresses of a place: what is asked there, and from where.
ASKED = (
    *({"scope": scope} for scope in ("global", "project:apollo", *HERS, "*", "ALL")),
    *({"q": "harbour", "session": "s"} | where for where in ({}, {"scope": HERS[1]})),
    {},
)


@pytest.fixture
def world(memory):
    """A global memory and a project's, to which Ana joined what is hers in every way there is."""
    [wide] = memory.add("The harbour is open.", type="fact", entities=["Harbour"]).item_ids
    [project] = memory.add(
        "Apollo ships on Friday.", scope="project:apollo", type="fact", entities=["Harbour"], session_id="s"
    ).item_ids
    for scope in HERS:
        said = [f"Ana sails to {SECRET} from {scope}.", f"The harbour of {SECRET} is closed."]
        named = ["Harbour", f"Zoe {SECRET.title()}"]
        hers = memory.add(said, scope=scope, type="fact", entities=named, session_id="s").item_ids
        for rel, end in itertools.product(("derived_from", "contradicts", "references"), (wide, project)):
            memory.link(hers[0], end, rel, evidence=f"as {SECRET} says")
        memory.palace.assign(hers[0], room=SECRET)
        memory.propose([{"content": f"There may be more in {SECRET}."}], scope=scope)
        memory.context(f"Where is {SECRET}?", scope=scope, mode="inject", session_id="s")
    memory.context(f"Where is {SECRET}?", mode="inject")
    memory.maintain(scope=ALL)
    memory.flush()
    return memory


@pytest.fixture
def asking(world):
    access = Access.of(
        "127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=KEYS.values()
    )
    with TestClient(application(world, access), raise_server_exceptions=False) as client:

        def ask(method, key, path, **options):
            headers = {"authorization": f"Bearer {KEYS[key].token}"}
            return client.request(method, path, headers=headers, follow_redirects=False, **options)

        yield ask


def paths(memory, method):
    """Every path of the page, with ids of everything that there is."""
    items = [item.id for item in memory.list(scope=ALL, limit=1000, archived=True)]
    ids = {
        "/m": items + [one.item.id for one in memory.review.list(scope=ALL)],
        "/runs": [run.id for run in memory.runs.list()],
        "/prompts": [prompt.id for prompt in memory.injections()],
        "/entities": [entity.id for entity in memory.entities.list(scope=ALL)] + ["Harbour"],
        "/review": [*items, ".".join(items[:2])],
    }
    listed = [route for route in routes() if isinstance(route, Route) and method in (route.methods or ())]
    assert len(listed) > 5
    for route in listed:
        if route.path in {"/live/events", "/static/{name}"}:
            continue
        verbs = ("forget", "correct", "undo", "approve", "older") if "{verb}" in route.path else ("",)
        filled = ids["/" + route.path.split("/")[1]] if "{" in route.path else [""]
        for id_, verb in itertools.product(filled, verbs):
            for name in ("{id}", "{key}", "{name}"):
                route_path = route.path.replace(name, id_)
                if name in route.path:
                    break
            yield route_path.replace("{verb}", verb)


@pytest.mark.parametrize("key", KEYS)
def test_no_place_tells_a_key_what_is_anothers(key, world, asking):
    hers = {item.id for scope in HERS for item in world.list(scope=ALL, limit=1000) if item.scope == scope}
    for path in paths(world, "GET"):
        # What an address names by its id is the same from everywhere.
        for asked in ASKED if path.count("/") == 1 else ASKED[-2:]:
            answer = asking("GET", key, path, params=asked)
            assert answer.status_code < 500, (path, asked)
            told = answer.text.casefold()
            assert SECRET not in told, (path, asked)
            assert [one for one in hers if one in told and one not in path] == [], (path, asked)


def test_a_reader_changes_nothing_by_any_form(world, asking):
    before = len(world.audit.events(limit=10_000))
    forms = ({}, {"of": "forget", "content": "planted", "job": "expire"})
    for path, form in itertools.product(paths(world, "POST"), forms):
        assert asking("POST", "reader", path, data=form).status_code == 403, path
    assert len(world.audit.events(limit=10_000)) == before


def test_a_run_that_changed_what_is_anothers_is_not_taken_back_by_its_id(world, asking):
    """A form names the run; whoever knows the id of another's must not come further by that."""
    [source, made] = world.add(
        ["Ana sails on Monday.", "Ana packs on Sunday."], scope=HERS[0], type="fact"
    ).item_ids
    world.link(made, source, "derived_from")
    world.forget(source)
    [run, *_] = world.runs.list(job="retract")
    own = world.add("Bob mends a net.", scope="user:bob", type="fact").item_ids[0]
    world.forget(own)
    answer = asking("POST", "other", f"/m/{own}/undo", data={"of": "forget", "run": run.id})
    assert answer.status_code == 404
    assert world.get(made).status == "quarantined"
    assert world.get(own).status == "archived"
