"""Refusals, each in the form that whoever asks can read: a page, a problem, or an error of a server of models."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from simonides.edges.server.problems import HttpProblem
from simonides.edges.server.table import by_path
from simonides.errors import NotInstalled

#: Where MCP is spoken.
MCP: Final = "/mcp"
_FORM: Final = "application/x-www-form-urlencoded"
#: What stands behind `/v1/` in paths of REST.
_OWN_WORDS: Final = frozenset(path.split("/")[2] for path in by_path())


def wants_page(scope: Scope) -> bool:
    """True of a browser that opens an address or sends a form."""
    headers = Headers(scope=scope)
    # The page's own script says itself what failed.
    if "hx-request" in headers:
        return False
    return "text/html" in headers.get("accept", "") and (
        scope["method"] in {"GET", "HEAD"} or headers.get("content-type", "").startswith(_FORM)
    )


def is_ours(scope: Scope) -> bool:
    """True of what a page of ours asks for, and of slips in a path of REST: no server behind has such paths."""
    words = [word for word in scope["path"].lower().split("/") if word]
    return scope["state"]["by_cookie"] or (words[:1] == ["v1"] and not _OWN_WORDS.isdisjoint(words[1:2]))


def for_caller(problem: HttpProblem, scope: Scope) -> Response:
    """A problem as a page for a browser, which is told where to go on; for programs and below `/v1/` as JSON.

    Where the request was meant for the server behind, the JSON is what such a server answers.
    """
    if not wants_page(scope) or scope["path"].startswith("/v1/"):
        return _as_of_models(problem, scope) if _is_meant_for_upstream(scope) else problem.response()
    try:
        from simonides.edges.page.answering import at_the_door  # noqa: PLC0415 - jinja2 is an extra

        answer = at_the_door(problem.status, problem.detail)
    except (ImportError, NotInstalled):
        return problem.response()
    for name, value in problem.headers.items():
        answer.headers[name] = value
    return answer


def _is_meant_for_upstream(scope: Scope) -> bool:
    app = scope["app"]
    if not app.state.proxied or scope["path"].rstrip("/") == MCP or is_ours(scope):
        return False
    return all(route.matches(scope)[0] is Match.NONE for route in app.routes)


def _as_of_models(problem: HttpProblem, scope: Scope) -> Response:
    from simonides.edges.http.dialects.spoken import refusal  # noqa: PLC0415 - where chats are served

    body = refusal(scope["path"], Headers(scope=scope), problem.status, problem.detail, problem.code)
    return Response(body, problem.status, problem.headers, "application/json")
