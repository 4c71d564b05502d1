"""The page in a browser: nothing breaks its policy, everybody can use it, and keys do what they say."""

from contextlib import contextmanager

import pytest

from simonides.domain.scope import ALL
from simonides.edges.page.answering import at_the_door
from simonides.edges.report import page as report_page
from simonides.edges.report.collect import collect
from tests.edges.page.conftest import SCOPE, Listening, opened

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 380, "height": 800}
TALK = [
    ("Petra", "The observatory opens to visitors at eight, from the fourteenth of March."),
    ("Ruben", "I will paint that on the door, under the name of the hill."),
    ("Petra", "The serial number of the telescope is AF-0417; Aldous & Finch made it in 1911."),
    ("Ruben", "Every spring I grease the bearings of the dome, and sweep the pigeons out."),
    ("Petra", "Wanda drives the van up the hill on Fridays."),
]
TWINS = (
    "Every spring Ruben greases the bearings of the dome.",
    "Ruben greases the dome's bearings every spring.",
)


def fill(memory):
    """A small store with something in every place; ids by what they are."""
    messages = [
        {"role": "user" if name == "Petra" else "assistant", "name": name, "content": text, "id": f"t{n}"}
        for n, (name, text) in enumerate(TALK)
    ]
    turns = memory.add(messages, scope=SCOPE, session_id="s1").item_ids
    [opens] = memory.add(
        "The observatory opens to visitors at eight.",
        type="fact",
        scope=SCOPE,
        title="Opening hours",
        tags=["visitors"],
        links=[{"to": turns[0], "rel": "derived_from"}],
    ).item_ids
    [wanda] = memory.add("Wanda drives the van on Fridays.", type="decision", scope=SCOPE).item_ids
    corrected = memory.correct(wanda, "Wanda drives the van on Saturdays.").item_id
    memory.confirm(corrected)
    said = ["The inspection is on Tuesday.", "The inspection is on Thursday."]
    tuesday, thursday = memory.add(said, type="fact", scope=SCOPE).item_ids
    memory.link(thursday, tuesday, "contradicts", evidence="Tuesday, Thursday")
    [held] = memory.propose([{"content": "Gwil lends his tractor.", "type": "fact"}], scope=SCOPE).item_ids
    memory.add(list(TWINS), type="fact", scope=SCOPE)
    run = memory.consolidate(scope=SCOPE, promote=False)
    prompt = memory.context("When does the observatory open?", scope=SCOPE).injection_id
    memory.flush()
    [petra] = [one.id for one in memory.entities.list(scope=SCOPE) if one.name == "Petra"]
    place = memory.palace.where(opens)
    return {
        "turn": turns[0],
        "fact": opens,
        "corrected": corrected,
        "former": wanda,
        "held": held,
        "pair": f"{tuesday}.{thursday}",
        "run": run.id,
        "prompt": prompt,
        "entity": petra,
        "room": f"domain={place.domain}&room={place.room}",
    }


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A page server with a small store, and the ids in it."""
    with opened(tmp_path_factory.mktemp("page") / "memory.db") as memory:
        ids = fill(memory)
        with Listening(memory) as listening:
            listening.ids = ids
            yield listening


@contextmanager
def visited(browser, site, path, *, dark=False, viewport=WIDE, script=None, **options):
    """A page of the site, with complaints of the browser collected in `complaints`."""
    scheme = "dark" if dark else "light"
    context = browser.new_context(viewport=viewport, color_scheme=scheme, base_url=site.url, **options)
    context.set_default_timeout(120_000)
    page = context.new_page()
    if script is not None:
        page.add_init_script(script)
    page.complaints = []
    page.on("console", lambda told: page.complaints.append(told.text) if told.type == "error" else None)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto(path)
    try:
        yield page
        assert page.complaints == []
    finally:
        context.close()


def paths(ids):
    """Every page of the site, by name."""
    return {
        "search": f"/?q=When+does+the+observatory+open%3F&scope={SCOPE}",
        "newest": "/",
        "nothing": "/?q=xylophone+marmalade+quantum",
        "filtered": "/?q=type:fact",
        "refused": "/?q=type:nonsense",
        "item": f"/m/{ids['fact']}",
        "turn": f"/m/{ids['turn']}",
        "corrected": f"/m/{ids['corrected']}",
        "former": f"/m/{ids['former']}",
        "unknown": "/m/01a00000-0000-7000-8000-000000000000",
        "purge": f"/m/{ids['fact']}/purge",
        "review": f"/review?at={ids['held']}",
        "pair": f"/review?at={ids['pair']}",
        "runs": "/runs",
        "plan": "/runs/plan?job=consolidate",
        "run": f"/runs/{ids['run']}",
        "palace": "/palace?q=When+does+the+observatory+open",
        "floor": f"/palace?{ids['room'].partition('&')[0]}",
        "room": f"/palace?{ids['room']}",
        "entities": "/entities",
        "entity": f"/entities/{ids['entity']}",
        "timeline": "/timeline",
        "conversation": "/timeline?session=s1",
        "prompts": "/prompts",
        "prompt": f"/prompts/{ids['prompt']}",
        "live": "/live",
        "audit": "/audit?check=1",
        "settings": "/settings",
    }


def faults(page, **options):
    """Faults that are serious for whoever cannot see or point."""
    return page.evaluate(
        """async (options) => (await axe.run(document, { resultTypes: ["violations"], ...options })).violations
          .filter((fault) => ["serious", "critical"].includes(fault.impact))
          .flatMap((fault) => fault.nodes.slice(0, 3).map((node) => `${fault.id}: ${node.html.slice(0, 120)}`))""",
        options,
    )


def test_every_page_is_for_everybody_in_light_and_dark_and_no_wider_than_a_phone(browser, site):
    from axe_playwright_python.sync_playwright import Axe

    found = {}
    with visited(browser, site, "/", script=Axe().axe_script) as page:
        for name, path in paths(site.ids).items():
            page.emulate_media(color_scheme="light")
            page.set_viewport_size(WIDE)
            page.goto(path)
            found[name, "light"] = faults(page, runOnly=["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"])
            page.emulate_media(color_scheme="dark")
            found[name, "dark"] = faults(page, runOnly=["color-contrast"])
            page.set_viewport_size(NARROW)
            found[name, "narrow"] = wider(page)
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            found[name, "unfolded"] = wider(page)
        # The browser tells of every answer that is no success.
        page.complaints[:] = [
            text for text in page.complaints if "the server responded with a status of 4" not in text
        ]
    assert {where: what for where, what in found.items() if what} == {}


def test_the_head_holds_its_places_beside_one_another_on_any_screen(browser, site):
    with visited(browser, site, "/review") as page:
        for width in range(320, 1400, 24):
            page.set_viewport_size({"width": width, "height": 700})
            hidden = page.evaluate(
                """() => { const seek = document.querySelector(".seek").getBoundingClientRect();
                  return [...document.querySelectorAll(".places a, .mark")].filter((one) => {
                    const box = one.getBoundingClientRect();
                    return box.right > seek.left && box.left < seek.right && box.bottom > seek.top
                      && box.top < seek.bottom;
                  }).map((one) => one.textContent); }"""
            )
            assert (width, hidden) == (width, [])


@pytest.mark.parametrize("status", [401, 404, 503])
def test_the_door_is_for_everybody_too(browser, status):
    from axe_playwright_python.sync_playwright import Axe

    page = browser.new_page(viewport={"width": 320, "height": 700})
    try:
        page.set_content(at_the_door(status, "this browser is not signed in").body.decode())
        page.evaluate(Axe().axe_script)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert faults(page, runOnly=["wcag2a", "wcag2aa"]) == []
            assert wider(page) == []
    finally:
        page.close()


@pytest.mark.parametrize("width", [360, 1000])
def test_runs_of_a_report_stand_whole_on_any_screen_and_none_of_their_words_is_broken(browser, site, width):
    page = browser.new_page(viewport={"width": width, "height": 800})
    try:
        page.set_content(report_page.render(collect(site.page.memory, ALL)))
        table = page.locator("table.runs")
        assert table.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth")
        lines = table.locator("tbody td:nth-child(2)").evaluate_all(
            """cells => cells.map((cell) => { const range = document.createRange(); range.selectNodeContents(cell);
               return [cell.textContent, range.getClientRects().length]; })"""
        )
        assert "consolidate" in dict(lines)
        assert [job for job, many in lines if many != 1] == []
    finally:
        page.close()


def wider(page):
    """Elements that stand out of a narrow page, where it is wider than the screen."""
    return page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
          [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
            .slice(0, 5).map((one) => one.outerHTML.slice(0, 120))"""
    )


