"""Admission: hosts, origins, tokens, and what a request may say about its scope."""

import os
import random
import resource
import stat
from dataclasses import replace
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from simonides.domain.scope import Scope
from simonides.edges.http.access import Access, Refused, is_loopback
from simonides.edges.http.tokens import PREFIX, Credential, credentials_of, known
from simonides.errors import InvalidSettings
from simonides.testing_server import Page
from tests.edges.encodings import encoded

ANA = Credential(Scope("user:ana"))
TOKEN = "a-token-that-nobody-guesses"


def enter(access, **headers):
    return access.enter(
        Headers({"host": "localhost:11435", **{k.replace("_", "-"): v for k, v in headers.items()}})
    )


def refused(access, **headers):
    with pytest.raises(Refused) as error:
        enter(access, **headers)
    return error.value.status


# Hosts and origins


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:11435", "127.0.0.1:1", "[::1]:11435", "memory.lan:80", "localhost."]
)
def test_names_of_the_proxy_are_good(host):
    assert enter(Access.of("127.0.0.1", ANA, hosts="memory.lan, other.lan:99"), host=host).scope == "user:ana"


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "",
        "10.0.0.7",
        "[::2]",
        "evil@localhost",
    ],
)
def test_a_foreign_name_is_misdirected(host):
    assert refused(Access.of("127.0.0.1", ANA), host=host) == 421


def test_two_hosts_are_none():
    headers = Headers(raw=[(b"host", b"localhost"), (b"host", b"evil.example")])
    with pytest.raises(Refused):
        Access.of("127.0.0.1", ANA).enter(headers)


def test_where_it_listens_everywhere_every_address_is_good_and_names_are_not():
    access = Access.of("0.0.0.0", ANA)
    assert enter(access, host="192.168.1.7:11435").scope == "user:ana"
    assert refused(access, host="evil.example") == 421


def test_pages_of_other_origins_are_turned_away():
    access = Access.of("127.0.0.1", ANA, origins="https://chat.example/, tauri://localhost")
    for origin in (
        "https://chat.example",
        "HTTPS://CHAT.EXAMPLE",
        "tauri://localhost",
        "http://localhost:11435",
    ):
        assert enter(access, origin=origin).scope == "user:ana"
    for origin in (
        "https://evil.example",
        "null",
        "https://chat.example.evil",
        "http://localhost:1",
        "http://localhost",
    ):
        assert refused(access, origin=origin) == 403


def test_every_route_is_behind_the_doors(proxied):
    proxy = proxied(lambda _: Page(b"never"))
    for path in ("/", "/v1/chat/completions", "/api/chat", "/api/generate", "/api/tags", "/v1/models", "/*"):
        for method in ("GET", "POST", "HEAD", "OPTIONS"):
            client = proxy.http()
            assert client.request(method, path, headers={"Host": "evil.example"}).status_code == 421
            assert client.request(method, path, headers={"Origin": "https://evil.example"}).status_code == 403
    assert proxy.upstream.requests == []


def test_a_target_that_names_another_server_is_refused(proxied):
    proxy = proxied(lambda _: Page(b"never"))
    connection = proxy.raw()
    connection.putrequest("GET", "http://elsewhere.example/v1/models", skip_host=True)
    connection.putheader("Host", "localhost")
    connection.endheaders()
    assert connection.getresponse().status == 400
    assert proxy.upstream.requests == []


# Tokens


def test_without_the_token_nobody_comes_in():
    access = Access.of("127.0.0.1", ANA, credentials=[Credential(Scope("user:ana"), token=TOKEN)])
    assert refused(access) == 401
    assert refused(access, x_simonides_token="wrong") == 401
    assert refused(access, authorization="Bearer wrong") == 401
    assert refused(access, authorization=f"Basic {TOKEN}") == 401
    assert enter(access, x_simonides_token=TOKEN).token_in == ()
    assert enter(access, x_simonides_token=TOKEN, authorization="Bearer upstreams").token_in == ()
    assert enter(access, authorization=f"bearer {TOKEN}").token_in == ("authorization",)


