"""Refusals of the proxy itself, as real clients of each API read them: status, type, code, and what to do."""

import typing

import anthropic
import ollama
import openai
import pytest
from anthropic.types.shared.error_type import ErrorType

from simonides.domain.scope import Scope
from simonides.edges.http import talk
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential
from simonides.testing_server import Fault, Said

TOKEN = "t" * 20
BOUND = Credential(Scope("user:ana"), token=TOKEN)
ASKED = [{"role": "user", "content": "Which colour does the dome have?"}]
#: What a message says to do.
DOES = ("send", "show", "name", "check", "ask again", "log says", "may not leave", "take", "use")


def by_openai(client):
    client.chat.completions.create(model="m", messages=ASKED)


def by_responses(client):
    client.responses.create(model="m", input="Which colour does the dome have?")


def by_anthropic(client):
    client.messages.create(model="m", max_tokens=9, messages=ASKED)


def by_ollama(client):
    client.chat(model="m", messages=ASKED)


def by_generate(client):
    client.generate(model="m", prompt="Which colour does the dome have?")


WAYS = [
    ("openai", by_openai),
    ("openai", by_responses),
    ("anthropic", by_anthropic),
    ("ollama", by_ollama),
    ("ollama", by_generate),
]
SHOWN = {"x-simonides-token": TOKEN}
#: Ways to be refused: what the client sends, the settings, what goes wrong, and status and code of the error.
REFUSED = {
    "no token": ({}, {}, None, 401, "token"),
    "wrong token": ({"x-simonides-token": "x" * 20}, {}, None, 401, "token"),
    "page": (SHOWN | {"origin": "http://evil.example"}, {}, None, 403, "forbidden"),
    "scope": (SHOWN | {"x-simonides-scope": "user:bob"}, {}, None, 403, "forbidden"),
    "no scope": (SHOWN | {"x-simonides-scope": "::"}, {}, None, 400, "invalid_header"),
    "session": (SHOWN | {"x-simonides-session": "s" * 300}, {}, None, 400, "invalid_header"),
    "host": (SHOWN | {"host": "evil.example"}, {}, None, 421, "host"),
    "long": (SHOWN, {"max_body_mb": 0.00001}, None, 413, "large_body"),
    "down": (SHOWN, {}, "down", 502, "upstream_failed"),
    "reset": (SHOWN, {}, Fault.RESET, 502, "upstream_failed"),
    "silent": (SHOWN, {"timeout_s": 0.2}, Fault.TIMEOUT, 504, "upstream_silent"),
    "bug": (SHOWN, {}, "bug", 500, "internal"),
}
OF_OPENAI = {
    401: openai.AuthenticationError, 403: openai.PermissionDeniedError, 400: openai.BadRequestError,
    500: openai.InternalServerError, 502: openai.InternalServerError, 504: openai.InternalServerError,
}  # fmt: skip
TYPES = typing.get_args(ErrorType)


def refused(proxied, serve, monkeypatch, way, case):
    """The error that a client raises."""
    kind, ask = way
    headers, settings, fault, status, code = REFUSED[case]
    upstream = None
    if fault == "down":
        upstream = serve()
        upstream.close()
    elif fault == "bug":

        async def fails(*_):
            raise ZeroDivisionError

        monkeypatch.setattr(talk.Talk, "answer", fails)
    access = Access.of("127.0.0.1", BOUND, credentials=[BOUND])
    script = Said("An answer.", fault=fault) if isinstance(fault, Fault) else "An answer."
    proxy = proxied(script, upstream=upstream, access=access, **settings)
    options = {"headers": headers} if kind == "ollama" else {"default_headers": headers}
    client = getattr(proxy, kind)(**options)
    with pytest.raises((openai.APIStatusError, anthropic.APIStatusError, ollama.ResponseError)) as error:
        ask(client)
    return error.value, status, code


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("way", WAYS, ids=[ask.__name__ for _, ask in WAYS])
def test_each_refusal_is_an_error_of_the_clients_own_api_that_says_what_to_do(
    proxied, serve, monkeypatch, way, case
):
    error, status, code = refused(proxied, serve, monkeypatch, way, case)
    assert error.status_code == status
    match error:
        case openai.APIStatusError():
            assert isinstance(error, OF_OPENAI.get(status, openai.APIStatusError))
            assert (error.code, bool(error.type), error.param) == (code, True, None)
            told = error.body["message"]
        case anthropic.APIStatusError():
            assert (error.error_code, error.type in TYPES) == (code, True), error.body
            assert error.type != "api_error" or status >= 500
            told = error.api_message
        case _:
            told = error.error
    assert any(word in told for word in DOES), told
