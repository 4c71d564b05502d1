"""Clients of MCP: where each keeps its configuration, and in which form."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Final

from simonides.edges.install import jsonc, toml
from simonides.values import dataclass

NAME: Final = "simonides"


@dataclass(frozen=True, slots=True)
class McpClient:
    """A client of MCP.

    Attributes:
        table: Under which names its servers stand.
        more: What an entry holds beside the command.
        put: Puts an entry into the text of its file.
    """

    file: Callable[[], Path]
    table: tuple[str, ...] = ("mcpServers",)
    more: dict[str, Any] = field(default_factory=dict[str, Any])
    put: Callable[[str, Sequence[str], Any], str] = jsonc.put

    def entry(self, command: Sequence[str]) -> dict[str, Any]:
        """The server as this client describes it."""
        return {**self.more, "command": command[0], "args": list(command[1:])}

    def with_server(self, text: str, command: Sequence[str]) -> str:
        """The text of its configuration with the server in it.

        Raises:
            InvalidInput: The text cannot be changed.
        """
        return self.put(text, (*self.table, NAME), self.entry(command))


def own_command() -> list[str]:
    """Command that starts this installation wherever it is called from."""
    script = Path(sys.executable).with_name("simonides.exe" if os.name == "nt" else "simonides")
    return [str(script)] if script.exists() else [sys.executable, "-P", "-m", "simonides"]


def _data(*names: str) -> Path:
    """A file among those that applications keep for a user."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    elif os.name == "nt":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base.joinpath(*names)


def codex_home() -> Path:
    """Folder of Codex."""
    return Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")


CLIENTS: Final = {
    "claude-desktop": McpClient(lambda: _data("Claude", "claude_desktop_config.json")),
    "claude-code": McpClient(lambda: Path.home() / ".claude.json", more={"type": "stdio"}),
    "cursor": McpClient(lambda: Path.home() / ".cursor" / "mcp.json"),
    "vscode": McpClient(
        lambda: _data("Code", "User", "mcp.json"), table=("servers",), more={"type": "stdio"}
    ),
    "codex": McpClient(lambda: codex_home() / "config.toml", table=("mcp_servers",), put=toml.put),
    "zed": McpClient(
        lambda: (_data("Zed") if os.name == "nt" else Path.home() / ".config" / "zed") / "settings.json",
        table=("context_servers",),
        more={"source": "custom"},
    ),
}
