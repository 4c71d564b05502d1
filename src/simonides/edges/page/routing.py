"""Routes of the page, and the way of a request: a form is read, a place is asked in a thread, its view is written."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from simonides.domain.reach import reaching
from simonides.edges.page.answering import answer, refusal, static, streaming
from simonides.edges.page.places import (
    actions,
    audit,
    entities,
    item,
    live,
    palace,
    prompts,
    purge,
    review,
    runs,
    search,
    settings,
    timeline,
)
from simonides.edges.page.visit import Elsewhere, View, Visit
from simonides.errors import Conflict, InvalidInput, SimonidesError

Handler: TypeAlias = Callable[[Visit], View | Elsewhere]
#: The longest form, in bytes: a correction with everything that a content may hold.
_LONGEST_FORM: Final = 1_000_000
#: Places by their paths. Each is JSON under its path with `.json`.
_PLACES: Final[dict[str, Handler]] = {
    "/search": search.place,
    "/m/{id}": item.place,
    "/m/{id}/purge": purge.place,
    "/review": review.place,
    "/runs": runs.listing,
    "/runs/plan": runs.plan,
    "/runs/{id}": runs.place,
    "/palace": palace.place,
    "/entities": entities.listing,
    "/entities/{name}": entities.place,
    "/timeline": timeline.place,
    "/prompts": prompts.listing,
    "/prompts/{id}": prompts.place,
    "/live": live.place,
    "/audit": audit.place,
    "/settings": settings.place,
}
#: What forms are sent to.
_ACTIONS: Final[dict[str, Handler]] = {
    "/sample": actions.sample,
    "/m/{id}/move": palace.move,
    "/m/{id}/purge": purge.purge,
    "/m/{id}/{verb}": actions.act,
    "/review/{key}/{verb}": review.decide,
    "/entities/{id}/{verb}": entities.act,
    "/runs/start": runs.start,
    "/runs/{id}/undo": runs.undo,
}


def table() -> list[BaseRoute]:
    """Every route, from `/` on."""
    routes: list[BaseRoute] = [Route("/", _served(search.place), methods=["GET"])]
    for path, handler in _PLACES.items():
        routes.append(Route(f"{path}.json", _served(handler, as_json=True), methods=["GET"]))
        routes.append(Route(path, _served(handler), methods=["GET"]))
    routes += [Route(path, _served(handler), methods=["POST"]) for path, handler in _ACTIONS.items()]
    routes.append(Route("/live/events", _events, methods=["GET"]))
    routes.append(Route("/static/{name}", static, methods=["GET"]))
    return routes


def _served(handler: Handler, *, as_json: bool = False) -> Callable[[Request], Any]:
    @functools.wraps(handler)
    async def endpoint(request: Request) -> Response:
        try:
            form = await _form(request)
        except SimonidesError as error:
            return refusal(None, error, as_json)
        return await to_thread.run_sync(_answered, request, handler, form, as_json)

    return endpoint


def _answered(request: Request, handler: Handler, form: dict[str, str], as_json: bool) -> Response:
    visit = _visit(request, form, as_json=as_json)
    try:
        with reaching(None if visit.visitor.unbound else visit.visitor.holds):
            outcome = handler(visit)
        return answer(visit, outcome, as_json=as_json)
    except SimonidesError as error:
        return refusal(visit, error, as_json)


async def _events(request: Request) -> Response:
    """Send what happens from now on, as server-sent events."""
    visit = _visit(request, {})
    return streaming(live.stream(visit, request.headers.get("last-event-id", "")))


def _visit(request: Request, form: dict[str, str], *, as_json: bool = False) -> Visit:
    return Visit(
        memory=request.state.memory,
        visitor=request.state.caller,
        path=request.url.path.removesuffix(".json") if as_json else request.url.path,
        names=request.path_params,
        query=dict(request.query_params),
        form=form,
        in_place=request.headers.get("hx-request") == "true",
        now=time.time_ns() // 1000,
    )


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form.

    Raises:
        Conflict: Another site's page sends it.
        InvalidInput: It is none, or too long.
    """
    if request.method != "POST":
        return {}
    if request.headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        raise Conflict("a page of another site sent this form; nothing was changed")
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > _LONGEST_FORM:
            raise InvalidInput(f"a form has at most {_LONGEST_FORM:,} bytes; nothing was changed")
        pieces.append(piece)
    try:
        return dict(parse_qsl(b"".join(pieces).decode("ascii"), keep_blank_values=True, errors="strict"))
    except ValueError:
        raise InvalidInput("this is no form of the page; nothing was changed") from None
