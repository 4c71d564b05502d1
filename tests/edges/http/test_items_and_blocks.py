"""The dialects of items and blocks, by their real clients: what memory does not understand is never touched."""

import asyncio
import json
import random
from dataclasses import replace

import anthropic
import openai
import pytest

from simonides.config import MiddlewareSettings
from simonides.edges.http.dialects.anthropic import AnthropicMessages
from simonides.edges.http.dialects.responses import OpenAIResponses
from simonides.testing_server import Call, Page, Said
from simonides.testing_server.messages import signature

BLOCK = '<MEMORY_PROPOSALS_JSON>[{"content":"The dome is green.","why_store":"x"}]</MEMORY_PROPOSALS_JSON>'
QUESTION = "Which colour does the dome of the observatory have?"
LOOK_UP = Said(
    "Let me look. ", thinking="I should look.", calls=(Call("memory_search", {"query": "dome"}),), piece=4
)
BOTH = Said(
    thinking="Weather and memory.",
    calls=(Call("weather", {"place": "dome"}), Call("memory_search", {"query": "dome"})),
    piece=3,
)
THINKING = {"type": "enabled", "budget_tokens": 1024}
WEATHER = {"name": "weather", "description": "Weather.", "input_schema": {"type": "object", "properties": {}}}
FUNCTION = {"type": "function", "name": "weather", "parameters": {"type": "object", "properties": {}}}
#: What a client may send that is none of memory's business.
OPAQUE = [
    {
        "type": "thinking",
        "thinking": "Hm …",
        "signature": signature("Hm …"),
        "new": {"b": 1, "a": [1.5, None]},
    },
    {"type": "redacted_thinking", "data": "EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIw=="},
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "dome"}},
]
CACHED = {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}


def anthropic_way(proxy, stream, **asked):
    asked = {"model": "m", "max_tokens": 2000} | asked
    if not stream:
        return proxy.anthropic().messages.create(**asked)
    with proxy.anthropic().messages.stream(**asked) as answer:
        return answer.get_final_message()


def responses_way(proxy, stream, **asked):
    asked = {"model": "m"} | asked
    if not stream:
        return proxy.openai().responses.create(**asked)
    with proxy.openai().responses.stream(**asked) as answer:
        return answer.get_final_response()


def sent_blocks(asked):
    return [block for one in asked.messages if isinstance(one["content"], list) for block in one["content"]]


# Anthropic's


@pytest.mark.parametrize("stream", [False, True])
def test_thoughts_stay_with_the_call_they_led_to(stream, proxied):
    proxy = proxied([LOOK_UP, Said("It is green.", thinking="Found.")], tools="always")
    answer = anthropic_way(proxy, stream, messages=[{"role": "user", "content": QUESTION}], thinking=THINKING)
    assert [block.type for block in answer.content] == ["thinking", "text", "thinking", "text"]
    assert [block.signature for block in answer.content[::2]] == [
        signature("I should look."),
        signature("Found."),
    ]
    assert answer.stop_reason == "end_turn"
    again = proxy.upstream.chats[1].messages
    assert [block["type"] for block in again[-2]["content"]] == ["thinking", "text", "tool_use"]
    assert [block["type"] for block in again[-1]["content"]] == ["tool_result"]
    assert proxy.turns() == [("user", QUESTION), ("assistant", "Let me look. It is green.")]


@pytest.mark.parametrize("stream", [False, True])
def test_of_two_calls_the_client_sees_its_own_and_the_model_both_results(stream, proxied):
    proxy = proxied([BOTH, "It rains on the green dome."])
    asked = [{"role": "user", "content": QUESTION}]
    first = anthropic_way(proxy, stream, messages=asked, tools=[WEATHER], thinking=THINKING)
    assert [block.type for block in first.content] == ["thinking", "tool_use"]
    assert (first.content[1].name, first.content[1].input) == ("weather", {"place": "dome"})
    result = {"type": "tool_result", "tool_use_id": first.content[1].id, "content": "Rain."}
    turn = {"role": "assistant", "content": [block.model_dump() for block in first.content]}
    asked = [*asked, turn, {"role": "user", "content": [result]}]
    last = anthropic_way(proxy, stream, messages=asked, tools=[WEATHER], thinking=THINKING)
    assert last.content[0].text == "It rains on the green dome."
    came = proxy.upstream.chats[1].messages
    assert [block["name"] for block in came[-2]["content"][1:]] == ["memory_search", "weather"]
    assert [block["type"] for block in came[-1]["content"]] == ["tool_result"] * 2
    assert [role for role, _ in proxy.turns()] == ["user", "assistant"]


