"""Requests that a client makes for itself: titles, tags, follow-ups. They are nobody's words and want no memory."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from typing import Any, Final

from starlette.datastructures import Headers

from simonides.agent.conversation import role_of, text_of
from simonides.config import ProxySettings
from simonides.edges.http.dialects.dialect import AskedChat
from simonides.values import dataclass

#: How prompts begin that clients write for their own ends, by client. Only beginnings: a user may quote any of them.
_BEGINNINGS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # Open WebUI: titles, tags, follow-ups, images, queries, autocompletion; emoji; tools; several models.
        r"### Task:\s",
        r"Your task is to reflect the speaker's likely facial expression",
        r"Available Tools: .*\sYour task is to choose",
        r"You have been provided with a set of responses from various models",
        r"(?:Create|Generate) a concise, 3-5 word (?:title|phrase)",
        # LibreChat: titles.
        r"(?:Please )?(?:generate|provide) a concise, 5-word-or-less title",
        r"Analyze this conversation and provide:\s*1\. The detected language",
        r"Write a concise title for this conversation",
        # LobeChat: titles, in both languages.
        r"You are a professional conversation summarizer",
        r"你是一名擅长会话的助理",
        # NextChat: titles, in both languages; what a long chat was about.
        r"Please generate a four to five words title summarizing our conversation",
        r"使用四到五个字直接返回这句话的简要主题",
        r"Summarize the discussion briefly in 200 words or less to use as a prompt",
        # Jan: titles.
        r"Summarize in a \d+-word title\. Give the title only",
        # Continue, Zed, opencode, crush, Copilot, Goose: titles.
        r"Given the following\b.{0,40}please reply with a title for the chat",
        r"Generate a concise 3-7 word title for this conversation",
        r"You are a title generator\. You output only",
        r"You will generate a short title based on the first message",
        r"You are an expert in crafting pithy titles for chatbot conversations",
        r"Based on the conversation so far, provide a concise description of this session in \d words",
        r"Reply with only a description in four words or less",
        # Claude Code: whether a message begins something new; titles.
        r"Analyze if this message indicates a new conversation topic",
        r"Summarize this coding conversation in under \d+ characters",
        r"Please write a 5-10 word title for the following conversation",
        r"You are coming up with a succinct title for a coding session",
        # Cherry Studio, in both languages; Chatbox.
        r"Summari[sz]e the (?:conversation into a title in|given session as a \d+-word title)",
        r"总结给出的会话，将其总结为",
        r"You are an assistant (?:who is )?(?:skilled|good) (?:in|at) conversations?[.,].*(?:summari[sz]e|title)",
        r"Based on the chat history, give this conversation a name",
    )
)
_READ_CHARS: Final = 2000


@dataclass(frozen=True, slots=True)
class SideRequests:
    """Tells such requests from chats, by what is known of clients and by the operator's own rules."""

    prefixes: Sequence[str]
    headers: Sequence[str]
    models: Sequence[str]

    @classmethod
    def of(cls, settings: ProxySettings) -> SideRequests:
        return cls(settings.skip_prefixes, settings.skip_headers, settings.skip_models)

    def why(self, chat: AskedChat, headers: Headers) -> str | None:
        """Reason that a request is none of a user's, in words; None for a chat."""
        if any(_sent(headers, rule) for rule in self.headers):
            return "proxy.skip_headers"
        model: Any = chat.body.get("model")
        if isinstance(model, str) and any(fnmatch.fnmatchcase(model, rule) for rule in self.models):
            return "proxy.skip_models"
        texts = [text[:_READ_CHARS].lstrip() for text in _beginnings(chat)]
        if any(text.startswith(prefix) for text in texts for prefix in self.prefixes if prefix):
            return "proxy.skip_prefixes"
        if any(known.match(text) for text in texts for known in _BEGINNINGS):
            return "a request of the client for itself"
        return None


def _beginnings(chat: AskedChat) -> list[str]:
    """Texts that may hold a client's own words: the first system message and the user's last."""
    by_role = {"system": chat.messages, "developer": chat.messages, "user": chat.messages[::-1]}
    texts = (
        next((text for one in messages if role_of(one) == role and (text := text_of(one))), "")
        for role, messages in by_role.items()
    )
    return [text for text in texts if text]


def _sent(headers: Headers, rule: str) -> bool:
    """True if a header of a rule was sent: `Name`, or `Name: value` with `*` for anything."""
    name, separator, value = rule.partition(":")
    given = headers.getlist(name.strip())
    return any(not separator or fnmatch.fnmatchcase(one.strip(), value.strip()) for one in given)