def test_keys_go_through_the_hits_change_one_and_take_it_back(browser, site):
    memory, fact = site.page.memory, site.ids["fact"]
    with visited(browser, site, f"/?q=observatory+type:fact+tag:visitors&scope={SCOPE}") as page:
        page.keyboard.press("j")
        assert page.evaluate("document.querySelector('.here').dataset.open") == f"/m/{fact}"
        # What can be done stands below all of the hit, as under the mouse, not over its last line.
        assert page.evaluate("document.querySelector('.here .acts').offsetParent.matches('.hit')")
        page.get_by_role("button", name="Pin", exact=True).first.click()
        page.wait_for_selector(".rows .notice")
        assert memory.get(fact).pinned
        assert "Pinned" in page.inner_text("#said")
        page.keyboard.press("u")
        page.wait_for_selector("text=Taken back.")
        assert not memory.get(fact).pinned
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/m/{fact}")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "seek"
        page.keyboard.type("telescope?")
        page.keyboard.press("Enter")
        page.wait_for_url("**/?q=telescope**")
        page.keyboard.press("?")  # In the field it would be written; the field has no focus after an answer.
        assert page.is_visible("dialog[open]")
        page.keyboard.press("Escape")
        assert not page.is_visible("dialog[open]")


def test_a_correction_is_made_and_taken_back_where_the_hit_stands(browser, site):
    memory, fact = site.page.memory, site.ids["fact"]
    with visited(browser, site, f"/?q=observatory+type:fact+tag:visitors&scope={SCOPE}") as page:
        page.hover(".hit")
        page.click("text=Correct…")
        page.fill("textarea", "The observatory opens to visitors at nine.")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("text=Corrected")
        assert memory.get(fact).superseded_by is not None
        assert "at nine" in page.inner_text(".rows .sentence")
        page.click(".undo button")
        page.wait_for_selector("text=Taken back.")
        assert memory.get(fact).superseded_by is None
        assert "at eight" in page.inner_text(".rows .sentence")


