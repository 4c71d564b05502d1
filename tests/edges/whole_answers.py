"""A client of an application that takes each answer whole.

Starlette's asks the thread of the application seven times for each request, to read answers while they are written.
What reads them so takes that one.
"""

from __future__ import annotations

import httpx2 as httpx
from starlette import testclient


class _Whole(httpx.BaseTransport):
    """Answers of an application, each by one call in the thread of its client."""

    def __init__(self, app, portal_of, raise_server_exceptions):
        async def with_state(scope, receive, send):
            host, port = scope["server"]
            scope |= {"state": {}, "server": (host, port or 80)}
            await app(scope, receive, send)

        self._asgi = httpx.ASGITransport(with_state, raise_server_exceptions, client=("testclient", 50000))
        self._portal_of = portal_of

    def handle_request(self, request):
        request.read()
        with self._portal_of() as portal:
            return portal.call(self._answer, request)

    async def _answer(self, request):
        answer = await self._asgi.handle_async_request(request)
        body = b"".join([part async for part in answer.stream])
        return httpx.Response(answer.status_code, headers=answer.headers, stream=httpx.ByteStream(body))


class TestClient(testclient.TestClient):
    def __init__(self, app, *, raise_server_exceptions=True, **options):
        super().__init__(app, raise_server_exceptions=raise_server_exceptions, **options)
        self._transport = _Whole(self.app, self._portal_factory, raise_server_exceptions)
