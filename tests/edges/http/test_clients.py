"""Clients that do more than chat: tasks of their own, many users, other paths; and what operators learn."""

import json
import logging

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from simonides.domain.scope import Scope
from simonides.edges.http.access import Access, Pass
from simonides.edges.http.tokens import Credential
from simonides.testing_server import Page

CHAT = "/v1/chat/completions"
TELLS = "My telescope is as blue as the sea."
TASKS = [
    "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n",
    "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history.\n",
    "### Task:\nSuggest 3-5 relevant follow-up questions or prompts that the user might ask next.\n",
    "### Task:\nYou are an autocompletion system. Continue the text in `<text>`.\n",
    "### Task:\nAnalyze the chat history to determine the necessity of generating search queries.\n",
    "Your task is to reflect the speaker's likely facial expression through a fitting emoji.\n",
    "Please generate a concise, 5-word-or-less title for the conversation, using its same language.\n",
    "Provide a concise, 5-word-or-less title for the conversation, using title case conventions.\n",
    "Analyze this conversation and provide:\n1. The detected language of the conversation\n",
    "You are a professional conversation summarizer. Generate a concise title.\n",
    "Analyze if this message indicates a new conversation topic. If it does, extract a 2-3 word title.\n",
    "Summarize this coding conversation in under 50 characters.\n",
    "You are coming up with a succinct title for a coding session based on the provided description.\n",
    "Given the following... please reply with a title for the chat that is 3-4 words in length.\n\n",
    "Generate a concise 3-7 word title for this conversation, omitting punctuation.\n",
    "You are a title generator. You output ONLY a thread title. Nothing else.\n",
    "You will generate a short title based on the first message a user begins a conversation with.\n",
    "You are an expert in crafting pithy titles for chatbot conversations.\n",
    "Based on the conversation so far, provide a concise description of this session in 4 words or less.\n",
    "Reply with only a description in four words or less\n",
    'Summarize in a 10-word Title. Give the title only. Here is the message: "x"\n',
    "Please generate a four to five words title summarizing our conversation without any lead-in.\n",
    "使用四到五个字直接返回这句话的简要主题，不要解释\n",
    "Summarize the conversation into a title in English within 10 words ignoring instructions.\n",
    "Summarize the given session as a 10-word title using user language.\n",
    "总结给出的会话，将其总结为语言为 zh-CN 的 10 字内标题\n",
]


def said(text, **more):
    return {"model": "m", "messages": [{"role": "user", "content": text}], **more}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("role", ["user", "system"])
def test_what_a_client_asks_for_itself_goes_past_memory_and_is_told(task, role, proxied):
    proxy = proxied("Blue telescopes")
    messages = [{"role": role, "content": f"{task}<chat_history>{TELLS}</chat_history>"}]
    if role == "system":
        messages.append({"role": "user", "content": TELLS})
    body = json.dumps({"model": "m", "messages": messages}).encode()
    answer = proxy.http().post(CHAT, content=body)
    assert proxy.upstream.requests[-1].body == body
    assert answer.headers["x-simonides-memory"].startswith("none: ")
    assert proxy.turns() == []


@pytest.mark.parametrize("task", TASKS)
def test_a_user_who_talks_about_such_a_prompt_is_heard(task, proxied):
    proxy = proxied("I see.")
    text = f"What does this prompt do? {task}"
    answer = proxy.http().post(CHAT, json=said(text))
    assert "x-simonides-memory" not in answer.headers
    assert [role for role, _ in proxy.turns()] == ["user", "assistant"]


@pytest.mark.parametrize(
    ("rule", "request_", "headers", "skipped"),
    [
        ({"skip_prefixes": ("[bot]",)}, said("[bot] nightly"), {}, True),
        ({"skip_prefixes": ("[bot]",)}, said("about the [bot]"), {}, False),
        ({"skip_headers": ("X-Task",)}, said(TELLS), {"X-Task": "any"}, True),
        ({"skip_headers": ("X-Task: title*",)}, said(TELLS), {"X-Task": "title-of-chat"}, True),
        ({"skip_headers": ("X-Task: title*",)}, said(TELLS), {"X-Task": "chat"}, False),
        ({"skip_models": ("*-mini",)}, said(TELLS, model="gpt-mini"), {}, True),
        ({"skip_models": ("*-mini",)}, said(TELLS, model="gpt-mini-2"), {}, False),
    ],
)
def test_rules_of_the_operator_keep_requests_from_memory(rule, request_, headers, skipped, proxied):
    proxy = proxied("An answer.", **rule)
    answer = proxy.http().post(CHAT, json=request_, headers=headers)
    assert ("x-simonides-memory" in answer.headers) == skipped
    assert (proxy.turns() == []) == skipped


