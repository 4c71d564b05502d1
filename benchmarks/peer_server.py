"""LangGraph's store behind HTTP, as somebody would serve it instead: the same requests, texts and embedder.

    python -m benchmarks.peer_server TEXTS

TEXTS is a JSON list. It is the store in memory, which keeps nothing: its store on SQLite needs an interpreter that
loads extensions into SQLite, which many are built without. One process answers, by Starlette, on which FastAPI is
built; nothing is checked: this is the least that such a server costs.
"""

from __future__ import annotations

import json
import socket
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import uvicorn
from anyio import to_thread
from langgraph.store.base import PutOp
from langgraph.store.memory import InMemoryStore
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from simonides.models.bundled import BundledEmbedder

_WHERE: Final = ("user", "ana")


def filled(texts: Sequence[str]) -> InMemoryStore:
    """A store of texts, which searches by the vectors of our embedder."""
    embedder = BundledEmbedder()

    def embed(given: Sequence[str]) -> list[list[float]]:
        return embedder.embed(given).tolist()

    index: Any = {"dims": embedder.identity.dimension, "embed": embed, "fields": ["content"]}
    store = InMemoryStore(index=index)
    store.batch([PutOp(_WHERE, uuid.uuid4().hex, {"content": text}) for text in texts])
    return store


def application(store: InMemoryStore) -> Starlette:
    """Answers to the requests of the bench."""

    def found(asked: dict[str, Any]) -> list[dict[str, Any]]:
        hits = store.search(_WHERE, query=asked["query"], limit=asked["k"])
        return [{"id": hit.key, "content": hit.value["content"], "score": hit.score} for hit in hits]

    def kept(given: dict[str, Any]) -> str:
        store.put(_WHERE, key := uuid.uuid4().hex, {"content": given["content"]})
        return key

    async def search(request: Request) -> Response:
        return JSONResponse({"hits": await to_thread.run_sync(found, await request.json())})

    async def add(request: Request) -> Response:
        return JSONResponse({"id": await to_thread.run_sync(kept, await request.json())}, 201)

    async def ready(_: Request) -> Response:
        return JSONResponse({"status": "ready"})

    return Starlette(
        routes=[
            Route("/v1/search", search, methods=["POST"]),
            Route("/v1/memories", add, methods=["POST"]),
            Route("/readyz", ready),
            Route("/", ready),
        ]
    )


def main() -> None:
    """Serve a store of the texts that are named, and print where."""
    store = filled(json.loads(Path(sys.argv[1]).read_text("utf-8")))
    with socket.create_server(("127.0.0.1", 0)) as bound:
        sys.stdout.write(json.dumps({"url": f"http://127.0.0.1:{bound.getsockname()[1]}"}) + "\n")
        sys.stdout.flush()
        config = uvicorn.Config(application(store), log_config=None, access_log=False, http="h11")
        uvicorn.Server(config).run(sockets=[bound])


if __name__ == "__main__":
    main()
