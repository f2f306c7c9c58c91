"""The six tasks by name."""

from typing import Final

from eval.instances import Task, TaskName
from eval.tasks import er, itp, rpp, ssp, stp, vp

TASKS: Final[dict[TaskName, Task]] = {module.TASK.name: module.TASK for module in (er, vp, rpp, itp, stp, ssp)}
