"""Owners of a chat: whom the audit log names as speaking and answering, and in whose name proposals are counted."""

import dataclasses
import json

from simonides.config import MiddlewareSettings, PolicySettings, Settings, StoreSettings
from simonides.domain.scope import Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential
from simonides.memory import Memory
from simonides.testing_server import Call, Said

CHAT = "/v1/chat/completions"
TOKENS = [Credential(Scope("user:ana"), token="a" * 20), Credential(Scope("user:ana"), token="b" * 20)]


def proposes(*contents):
    block = json.dumps([{"content": content, "why_store": "to know"} for content in contents])
    return f"Noted. <MEMORY_PROPOSALS_JSON>{block}</MEMORY_PROPOSALS_JSON>"


def ask(proxy, text="The dome is green and the hall is blue.", **headers):
    body = {"model": "llama3", "messages": [{"role": "user", "content": text}], "stream": False}
    return proxy.http().post(CHAT, json=body, headers=headers)


def test_the_audit_log_names_the_user_and_the_model(proxied):
    proxy = proxied(proposes("The dome is green."))
    ask(proxy)
    proxy.close()
    events = {(event.action, event.actor) for event in proxy.memory.audit.events(limit=100)}
    assert ("record", "user:ana") in events
    assert ("create", "model:llama3") in events
    assert not {actor for _, actor in events} & {"user", "model"}


def test_a_call_of_memorys_tool_is_the_models(proxied):
    proxy = proxied([Said("", (Call("memory_search", {"query": "dome"}),)), Said("Green.")], tools="always")
    ask(proxy)
    proxy.close()
    actors = {e.actor for e in proxy.memory.audit.events(limit=100) if e.action == "tool:memory.search"}
    assert actors == {"model:llama3"}


def test_a_name_that_no_log_can_have_is_left_out(proxied):
    proxy = proxied("Green.", scope="user:" + "a" * 99)
    body = {"model": "m\nn", "messages": [{"role": "user", "content": "Hello green dome."}]}
    assert proxy.http().post(CHAT, json=body).status_code == 200
    proxy.close()
    assert "user" in {event.actor for event in proxy.memory.audit.events(limit=100)}


def few_an_hour(tmp_path):
    policy = PolicySettings(proposals_per_hour=2)
    middleware = MiddlewareSettings(deadline_ms=60_000)
    settings = Settings(store=StoreSettings(synchronous="NORMAL"), policy=policy, middleware=middleware)
    return Memory(tmp_path / "few.db", settings=settings)


def test_no_name_of_a_scope_makes_a_credential_another_one(proxied, tmp_path):
    with few_an_hour(tmp_path) as memory:
        said = [proposes(f"Hall {n} is blue.") for n in range(8)]
        access = Access.of("127.0.0.1", TOKENS[0], credentials=[dataclasses.replace(one) for one in TOKENS])
        proxy = proxied([Said(text) for text in said], memory=memory, access=access)
        for n in range(4):
            narrowed = {"X-Simonides-Token": "a" * 20, "X-Simonides-Scope": f"user:ana/project:p{n}"}
            assert ask(proxy, f"What of hall {n}?", **narrowed).status_code == 200
        ask(proxy, "What of hall 4?", **{"X-Simonides-Token": "b" * 20})
        proxy.close()
        kept = [item.content for item in memory.list(scope=None, limit=100) if item.type == "fact"]
        places = [memory.list(scope=f"user:ana/project:p{n}", limit=100) for n in range(4)]
        found = {item.content for place in places for item in place if item.type != "episode"} | set(kept)
        assert {"Hall 0 is blue.", "Hall 1 is blue.", "Hall 4 is blue."} <= found
        assert not {"Hall 2 is blue.", "Hall 3 is blue."} & found