@pytest.mark.parametrize("stream", [False, True])
def test_a_text_of_nothing_but_proposals_is_no_block_for_the_client(stream, proxied):
    proxy = proxied([Said(BLOCK, calls=(Call("weather"),), piece=5), "Noted."])
    answer = anthropic_way(
        proxy, stream, messages=[{"role": "user", "content": "The dome is green."}], tools=[WEATHER]
    )
    assert [block.type for block in answer.content] == ["tool_use"]
    assert answer.stop_reason == "tool_use"
    assert [item.content for item in proxy.facts()] == ["The dome is green."]


@pytest.mark.parametrize(
    "system",
    [None, "Be brief.", [CACHED]],
)
def test_the_system_prompt_keeps_its_form_and_its_marks(system, proxied):
    proxy = proxied("Green.")
    anthropic_way(
        proxy,
        False,
        messages=[{"role": "user", "content": QUESTION}],
        **({"system": system} if system else {}),
    )
    sent = proxy.upstream.chats[0].json["system"]
    if isinstance(system, list):
        assert sent[:-1] == system
        assert sent[-1]["text"].startswith("## Long-term memory")
    else:
        assert sent.startswith("Be brief.\n\n## Long" if system else "## Long-term memory")


def test_blocks_that_memory_does_not_understand_go_on_as_they_came(proxied):
    proxy = proxied(["Noted.", "Green."])
    proxy.memory.add("The dome of the observatory is green.", scope="user:ana")
    text = {"type": "text", "text": QUESTION, "cache_control": {"type": "ephemeral", "ttl": "1h"}}
    asked = [
        {"role": "user", "content": [IMAGE, {"type": "text", "text": "Look."}]},
        {"role": "assistant", "content": [*OPAQUE, {"type": "text", "text": "I see."}]},
        {"role": "user", "content": [IMAGE, text]},
    ]
    more = {"metadata": {"user_id": "u"}, "new_field": {"x": [1, 2.5, None]}}
    proxy.http().post("/v1/messages", json={"model": "m", "max_tokens": 9, "messages": asked, **more})
    sent = proxy.upstream.chats[0].json
    assert sent["messages"][:2] == asked[:2]
    assert sent["messages"][2]["content"][1:] == [IMAGE, text]
    assert "The dome of the observatory is green." in sent["messages"][2]["content"][0]["text"]
    assert {key: sent[key] for key in more} == more


def test_what_a_coding_agent_says_in_its_users_name_is_not_recorded(proxied):
    proxy = proxied("Green.")
    reminder = {"type": "text", "text": "<system-reminder>\nMy dog is called Rex.\n</system-reminder>"}
    said = {"type": "text", "text": QUESTION}
    anthropic_way(proxy, False, messages=[{"role": "user", "content": [reminder, said]}])
    assert proxy.upstream.chats[0].messages[0]["content"][0] == reminder
    assert proxy.turns()[0] == ("user", QUESTION)


def test_an_answer_that_its_client_began_is_not_asked_for_proposals(proxied):
    proxy = proxied('"green"}')
    asked = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": '{"colour": '}]
    answer = anthropic_way(proxy, False, messages=asked)
    assert answer.content[0].text == '"green"}'
    assert "MEMORY_PROPOSALS" not in proxy.upstream.chats[0].text


def test_counting_tokens_goes_on_as_it_came(proxied):
    proxy = proxied(lambda _: Page(b'{"input_tokens": 7}', 200, (("Content-Type", "application/json"),)))
    count = proxy.anthropic().messages.count_tokens(
        model="m", messages=[{"role": "user", "content": QUESTION}]
    )
    assert count.input_tokens == 7
    assert json.loads(proxy.upstream.requests[0].body)["messages"] == [{"role": "user", "content": QUESTION}]


