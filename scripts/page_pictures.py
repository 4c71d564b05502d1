"""Pictures of the page for the docs: a store with the sample and a little more, and a browser that looks at it.

    python scripts/page_pictures.py

Writes docs/page-*.png: search, memory, review, entity and run. It takes Debian's chromium and the
packages of the extra `dev`.
"""

import shutil
import socket
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlencode

import uvicorn
from playwright.sync_api import sync_playwright

from simonides import Memory, Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential
from simonides.edges.server.app import application
from simonides.sample import load_sample

DOCS = Path(__file__).parents[1] / "docs"
SCOPE = "project:marrow-hill"
TWINS = (
    "Every spring Ruben greases the bearings of the dome.",
    "Ruben greases the dome's bearings every spring.",
)
QUESTION = "What is the serial number of the telescope?"


def fill(memory: Memory) -> dict[str, str]:
    """Store the sample, and something for each picture; addresses by the pictures' names."""
    for session in load_sample().sessions:
        memory.add([turn.to_message() for turn in session.turns], scope=SCOPE, session_id=session.id)
    memory.extract(scope=SCOPE)
    turn = memory.search(QUESTION, scope=SCOPE, k=1).hits[0].item
    [number] = memory.add(
        "The telescope is an Aldous & Finch of 1911, number AF-0147.",
        type="fact",
        scope=SCOPE,
        tags=["telescope"],
        links=[{"to": turn.id, "rel": "derived_from"}],
    ).item_ids
    corrected = memory.correct(number, "The telescope is an Aldous & Finch of 1911, number AF-0417.")
    now = corrected.item_id
    memory.link(now, turn.id, "derived_from")
    asked = {"content": "The telescope is a Cooke of 1911, number AF-0417."}
    memory.review.ask(now, "correct", asked, actor="gpt")
    memory.add(list(TWINS), type="fact", scope=SCOPE)
    run = memory.consolidate(scope=SCOPE, promote=False)
    [otto] = [one.id for one in memory.entities.list(scope=SCOPE) if one.name == "Otto"]
    return {
        "search": f"/?{urlencode({'q': QUESTION, 'scope': SCOPE})}",
        "memory": f"/m/{now}",
        "review": "/review",
        "entity": f"/entities/{otto}",
        "run": f"/runs/{run.id}",
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "pictures.db") as memory:
        paths = fill(memory)
        bound = socket.create_server(("127.0.0.1", 0))
        access = Access.of("127.0.0.1", Credential(Scope("global")))
        server = uvicorn.Server(
            uvicorn.Config(application(memory, access), log_config=None, access_log=False)
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        with sync_playwright() as started:
            browser = started.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1120, "height": 640})
            for name, path in paths.items():
                page.emulate_media(color_scheme="dark" if name == "review" else "light")
                page.goto(f"http://127.0.0.1:{bound.getsockname()[1]}{path}")
                page.screenshot(path=DOCS / f"page-{name}.png")
                print(f"{name}: {(DOCS / f'page-{name}.png').stat().st_size / 1000:.0f} kB")
            browser.close()
        server.should_exit = True
        thread.join(10)


if __name__ == "__main__":
    main()
