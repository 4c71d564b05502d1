"""Spans of a server: whether any are told, to whom, and the one around each request."""

from __future__ import annotations

import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simonides import tracing
from simonides.errors import NotInstalled

#: Variables of OpenTelemetry's own that say where spans go. Without one of them none are told.
ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
#: Others of its variables, and what says there that none are to be told.
_OFF: Final = {"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_EXPORTER": "none"}
#: A server waits no longer for a collector when it ends: whoever stopped it kills it soon.
_ENDING_S: Final = 2.0
#: A client may send any word for a method; those of RFC 9110 and 5789 are told as they are (OpenTelemetry's rule).
_METHODS: Final = frozenset(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"])


@contextmanager
def telling(environment: Mapping[str, str]) -> Generator[None]:
    """Tell spans to the collector that the environment names, until the end.

    The last ones are sent by then, unless the collector does not take them within two seconds.

    Each process begins this for itself: what sends them is a thread.

    Raises:
        NotInstalled: It names one, and OpenTelemetry's SDK is not there.
    """
    wanted = any(environment.get(name) for name in ENDPOINTS)
    if not wanted or any(environment.get(name, "").strip().lower() == off for name, off in _OFF.items()):
        yield
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError as error:
        raise NotInstalled.of(error.name or "opentelemetry-sdk", extra="trace") from error
    named = Resource.create({"service.name": "simonides"}).merge(OTELResourceDetector().detect())
    # A provider of our own: packages that look for the global one might tell what they were given.
    provider = TracerProvider(resource=named, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    tracing.trace_by(provider.get_tracer("simonides"))
    try:
        yield
    finally:
        tracing.trace_by(None)
        ending = threading.Thread(target=provider.shutdown, name="simonides-spans", daemon=True)
        ending.start()
        ending.join(_ENDING_S)


class Spans:
    """ASGI middleware: a span around each request, within that of the client where it names one.

    It is called as the operation is; paths are left out: they hold names and words.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or not tracing.traced():
            await self._app(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in _METHODS else "_OTHER"
        with _within(scope), tracing.span("request", method=method) as note:

            async def noted(message: Message) -> None:
                if message["type"] == "http.response.start":
                    note(status=message["status"], operation=scope.get("state", {}).get("operation", "other"))
                await send(message)

            await self._app(scope, receive, noted)


@contextmanager
def _within(scope: Scope) -> Generator[None]:
    """Within the span that a client's `traceparent` names."""
    from opentelemetry import context  # noqa: PLC0415 - there is a tracer, so there is this
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415

    carrier: dict[str, Any] = dict(Headers(scope=scope))
    token = context.attach(TraceContextTextMapPropagator().extract(carrier))
    try:
        yield
    finally:
        context.detach(token)
