"""A check that the upstream is there, and of its kind."""

from __future__ import annotations

import re
from typing import Final

import httpx

from simonides.config import ProxySettings
from simonides.edges.http.dialects.dialect import an_object, objects, read
from simonides.values import dataclass

_PATIENCE_S: Final = 10.0
_LONGEST: Final = 200
#: Beginning of an error of the system, which its words say again.
_NUMBER: Final = re.compile(r"^\[Errno -?\d+\] ")


@dataclass(frozen=True, slots=True)
class UpstreamCheck:
    """Result of asking an upstream.

    Attributes:
        answers: Whether chats may be sent there.
        says: What it is, or what is wrong, in words.
    """

    answers: bool
    says: str


def check(settings: ProxySettings, key: str | None) -> UpstreamCheck:
    """Ask the upstream what it is: its version as Ollama tells it, else its models as OpenAI's API lists them."""
    base = settings.upstream.rstrip("/").removesuffix("/v1")
    headers = {} if key is None else {"authorization": f"Bearer {key}"}
    try:
        with httpx.Client(headers=headers, timeout=_PATIENCE_S, trust_env=False) as client:
            version = client.get(f"{base}/api/version")
            if version.is_success and (fields := an_object(read(version.content))) and "version" in fields:
                return UpstreamCheck(answers=True, says=f"Ollama {str(fields['version'])[:_LONGEST]}")
            models = client.get(f"{base}/v1/models")
    except httpx.HTTPError as error:
        return UpstreamCheck(
            answers=False, says=f"it cannot be reached: {_NUMBER.sub('', str(error)) or type(error).__name__}"
        )
    if models.is_success and (listed := an_object(read(models.content))) is not None:
        return UpstreamCheck(
            answers=True, says=f"OpenAI's API with {len(objects(listed.get('data'))):,} models"
        )
    if models.status_code in {401, 403}:
        return UpstreamCheck(
            answers=key is None,
            says=f"it asks for a key (status {models.status_code}): "
            + (
                "clients have to send theirs, or set proxy.api_key"
                if key is None
                else "proxy.api_key is not accepted"
            ),
        )
    return UpstreamCheck(
        answers=False, says=f"it answers, but neither as Ollama nor as OpenAI (status {models.status_code})"
    )