#: Notes what takes the focus, as it looks then.
WALKING = """() => {
  window.walked = [];
  const seen = new Set();
  document.addEventListener("focusin", ({ target: one }) => {
    const style = getComputedStyle(one);
    const drawn = [...one.querySelectorAll("rect")].some((rect) => parseFloat(getComputedStyle(rect).strokeWidth) >= 2);
    window.walked.push({
      again: seen.has(one), seen: one.checkVisibility(),
      shown: style.outlineStyle !== "none" || style.textDecorationLine.includes("underline") || drawn,
      html: one.outerHTML.slice(0, 120),
    });
    seen.add(one);
  });
}"""
LEADING = """() => {
  const links = [...document.querySelectorAll('main a[href^="/"]')];
  const link = links.find((one) => one.checkVisibility());
  link?.focus();
  return link ? new URL(link.getAttribute("href"), location).href.split("#")[0] : null;
}"""
TABS = 45


def test_every_place_is_walked_by_keyboard_alone(browser, site):
    faults = {}
    with visited(browser, site, "/") as page:
        for name, path in paths(site.ids).items():
            if name in {"newest", "nothing", "turn", "former", "unknown", "refused", "filtered"}:
                continue
            page.goto(path)
            page.evaluate("document.activeElement.blur()")
            page.evaluate(WALKING)
            walked = []
            while len(walked) < TABS and not any(one["again"] for one in walked):  # Until once around.
                for _ in range(15):
                    page.keyboard.press("Tab")
                walked = page.evaluate("window.walked")
            ways = [one for one in walked if not one["again"]]
            assert len(ways) > 12, name  # The head alone has as many.
            if unseen := [one["html"] for one in ways if not (one["seen"] and one["shown"])]:
                faults[name] = unseen
            leads = page.evaluate(LEADING)
            if leads is not None:
                with page.expect_navigation(
                    url=lambda url, leads=leads: url.partition("#")[0] == leads, wait_until="domcontentloaded"
                ):
                    page.keyboard.press("Enter")
        page.goto("/")
    assert faults == {}