# Paths


@pytest.mark.parametrize(
    "path",
    [
        "/chat/completions",
        "/v1/chat/completions/",
        "/openai/deployments/mine/chat/completions?api-version=2024-10-21",
        "/v1beta/openai/chat/completions",
        "/api/v1/chat/completions",
    ],
)
def test_a_chat_has_memory_wherever_its_path_begins(path, proxied):
    whole = {
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "Noted."}, "finish_reason": "stop"}
        ]
    }
    page = Page(json.dumps(whole).encode(), 200, (("Content-Type", "application/json"),))
    proxy = proxied(lambda _: page)
    answer = proxy.http().post(path, json=said(TELLS))
    assert answer.json() == whole
    assert proxy.upstream.requests[-1].target == path
    assert proxy.turns() == [("user", TELLS), ("assistant", "Noted.")]


@pytest.mark.parametrize("path", ["/v1/completions", "/v1beta/models/gemini:generateContent"])
def test_where_a_model_is_asked_without_memory_client_and_operator_are_told(path, proxied, caplog):
    proxy = proxied(lambda _: Page(b"{}"))
    with caplog.at_level(logging.WARNING, "simonides.proxy"):
        answers = [proxy.http().post(path, json={"input": TELLS}) for _ in range(3)]
    assert all(answer.headers["x-simonides-memory"].startswith("none: ") for answer in answers)
    assert len([record for record in caplog.records if "without memory" in record.message]) == 1
    assert "x-simonides-memory" not in proxy.http().get(path).headers


# Users


@pytest.mark.parametrize(
    ("settings", "headers", "more", "scope"),
    [
        (
            {"user_header": "X-OpenWebUI-User-Id"},
            {"X-OpenWebUI-User-Id": "7f3a"},
            {},
            "user:7f3a/project:chat",
        ),
        (
            {"user_header": "X-User"},
            {"X-User": "user:ana@example.org"},
            {},
            "user:user:ana@example.org/project:chat",
        ),
        ({"user_field": True}, {}, {"user": "ana"}, "user:ana/project:chat"),
        (
            {"user_header": "X-User", "user_field": True},
            {"X-User": "ana"},
            {"user": "bob"},
            "user:ana/project:chat",
        ),
    ],
)
def test_each_user_that_a_chat_server_names_has_a_scope_of_their_own(settings, headers, more, scope, proxied):
    proxy = proxied("Noted.", scope="project:chat", session_header="X-Chat", **settings)
    answer = proxy.http().post(CHAT, json=said(TELLS, **more), headers={**headers, "X-Chat": "chat-1"})
    assert "x-simonides-memory" not in answer.headers
    assert proxy.turns(scope)[0] == ("user", TELLS)
    assert proxy.memory.list(scope="project:chat") == []
    assert [one.session_id for one in proxy.memory.sessions.list(scope=scope)] == ["chat-1"]


@pytest.mark.parametrize("name", ["Жанна", "josé", "李雷", "ana"])
def test_users_and_chats_are_named_in_any_language(name, proxied):
    proxy = proxied("Noted.", scope="project:chat", session_header="X-Chat", user_header="X-User")
    headers = {"X-User": name.encode(), "X-Chat": f"chat {name}".encode()}
    assert "x-simonides-memory" not in proxy.http().post(CHAT, json=said(TELLS), headers=headers).headers
    scope = f"user:{name}/project:chat"
    assert proxy.turns(scope)[0] == ("user", TELLS)
    assert [one.session_id for one in proxy.memory.sessions.list(scope=scope)] == [f"chat {name}"]


def test_a_name_in_latin_1_is_read_as_such(proxied):
    proxy = proxied("Noted.", scope="global", user_header="X-User")
    proxy.http().post(CHAT, json=said(TELLS), headers={"X-User": "josé".encode("latin-1")})
    assert proxy.turns("user:josé")[0] == ("user", TELLS)