def test_two_tokens_are_refused_unless_they_are_one():
    bob = Credential(Scope("user:bob"), token="another-token-that-nobody-guesses")
    access = Access.of("127.0.0.1", ANA, credentials=[Credential(Scope("user:ana"), token=TOKEN), bob])
    assert refused(access, x_simonides_token=bob.token, authorization=f"Bearer {TOKEN}") == 400
    assert refused(access, x_api_key=bob.token, authorization=f"Bearer {TOKEN}") == 400
    assert enter(access, x_simonides_token=TOKEN, authorization=f"Bearer {TOKEN}").token_in == (
        "authorization",
    )
    shown = [f"Bearer {TOKEN}".encode(), b"Bearer upstreams"]
    for twice in (shown, shown[::-1], shown[:1] * 2):
        headers = Headers(raw=[(b"host", b"localhost"), *((b"authorization", value) for value in twice)])
        with pytest.raises(Refused) as error:
            access.enter(headers)
        assert error.value.status == 400


def test_a_token_that_comes_as_the_api_key_does_not_go_on(serve, proxied):
    access = Access.of("127.0.0.1", ANA, credentials=[Credential(Scope("user:ana"), token=TOKEN)])
    proxy = proxied("An answer.", access=access)
    client = proxy.http(headers={"Authorization": f"Bearer {TOKEN}", "X-API-Key": TOKEN, "API-Key": TOKEN})
    body = {"messages": [{"role": "user", "content": "Which colour does the dome have?"}]}
    assert client.get("/v1/models").status_code == 200
    assert client.post("/v1/chat/completions", json=body).status_code == 200
    assert proxy.http().get("/v1/models").status_code == 401
    keys = ("authorization", "x-api-key", "api-key")
    assert [asked.header(key) for asked in proxy.upstream.requests for key in keys] == [None] * 6


@pytest.mark.parametrize(
    "token", [TOKEN, "Zm9v+YmFy/Zm9vYmFyYmF6==", "50%25-off-%zz-Größe-тайна", "ｆｕｌｌ-width-token-1234"]
)
@given(seed=st.integers(0, 2**32))
def test_a_token_is_seen_in_whatever_part_of_an_address_however_it_is_encoded(token, seed):
    at_random = random.Random(seed)
    access = Access.of("127.0.0.1", ANA, credentials=[Credential(Scope("user:ana"), token=token)])
    key = PREFIX + "k" * 43
    keyed = replace(Access.of("127.0.0.1", ANA), keys=lambda shown: ANA if shown == key else None)
    form = at_random.choice(
        ("/v1/m?{}", "/v1/m?a=1&k={}", "/{}/v1", "/v1/m;k={};x=1", "/v1/m#{}", "/v1{}x?y", "/?{}@h")
    )
    for one, text in ((access, token), (keyed, key)):
        for shown in (encoded(text, at_random), text):
            assert one.is_shown_in(form.format(shown).encode())
        assert not one.is_shown_in(form.format(encoded(text[:-1], at_random)).encode())


@pytest.mark.parametrize("sign", ["％", "﹪", "%EF%BC%85", "%25EF%25BC%2585"])
@pytest.mark.parametrize("token", [TOKEN, "50%25-off-%zz-Größe-тайна"])
def test_a_token_is_seen_behind_other_forms_of_the_sign_that_encodes(sign, token):
    access = Access.of("127.0.0.1", ANA, credentials=[Credential(Scope("user:ana"), token=token)])
    shown = "".join(f"{sign}{byte:02X}" for byte in token.encode())
    assert access.is_shown_in(f"/v1/m?k={shown}&\xff".encode())
    assert access.is_shown_in(f"/v1/m?k={shown}&".encode() + b"\xff")
    assert not access.is_shown_in(f"/v1/m?k={shown[: -len(sign) - 2]}".encode())


def test_a_token_that_is_encoded_over_and_over_lets_other_addresses_pass():
    token = "%" + "25" * 20 + "41-token"
    access = Access.of("127.0.0.1", ANA, credentials=[Credential(Scope("user:ana"), token=token)])
    assert not access.is_shown_in(b"/v1/models")
    with pytest.raises(Refused):
        access.is_shown_in(f"/v1/models?{token}".encode())
    assert token not in repr(access)