def test_links_are_walked_with_arrows(browser, site):
    with visited(browser, site, f"/m/{site.ids['corrected']}") as page:
        links = page.locator("[data-links] a")
        assert links.count() >= 2
        links.first.focus()
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement === document.querySelectorAll('[data-links] a')[1]")
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: not url.endswith(site.ids["corrected"]))


def test_without_script_everything_is_read_and_changed_all_the_same(browser, site):
    memory, fact = site.page.memory, site.ids["fact"]
    with visited(
        browser, site, f"/?q=observatory+type:fact+tag:visitors&scope={SCOPE}", java_script_enabled=False
    ) as page:
        page.hover(".hit")
        page.get_by_role("button", name="Pin", exact=True).first.click()
        page.wait_for_selector(".notice")
        assert memory.get(fact).pinned
        page.click(".undo button")
        page.wait_for_selector("text=Taken back.")
        assert not memory.get(fact).pinned


def test_a_queue_is_decided_by_keys(browser, site):
    memory = site.page.memory
    [first] = memory.propose([{"content": "Otto sings at night.", "type": "fact"}], scope=SCOPE).item_ids
    [second] = memory.propose([{"content": "Otto eats thistles.", "type": "fact"}], scope=SCOPE).item_ids
    with visited(browser, site, f"/review?at={first}") as page:
        page.keyboard.press("a")
        page.wait_for_selector(".notice")
        assert memory.get(first).status == "active"
        page.keyboard.press("u")
        page.wait_for_selector("text=Taken back.")
        assert memory.get(first).status == "quarantined"
        page.goto(f"/review?at={second}")
        page.keyboard.press("x")
        page.wait_for_selector("text=Rejected")
        assert memory.get(second).status == "archived"


def test_a_card_is_moved_by_key_and_by_dragging(browser, site):
    memory, fact = site.page.memory, site.ids["fact"]
    [key] = memory.add("The key hangs by the door.", type="fact", tags=["keys"], scope=SCOPE).item_ids
    before = memory.palace.where(fact)
    with visited(browser, site, f"/palace?{site.ids['room']}") as page:
        page.keyboard.press("j")
        page.keyboard.press("m")
        assert page.evaluate("document.activeElement.tagName") == "SELECT"
        assert page.inner_text("#move [data-card]") == page.inner_text(".card.here .sentence")
        page.keyboard.press("Escape")
        assert page.is_hidden("#move")
        assert page.evaluate("document.activeElement.dataset.key") == "m"
        page.locator(f"[data-open='/m/{fact}']").drag_to(page.locator("[data-drop$='/keys']"))
        page.wait_for_selector("text=Moved to another room.")
        assert memory.palace.where(fact).room == "keys"
        page.keyboard.press("u")
        page.wait_for_selector("text=Taken back.")
        assert memory.palace.where(fact) == before
    memory.forget(key)


def test_what_happens_appears_while_one_looks_on(browser, site):
    with visited(browser, site, "/live") as page:
        page.wait_for_selector("#pulse.on")
        site.page.memory.add("The pump froze this morning.", type="event", scope=SCOPE)
        page.wait_for_selector("#live >> text=The pump froze this morning.")
        page.goto("/")  # The stream ends before the server does.


def test_a_tab_that_was_left_open_says_so_where_the_server_answers_no_more(browser, site):
    with visited(browser, site, f"/?q=observatory+type:fact+tag:visitors&scope={SCOPE}") as page:
        before = page.inner_text(".rows .sentence")
        page.route("**/m/**", lambda route: route.abort())
        page.hover(".hit")
        page.get_by_role("button", name="Pin", exact=True).first.click()
        page.wait_for_selector("text=The server did not answer")
        page.unroute("**/m/**")
        page.route(
            "**/m/**", lambda route: route.fulfill(status=401, body="{}", content_type="application/json")
        )
        page.get_by_role("button", name="Pin", exact=True).first.click()
        page.wait_for_selector("text=holds no longer")
        assert page.inner_text(".rows .sentence") == before
        page.complaints.clear()  # The browser tells of both.