def test_a_user_named_in_the_metadata_has_a_memory_of_their_own(proxied):
    proxy = proxied("Noted.", user_field=True, scope="project:chat")
    asked = [{"role": "user", "content": QUESTION}]
    anthropic_way(proxy, False, messages=asked, metadata={"user_id": "bob"})
    assert len(proxy.turns("user:bob/project:chat")) == 2


def test_errors_are_of_the_clients_own_kinds(proxied):
    proxy = proxied(lambda _: Said("x"), models=["other"])
    with pytest.raises(anthropic.NotFoundError):
        anthropic_way(proxy, False, messages=[{"role": "user", "content": QUESTION}])
    empty = [{"role": "user", "content": [{"type": "text", "text": ""}]}]
    with pytest.raises(anthropic.BadRequestError, match="non-empty"):
        anthropic_way(proxied("x"), False, messages=empty)
    with pytest.raises(openai.NotFoundError):
        responses_way(proxy, False, input=QUESTION)


# Anthropic's threads, which the server keeps


@anthropic.beta_tool
def weather(place: str) -> str:
    """Tell the weather.

    Args:
        place: Where.
    """
    return f"Rain over the {place}."


def in_thread(proxy, stream, *said, **asked):
    """A conversation in a thread of Anthropic's client: its answers."""
    thread = proxy.anthropic().beta.messages.thread(model="m", max_tokens=2000, **asked)
    answers = []
    for text in said:
        message = {"role": "user", "content": text}
        if stream:
            with thread.stream(message) as answer:
                answers.append(answer.get_final_message())
        else:
            answers.append(thread.send(message))
    return answers


def sessions_of(proxy):
    return {item.session_id for item in proxy.memory.timeline(scope="user:ana", types=["episode"], limit=50)}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("placement", ["system", "user"])
def test_a_thread_is_one_session_and_told_of_memory_once(placement, stream, proxied, remember):
    memory = remember(middleware=MiddlewareSettings(deadline_ms=60_000, placement=placement))
    memory.add("The dome of the observatory is green.", scope="user:ana")
    proxy = proxied(["Noted.", "It is green.", "Still."], memory=memory)
    said = ["My cat is called Rex.", QUESTION, "yes"]
    answers = in_thread(proxy, stream, *said, system="Be brief.", tools=[weather])
    assert [answer.content[0].text for answer in answers] == ["Noted.", "It is green.", "Still."]
    first, second, third = proxy.upstream.chats
    assert (first.json["thread"], second.json["thread"]["type"]) == ({"type": "create"}, "continue")
    assert {"weather", "memory_search"} <= {tool["name"] for tool in first.json["tools"]}
    assert not {"system", "tools"} & {*second.json, *third.json}
    assert [asked.text.count("## Long-term memory") for asked in (first, second, third)] == [1, 0, 0]
    assert "The dome of the observatory is green." in second.messages[0]["content"]
    assert [text for _, text in proxy.turns()] == [
        said[0],
        "Noted.",
        said[1],
        "It is green.",
        "yes",
        "Still.",
    ]
    assert len(sessions_of(proxy)) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_a_thread_goes_on_behind_calls_of_memorys_tools(stream, proxied):
    again = replace(LOOK_UP, text="Once more. ")
    proxy = proxied([LOOK_UP, "It is green.", again, "Really."], tools="always")
    first, second = in_thread(proxy, stream, QUESTION, "Really?", thinking=THINKING)
    assert [block.type for block in first.content] == ["thinking", "text", "text"]
    assert [block.text for block in second.content if block.type == "text"] == ["Once more. ", "Really."]
    assert [asked.json["thread"]["type"] for asked in proxy.upstream.chats] == ["create", *["continue"] * 3]
    assert [len(asked.messages) for asked in proxy.upstream.chats] == [1] * 4
    assert len(sessions_of(proxy)) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_of_two_calls_in_a_thread_the_runner_gets_its_own(stream, proxied):
    proxy = proxied([BOTH, "It rains on the green dome."])
    asked = {"model": "m", "max_tokens": 2000, "messages": [{"role": "user", "content": QUESTION}]}
    runner = proxy.anthropic().beta.messages.tool_runner(
        **asked, tools=[weather], thinking=THINKING, stream=stream
    )
    assert runner.until_done().content[0].text == "It rains on the green dome."
    second = proxy.upstream.chats[1]
    assert (second.json["thread"]["type"], "tools" in second.json) == ("continue", False)
    results = [block["content"] for block in sent_blocks(second)]
    assert len(results) == 2
    assert "Rain over the dome." in json.dumps(results[1])
    assert proxy.turns() == [("user", QUESTION), ("assistant", "It rains on the green dome.")]


