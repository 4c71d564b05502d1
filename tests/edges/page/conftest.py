"""A server of the page alone, with who asks set by the tests, and one browser for all of them."""

import os
import shutil
import socket
import threading
from dataclasses import dataclass

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware

from simonides import Memory, Scope
from simonides.config import Settings, StoreSettings
from simonides.domain.scope import GLOBAL
from simonides.edges.page import routes
from tests.edges.whole_answers import TestClient

CHROMIUM = shutil.which("chromium")
SCOPE = "project:marrow-hill"


@dataclass
class Keyholder:
    """A caller, as the server would name it."""

    scope: Scope = GLOBAL
    role: str = "admin"
    actor: str = "user:ana"
    unbound: bool = True

    def sees(self, scope):
        return self.scope.sees(Scope(scope)) or self.holds(scope)

    def holds(self, scope):
        return Scope(scope).sees(self.scope)


class WhoAsks:
    def __init__(self, app, app_state):
        self.app, self.app_state = app, app_state

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            scope.setdefault("state", {}).update(self.app_state)
        await self.app(scope, receive, send)


class PageServer:
    """The routes of the page on a memory; `caller` may be changed between requests."""

    def __init__(self, memory):
        self.state = {"caller": Keyholder()}
        self.app = Starlette(routes=routes(), middleware=[Middleware(WhoAsks, app_state=self.state)])
        self.memory = self.state["memory"] = memory

    def as_caller(self, **fields):
        self.state["caller"] = Keyholder(**fields)

    def client(self):
        return TestClient(self.app, base_url="http://127.0.0.1")


def opened(path, **options):
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    return Memory(path, settings=settings, **options)


@pytest.fixture
def memory(path):
    with opened(path) as memory:
        yield memory


@pytest.fixture
def server(memory):
    return PageServer(memory)


@pytest.fixture
def client(server):
    with server.client() as client:
        yield client


class Listening:
    """A page server on a port of this machine, for a browser."""

    def __init__(self, memory):
        self.page = PageServer(memory)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        config = uvicorn.Config(self.page.app, log_config=None, access_log=False, timeout_graceful_shutdown=1)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.should_exit = True
        self.thread.join(60)
        self.socket.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Debian's chromium, started once for a file: while it lives, a loop runs in this thread, which others would meet.

    Where everything must be tried, it must be there.
    """
    if CHROMIUM is None:
        lacking = pytest.fail if os.environ.get("CI") else pytest.skip
        lacking("chromium is not installed: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        chromium = started.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
            # What it keeps of its own is kept nowhere else.
            env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path_factory.mktemp("chromium"))},
        )
        yield chromium
        chromium.close()
