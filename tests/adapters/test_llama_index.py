"""LlamaIndex: a block of its own memory."""

import asyncio

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory as LlamaMemory
from llama_index.core.utils import get_tokenizer

from simonides.adapters.llama_index import SimonidesMemoryBlock
from simonides.errors import InvalidScope


def said(content, role="user"):
    return ChatMessage(role=role, content=content)


def block(memory, **options):
    return SimonidesMemoryBlock(memory, user_id="ana", **options)


def told(own, *messages, **kwargs):
    return asyncio.run(own.aget(list(messages), **kwargs))


def test_it_tells_what_is_known_of_the_last_message_of_the_user(memory):
    memory.add("Ana drinks green tea without sugar.", user_id="ana")
    assert "green tea" in told(
        block(memory), said("Hello"), said("What does Ana drink?"), said("…", "assistant")
    )


@pytest.mark.parametrize("asked", ["Which port does the relay use?", "ok", "", "   "])
def test_it_tells_nothing_where_nothing_known_answers(memory, asked):
    memory.add("Ana drinks green tea without sugar.", user_id="ana")
    assert told(block(memory), said(asked)) == ""
    assert told(block(memory)) == ""


def test_it_tells_nothing_of_another_user(memory):
    memory.add("Bob drinks black coffee.", user_id="bob")
    assert told(block(memory), said("What does Bob drink?")) == ""


def test_what_is_put_is_recorded_in_its_session(memory):
    own = block(memory)
    asyncio.run(
        own.aput([said("I drink tea."), said("Noted.", "assistant"), said("{}", "tool")], session_id="s")
    )
    asyncio.run(own.aput([said("I like herons.")]))
    assert [turn.content for turn in memory.sessions.get("s", scope="user:ana")] == ["I drink tea.", "Noted."]
    assert [turn.content for turn in memory.sessions.get("llama-index", scope="user:ana")] == [
        "I like herons."
    ]


def test_a_text_that_is_too_long_is_told_in_fewer_words(memory):
    for n in range(6):
        memory.add(f"Ana drinks green tea number {n} at the pond behind the mill.", user_id="ana")
    own = block(memory)
    text = told(own, said("What does Ana drink?"))
    shorter = asyncio.run(own.atruncate(text, 150))
    assert "green tea" in shorter
    assert shorter.rstrip().splitlines()[-1].startswith("<</memory")
    theirs = get_tokenizer()
    assert len(theirs(shorter)) <= len(theirs(text)) - 150
    assert asyncio.run(own.atruncate(text, 10_000)) is None


@pytest.mark.parametrize("facts", [2, 6, 8, 10])
def test_of_what_their_limit_is_too_low_for_it_tells_less(facts, memory):
    tenants = [
        f"The landlord of flat {n} in Otley Road is Mr {n}son, who is slow to answer." for n in range(facts)
    ]
    memory.add(["Ana's landlord is Mrs Haddad.", *tenants], user_id="ana", type="fact")
    theirs = LlamaMemory.from_defaults(session_id="talk", token_limit=300, memory_blocks=[block(memory)])

    async def talk():
        await theirs.aput(said("Who is my landlord?"))
        messages = await theirs.aget()
        await theirs.sql_store._async_engine.dispose()
        return messages

    assert "Mrs Haddad" in str(asyncio.run(talk()))


def test_it_works_in_their_memory(memory):
    """Their memory ejects what is old into the block, and puts what the block tells before the chat."""
    theirs = LlamaMemory.from_defaults(
        session_id="talk", token_limit=1000, chat_history_token_ratio=0.1, token_flush_size=20,
        memory_blocks=[block(memory)],
    )  # fmt: skip

    async def talk():
        for n in range(8):
            await theirs.aput(said(f"Turn {n}: I bought a kettle in shop number {n}."))
            await theirs.aput(said(f"Turn {n} is noted.", "assistant"))
        memory.add("Ana drinks green tea without sugar.", user_id="ana")
        await theirs.aput(said("What does Ana drink?"))
        messages = await theirs.aget()
        await theirs.sql_store._async_engine.dispose()
        return messages

    messages = asyncio.run(talk())
    assert any("green tea" in (message.content or "") for message in messages)
    assert memory.sessions.get("talk", scope="user:ana")[0].content.startswith("Turn 0")


def test_what_is_no_scope_is_said_at_once(memory):
    with pytest.raises(InvalidScope):
        SimonidesMemoryBlock(memory, scope="nonsense")


def test_a_closed_memory_tells_nothing_and_raises_nothing(memory):
    own = block(memory)
    memory.close()
    assert told(own, said("What does Ana drink?")) == ""
    asyncio.run(own.aput([said("I drink tea.")]))


@pytest.mark.parametrize("given", [{"timestamp": 1_772_000_000}, {"created_at": "2026-02-25T06:13:20Z"}])
def test_a_message_is_of_the_time_that_it_says(given, memory):
    messages = [
        ChatMessage(role="user", content="I drink tea.", additional_kwargs=given),
        ChatMessage(role="user", content="I like herons.", additional_kwargs={"timestamp": "soon"}),
    ]
    asyncio.run(block(memory).aput(messages))
    old, new = memory.sessions.get("llama-index", scope="user:ana")
    assert old.to_dict()["event_at"] == "2026-02-25T06:13:20Z"
    assert new.event_at == new.created_at
