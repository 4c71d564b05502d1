"""Clear statements of speakers, found without a model: precision first."""

from simonides.writing.extract.statement import Statement
from simonides.writing.extract.statements import statements

__all__ = ["Statement", "statements"]
