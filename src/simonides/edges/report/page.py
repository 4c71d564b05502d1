"""A report as one HTML page: styles and pictures within, nothing fetched, nothing that runs."""

from __future__ import annotations

import functools
import hashlib
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from simonides.domain.instant import DAY_US
from simonides.domain.retention import FADED_BELOW
from simonides.edges.report import charts
from simonides.edges.report.collect import AHEAD_DAYS, BEHIND_DAYS
from simonides.edges.report.write import MARK
from simonides.edges.wording import counts, day, fit, line, moment
from simonides.errors import NotInstalled

if TYPE_CHECKING:
    import jinja2

    from simonides.domain.growth import Growth
    from simonides.edges.report.collect import Fading, StoreReport

_FOLDER: Final = Path(__file__).parent
_MEGABYTE: Final = 1_000_000
#: A text in a list is not longer.
_LONGEST: Final = 400


def render(report: StoreReport) -> str:
    """The page.

    Raises:
        ProviderUnavailable: The package `jinja2` is not installed.
    """
    style = (_FOLDER / "report.css").read_text("utf-8")
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    text = _environment().get_template("report.html.j2").render(
        report=report,
        style=style,
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        tiers=charts.standing(report.growth),
        course=_course(report.growth),
        fading=_fading(report),
        figures=_figures(report),
        names=charts.TIERS,
        days=AHEAD_DAYS,
        charts=charts,
    )  # fmt: skip
    return MARK + text


def _figures(report: StoreReport) -> dict[str, str]:
    """The numbers at the top, by what they count."""
    stats = report.stats
    statuses: Mapping[str, int] = stats["by_status"]
    moved: Mapping[str, int] = stats["archive"] or {}
    return {
        "memories": f"{statuses.get('active', 0):,}",
        "entities": _up_to(report.named, report.most),
        "merged": f"{stats['merges']['originals']:,}",
        "archived": f"{statuses.get('archived', 0) + moved.get('items', 0):,}",
        "to review": _up_to(report.quarantined + report.contradictions, report.most),
        "file": f"{stats['file_bytes'] / _MEGABYTE:,.1f} MB",
    }


def _up_to(count: int, most: int) -> str:
    return f"{count:,}" if count < most else f"{most:,} or more"


def _course(growth: Growth) -> charts.Chart:
    def counts(field: str) -> list[int]:
        return [getattr(period, field) for period in growth.periods]

    up = {"items came": counts("added"), "turns came": counts("turns")}
    down = {"merged": counts("merged"), "archived": counts("archived")}
    return charts.diverging(up, down, charts.days(growth))


def _fading(report: StoreReport) -> charts.Chart | None:
    if not report.fading:
        return None
    curves = {str(number): one.curve for number, one in enumerate(report.fading, 1)}
    labels = {n: day(report.at + n * DAY_US)[5:] for n in range(-BEHIND_DAYS, AHEAD_DAYS + 1, 20)}
    labels[0] = "today"
    return charts.falling(curves, labels, FADED_BELOW)


@functools.cache
def _environment() -> jinja2.Environment:
    try:
        import jinja2  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise NotInstalled.of("jinja2", extra="report") from error
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        undefined=jinja2.StrictUndefined,
        # Of every expression, so that none can be forgotten: what is stored is text, and stands there as text.
        autoescape=True,
        finalize=fit,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: Any = environment.filters
    filters.update(
        day=day, moment=moment, line=functools.partial(line, most=_LONGEST), counts=counts, gone=_gone
    )
    return environment


def _gone(one: Fading, at: int) -> str:
    days = round((one.gone_at - at) / DAY_US)
    return "tonight" if days < 1 else "tomorrow" if days == 1 else f"in {days:,} days"
