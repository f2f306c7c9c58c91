"""A small scoring run in the background, with its progress and a stop: what the page starts. One at a time in a process."""

import logging
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal, TypeVar

from eval.engines import shipped
from eval.plan import Plan
from eval.records import Results
from eval.run import answer, entrant, score
from rescue_agent.errors import RescueError

logger = logging.getLogger(__name__)
T = TypeVar("T")
BASELINES: Final = ("majority", "random", "nearest")
_ONE: Final = threading.Lock()


@dataclass(frozen=True)
class Progress:
    """How far a run is: `done` of `total` answers, `what` is the engine that is asked; `why` it failed."""

    phase: Literal["loading", "answering", "scoring", "done", "stopped", "failed"] = "loading"
    what: str = ""
    done: int = 0
    total: int = 0
    why: str = ""

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.phase in ("done", "stopped", "failed")


class _Stopped(Exception):
    """Somebody pressed stop."""


class BackgroundRun:
    """`engine` and the baselines on a plan. Its answers stand in a temporary folder; what stays is `results`."""

    def __init__(self, plan: Plan, engine: str) -> None:
        self.plan = plan
        self.engines = tuple(dict.fromkeys((engine, *BASELINES)))
        self.progress = Progress()
        self.results: Results | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scoring", daemon=True)

    def start(self) -> bool:
        """Start; False, and nothing starts, when another run of this process is under way."""
        if not _ONE.acquire(blocking=False):
            return False
        self._thread.start()
        return True

    def stop(self) -> None:
        """Stop before the next question. Nothing is scored then: the answers so far are no fair part of the task."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the end."""
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            with TemporaryDirectory(prefix="rescue-scores-") as folder:
                self.results = self._scored(Path(folder))
            self._now("done")
        except _Stopped:
            self._now("stopped")
        except RescueError as error:
            self.progress = replace(self.progress, phase="failed", why=str(error))
        except Exception:
            logger.exception("a scoring run broke off")
            self.progress = replace(self.progress, phase="failed", why="see the log of the page")
        finally:
            _ONE.release()

    def _scored(self, folder: Path) -> Results:
        contenders = [shipped(name, self.plan.episodes, self.plan.seed) for name in self.engines]
        self.progress = Progress("answering", total=len(contenders) * len(self.plan.instances))
        asked = answer(self.plan, contenders, folder, progress=self._watched)
        self._now("scoring")
        return score([(self.plan, [entrant(self.plan, contender) for contender in contenders])], folder, asked=[asked])

    def _now(self, phase: Literal["scoring", "done", "stopped"]) -> None:
        self.progress = replace(self.progress, phase=phase)

    def _watched(self, items: Iterable[T], _total: int, what: str, /) -> Iterator[T]:
        """`items`, counted; the end of all when somebody pressed stop."""
        self.progress = replace(self.progress, what=what)
        for item in items:
            self.progress = replace(self.progress, done=self.progress.done + 1)
            yield item
            if self._stop.is_set():
                raise _Stopped


def beside(named: Sequence[tuple[str, Results]]) -> Results:
    """Several results as one, to compare them: an engine's name then tells whose it is. `run` is that of the first."""
    if len(named) == 1:
        return named[0][1]
    rows = [row.model_copy(update={"engine": f"{row.engine} ({name})"}) for name, results in named for row in results.results]
    return Results(run=named[0][1].run, results=tuple(rows))