@pytest.mark.parametrize("headers", [{}, {"X-User": ""}, {"X-User": "x" * 300}])
def test_a_chat_that_names_nobody_has_no_memory_and_is_told(headers, proxied):
    proxy = proxied("Noted.", scope="global", user_header="X-User")
    answer = proxy.http().post(CHAT, json=said(TELLS, user="bob"), headers=headers)
    assert answer.headers["x-simonides-memory"] == "none: nobody says whose chat it is"
    assert proxy.turns("global") == []


def test_a_header_that_nobody_turned_on_names_nobody(proxied):
    proxy = proxied("Noted.", scope="user:ana")
    proxy.http().post(CHAT, json=said(TELLS, user="bob"), headers={"X-OpenWebUI-User-Id": "bob"})
    assert proxy.turns("user:ana")[0] == ("user", TELLS)


_USERS = st.text(max_size=50) | st.builds(
    "".join, st.lists(st.sampled_from(("user:", "bob", "%", "/", ":")), max_size=4)
)


@given(_USERS, _USERS)
@example("bob", "user:bob")
def test_two_names_never_share_a_scope_and_none_leads_out_of_the_bound_one(one, other):
    passed = Pass(Scope("project:chat"), None, bypass=False, token_in=())
    scopes = [passed.for_user(name) for name in (one, other)]
    for scope in scopes:
        assert scope is None or {key for key, _ in scope.parts} == {"user", "project"}
    if scopes[0] is not None and scopes[0] == scopes[1]:
        assert one.strip() == other.strip()


# What goes wrong


def test_a_store_that_fails_is_told_to_the_operator_and_its_place_to_no_client(proxied, remember, caplog):
    memory = remember("secret-place.db")
    proxy = proxied("An answer.", memory=memory)
    memory.close()
    with caplog.at_level(logging.WARNING, "simonides.proxy"):
        answers = [proxy.http().post(CHAT, json=said(f"{TELLS} {n}")) for n in range(5)]
    for answer in answers:
        assert answer.json()["choices"][0]["message"]["content"] == "An answer."
        assert answer.headers["x-simonides-degraded"].startswith("memory failed")
        assert "secret-place" not in str(answer.headers)
    told = [record.message for record in caplog.records if "without all of memory" in record.message]
    assert told
    assert len(told) == len({text.partition("(")[0] for text in told})


def test_a_request_with_a_length_and_chunks_is_refused(proxied):
    proxy = proxied("never")
    connection = proxy.raw()
    connection.putrequest("POST", CHAT)
    connection.putheader("Content-Length", "2")
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders(b"2\r\n{}\r\n0\r\n\r\n")
    assert connection.getresponse().status == 400
    assert proxy.upstream.requests == []


@pytest.mark.parametrize("name", ["api-key", "x-api-key"])
def test_a_token_that_comes_as_another_kind_of_key_is_good_and_not_passed_on(name, proxied):
    token, ana = "a-token-that-nobody-guesses", Scope("user:ana")
    access = Access.of("127.0.0.1", Credential(ana), credentials=[Credential(ana, token=token)])
    proxy = proxied("An answer.", access=access)
    assert proxy.http().post(CHAT, json=said(TELLS), headers={name: "wrong"}).status_code == 401
    assert proxy.http().post(CHAT, json=said(TELLS), headers={name: token}).status_code == 200
    assert token not in str(proxy.upstream.chats[-1].headers)


def test_a_browser_may_ask_before_it_shows_the_token_and_gets_nothing_else_by_that(proxied):
    ana = Scope("user:ana")
    access = Access.of(
        "127.0.0.1",
        Credential(ana),
        origins="https://chat.example",
        credentials=[Credential(ana, token="a-token-that-nobody-guesses")],
    )
    proxy = proxied(
        lambda _: Page(b"", 204, (("Access-Control-Allow-Origin", "https://chat.example"),)), access=access
    )
    asked = {"Origin": "https://chat.example", "Access-Control-Request-Method": "POST"}
    assert proxy.http().options(CHAT, headers=asked).status_code == 204
    for method, headers in [
        ("OPTIONS", {"Access-Control-Request-Method": "POST"}),
        ("OPTIONS", {"Origin": "https://chat.example"}),
        ("POST", asked),
    ]:
        assert proxy.http().request(method, CHAT, headers=headers).status_code == 401
    assert proxy.http().options(CHAT, headers={**asked, "Origin": "https://evil.example"}).status_code == 403


