"""The language model behind `/chat/completions`, against a server on this machine."""

import json
from dataclasses import replace

import pytest

from simonides.errors import InvalidAnswer, InvalidSettings, ProviderError, ProviderUnavailable
from simonides.models.chat import ChatModel
from simonides.models.http import MAX_ANSWER_BYTES
from simonides.models.provider import Provider
from simonides.models.registry import model_from
from simonides.ports.model import Prompt
from simonides.tasks.expand import Expansions, expand
from simonides.testing import LanguageModelContract

PLAIN = Prompt(task="greet", system="Be polite.", user="Greet Ana.", max_tokens=50, timeout_s=30)
SCHEMA = LanguageModelContract.SCHEMA
FORMED = replace(PLAIN, schema=SCHEMA)


def chat(server_or_url, name="openai-compatible", *, pauses=None, **options):
    url = getattr(server_or_url, "url", server_or_url) + "/v1"
    options = {"model": "some-model"} | options
    return ChatModel(Provider(name, url, **options), pause=([] if pauses is None else pauses).append)


class TestChatModel(LanguageModelContract):
    @pytest.fixture(autouse=True)
    def _server(self, chat_server):
        self.server = chat_server

    def make_model(self):
        return chat(self.server)

    def make_failing_model(self):
        self.server.mischief.append("refusal")
        return chat(self.server)


# What is asked


def test_system_and_user_are_said_apart_at_temperature_0(chat_server):
    chat_server.says.append("Good day, Ana.")
    assert chat(chat_server).answer(PLAIN) == "Good day, Ana."
    assert chat_server.bodies == [
        {
            "model": "some-model",
            "messages": [
                {"role": "system", "content": "Be polite."},
                {"role": "user", "content": "Greet Ana."},
            ],
            "temperature": 0,
            "max_tokens": 50,
        }
    ]


def test_a_schema_is_sent_as_the_form_of_the_answer(chat_server):
    chat(chat_server).answer(replace(FORMED, task="greet me, please"))
    [body] = chat_server.bodies
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "greet_me__please", "strict": True, "schema": SCHEMA},
    }
    assert body["messages"][0]["content"] == "Be polite."


def test_a_server_that_does_not_know_schemas_is_asked_for_json_and_told_the_schema(chat_server):
    chat_server.forms = {"json_object"}
    model = chat(chat_server)
    assert model.answer(FORMED) == "Good morning."
    refused, body = chat_server.bodies
    assert refused["response_format"]["type"] == "json_schema"
    assert body["response_format"] == {"type": "json_object"}
    system = body["messages"][0]["content"]
    assert system.startswith("Be polite.\n\nAnswer with one JSON object")
    assert json.loads(system.splitlines()[-1]) == SCHEMA


def test_one_that_knows_no_form_is_told_the_schema_alone(chat_server):
    chat_server.forms = set()
    chat(chat_server).answer(FORMED)
    body = chat_server.bodies[-1]
    assert "response_format" not in body
    assert json.dumps(SCHEMA) in body["messages"][0]["content"]


def test_what_a_server_understands_is_remembered(chat_server):
    chat_server.forms = set()
    model = chat(chat_server)
    model.answer(FORMED)
    asked = len(chat_server.bodies)
    model.answer(FORMED)
    model.answer(PLAIN)
    assert (asked, len(chat_server.bodies)) == (3, 5)
    chat(chat_server).answer(FORMED)
    assert len(chat_server.bodies) == 8


def test_what_is_refused_in_every_form_is_remembered_of_none(chat_server):
    model = chat(chat_server)
    chat_server.mischief.extend([400, 400, 400])
    with pytest.raises(ProviderError, match=r"answered 400: .*misbehave.*; check `model`"):
        model.answer(FORMED)
    model.answer(FORMED)
    assert chat_server.bodies[-1]["response_format"]["type"] == "json_schema"


def test_without_a_schema_a_request_that_is_refused_is_not_repeated(chat_server):
    chat_server.mischief.append(400)
    with pytest.raises(ProviderError, match="answered 400"):
        chat(chat_server).answer(PLAIN)
    assert len(chat_server.bodies) == 1


def test_a_model_that_wants_no_temperature_and_another_name_for_the_limit_gets_them(chat_server):
    chat_server.unknown = {"temperature", "max_tokens"}
    model = chat(chat_server)
    assert model.answer(FORMED) == "Good morning."
    body = chat_server.bodies[-1]
    assert body["max_completion_tokens"] == 50
    assert not {"temperature", "max_tokens"} & set(body)
    assert body["response_format"]["type"] == "json_schema"
    asked = len(chat_server.bodies)
    model.answer(FORMED)
    assert len(chat_server.bodies) == asked + 1


