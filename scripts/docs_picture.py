"""Draw docs/explain.svg: what `simonides search --explain` shows for a question about the sample conversation.

usage: python scripts/docs_picture.py
"""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

from simonides import Memory
from simonides.sample import load_sample

PICTURE = Path(__file__).parents[1] / "docs" / "explain.svg"
COMMAND = ["search", "where is the spare key now?", "--project", "marrow-hill", "--explain", "-k", "2"]
_COLUMNS = 100
#: Fonts that rich would load from elsewhere; the reader's own will do.
_FONT_FACE = re.compile(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", re.DOTALL)


def drawn() -> str:
    """The picture, in SVG."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with Memory(path) as memory:
            for session in load_sample().sessions:
                turns = [turn.to_message() for turn in session.turns]
                memory.add(turns, project="marrow-hill", session_id=session.id)
        shown = _on_terminal([*COMMAND, "--db", str(path)])
    lines = shown.partition("not among them")[0].rstrip().splitlines()
    typed = f"$ simonides {shlex.join(COMMAND)}"
    console = Console(width=_COLUMNS, record=True, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115, PTH123
    console.print(Text.from_ansi("\n".join([typed, "", *lines])))
    svg = console.export_svg(title="simonides search --explain", theme=DIMMED_MONOKAI, unique_id="explain")
    return _FONT_FACE.sub("", svg)


def _on_terminal(arguments: list[str]) -> str:
    """Output of a command on a terminal, colours included."""
    main, side = pty.openpty()
    environment = os.environ | {"COLUMNS": str(_COLUMNS), "TERM": "xterm-256color"}
    subprocess.run([sys.executable, "-m", "simonides", *arguments], stdout=side, env=environment, check=True)
    os.close(side)
    found = b""
    try:
        while piece := os.read(main, 65536):
            found += piece
    except OSError:  # The other side is closed.
        pass
    os.close(main)
    return found.decode().replace("\r\n", "\n")


if __name__ == "__main__":
    PICTURE.write_text(drawn(), "utf-8")