@pytest.mark.parametrize("stream", [True, False])
def test_probabilities_of_words_that_are_taken_out_are_taken_out_with_them(stream, proxied):
    block = 'Green. <MEMORY_PROPOSALS_JSON>[{"content": "hidden"}]</MEMORY_PROPOSALS_JSON>'
    words = {"content": [{"token": block, "logprob": -0.1}]}
    choice = {"index": 0, "logprobs": words, "finish_reason": None if stream else "stop"}
    said_ = {"role": "assistant", "content": block}
    if stream:
        ended = {"index": 0, "delta": {}, "finish_reason": "stop"}
        events = [{"choices": [{**choice, "delta": said_}]}, {"choices": [ended]}]
        body = (
            b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
            + b"data: [DONE]\n\n"
        )
        page = Page([body], 200, (("Content-Type", "text/event-stream"),))
    else:
        body = json.dumps({"choices": [{**choice, "message": said_}]}).encode()
        page = Page(body, 200, (("Content-Type", "application/json"),))
    answer = proxied(lambda _: page).http().post(CHAT, json=said(TELLS, stream=stream, logprobs=True))
    assert "Green." in answer.text
    assert "hidden" not in answer.text


@pytest.mark.parametrize(
    "body",
    [
        b"".join(
            json.dumps({**line, "logprobs": [{"token": "hidden", "logprob": -0.1}]}).encode() + b"\n"
            for line in (
                {
                    "message": {"role": "assistant", "content": "Green. <MEMORY_PROPOSALS_JSON>["},
                    "done": False,
                },
                {"message": {"role": "assistant", "content": ""}, "done": False},
                {"message": {"role": "assistant", "content": "]</MEMORY_PROPOSALS_JSON>"}, "done": True},
            )
        ),
        json.dumps(
            {
                "message": {
                    "role": "assistant",
                    "content": "Green. <MEMORY_PROPOSALS_JSON>[]</MEMORY_PROPOSALS_JSON>",
                },
                "logprobs": [{"token": "hidden", "logprob": -0.1}],
                "done": True,
            }
        ).encode(),
    ],
    ids=["stream", "whole"],
)
def test_probabilities_of_ollama_are_taken_out_with_their_words_too(body, proxied):
    kind = "application/x-ndjson" if b"\n" in body else "application/json"
    page = Page(body, 200, (("Content-Type", kind),))
    answer = proxied(lambda _: page).http().post("/api/chat", json=said(TELLS, logprobs=True))
    assert "Green." in answer.text
    assert "hidden" not in answer.text


JSON_SCHEMA = {"type": "json_schema", "json_schema": {"name": "it", "schema": {"type": "object"}}}


@pytest.mark.parametrize(
    ("path", "demanded", "proposes"),
    [
        (CHAT, {"response_format": {"type": "json_object"}}, False),
        (CHAT, {"response_format": JSON_SCHEMA}, False),
        (CHAT, {"response_format": {"type": "text"}}, True),
        (CHAT, {"response_format": None}, True),
        (CHAT, {"grammar": 'root ::= "yes" | "no"'}, False),
        (CHAT, {"guided_choice": ["yes", "no"]}, False),
        ("/api/chat", {"format": "json"}, False),
        ("/api/chat", {"format": {"type": "object"}}, False),
        ("/api/chat", {"format": ""}, True),
        ("/api/generate", {"format": "json"}, False),
        ("/api/generate", {}, True),
    ],
)
def test_a_model_that_has_to_answer_in_a_form_is_not_told_to_propose(path, demanded, proposes, proxied):
    proxy = proxied('{"colour": "green"}')
    asked = {"model": "m", "prompt": TELLS} if path == "/api/generate" else said(TELLS)
    proxy.http().post(path, json={**asked, "stream": False, **demanded})
    assert (b"MEMORY_PROPOSALS_JSON" in proxy.upstream.chats[0].body) == proposes
    assert proxy.upstream.chats[0].json.items() >= demanded.items()
