"""Changes of other programs' files, as commands make and tell them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simonides.edges.cli.options import Common
    from simonides.edges.install.change import FileChange


def carry_out(common: Common, changes: Sequence[FileChange], *, dry_run: bool) -> None:
    """Make changes unless they are only to be shown, and say what was done."""
    answers = [
        {
            "file": str(change.path),
            "changed": change.needed and not dry_run,
            "change": change.shown(),
            "backup": str(kept)
            if change.needed and not dry_run and (kept := change.made()) is not None
            else None,
        }
        for change in changes
    ]
    shown = [str(one["change"]).rstrip() or f"{one['file']} says so already" for one in answers]
    common.answer(answers, lambda out: out.line("\n".join(shown)))
    for one in answers:
        if one["backup"]:
            common.remark(f"the former file is {one['backup']}")
