"""Spans: what a collector is told of a server, and what it is never told."""

from __future__ import annotations

import gzip
import json
import os
import re
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import ClassVar

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from simonides import InvalidInput, tracing
from simonides.edges.server import spans as spans_of_server
from simonides.edges.server.spans import telling

#: Words that stand in what is stored and asked here, in names and in scopes.
SECRETS = ("xyzzy", "Quill", "plugh", "user:")


@contextmanager
def told():
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.trace_by(provider.get_tracer("test"))
    try:
        yield exporter
    finally:
        tracing.trace_by(None)


@pytest.fixture
def spans():
    with told() as exporter:
        yield exporter


def named(exporter, name):
    return [one for one in exporter.get_finished_spans() if one.name == name]


def test_a_request_is_a_span_with_its_search_and_its_write_within(spans, ask):
    ask.ok("add", content="The dome of Miss Quill is xyzzy.", type="fact")
    ask.ok("search", query="what is xyzzy?", k=3)
    first, second = named(spans, "simonides.request")
    assert dict(first.attributes) == {
        "simonides.method": "POST",
        "simonides.operation": "add",
        "simonides.status": 201,
    }
    assert second.attributes["simonides.operation"] == "search"
    [search] = [
        one for one in named(spans, "simonides.search") if one.parent.span_id == second.context.span_id
    ]
    assert dict(search.attributes) == {
        "simonides.k": 3,
        "simonides.hits": 1,
        "simonides.abstained": search.attributes["simonides.abstained"],
        "simonides.degradations": 0,
    }
    writes = [
        one for one in named(spans, "simonides.write") if one.context.trace_id == first.context.trace_id
    ]
    assert writes


def test_a_job_is_a_span(spans, ask):
    ask.ok("add", content="The dome is green.", type="fact")
    ask.ok("maintain", jobs=["expire"])
    [job] = named(spans, "simonides.job")
    assert dict(job.attributes) == {
        "simonides.job": "expire",
        "simonides.status": "done",
        "simonides.changes": 0,
    }


def test_a_clients_own_span_is_the_one_around(spans, ask):
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    ask("stats", headers={"traceparent": f"00-{trace}-{parent}-01"})
    ask("stats", headers={"traceparent": "nonsense"})
    ours, alone = named(spans, "simonides.request")
    assert (f"{ours.context.trace_id:032x}", f"{ours.parent.span_id:016x}") == (trace, parent)
    assert alone.parent is None


def test_no_text_stands_in_a_span(spans, ask, served):
    """Numbers and kinds alone tell of everything that is stored, asked, named, refused or wrong."""
    ask.ok(
        "add",
        content="The dome of Miss Quill is xyzzy.",
        type="fact",
        entities=["Miss Quill"],
        tags=["plugh"],
    )
    ask.ok("search", query="xyzzy Quill plugh")
    ask.ok("context", query="xyzzy Quill plugh")
    ask("entities.get", name="Miss Quill")
    ask("entities.get", name="plugh xyzzy")
    ask("search", query="xyzzy", profile="plugh")
    ask("get", path={"item_id": "xyzzy"})
    served.client.get("/entities/Miss%20Quill")
    served.client.get("/search?q=xyzzy")
    with pytest.raises(InvalidInput):
        served.memory.search("xyzzy", profile="plugh")
    with pytest.raises(ValueError, match="xyzzy"), tracing.span("search"):
        raise ValueError("xyzzy")
    finished = spans.get_finished_spans()
    text = "".join(one.to_json() for one in finished)
    assert len(finished) > 8
    assert [word for word in SECRETS if word in text] == []
    assert all(not one.events for one in finished)
    [failed] = [one for one in finished if one.attributes.get("error.type") == "ValueError"]
    assert failed.status.status_code.name == "ERROR"
    assert failed.status.description is None


def test_nothing_of_it_is_imported_where_no_collector_is_named(path):
    program = """
import sys
from simonides.edges.server.spans import telling
from simonides.memory import Memory
import simonides.edges.server.app
endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"
off = [{endpoint: "http://x", "OTEL_SDK_DISABLED": "TRUE"}, {endpoint: "http://x", "OTEL_TRACES_EXPORTER": "none"}]
for environment in ({}, {endpoint: ""}, *off):
    with telling(environment), Memory(sys.argv[1]) as memory:
        memory.add("The dome is green.")
        memory.search("dome")
print(sorted(name for name in sys.modules if name.startswith("opentelemetry")))
"""
    found = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=120, check=True
    )
    assert json.loads(found.stdout.replace("'", '"')) == []


class Collector(BaseHTTPRequestHandler):
    """A collector that keeps what it is sent."""

    sent: ClassVar = []

    def do_POST(self):
        self.sent.append((self.path, self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.mark.parametrize(
    ("named", "service"),
    [
        ({}, b"simonides"),
        ({"OTEL_SERVICE_NAME": "alcove"}, b"alcove"),
        ({"OTEL_RESOURCE_ATTRIBUTES": "service.name=alcove"}, b"alcove"),
    ],
)
def test_spans_are_sent_to_the_collector_that_is_named_before_the_end(named, service, memory, monkeypatch):
    Collector.sent.clear()
    monkeypatch.setattr(spans_of_server, "_ENDING_S", 60.0)
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    with HTTPServer(("127.0.0.1", 0), Collector) as collector:
        thread = threading.Thread(target=collector.serve_forever)
        thread.start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
        try:
            with telling(os.environ):
                assert tracing.traced()
                memory.add("The dome is xyzzy.")
        finally:
            collector.shutdown()
            thread.join(60)
    assert not tracing.traced()
    [(path, body), *_] = Collector.sent
    assert path == "/v1/traces"
    body = gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
    assert b"simonides.write" in body
    assert b"xyzzy" not in body
    assert re.search(rb"service\.name\x12.\n.([a-z_:]+)", body)[1] == service


def test_a_collector_that_does_not_answer_holds_no_end_up(memory, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        with ThreadPoolExecutor() as threads:
            with telling(os.environ):
                memory.add("The dome is green.")
                connected = threads.submit(silent.accept)
            # The end came, and the spans are still on their way: nobody has read what was sent.
            sender, _ = connected.result()
            told = [one for one in threading.enumerate() if one.name == "simonides-spans"]
            sender.close()
    assert told


def test_a_method_that_is_none_is_told_by_no_word_of_the_clients(spans, served):
    served.client.request("XYZZY", "/v1/stats")
    assert [one.attributes["simonides.method"] for one in named(spans, "simonides.request")] == ["_OTHER"]