@pytest.mark.parametrize("stream", [False, True])
def test_a_proposal_by_tool_leaves_no_call_open_in_a_thread(stream, proxied):
    proposes = Said(
        "Noted.",
        calls=(Call("memory_propose", {"items": [{"content": "The dome is green.", "why_store": "x"}]}),),
    )
    proxy = proxied([proposes, "Fine."], tools="always")
    first, second = in_thread(proxy, stream, "The dome is green.", "Thanks.")
    assert (first.stop_reason, second.content[0].text) == ("end_turn", "Fine.")
    assert [block["type"] for block in sent_blocks(proxy.upstream.chats[1])] == ["tool_result", "text"]


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_that_paused_goes_on_in_its_thread(stream, proxied):
    proxy = proxied(["I search. ", "It is green.", "Still."])
    thread = proxy.anthropic().beta.messages.thread(model="m", max_tokens=2000)
    thread.send({"role": "user", "content": QUESTION})
    thread.send()
    assert proxy.upstream.chats[1].messages == []
    thread.send({"role": "user", "content": "Really?"})
    assert [text for _, text in proxy.turns()][-3:] == ["It is green.", "Really?", "Still."]
    assert len(sessions_of(proxy)) == 1


def test_a_thread_that_the_server_lost_stays_one_session(proxied, serve):
    proxy = proxied(["Noted.", "It is green.", "Still."])
    thread = proxy.anthropic().beta.messages.thread(model="m", max_tokens=2000)
    for text in ("My cat is called Rex.", QUESTION):
        thread.send({"role": "user", "content": text})
    proxy.upstream._threads._messages.clear()
    thread.send({"role": "user", "content": "Really?"})
    assert [asked.json["thread"]["type"] for asked in proxy.upstream.chats] == [
        *("create", "continue", "continue", "create")
    ]
    told = ["My cat is called Rex.", "Noted.", QUESTION, "It is green.", "Really?", "Still."]
    assert [text for _, text in proxy.turns()] == told
    assert len(sessions_of(proxy)) == 1


def test_a_thread_begun_before_the_proxy_goes_on_with_what_may_be_said(proxied, serve):
    upstream = serve(["Noted.", "It is green."])
    before, proxy = proxied(upstream=upstream), proxied(upstream=upstream)
    proxy.memory.add("The dome of the observatory is green.", scope="user:ana")
    client = before.anthropic()
    thread = client.beta.messages.thread(model="m", max_tokens=2000)
    thread.send({"role": "user", "content": "Hello!"})
    client.base_url = proxy.url
    assert thread.send({"role": "user", "content": QUESTION}).content[0].text == "It is green."
    assert "The dome of the observatory is green." in upstream.chats[1].messages[0]["content"]


def test_a_systems_word_in_the_midst_of_a_chat_stays_there(proxied):
    proxy = proxied("Green.")
    midst = {"role": "system", "content": [{"type": "text", "text": "Answer in English."}]}
    asked = [{"role": "user", "content": "Hello."}, midst, {"role": "user", "content": QUESTION}]
    proxy.http().post(
        "/v1/messages", json={"model": "m", "max_tokens": 9, "system": "Be brief.", "messages": asked}
    )
    sent = proxy.upstream.chats[0].json
    assert sent["system"].startswith("Be brief.\n\n## Long-term memory")
    assert sent["messages"][1] == midst
    assert "Answer in English." not in [text for _, text in proxy.turns()]


