"""Measures of a ranking. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import numpy as np

#: In the order of the tables.
MEASURES: Final = ("R@3", "R@5", "R@10", "all@10", "MRR", "Sany@1", "Sany@5", "Sall@5", "Sall@10")
#: The normal distribution holds 95 % within so many standard deviations.
_Z: Final = 1.96
#: What differences are taken of.
COMPARED: Final = ("R@3", "R@5", "R@10", "MRR")
#: Hits that are looked at: enough that ten sessions are among them.
DEPTH: Final = 50


def headline(name: str) -> tuple[str, ...]:
    """The measures by which a set is judged: of short notes fewer hits are read."""
    return ("R@3", "R@5") if name == "memdaily" else ("R@5", "R@10", "MRR")


def measured(
    ranking: Sequence[str],
    sessions: Sequence[str],
    evidence: AbstractSet[str],
    evidence_sessions: AbstractSet[str],
) -> dict[str, float]:
    """The measures of one question.

    * R@k: share of the evidence among the first k.
    * all@k: 1 if all of it is.
    * MRR: 1 / rank of the first evidence among the first `DEPTH`, else 0.
    * Sany@k, Sall@k: 1 if any, or all, sessions of the evidence are among the first k sessions, which
      stand in the order of their best hit.

    Args:
        ranking: Turns, best first.
        sessions: The session of each.
        evidence: Turns that answer, at least one.
        evidence_sessions: Sessions that answer.
    """
    order = list(dict.fromkeys(sessions[:DEPTH]))
    ranks = [n for n, turn in enumerate(ranking[:DEPTH], 1) if turn in evidence]
    return {
        "R@3": recall(ranking, evidence, 3),
        "R@5": recall(ranking, evidence, 5),
        "R@10": recall(ranking, evidence, 10),
        "all@10": float(recall(ranking, evidence, 10) == 1.0),
        "MRR": 1 / ranks[0] if ranks else 0.0,
        "Sany@1": float(recall(order, evidence_sessions, 1) > 0),
        "Sany@5": float(recall(order, evidence_sessions, 5) > 0),
        "Sall@5": float(recall(order, evidence_sessions, 5) == 1.0),
        "Sall@10": float(recall(order, evidence_sessions, 10) == 1.0),
    }


def recall(ranking: Sequence[str], wanted: AbstractSet[str], k: int) -> float:
    """The share of what is wanted, at least one, that is among the first k."""
    return len(wanted & set(ranking[:k])) / len(wanted)


def interval(
    first: Sequence[float], second: Sequence[float], *, seed: int, rounds: int = 2000
) -> tuple[float, float, float]:
    """The mean of first − second, question by question, with its 95 % bootstrap interval.

    Returns:
        (mean, lower, upper): percentiles 2.5 and 97.5 over `rounds` samples of questions with return.
    """
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    picks = np.random.default_rng(seed).integers(0, len(differences), (rounds, len(differences)))
    means = differences[picks].mean(axis=1)
    lower, upper = np.percentile(means, [2.5, 97.5]).tolist()
    return float(differences.mean()), lower, upper


def share_interval(count: int, of: int) -> tuple[float, float, float]:
    """A share with its 95 % interval after Wilson.

    Args:
        of: At least 1.

    Returns:
        (share, lower, upper), all in [0, 1].

    Source:
        Wilson, Journal of the American Statistical Association, 1927.
    """
    share = count / of
    middle = share + _Z**2 / (2 * of)
    spread = _Z * math.sqrt(share * (1 - share) / of + (_Z / (2 * of)) ** 2)
    scale = 1 + _Z**2 / of
    return share, max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)