def test_keys_that_are_made_or_revoked_count_at_once():
    key, there = PREFIX + "k" * 43, dict[str, Credential]()
    access = replace(Access.of("127.0.0.1", ANA), keys=there.get)
    for made in ({key: ANA}, {}):
        there.clear()
        there.update(made)
        assert access.is_shown_in(f"/v1/m?k={key}".encode()) == (key in made)


def test_where_nobody_has_a_token_no_address_shows_one():
    assert not Access.of("127.0.0.1", ANA).is_shown_in(b"/v1/x?q=%" + b"25" * 1000)


@pytest.mark.parametrize("times", [8, 11, 1000])
def test_an_address_that_is_encoded_without_end_is_refused(times):
    access = Access.of("127.0.0.1", ANA, credentials=[Credential(Scope("user:ana"), token=TOKEN)])
    address = b"/v1/models?%" + b"25" * times + b"41"
    if times < 10:
        assert not access.is_shown_in(address)
    else:
        with pytest.raises(Refused, match="encode each character once"):
            access.is_shown_in(address)


@pytest.mark.parametrize("token", [TOKEN, "Zm9v+YmFy/Zm9vYmFyYmF6=="])
def test_an_address_with_a_token_is_refused_and_one_with_another_text_passes_as_it_is(proxied, token):
    access = Access.of("127.0.0.1", ANA, credentials=[Credential(Scope("user:ana"), token=token)])
    proxy = proxied(lambda _: Page(b"{}"), access=access)
    client = proxy.http(headers={"x-simonides-token": token})
    encoded = "".join(f"%{ord(sign):02X}" for sign in token)
    for shown in (token, encoded, f"Bearer%20{token}"):
        for address in (
            "/v1/models?{}",
            "/v1/models?key={}",
            "/{}/v1/models",
            "/api/tags;{}",
            "/v1/chat/completions?a&{}",
        ):
            for method in ("GET", "POST"):
                answer = client.request(method, address.format(shown))
                assert (answer.status_code, "send it in a header" in answer.text) == (400, True)
    assert proxy.upstream.requests == []
    for shown in (token[:-1], token.swapcase(), "a-token-of-another-server", "x" * 5000):
        assert client.get(f"/v1/models?{quote(shown)}").status_code == 200


def test_the_upstreams_key_is_the_settings_own(proxied):
    proxy = proxied("An answer.", key="the-key")
    client = proxy.http(headers={"Authorization": "Bearer other"}, params={"api_key": "x"})
    client.get("/v1/models")
    client.post(
        "/v1/chat/completions", json={"messages": [{"role": "user", "content": "hello"}], "api_key": "x"}
    )
    assert [asked.header("authorization") for asked in proxy.upstream.requests] == ["Bearer the-key"] * 2


def test_a_client_of_anthropics_brings_the_key_as_they_do(proxied):
    proxy = proxied("An answer.", key="the-key")
    asked = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hello"}]}
    proxy.anthropic(default_headers={"Authorization": "Bearer other"}).messages.create(**asked)
    [sent] = proxy.upstream.chats
    assert (sent.header("x-api-key"), sent.header("authorization")) == ("the-key", None)


def test_without_a_key_the_clients_own_goes_on(proxied):
    proxy = proxied("An answer.")
    proxy.http(headers={"Authorization": "Bearer other"}).get("/v1/models")
    assert proxy.upstream.requests[-1].header("authorization") == "Bearer other"


