"""Stored text that would steer a browser: on every page it stands as text, and nothing of it runs."""

import json
from urllib.parse import quote, urlencode

import pytest

from simonides import ALL
from tests.edges.page.conftest import Listening, opened
from tests.edges.page.test_browser import visited

RUNS = "document.documentElement.dataset.broken=1"
#: Each would set `data-broken`, or leave an element `x-broken`, if a page took it for more than text.
PAYLOADS = [
    f"<script>{RUNS}</script>",
    f"<img src=x onerror={RUNS}>",
    f'" onmouseover="{RUNS}" autofocus onfocus="{RUNS}" x="',
    f"' autofocus onfocus={RUNS} '",
    f"</title></textarea></select></svg><svg onload={RUNS}>",
    "</script><x-broken>",
    f"javascript:{RUNS}",
    "{{ 7 * 7 }}<x-broken>{% raw %}",
    "<!--><x-broken>",
    f'<form hx-post="/sample" hx-trigger="load"><x-broken hx-on:load="{RUNS}">',
]
#: Fields that a caller fills, with the longest text that each takes.
FIELDS = {
    "BODY": 400,
    "TITLE": 190,
    "TAG": 90,
    "KEY": 200,
    "VALUE": 200,
    "ID": 200,
    "NAME": 150,
    "SCOPE": 150,
}
FIELDS |= {"SESSION": 200, "ENTITY": 150, "ACTOR": 80, "WHY": 200}


def mark(field, number):
    return f"Zz{field.lower()}{number}zz"


def text_of(payload, field):
    """A payload as a field takes it."""
    text = f"zebra {payload}"
    return (
        text.replace("/", "|").strip()[: FIELDS[field]].strip() if field == "SCOPE" else text[: FIELDS[field]]
    )


def records():
    """Records of a store with a payload in every field: marks are put in by the front door, and then replaced."""
    with opened(None) as memory:
        for number in range(len(PAYLOADS)):
            marks = {field: mark(field, number) for field in FIELDS}
            scope, body = f"user:{marks['SCOPE']}", marks["BODY"]
            metadata = {marks["KEY"]: marks["VALUE"]}
            turn = {"role": "user", "name": marks["NAME"], "content": f"{body} said", "id": marks["ID"]}
            memory.add([turn | {"metadata": metadata}], scope=scope, session_id=marks["SESSION"])
            memory.add(
                f"{body} is known of {marks['ENTITY']}",
                type="fact",
                scope=scope,
                title=marks["TITLE"],
                tags=[marks["TAG"]],
                entities=[marks["ENTITY"]],
                metadata=metadata,
            )
            memory.propose(
                [
                    {
                        "content": f"{body} proposed",
                        "type": "fact",
                        "why_store": marks["WHY"],
                        "source": marks["ID"],
                    }
                ],
                scope=scope,
                actor=f"plugin:{marks['ACTOR']}",
            )
        text = json.dumps(list(memory.export()))
    for number, payload in enumerate(PAYLOADS):
        for field in FIELDS:
            text = text.replace(mark(field, number), json.dumps(text_of(payload, field))[1:-1])
    return json.loads(text)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A page server with payloads in every field."""
    with opened(tmp_path_factory.mktemp("hostile") / "memory.db") as memory:
        loaded = memory.load(records(), trusted=True)
        assert all(verdict.outcome in {"accepted", "quarantined"} for verdict in loaded.verdicts)
        for item in memory.list(scope=ALL, types=["fact"]):
            memory.context(item.content, scope=str(item.scope), session_id=item.content[:100])
            memory.palace.assign(item.id, room=item.content[:60], domain=item.content[:50], actor="user")
        memory.flush()
        with Listening(memory) as listening:
            yield listening


def addresses(memory):
    """Every page on which a payload stands, and such as have one in their address."""
    items = memory.list(scope=ALL, limit=100)
    held = [one.item for one in memory.review.list(scope=ALL)]
    yield from ("/", "/?q=zebra", "/review", "/runs", "/runs/plan", "/palace", "/palace?q=zebra", "/entities")
    yield from ("/timeline", "/prompts", "/live", "/audit", "/settings")
    for number, payload in enumerate(PAYLOADS):
        scope = "user:" + text_of(payload, "SCOPE")
        [fact] = [item for item in items if item.type == "fact" and item.scope == scope]
        [turn] = [item for item in items if item.type == "episode" and item.scope == scope]
        place = memory.palace.where(fact.id)
        yield f"/?{urlencode({'q': payload, 'scope': scope})}"
        yield f"/m/{fact.id}?{urlencode({'done': 'correct', 'on': payload, 'was': payload, 'run': payload})}"
        yield f"/palace?{urlencode({'domain': place.domain, 'room': place.room, 'q': payload})}"
        # The rest tells all payloads at once, or one is as good as another.
        if number < 2:
            yield f"/m/{turn.id}"
            yield f"/m/{fact.id}/purge"
            yield f"/timeline?{urlencode({'session': turn.session_id})}"
            yield f"/entities/{quote(payload, safe='')}"
            yield f"/?{urlencode({'q': f'type:{payload} tag:{payload}', 'done': 'forget', 'on': payload})}"
    yield from (f"/review?at={item.id}" for item in held[:3])
    yield from (f"/prompts/{one.id}" for one in memory.injections(limit=3))
    yield from (
        f"/entities/{one.id}" for one in memory.entities.list(scope=ALL, limit=100) if "zebra" in one.name
    )


#: Signs that a payload was more than text, or that a link leads to no page.
SIGNS = """() => ({
  ran: "broken" in document.documentElement.dataset,
  read: document.querySelector("x-broken, [onerror], [onload], [onfocus], [onmouseover]") !== null,
  leads: [...document.querySelectorAll("a[href], form[action]")]
    .map((one) => new URL(one.getAttribute("href") ?? one.getAttribute("action"), location))
    .some((url) => url.origin !== location.origin),
})"""
REPORTS = "addEventListener('securitypolicyviolation', (event) => console.error(event.violatedDirective))"


def test_whatever_is_stored_or_asked_stands_there_as_text(browser, site):
    broken = {}
    with visited(browser, site, "/") as page:
        page.add_init_script(REPORTS)
        for address in addresses(site.page.memory):
            page.goto(address)
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            broken[address] = [sign for sign, seen in page.evaluate(SIGNS).items() if seen]
        page.complaints[:] = [text for text in page.complaints if "responded with a status of 4" not in text]
    assert {address: signs for address, signs in broken.items() if signs} == {}
    assert len(broken) > 50