def test_a_model_of_ollama_is_told_not_to_think_unless_it_cannot_be_told(chat_server):
    chat(chat_server, "ollama").answer(PLAIN)
    assert chat_server.bodies[-1]["reasoning_effort"] == "none"
    chat_server.unknown = {"reasoning_effort"}
    assert chat(chat_server, "ollama").answer(FORMED) == "Good morning."
    body = chat_server.bodies[-1]
    assert "reasoning_effort" not in body
    assert body["response_format"]["type"] == "json_schema"
    assert {"max_tokens", "temperature"} <= set(body)
    chat(chat_server, "openai").answer(PLAIN)
    assert "reasoning_effort" not in chat_server.bodies[-1]


def test_what_is_no_unicode_is_replaced(chat_server):
    chat(chat_server).answer(replace(PLAIN, system="half \ud83d", user="NUL \x00"))
    assert [message["content"] for message in chat_server.bodies[0]["messages"]] == [
        "half \ufffd",
        "NUL \ufffd",
    ]


# Where


def test_it_is_named_as_users_write_it(chat_server):
    assert chat(chat_server, "ollama", model="qwen3:8b").name == "ollama:qwen3:8b"


def test_making_one_touches_no_network(chat_server):
    chat(chat_server)
    assert chat_server.requests == []


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
def test_ollama_is_asked_where_it_speaks_this_api(path, chat_server):
    ChatModel(Provider("ollama", f"{chat_server.url}{path}", model="m")).answer(PLAIN)
    assert chat_server.requests[-1][0] == "/v1/chat/completions"


@pytest.mark.parametrize("host", [":{port}", "0.0.0.0:{port}", "127.0.0.1:{port}", "http://127.0.0.1:{port}"])
def test_ollamas_host_is_read_from_the_environment_if_none_is_set(host, chat_server, monkeypatch):
    port = chat_server.url.rpartition(":")[2]
    monkeypatch.setenv("OLLAMA_HOST", host.format(port=port))
    assert ChatModel(Provider("ollama", model="m")).answer(PLAIN) == "Good morning."


def test_a_host_that_is_no_address_is_refused(monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "http://localhost:many")
    with pytest.raises(InvalidSettings, match="OLLAMA_HOST"):
        ChatModel(Provider("ollama", model="m"))


def test_a_model_that_ollama_does_not_have_says_how_to_get_it(chat_server):
    chat_server.mischief.append(404)
    with pytest.raises(ProviderError, match="ollama pull qwen3"):
        chat(chat_server, "ollama", model="qwen3").answer(PLAIN)


def test_another_server_needs_an_address():
    with pytest.raises(InvalidSettings, match="openai-compatible needs a base_url"):
        model_from(Provider("openai-compatible", model="m"))


@pytest.mark.parametrize("name", ["openai", "ollama", "openai-compatible"])
def test_it_needs_a_model(name):
    with pytest.raises(InvalidSettings, match=f"{name} needs a model"):
        model_from(Provider(name, "http://localhost:1/v1"))


@pytest.mark.usefixtures("no_providers_in_the_environment")
def test_openai_without_any_key_says_how_to_set_one():
    with pytest.raises(InvalidSettings, match="OPENAI_API_KEY"):
        ChatModel(Provider("openai", model="m"))


@pytest.mark.parametrize("name", ["openai", "ollama", "openai-compatible"])
def test_the_key_in_the_environment_does_not_go_to_another_server_than_openais(
    name, chat_server, monkeypatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "key-for-openai")
    chat(chat_server, name).answer(PLAIN)
    assert chat_server.header("authorization") == "Bearer none"
    chat(chat_server, name, api_key="key-of-a-test").answer(PLAIN)
    assert chat_server.header("authorization") == "Bearer key-of-a-test"


# What goes wrong


@pytest.mark.parametrize(
    ("mischief", "says"),
    [
        ("refusal", r"refused the task greet \(I cannot help with that\.\)"),
        ("filtered", "filter"),
        ("cut", "within 50 tokens"),
        ("blank", "empty answer"),
        ("nothing", "empty answer"),
        ("a list", "no text"),
        ("no choices", "without text"),
        ("no message", "without text"),
        ("empty", "without text"),
        ("null", "without text"),
        ("not json", "without text"),
        ("html", "without text"),
        ("deep", "without text"),
        ("10 MB", rf"more than {MAX_ANSWER_BYTES:,} bytes"),
        ("packed", "packed with deflate"),
        ("redirect", "redirects are not followed"),
        (401, "answered 401: .*misbehave.*api_key"),
        (404, "answered 404: .*misbehave.*base_url"),
    ],
)
def test_an_answer_that_cannot_be_used_is_a_provider_error(mischief, says, chat_server):
    chat_server.mischief.append(mischief)
    with pytest.raises(ProviderError, match=says) as caught:
        chat(chat_server, api_key="key-of-a-test").answer(FORMED)
    assert not isinstance(caught.value, ProviderUnavailable)
    assert str(caught.value).isprintable()
    assert "key-of-a-test" not in str(caught.value)
    assert len(chat_server.requests) == 1