# OpenAI's Responses


@pytest.mark.parametrize("stream", [False, True])
def test_what_the_server_keeps_is_one_conversation(stream, proxied):
    proxy = proxied(["Noted.", "It is green.", "Still."])
    first = responses_way(proxy, stream, input="The dome of the observatory is green.")
    second = responses_way(proxy, stream, input=QUESTION, previous_response_id=first.id)
    responses_way(proxy, stream, input="Really?", previous_response_id=second.id)
    told = ["The dome of the observatory is green.", "Noted.", QUESTION, "It is green.", "Really?", "Still."]
    assert [text for _, text in proxy.turns()] == told
    assert len(sessions_of(proxy)) == 1


@pytest.mark.parametrize("kind", ["previous_response_id", "conversation"])
def test_what_the_server_keeps_of_the_users_words_is_told_of_memory_once(kind, proxied, remember):
    memory = remember(middleware=MiddlewareSettings(deadline_ms=60_000, placement="user"))
    proxy = proxied(["Noted.", "Green."], memory=memory)
    asked = {"conversation": "conv_1"} if kind == "conversation" else {}
    first = proxy.http().post("/v1/responses", json={"model": "m", "input": "Hello!", **asked}).json()
    asked = asked or {"previous_response_id": first["id"]}
    proxy.http().post("/v1/responses", json={"model": "m", "input": QUESTION, **asked})
    assert [one.text.count("## Long-term memory") for one in proxy.upstream.chats] == [1, 0]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("store", [None, True, False])
def test_a_kept_conversation_goes_on_behind_calls_of_memorys_tools(store, stream, proxied):
    proxy = proxied([LOOK_UP, "It is green.", "Really."], tools="always")
    kept = {} if store is None else {"store": store}
    first = responses_way(proxy, stream, input=QUESTION, **kept)
    assert first.output_text == "Let me look. It is green."
    assert [item.type for item in first.output] == ["reasoning", "message", "message"]
    if store is not False:
        assert (
            responses_way(proxy, stream, input="Really?", previous_response_id=first.id).output_text
            == "Really."
        )
    thoughts = [item for item in proxy.upstream.chats[1].messages if item.get("type") == "reasoning"]
    assert len(thoughts) == (
        store is not False
    )  # One that is not kept, and not encrypted, is known to nobody.


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kept", [False, True])
def test_of_two_calls_of_functions_the_client_sees_its_own(kept, stream, proxied):
    proxy = proxied([BOTH, "It rains on the green dome."])
    first = responses_way(proxy, stream, input=QUESTION, tools=[FUNCTION])
    assert [(item.type, getattr(item, "name", "")) for item in first.output][1:] == [
        ("function_call", "weather")
    ]
    result = {"type": "function_call_output", "call_id": first.output[1].call_id, "output": "Rain."}
    if kept:
        more = {"input": [result], "previous_response_id": first.id}
    else:
        turn = [item.model_dump(exclude_none=True) for item in first.output]
        more = {"input": [{"role": "user", "content": QUESTION}, *turn, result]}
    last = responses_way(proxy, stream, tools=[FUNCTION], **more)
    assert last.output_text == "It rains on the green dome."
    outputs = [
        item for item in proxy.upstream.chats[1].messages if item.get("type") == "function_call_output"
    ]
    assert len(outputs) == 2
    assert any("Rain." not in item["output"] for item in outputs)


def test_a_proposal_by_tool_leaves_no_call_open_at_the_server(proxied):
    proposes = Said(
        "Noted.",
        calls=(Call("memory_propose", {"items": [{"content": "The dome is green.", "why_store": "x"}]}),),
    )
    proxy = proxied([proposes, "Fine."], tools="always")
    first = responses_way(proxy, False, input="The dome is green.")
    assert [item.type for item in first.output] == ["message"]
    assert responses_way(proxy, False, input="Thanks.", previous_response_id=first.id).output_text == "Fine."


