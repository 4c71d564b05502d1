"""Prompts from templates: every value in them stands as quoted data that cannot end its quotation."""

from __future__ import annotations

import functools
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from simonides.domain.text import cleaned_text
from simonides.errors import NotInstalled

if TYPE_CHECKING:
    import jinja2

_TEMPLATES: Final = Path(__file__).with_name("templates")
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"')
#: What may not stand as it is, or has to be looked at. Tokens of chat templates (`<|im_end|>`, `[INST]`, `]~b]`)
#: begin with one of the brackets; servers may read such tokens in any text of a prompt.
_UNUSUAL: Final = re.compile(r"[<\[\]]|[^\x20-\x7e]")
_OPENING: Final = frozenset("<[]")
#: Invisible, and part of how emoji, Persian and Indian scripts are written.
_JOINERS: Final = frozenset("\u200c\u200d")


def rendered(task: str, values: Mapping[str, object]) -> tuple[str, str]:
    """The blocks `system` and `user` of a task's template.

    Raises:
        ProviderUnavailable: The package `jinja2` is not installed.
    """
    template = _environment().get_template(f"{task}.j2")
    context = template.new_context(dict(values))
    system, user = ("".join(template.blocks[block](context)).strip() for block in ("system", "user"))
    return system, user


def again(problem: str) -> str:
    """Addition to a prompt whose answer could not be used."""
    return _environment().get_template("again.j2").render(problem=problem).strip()


def quoted(value: object) -> str:
    """A value as JSON, on one line, fit for a prompt.

    Texts stand in double quotes; a quote within is escaped, and so are line breaks, whatever is invisible
    but joins letters, and characters that begin a token of a chat template. `json.loads` gives the value back,
    U+FFFD in place of NUL and lone surrogates.
    """
    text = json.dumps(_cleaned(value), ensure_ascii=False)
    return _STRING.sub(lambda string: _UNUSUAL.sub(_shown, string[0]), text)


def _shown(match: re.Match[str]) -> str:
    character = match[0]
    if character not in _OPENING and (
        character.isprintable() or character in _JOINERS or unicodedata.category(character) == "Zs"
    ):
        return character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return cleaned_text(value)
    if isinstance(value, Mapping):
        fields = cast("Mapping[object, object]", value)
        return {cleaned_text(str(key)): _cleaned(entry) for key, entry in fields.items()}
    if isinstance(value, Sequence):
        return [_cleaned(entry) for entry in cast("Sequence[object]", value)]
    return value


@functools.cache
def _environment() -> jinja2.Environment:
    try:
        import jinja2  # noqa: PLC0415 - only where there is a model
    except ImportError as error:
        raise NotInstalled.of("jinja2", extra="llm") from error
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        # Of every expression in a template, so that none can be forgotten.
        finalize=quoted,
        autoescape=False,  # noqa: S701 - prompts are no HTML
        trim_blocks=True,
        lstrip_blocks=True,
    )
