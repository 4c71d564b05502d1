"""A proxy between real clients and a scripted server, over HTTP on this machine."""

import http.client
import shutil
import threading
from types import SimpleNamespace

import anthropic
import httpx
import httpx2
import ollama
import openai
import pytest

from simonides.agent.middleware import Middleware
from simonides.config import MiddlewareSettings, ProxySettings, Settings, StoreSettings
from simonides.domain.scope import Scope
from simonides.edges.http.access import Access
from simonides.edges.http.proxy import application
from simonides.edges.http.serve import Server, address, listening
from simonides.edges.http.tokens import Credential
from simonides.memory import Memory
from simonides.testing_server import ScriptedServer

#: Long enough that no slow machine leaves memory out.
PATIENT = MiddlewareSettings(deadline_ms=60_000)


#: Read once: a client that reads them itself takes longer for that than for a chat.
CERTIFICATES = httpx.create_ssl_context()


class Proxied:
    """A running proxy with its memory."""

    def __init__(self, memory, upstream, *, scope="user:ana", mode=None, key=None, access=None, **settings):
        self.memory = memory
        self.upstream = upstream
        self._settings = ProxySettings(
            upstream=upstream if isinstance(upstream, str) else upstream.url, **settings
        )
        bound = listening("127.0.0.1", 0)
        self.url = address("127.0.0.1", bound)
        access = access or Access.of("127.0.0.1", Credential(Scope(scope)))
        self._server = Server(
            application(Middleware(memory), self._settings, access=access, key=key, mode=mode), bound
        )
        self._thread = threading.Thread(target=self._server.listen)
        self._thread.start()
        self._clients = []

    @property
    def port(self):
        return int(self.url.rpartition(":")[2])

    def openai(self, **options):
        options.setdefault("http_client", httpx.Client(verify=CERTIFICATES))
        client = openai.OpenAI(base_url=f"{self.url}/v1", api_key="any", max_retries=0, **options)
        self._clients.append(client)
        return client

    def anthropic(self, **options):
        options.setdefault("http_client", httpx2.Client(verify=CERTIFICATES))
        client = anthropic.Anthropic(base_url=self.url, api_key="any", max_retries=0, **options)
        self._clients.append(client)
        return client

    def ollama(self, **options):
        client = ollama.Client(host=self.url, verify=CERTIFICATES, **options)
        self._clients.append(client._client)
        return client

    def http(self, **options):
        client = httpx.Client(base_url=self.url, timeout=120, verify=CERTIFICATES, **options)
        self._clients.append(client)
        return client

    def raw(self):
        """A connection of which every byte is the test's own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        self._clients.append(connection)
        return connection

    def turns(self, scope="user:ana"):
        """Recorded turns: (role, text), oldest first. The proxy is stopped for it, so that all is stored."""
        self.close()
        episodes = self.memory.timeline(scope=scope, types=["episode"], limit=1000)
        return [(item.provenance.source_role, item.content) for item in episodes]

    def facts(self, scope="user:ana"):
        """Everything that is remembered beside turns."""
        self.close()
        return [item for item in self.memory.list(scope=scope, limit=1000) if item.type != "episode"]

    def close(self):
        for client in self._clients:
            client.close()
        self._clients = []
        self._server.stop()
        self._thread.join()


@pytest.fixture
def serve():
    """Starts scripted servers, and stops them at the end."""
    servers = []

    def start(*arguments, **options):
        servers.append(ScriptedServer(*arguments, **options))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def remember(tmp_path, empty_store):
    """Opens memories with the bundled embedder, which knows what words mean."""
    opened = []

    def open_one(name="memory.db", middleware=PATIENT, **options):
        settings = Settings(store=StoreSettings(synchronous="NORMAL"), middleware=middleware)
        path = tmp_path / name
        if not path.exists():
            shutil.copyfile(empty_store, path)
        opened.append(Memory(path, settings=settings, **options))
        return opened[-1]

    yield open_one
    for memory in opened:
        memory.close()


@pytest.fixture
def proxied(serve, remember):
    """Starts proxies, each before a scripted server of its own unless one is given."""
    running = []

    def start(script=None, *, memory=None, upstream=None, models=None, **options):
        upstream = upstream or serve(script, models=models)
        running.append(Proxied(memory or remember(f"{len(running)}.db"), upstream, **options))
        return running[-1]

    yield start
    for one in running:
        one.close()


@pytest.fixture
def ask():
    """Asks in one of ten ways: by each of the five dialects, whole or as a stream. Gives what the user sees."""

    def asked(proxy, way, *said):
        messages = [
            {"role": "user" if n % 2 == 0 else "assistant", "content": text} for n, text in enumerate(said)
        ]
        return WAYS[way](proxy, messages)

    return asked


def _openai(proxy, messages):
    return proxy.openai().chat.completions.create(model="m", messages=messages).choices[0].message.content


def _openai_stream(proxy, messages):
    stream = proxy.openai().chat.completions.create(model="m", messages=messages, stream=True)
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)


def _ollama(proxy, messages):
    return proxy.ollama().chat("m", messages=messages).message.content


def _ollama_stream(proxy, messages):
    return "".join(
        chunk.message.content for chunk in proxy.ollama().chat("m", messages=messages, stream=True)
    )


def _generate(proxy, messages):
    return proxy.ollama().generate("m", prompt=messages[-1]["content"]).response


def _generate_stream(proxy, messages):
    stream = proxy.ollama().generate("m", prompt=messages[-1]["content"], stream=True)
    return "".join(chunk.response for chunk in stream)


def _responses(proxy, messages):
    return proxy.openai().responses.create(model="m", input=messages).output_text


def _responses_stream(proxy, messages):
    with proxy.openai().responses.stream(model="m", input=messages) as stream:
        told = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
        assert stream.get_final_response().output_text == told
    return told


def _anthropic(proxy, messages):
    answer = proxy.anthropic().messages.create(model="m", max_tokens=100, messages=messages)
    return "".join(block.text for block in answer.content if block.type == "text")


def _anthropic_stream(proxy, messages):
    with proxy.anthropic().messages.stream(model="m", max_tokens=100, messages=messages) as stream:
        told = "".join(stream.text_stream)
        final = stream.get_final_message()
    assert "".join(block.text for block in final.content if block.type == "text") == told
    return told


WAYS = {
    "openai": _openai,
    "openai stream": _openai_stream,
    "responses": _responses,
    "responses stream": _responses_stream,
    "anthropic": _anthropic,
    "anthropic stream": _anthropic_stream,
    "ollama": _ollama,
    "ollama stream": _ollama_stream,
    "generate": _generate,
    "generate stream": _generate_stream,
}


@pytest.fixture
def ways():
    return SimpleNamespace(all=list(WAYS), chats=[way for way in WAYS if not way.startswith("generate")])
