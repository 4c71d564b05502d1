"""The page in a browser: nothing breaks its policy, everybody can use it, and keys do what they say."""

from contextlib import contextmanager

import pytest

from tests.edges.page.conftest import SCOPE, Listening, opened

WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 380, "height": 800}
TALK = [
    ("Petra", "The observatory opens to visitors at eight, from the fourteenth of March."),
    ("Ruben", "I will paint that on the door, under the name of the hill."),
    ("Petra", "The serial number of the telescope is AF-0417; Aldous & Finch made it in 1911."),
    ("Ruben", "Every spring I grease the bearings of the dome, and sweep the pigeons out."),
    ("Petra", "Wanda drives the van up the hill on Fridays."),
]


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
    return {"turn": turns[0], "fact": opens, "corrected": corrected, "former": wanda}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A page server with a small store, and the ids in it."""
    with opened(tmp_path_factory.mktemp("page") / "memory.db") as memory:
        ids = fill(memory)
        with Listening(memory) as listening:
            listening.ids = ids
            yield listening


@contextmanager
def visited(browser, site, path, *, dark=False, viewport=WIDE, **options):
    """A page of the site, with complaints of the browser collected in `complaints`."""
    scheme = "dark" if dark else "light"
    context = browser.new_context(viewport=viewport, color_scheme=scheme, base_url=site.url, **options)
    page = context.new_page()
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
    }


def faults(axe, page, **options):
    """Faults that are serious for whoever cannot see or point."""
    found = axe.run(page, options=options).response["violations"]
    return [
        f"{fault['id']}: {node['html'][:120]}"
        for fault in found
        if fault["impact"] in {"serious", "critical"}
        for node in fault["nodes"][:3]
    ]


def test_every_page_is_for_everybody_in_light_and_dark_and_no_wider_than_a_phone(browser, site):
    from axe_playwright_python.sync_playwright import Axe

    axe, found = Axe(), {}
    with visited(browser, site, "/") as page:
        for name, path in paths(site.ids).items():
            page.emulate_media(color_scheme="light")
            page.set_viewport_size(WIDE)
            page.goto(path)
            found[name, "light"] = faults(axe, page)
            page.emulate_media(color_scheme="dark")
            found[name, "dark"] = faults(axe, page, runOnly=["color-contrast"])
            page.set_viewport_size(NARROW)
            found[name, "narrow"] = wider(page)
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            found[name, "unfolded"] = wider(page)
        # The browser tells of every answer that is no success.
        page.complaints[:] = [
            text for text in page.complaints if "the server responded with a status of 4" not in text
        ]
    assert {where: what for where, what in found.items() if what} == {}


def wider(page):
    """Elements that stand out of a narrow page, where it is wider than the screen."""
    return page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
          [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
            .slice(0, 5).map((one) => one.outerHTML.slice(0, 120))"""
    )


def test_keys_go_through_the_hits_change_one_and_take_it_back(browser, site):
    memory, fact = site.page.memory, site.ids["fact"]
    with visited(browser, site, f"/?q=observatory+type:fact&scope={SCOPE}") as page:
        page.keyboard.press("j")
        assert page.evaluate("document.querySelector('.here').dataset.open") == f"/m/{fact}"
        page.get_by_role("button", name="Pin", exact=True).click()
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
    with visited(browser, site, f"/?q=observatory+type:fact&scope={SCOPE}") as page:
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


def test_links_are_walked_with_arrows(browser, site):
    with visited(browser, site, f"/m/{site.ids['fact']}") as page:
        links = page.locator("[data-links] a")
        assert links.count() >= 2
        links.first.focus()
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement === document.querySelectorAll('[data-links] a')[1]")
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: not url.endswith(site.ids["fact"]))


def test_without_script_everything_is_read_and_changed_all_the_same(browser, site):
    memory, fact = site.page.memory, site.ids["fact"]
    with visited(
        browser, site, f"/?q=observatory+type:fact&scope={SCOPE}", java_script_enabled=False
    ) as page:
        page.hover(".hit")
        page.get_by_role("button", name="Pin", exact=True).click()
        page.wait_for_selector(".notice")
        assert memory.get(fact).pinned
        page.click(".undo button")
        page.wait_for_selector("text=Taken back.")
        assert not memory.get(fact).pinned
