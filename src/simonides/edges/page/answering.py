"""Answers as a browser gets them: HTML by templates that escape everything, JSON, or the way to another address."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import mimetypes
import re
from collections.abc import AsyncIterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from simonides.by_hand import for_store, store_options
from simonides.config import user_store
from simonides.edges.page import drawn_graph, wording
from simonides.edges.page.visit import ADMIN, READER, REVIEWER, WRITER, Elsewhere, NotAllowed, View, Visit
from simonides.edges.wording import fit
from simonides.errors import (
    Busy,
    Conflict,
    InvalidInput,
    NotFound,
    NotInstalled,
    RateLimited,
    SimonidesError,
    StoreFull,
    StoreLocked,
)

if TYPE_CHECKING:
    import jinja2

_FOLDER: Final = Path(__file__).parent
#: Nothing runs, and nothing looks, but what this server sends; nothing is sent but to it.
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
#: The page's own colours and letters, for who is given no file of it.
_DOOR_STYLE: Final = (
    ":root{--paper:#fbfaf6;--raised:#fff;--ink:#1b1f21;--muted:#5b6367;--edge:#868c8f;--accent:#0b5757;--on:#fff}"
    "@media(prefers-color-scheme:dark){:root{--paper:#131618;--raised:#1b1f22;--ink:#e9e6df;--muted:#a0a7a9;"
    "--edge:#767e82;--accent:#73c7be;--on:#0b1d1c}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);"
    "font:.9375rem/1.5 ui-sans-serif,system-ui,sans-serif}"
    "main{max-width:32rem;margin:12vh auto 0;padding:0 1.5rem}"
    "h1{font:400 1.875rem/1.25 ui-serif,Charter,Georgia,serif;margin:0 0 1.25rem}a{color:var(--accent)}"
    "form{display:grid;gap:.5rem;justify-items:start;margin-top:1.5rem}label{color:var(--muted)}"
    "input,button{font:inherit;padding:.6rem .8rem;border-radius:6px;border:1px solid var(--edge)}"
    "input{width:100%;background:var(--raised);color:inherit}"
    "button{background:var(--accent);color:var(--on);border-color:var(--accent)}"
    ":focus-visible{outline:2px solid var(--accent);outline-offset:2px}"
)
_HEADERS: Final = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    # Without any, browsers leave the origin out of forms, which the server asks for.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
    "vary": "hx-request",
}
#: Statuses of errors, the nearest class first.
_STATUSES: Final[tuple[tuple[type[SimonidesError], int], ...]] = (
    (NotAllowed, 403),
    (NotFound, 404),
    (Conflict, 409),
    (InvalidInput, 400),
    (RateLimited, 429),
    (Busy, 503),
    (StoreLocked, 503),
    (StoreFull, 507),
)
_TITLES: Final = {
    401: "Sign in",
    403: "This is not open to you",
    404: "There is nothing here",
    429: "That was too much at once",
}
_WORTH_ANOTHER_TRY: Final = frozenset({429, 500, 502, 503, 504})
#: Paths of forms, with the page that each stands on.
_FORMS: Final = (
    re.compile(r"(/(?:m|entities|runs)/[^/]+)/[^/]+"),
    re.compile(r"(/review)/[^/]+/[^/]+"),
)
#: Places in the order of the page's head, with their addresses.
PLACES: Final = {
    "Search": "/",
    "Review": "/review",
    "Runs": "/runs",
    "Palace": "/palace",
    "Entities": "/entities",
    "Timeline": "/timeline",
    "Prompts": "/prompts",
    "Live": "/live",
    "Audit": "/audit",
    "Settings": "/settings",
}


#: Places of the whole store, with the role that each takes.
_OF_THE_WHOLE: Final = {"Runs": READER, "Audit": REVIEWER, "Settings": ADMIN}


def _open_places(visit: Visit) -> dict[str, str]:
    """The places that the visitor may see."""
    return {
        name: path
        for name, path in PLACES.items()
        if name not in _OF_THE_WHOLE or (visit.visitor.unbound and visit.may(_OF_THE_WHOLE[name]))
    }


def answer(visit: Visit, outcome: View | Elsewhere, *, as_json: bool = False) -> Response:
    """An answer of a place, as the browser wants it."""
    if isinstance(outcome, Elsewhere):
        if visit.in_place:
            return Response(status_code=200, headers={**_HEADERS, "hx-redirect": outcome.path})
        return RedirectResponse(outcome.path, 303, headers=_HEADERS)
    if as_json:
        if outcome.data is None:
            raise NotFound("there is no JSON of this page")
        return _json(outcome.data, outcome.status)
    return _html(visit, outcome)


def refusal(visit: Visit | None, error: SimonidesError, as_json: bool) -> Response:
    """An error in words: what happened, what was kept, and where to go on."""
    status = next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)
    if as_json:
        return _json({"code": error.code, "message": str(error)}, status)
    if visit is None:
        return at_the_door(status, str(error))
    # Where the store is, only those are told whom all of it is open to.
    options = store_options(visit.memory.path, user_store()) if visit.visitor.unbound else []
    view = View(
        template="part_refused" if visit.in_place else "refused",
        shown={
            "here": "",
            "message": for_store(str(error), options),
            "status": status,
            "again": _source(visit) if status == 409 else "",
        },
        status=status,
    )
    return _html(visit, view)


def at_the_door(status: int, message: str) -> Response:
    """A page for a browser that comes no further, with what it can do: sign in, try again, or go to the search.

    It has its style in itself, since a browser that is not signed in is given no file of the page.
    """
    text = environment().get_template("door.html.j2").render(
        title=_TITLES.get(status, "That was not done" if status < 500 else "The server could not answer"),
        message=message,
        signs_in=status == 401,
        again=status in _WORTH_ANOTHER_TRY,
        style=_DOOR_STYLE,
    )  # fmt: skip
    mark = base64.b64encode(hashlib.sha256(_DOOR_STYLE.encode()).digest()).decode()
    policy = _POLICY.replace("style-src 'self'", f"style-src 'sha256-{mark}'")
    headers = {**_HEADERS, "content-security-policy": policy}
    return Response(text, status, headers=headers, media_type="text/html")


def _source(visit: Visit) -> str:
    """The page that the form of a refused change stands on."""
    return next((match[1] for form in _FORMS if (match := form.fullmatch(visit.path))), "")


def streaming(pieces: AsyncIterable[bytes]) -> Response:
    """An answer that goes on."""
    return StreamingResponse(pieces, headers=_HEADERS, media_type="text/event-stream")


async def static(request: Request) -> Response:
    """A file of the page; named with its hash, it may be kept for good."""
    name = request.path_params["name"]
    kept = _statics().get(name)
    if kept is None:
        return Response(status_code=404, headers=_HEADERS)
    content, mark = kept
    lasting = request.query_params.get("v") == mark
    headers = {
        **_HEADERS,
        "cache-control": "public, max-age=31536000, immutable" if lasting else "no-cache",
        "etag": f'"{mark}"',
    }
    if request.headers.get("if-none-match") == f'"{mark}"':
        return Response(status_code=304, headers=headers)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(content, headers=headers, media_type=kind)


def _html(visit: Visit, view: View) -> Response:
    text = environment().get_template(f"{view.template}.html.j2").render(
        visit=visit,
        places=_open_places(visit),
        has_json=view.data is not None,
        may_write=visit.may(WRITER),
        may_review=visit.may(REVIEWER),
        may_keep_up=visit.may(ADMIN),
        **view.shown,
    )  # fmt: skip
    return Response(text, view.status, headers=_HEADERS, media_type="text/html")


def _json(data: Any, status: int) -> Response:
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return Response(text.encode("utf-8", "replace"), status, headers=_HEADERS, media_type="application/json")


@functools.cache
def _statics() -> dict[str, tuple[bytes, str]]:
    """Files by name, each with a mark of its content."""
    files: dict[str, tuple[bytes, str]] = {}
    for path in sorted((_FOLDER / "static").iterdir()):
        content = path.read_bytes()
        files[path.name] = content, hashlib.sha256(content).hexdigest()[:12]
    return files


def _asset(name: str) -> str:
    """Address of a file of the page, with the mark of its content."""
    return f"/static/{name}?v={_statics()[name][1]}"


@functools.cache
def environment() -> jinja2.Environment:
    """The templates.

    Raises:
        NotInstalled: The package `jinja2` is not there.
    """
    try:
        import jinja2  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise NotInstalled.of("jinja2", extra="server") from error
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER / "templates"),
        undefined=jinja2.StrictUndefined,
        # Of every expression, so that none can be forgotten: what is stored is text, and stands there as text.
        autoescape=True,
        finalize=fit,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.do"],
    )
    filters: Any = made.filters
    filters.update(wording.FILTERS)
    globals_: Any = made.globals
    globals_.update(asset=_asset, graph_width=drawn_graph.WIDTH, **wording.GLOBALS)
    return made