def test_a_file_of_tokens_is_made_once_and_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "new" / "proxy.token"
    [made] = credentials_of(path, Scope("user:ana"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(made.token) >= 40
    assert (made.scope, made.narrows) == ("user:ana", True)
    assert credentials_of(path, Scope("user:ana")) == (made,)
    assert made.token not in repr(made)


def test_a_file_of_tokens_that_cannot_be_written_is_not_there_to_be_read_at_the_next_start(tmp_path):
    path = tmp_path / "proxy.token"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(OSError, match="large"):
            credentials_of(path, Scope("global"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not path.exists()
    assert credentials_of(path, Scope("global"))[0].token


def test_a_file_of_tokens_that_others_can_read_is_refused(tmp_path):
    path = tmp_path / "proxy.token"
    credentials_of(path, Scope("global"))
    path.chmod(0o640)
    with pytest.raises(InvalidSettings, match="chmod 600"):
        credentials_of(path, Scope("global"))


def test_a_token_may_be_bound_to_a_scope_of_its_own(tmp_path):
    path = tmp_path / "proxy.token"
    path.touch(mode=0o600)
    path.write_text(f"# ours\n\n{TOKEN} user:bob\n{TOKEN}2 user:eve/project:x/*\n", "utf-8")
    bob, eve = credentials_of(path, Scope("global"))
    assert (bob.scope, bob.narrows) == ("user:bob", False)
    assert (eve.scope, eve.narrows) == ("user:eve/project:x", True)
    assert known([bob, eve], f"{TOKEN}2") == eve
    assert known([bob, eve], "") is None


@pytest.mark.parametrize("text", ["", "# none\n", "short\n", "ключключключключключ\n", f"{TOKEN} no scope\n"])
def test_a_file_that_holds_no_good_token_is_refused(text, tmp_path):
    path = tmp_path / "proxy.token"
    path.touch(mode=0o600)
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=r"token|scope"):
        credentials_of(path, Scope("global"))


# Scopes and sessions

PARTS = st.dictionaries(
    st.sampled_from(["user", "project", "agent", "team"]), st.sampled_from(["a", "b"]), max_size=4
)


@given(bound=PARTS, named=PARTS, narrows=st.booleans())
def test_a_request_never_leaves_the_scope_that_its_credential_is_bound_to(bound, named, narrows):
    credential = Credential(Scope.of(**bound), narrows=narrows)
    found = credential.scope_for(Scope.of(**named))
    if found is None:
        assert not narrows or not bound.items() <= named.items()
    else:
        assert bound.items() <= dict(found.parts).items()
        assert narrows or found == credential.scope


def test_a_header_may_narrow_the_scope_and_not_leave_it():
    access = Access.of("127.0.0.1", ANA)
    assert enter(access).scope == "user:ana"
    assert enter(access, x_simonides_scope="project:x/user:ana").scope == "user:ana/project:x"
    assert refused(access, x_simonides_scope="user:bob") == 403
    assert refused(access, x_simonides_scope="global") == 403
    assert refused(access, x_simonides_scope="no scope") == 400
    assert (
        refused(
            Access.of("127.0.0.1", Credential(Scope("user:ana"), narrows=False)),
            x_simonides_scope="user:ana/project:x",
        )
        == 403
    )


def test_a_session_is_named_by_its_header(proxied):
    access = Access.of("127.0.0.1", ANA)
    assert enter(access).session_id is None
    assert enter(access, x_simonides_session="monday").session_id == "monday"
    assert refused(access, x_simonides_session="x" * 201) == 400
    proxy = proxied(["One.", "Two."])
    for text in ("My telescope is blue.", "My other telescope is red."):
        body = {"messages": [{"role": "user", "content": text}]}
        proxy.http().post("/v1/chat/completions", json=body, headers={"X-Simonides-Session": "monday"})
    proxy.close()
    assert len(proxy.memory.list(scope="user:ana", session_id="monday", types=["episode"])) == 4


def test_the_scope_of_a_chat_is_that_of_its_header_and_never_of_its_body(proxied):
    proxy = proxied("Noted.")
    body = {
        "messages": [{"role": "user", "content": "My telescope is blue.", "scope": "user:eve"}],
        "scope": "user:eve",
        "user": "eve",
        "metadata": {"scope": "user:eve"},
    }
    proxy.http().post(
        "/v1/chat/completions?scope=user:eve", json=body, headers={"X-Simonides-Scope": "user:ana/project:x"}
    )
    assert len(proxy.turns("user:ana/project:x")) == 2
    assert proxy.memory.list(scope="user:eve") == []


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("10.1.2.3", False)],
)
def test_what_only_this_machine_reaches_is_known(host, local):
    assert is_loopback(host) is local


@pytest.mark.skipif(os.name == "nt", reason="modes of files")
def test_two_starts_at_once_agree_on_one_token(tmp_path):
    path = tmp_path / "proxy.token"
    assert len({credentials_of(path, Scope("global"))[0].token for _ in range(3)}) == 1
