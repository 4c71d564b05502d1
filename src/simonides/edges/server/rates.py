"""Rates and quotas: how often a key may ask."""

from __future__ import annotations

import math

from simonides.edges.http.tokens import Credential
from simonides.edges.server.problems import HttpProblem, busy
from simonides.edges.server.state import ServerState


def count_request(state: ServerState, credential: Credential) -> None:
    """Count a request by its key, in the server's state: for all its processes together.

    Raises:
        HttpProblem: 429: it is one too many; the error says when to try again.
    """
    if credential.rate is not None and (wait_s := state.wait_s(credential.key, credential.rate)):
        wait = max(1, math.ceil(wait_s))
        text = f"this key may ask {credential.rate:,} times a minute; ask again in {wait} s"
        raise HttpProblem(429, "rate", text, busy(wait))
    if credential.quota is not None and state.used_today(credential.key) > credential.quota:
        text = f"this key may ask {credential.quota:,} times a day; it may again tomorrow, in UTC"
        raise HttpProblem(429, "quota", text, busy(state.until_tomorrow_s()))
