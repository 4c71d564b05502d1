"""Frames of programs in their user's messages: taken out, and nothing else."""

import re

from hypothesis import given
from hypothesis import strategies as st

from simonides.agent.conversation import Conversation
from simonides.edges.http.dialects.anthropic import AnthropicMessages
from simonides.edges.http.dialects.ollama import OllamaChat
from simonides.edges.http.dialects.openai import OpenAIChat
from simonides.edges.http.dialects.responses import OpenAIResponses
from simonides.language.program_frames import without_program_frames

_SAID = st.sampled_from(("I prefer tea.", "Fix the bug.", "Is 3 < 4?", "What does <b>bold</b> do?"))
_NAMES = st.sampled_from(("system-reminder", "environment_context", "user_instructions", "task-notification"))
_WORDS_OF_PROGRAM = st.sampled_from(("PROGRAM prefers mate.", "PROGRAM\nsays\n\nmore."))
_FRAMES = st.recursive(
    st.builds("<{0}>{1}</{0}>".format, _NAMES, _WORDS_OF_PROGRAM),
    lambda inner: st.builds("<{0}>PROGRAM {1} PROGRAM</{0}>".format, _NAMES, inner),
    max_leaves=3,
)
_PIECES = st.lists(st.tuples(st.booleans(), _SAID, _FRAMES), min_size=1, max_size=5)
DIALECTS = (OpenAIChat, OllamaChat, AnthropicMessages, OpenAIResponses)


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip()


@given(_PIECES)
def test_what_stands_in_frames_is_taken_out_and_every_other_word_is_kept(pieces):
    text = "\n".join(said if spoken else frame for spoken, said, frame in pieces)
    said = " ".join(said for spoken, said, _ in pieces if spoken)
    assert squeezed(without_program_frames(text)) == squeezed(said)


@given(st.text(alphabet="<>/abskil ", max_size=60))
def test_a_text_without_a_whole_frame_is_left_as_it_is(text):
    if "<skill>" not in text or "</skill>" not in text:
        assert without_program_frames(text) is text


def test_a_frame_that_is_never_closed_is_words():
    text = "Why do I see <system-reminder> here? <system-reminder>PROGRAM</system-reminder> Tell me."
    assert squeezed(without_program_frames(text)) == "Why do I see <system-reminder> here? Tell me."


def asked(dialect, contents):
    """Read a request that says these contents in its user's name, as a dialect writes it."""
    kind = "input_text" if dialect is OpenAIResponses else "text"
    messages = [
        {
            "role": "user",
            "content": content
            if isinstance(content, str)
            else [{"type": kind, "text": one} for one in content],
        }
        for content in contents
    ]
    name = "input" if dialect is OpenAIResponses else "messages"
    return dialect().chat_of({"model": "m", "max_tokens": 9, name: messages})


@given(st.sampled_from(DIALECTS), st.lists(_PIECES, min_size=1, max_size=3), st.booleans())
def test_no_dialect_takes_what_its_client_says_for_the_users_words(dialect, messages, parts):
    pieces = [[said if spoken else frame for spoken, said, frame in one] for one in messages]
    contents = pieces if parts else ["\n".join(one) for one in pieces]
    read = Conversation.of(asked(dialect, contents).messages)
    said = " ".join(said for one in messages for spoken, said, _ in one if spoken)
    assert squeezed(" ".join(turn.text for turn in read.turns(0) if turn.by_user)) == squeezed(said)
    assert "PROGRAM" not in read.question
    assert bool(read.question) is bool(said)


@given(
    st.sampled_from((OpenAIChat, OllamaChat, AnthropicMessages)),
    st.sampled_from(("file", "quote", "document", "tool_result", "search_result", "refusal")),
)
def test_only_parts_that_are_text_are_words(dialect, kind):
    parts = [
        {"type": "text", "text": "Look."},
        {"type": kind, "text": "I prefer mate.", "content": "I prefer mate."},
    ]
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": parts}]}
    read = Conversation.of(dialect().chat_of(body).messages)
    assert "mate" not in " ".join(turn.text for turn in read.turns(0))


@given(st.sampled_from(("function_call_output", "item_reference", "reasoning", "custom_tool_call_output")))
def test_only_messages_are_turns_of_the_user(kind):
    item = {"type": kind, "role": "user", "content": "I prefer mate.", "call_id": "1", "output": "x"}
    body = {"model": "m", "input": [{"role": "user", "content": "Look."}, item]}
    read = Conversation.of(OpenAIResponses().chat_of(body).messages)
    assert [turn.text for turn in read.turns(0) if turn.by_user] == ["Look."]
