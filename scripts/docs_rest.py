"""Write docs/rest.md: every operation of the server's REST interface, from the table of operations.

python scripts/docs_rest.py
"""

from __future__ import annotations

from pathlib import Path

from simonides.edges.server.table import TABLE

HEAD = """\
# Operations of REST

What [the server](server.md) does over REST. `/v1/openapi.json` has the fields and forms of each. `Idempotency-Key` can
be sent with everything that changes something; *async* says that `Prefer: respond-async` is heeded. The role is the
least that it takes ([roles](server.md#keys)).

| request | role | | |
|---|---|---|---|
"""


def page() -> str:
    """The page."""
    lines = [
        f"| `{one.method} {one.path}` | {one.role.value} | {one.title} | {'async' if one.summary else ''} |\n"
        for one in TABLE
    ]
    return HEAD + "".join(lines)


def main() -> None:
    """Write the page."""
    Path(__file__).parents[1].joinpath("docs", "rest.md").write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