@pytest.mark.parametrize("mischief", [408, 429, 500, 503, "hang up", "cut off"])
def test_a_server_that_is_busy_or_hangs_up_is_asked_again(mischief, chat_server):
    pauses = []
    chat_server.mischief.extend([mischief, mischief])
    assert chat(chat_server, pauses=pauses).answer(PLAIN) == "Good morning."
    assert pauses == [0.5, 1.0]


@pytest.mark.parametrize("mischief", [429, 500, "hang up"])
def test_one_that_stays_so_is_unavailable_after_three_requests(mischief, chat_server):
    chat_server.mischief.extend([mischief] * 9)
    with pytest.raises(ProviderUnavailable, match="try again later"):
        chat(chat_server).answer(PLAIN)
    assert len(chat_server.requests) == 3


def test_the_pause_a_server_asks_for_is_kept_unless_it_reaches_the_deadline(chat_server):
    pauses = []
    chat_server.retry_after = "7"
    chat_server.mischief.append(429)
    chat(chat_server, pauses=pauses).answer(PLAIN)
    assert pauses == [7]
    chat_server.mischief.append(429)
    with pytest.raises(ProviderUnavailable, match="429"):
        chat(chat_server, pauses=pauses).answer(replace(PLAIN, timeout_s=7))
    assert pauses == [7]


@pytest.mark.parametrize("mischief", ["silent", "drip", "dripping head"])
def test_an_answer_that_does_not_end_before_the_prompts_deadline_is_given_up(mischief, chat_server):
    chat_server.mischief.extend([mischief] * 9)
    with pytest.raises(ProviderUnavailable, match=r"within 0\.1 s.*quicker model"):
        chat(chat_server).answer(replace(PLAIN, timeout_s=0.1))
    assert len(chat_server.requests) <= 1


@pytest.mark.parametrize("mischief", ["silent", "drip"])
def test_a_request_takes_no_longer_than_the_providers_timeout(mischief, chat_server):
    chat_server.mischief.extend([mischief] * 9)
    with pytest.raises(ProviderUnavailable, match=r"within 0\.1 s.*raise timeout_s"):
        chat(chat_server, timeout_s=0.1).answer(PLAIN)
    assert len(chat_server.requests) <= 1


def test_a_port_where_nothing_listens_is_named_and_not_tried_again(closed_port):
    pauses = []
    with pytest.raises(ProviderUnavailable, match=f"cannot be reached at {closed_port}.*base_url"):
        chat(closed_port, pauses=pauses).answer(PLAIN)
    assert pauses == []


def test_a_redirect_takes_neither_key_nor_prompt_along(chat_server):
    chat_server.mischief.append("redirect")
    with pytest.raises(ProviderError, match="answered 307"):
        chat(chat_server, api_key="key-of-a-test").answer(PLAIN)
    assert [path for path, _, _ in chat_server.requests] == ["/v1/chat/completions"]


# With a task


GOOD = {"lexical": ["keeper"], "semantic": ["Who minds the light?"], "hypothetical": "Ana minds the light."}
MADE = Expansions(("keeper",), ("Who minds the light?",), "Ana minds the light.")


@pytest.mark.parametrize(
    "bad", ["I would say so.", json.dumps(GOOD)[:-5], '{"lexical": 1}', "null", "x" * 1_100_000]
)
def test_a_task_asks_again_after_an_answer_that_it_cannot_use(bad, chat_server):
    chat_server.says.extend([bad, f"Sorry!\n```json\n{json.dumps(GOOD)}\n```"])
    assert expand(chat(chat_server), "who keeps the light?") == MADE
    first, second = (body["messages"][1]["content"] for body in chat_server.bodies)
    assert second.startswith(f"{first}\n\nYour last answer could not be used: ")


def test_a_task_gives_up_after_two_answers_that_it_cannot_use(chat_server):
    chat_server.says.extend(["no", "no"])
    with pytest.raises(
        InvalidAnswer, match=r"openai-compatible:some-model.*task expand.*no whole JSON object"
    ):
        expand(chat(chat_server), "who keeps the light?")
    assert len(chat_server.bodies) == 2


def test_a_refusal_is_not_argued_with(chat_server):
    chat_server.mischief.append("refusal")
    with pytest.raises(ProviderError, match="refused the task expand"):
        expand(chat(chat_server), "who keeps the light?")
    assert len(chat_server.bodies) == 1
