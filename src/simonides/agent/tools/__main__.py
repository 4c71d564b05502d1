"""Print the page of docs about tools."""

import sys

from simonides.agent.tools.reference import reference

sys.stdout.write(reference())