@pytest.mark.parametrize("stream", [False, True])
def test_a_conversation_of_the_servers_gets_results_alone(stream, proxied):
    proxy = proxied([LOOK_UP, "It is green."], tools="always")
    asked = {"input": QUESTION, "conversation": "conv_1"}
    proxy.http().post("/v1/responses", json={"model": "m", **asked, "stream": stream})
    assert [item["type"] for item in proxy.upstream.requests[1].messages] == ["function_call_output"]


@pytest.mark.parametrize("stream", [False, True])
def test_what_memory_adds_is_not_repeated_to_the_client(stream, proxied):
    def echo(asked):
        """A server that repeats the request in its answer, as OpenAI's does."""
        response = {"id": "resp_1", "object": "response", "status": "completed", "output": []}
        response |= {key: asked.json.get(key) for key in ("instructions", "tools")}
        if not stream:
            return Page(json.dumps(response).encode(), 200, (("Content-Type", "application/json"),))
        events = [{"type": kind, "response": response} for kind in ("response.created", "response.completed")]
        pieces = [b"data: " + json.dumps(event).encode() + b"\n\n" for event in events]
        return Page(pieces, 200, (("Content-Type", "text/event-stream"),))

    for instructions in (None, "Be brief."):
        proxy = proxied(echo, tools="always")
        asked = {
            "model": "m",
            "input": QUESTION,
            "instructions": instructions,
            "tools": [FUNCTION],
            "stream": stream,
        }
        text = proxy.http().post("/v1/responses", json=asked).text
        assert "Long-term memory" not in text
        assert "memory_search" not in text
        told = json.loads(text.rpartition("data: ")[2])
        told = told.get("response", told)
        assert told["instructions"] == instructions
        assert told["tools"] == [FUNCTION]
        assert "Long-term memory" in proxy.upstream.requests[0].json["instructions"]


def test_items_that_memory_does_not_understand_go_on_as_they_came(proxied):
    proxy = proxied("Green.")
    proxy.memory.add("The dome of the observatory is green.", scope="user:ana")
    part = {"type": "input_text", "text": QUESTION, "new": 1}
    asked = [
        {"type": "message", "role": "user", "content": "Look."},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA=="},
        {"type": "item_reference", "id": "msg_9"},
        {"type": "computer_call", "id": "c", "call_id": "cc", "action": {"type": "screenshot"}},
        {
            "type": "computer_call_output",
            "call_id": "cc",
            "output": {"type": "computer_screenshot", "file_id": "f"},
        },
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_image", "image_url": "data:,"}, part],
        },
        {"type": "invented_tomorrow", "x": [1, 2.5, None]},
    ]
    proxy.http().post(
        "/v1/responses", json={"model": "m", "input": asked, "truncation": "auto", "new": {"y": 0}}
    )
    sent = proxy.upstream.chats[0].json
    assert [item for n, item in enumerate(sent["input"]) if n != 5] == [
        item for n, item in enumerate(asked) if n != 5
    ]
    told, *rest = sent["input"][5]["content"]
    assert rest == asked[5]["content"]
    assert told["type"] == "input_text"
    assert "The dome of the observatory is green." in told["text"]
    assert (sent["truncation"], sent["new"]) == ("auto", {"y": 0})


def test_what_is_done_in_the_background_is_asked_for_nothing(proxied):
    queued = {"id": "resp_1", "object": "response", "status": "queued", "output": []}
    proxy = proxied(
        lambda _: Page(json.dumps(queued).encode(), 200, (("Content-Type", "application/json"),)),
        tools="always",
    )
    answer = responses_way(proxy, False, input=QUESTION, background=True)
    assert answer.status == "queued"
    assert "MEMORY_PROPOSALS" not in proxy.upstream.requests[0].text
    assert "tools" not in proxy.upstream.requests[0].json
    assert proxy.turns() == [("user", QUESTION)]


