"""The kinds of sources there are, by name: those that come along, and those of other packages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Final

from simonides.errors import InvalidInput, InvalidSettings
from simonides.plugins import Makers
from simonides.ports.importer import Importer, ImporterMaker

GROUP: Final = "simonides.importers"
#: Modules and classes of those that come along; imported when their kind is asked for.
_OURS: Final = {
    "agent-files": "agent_files:AgentFilesImporter",
    "basic-memory": "basic_memory:BasicMemoryImporter",
    "chatgpt": "chatgpt:ChatGptImporter",
    "claude": "claude:ClaudeImporter",
    "claude-code": "claude_code:ClaudeCodeImporter",
    "codex": "codex:CodexImporter",
    "csv": "delimited:TableImporter",
    "graph-db": "graph_database:GraphDatabaseImporter",
    "graphiti": "graphiti:GraphitiImporter",
    "items-db": "items_database:ItemsDatabaseImporter",
    "jsonl": "json_lines:JsonLinesImporter",
    "langgraph": "langgraph_store:LangGraphImporter",
    "letta": "letta:LettaImporter",
    "markdown": "markdown_folder:MarkdownImporter",
    "mcp-memory": "mcp_memory:McpMemoryImporter",
    "mem0": "mem0:Mem0Importer",
    "obsidian": "obsidian:ObsidianImporter",
    "scored-db": "scored_database:ScoredDatabaseImporter",
    "tiered-db": "tiered_database:TieredDatabaseImporter",
}


def _made(home: str) -> Importer:
    module, _, name = home.partition(":")
    return getattr(import_module(f"simonides.importers.{module}"), name)()


_MAKERS: Final[Mapping[str, Callable[[], Importer]]] = MappingProxyType(
    {kind: partial(_made, home) for kind, home in _OURS.items()}
)
_IMPORTERS: Final = Makers[ImporterMaker]("importer", GROUP, _MAKERS)


def kinds() -> list[str]:
    """Every kind by name, sorted."""
    return _IMPORTERS.known()


def importer_of(kind: str) -> Importer:
    """The importer of a kind.

    Raises:
        InvalidInput: There is none.
        ProviderUnavailable: Its package cannot be imported.
    """
    try:
        return _IMPORTERS.named(kind)()
    except InvalidSettings as error:
        raise InvalidInput(f"there is no kind of source {kind!r}; known are {', '.join(kinds())}") from error
