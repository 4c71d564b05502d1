"""Questions of each intent, as people ask them; what an embedder knows of a question is compared with these."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from simonides.language.tables import languages, table


@cache
def exemplars() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Exemplars by language and intent, from the section `exemplars` of each language that has it."""
    found = {code: table(code, "exemplars") for code in languages()}
    return {
        code: {intent: tuple(lines.splitlines()) for intent, lines in by_intent.items()}
        for code, by_intent in found.items()
        if by_intent
    }