def test_clients_that_do_not_wait_are_served_alike(proxied):
    proxy = proxied([LOOK_UP, "Green."] * 4, tools="always")

    async def all_ways():
        async with openai.AsyncOpenAI(base_url=f"{proxy.url}/v1", api_key="any") as client:
            yield (await client.responses.create(model="m", input=QUESTION)).output_text
            async with client.responses.stream(model="m", input=QUESTION) as stream:
                yield (await stream.get_final_response()).output_text
        async with anthropic.AsyncAnthropic(base_url=proxy.url, api_key="any") as client:
            asked = {"model": "m", "max_tokens": 99, "messages": [{"role": "user", "content": QUESTION}]}
            answer = await client.messages.create(**asked)
            yield "".join(block.text for block in answer.content if block.type == "text")
            async with client.messages.stream(**asked) as stream:
                yield "".join([text async for text in stream.text_stream])

    async def told():
        return [text async for text in all_ways()]

    assert asyncio.run(told()) == ["Let me look. Green."] * 4


# What is not understood


def any_json(draw, depth=0):
    """Any value of JSON, drawn."""
    kind = draw.randrange(7 if depth < 3 else 5)
    if kind == 5:
        return [any_json(draw, depth + 1) for _ in range(draw.randrange(4))]
    if kind == 6:
        return {any_text(draw): any_json(draw, depth + 1) for _ in range(draw.randrange(4))}
    return [None, draw.random() < 0.5, draw.randrange(-(10**20), 10**20), draw.gauss(0, 1e9), any_text(draw)][
        kind
    ]


def any_text(draw):
    return "".join(
        chr(draw.choice([34, 92, 10, 65, 228, 0x2028, 0x1F52D, 0xD83D])) for _ in range(draw.randrange(6))
    )


def more(draw):
    """Fields that an event has tomorrow."""
    names = draw.sample(["new", "usage", "id", "obfuscation", "phase"], draw.randrange(3))
    return {name: any_json(draw) for name in names}


UNKNOWN = {
    "/messages": ["ping", "invented", "content_block_invented", "message_invented"],
    "/responses": [
        "keepalive",
        "response.invented.delta",
        "response.reasoning_text.delta",
        "response.image.partial",
    ],
}
KNOWN = {
    "/messages": [
        {"type": "message_start", "message": {"id": "m", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "x"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": "", "new": []}},
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "citations_delta", "citation": {"a": 1}},
        },
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Green."}},
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
        {"type": "message_stop"},
    ],
    "/responses": [
        {"type": "response.created", "response": {"id": "r", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": {"type": "web_search_call"}},
        {"type": "response.output_item.done", "output_index": 0, "item": {"type": "web_search_call"}},
        {"type": "response.output_item.added", "output_index": 1, "item": {"type": "message", "content": []}},
        {"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "Green."},
        {"type": "response.output_text.done", "output_index": 1, "content_index": 0, "text": "Green."},
        {"type": "response.completed", "response": {"id": "r", "output": []}},
    ],
}


@pytest.mark.parametrize(
    "dialect", [AnthropicMessages(), OpenAIResponses()], ids=lambda dialect: dialect.path
)
@pytest.mark.parametrize("seed", range(20))
def test_events_that_are_not_understood_pass_byte_for_byte(seed, dialect):
    draw = random.Random(seed)
    for _ in range(20):
        written = b""
        for number, event in enumerate(KNOWN[dialect.path]):
            if draw.random() < 0.5:
                kind = draw.choice(UNKNOWN[dialect.path])
                written += any_event({"type": kind, **more(draw), "index": 1, "output_index": 1}, draw)
            written += any_event({**event, **more(draw), "sequence_number": 3 * number}, draw)
        reading = dialect.reading("text/event-stream", lambda _: False, None)
        frames = dialect.frames("text/event-stream")
        out = b"".join(reading.take(frame) for frame in [*frames.feed(written), *frames.end()])
        assert out + reading.end() == written
        assert reading.answer().text == "Green."


def any_event(event, draw):
    """An event as some server may write it."""
    name = draw.choice([b"", f"event: {event['type']}\n".encode(), b"id: 7\n", b": note\n"])
    text = json.dumps(event, separators=draw.choice([None, (", ", ":  ")]), ensure_ascii=draw.random() < 0.5)
    return name + b"data: " + text.encode("utf-8", "surrogatepass") + b"\n\n"
