"""Times of jobs: hours, what is due, what triggers a run between hours, and leases that keep two runs apart."""

from simonides.upkeep.schedule.hours import ScheduleSettings

__all__ = ["ScheduleSettings"]
