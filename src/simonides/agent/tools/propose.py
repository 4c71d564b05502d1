"""memory.propose: suggest memories; the policy decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from simonides.agent.tools import render
from simonides.agent.tools.arguments import why_not
from simonides.agent.tools.context import Context
from simonides.agent.tools.fields import Scoped, Share, Time, Title, TypeName, Words, beside
from simonides.agent.tools.tool import Tool, schema_of
