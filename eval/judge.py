"""A language model as judge of ER and VP, on the paper's scale of 1 to 5.

Every answer is graded twice, once as text A beside the gold as text B and once the other way round, and the grade is the mean: a judge that
prefers a place can't favour an engine by it, and how far the two differ is reported. A grade that cannot be read is no grade.
"""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from pydantic import JsonValue, ValidationError

from eval.instances import TaskName
from eval.judge_endpoint import JudgeEndpoint
from eval.records import Prediction
from eval.runner import Key, Progress, key_of, no_progress
from eval.scoring import WORST_MATCH
from rescue_agent.errors import EndpointError
from rescue_agent.prompts import Prompt, load_prompt
from rescue_agent.schema import Record

logger = logging.getLogger(__name__)

RUBRICS: Final = {TaskName.ER: "judge_er", TaskName.VP: "judge_vp"}
_GIVE_UP: Final = 3
"""After so many failures in a row the endpoint counts as down."""


class Judgement(Record):
    """A line of judgements.jsonl. `material` is the hash of model, rubric and the two texts; `grade` is None where none could be read."""

    material: str
    task: TaskName
    grade: float | None
    swapped: float | None

    @property
    def mean(self) -> float | None:
        """The grade that counts; None unless both orders have one."""
        return None if self.grade is None or self.swapped is None else (self.grade + self.swapped) / 2


@dataclass(frozen=True)
class _Question:
    material: str
    task: TaskName
    answer: JsonValue
    gold: JsonValue


class Judge:
    """Grades answers; what judgements.jsonl holds already isn't asked again."""

    def __init__(self, endpoint: JudgeEndpoint, concurrency: int = 1) -> None:
        self._endpoint, self._concurrency = endpoint, concurrency
        self._rubrics: dict[TaskName, Prompt] = {task: load_prompt(name) for task, name in RUBRICS.items()}
        self._used: list[Judgement] = []

    @property
    def tokens(self) -> Mapping[str, int]:
        """Tokens of this process's questions: input and output."""
        return self._endpoint.tokens

    @property
    def prompt_hashes(self) -> Mapping[str, str]:
        """Rubric -> SHA-256 of its file."""
        return {rubric.name: rubric.sha256 for rubric in self._rubrics.values()}

    def about(self) -> dict[str, JsonValue]:
        """The model, how many pairs it graded, how many of them could not be read, and how far the two orders differ."""
        apart = [abs(j.grade - j.swapped) for j in self._used if j.grade is not None and j.swapped is not None]
        return {
            "model": self._endpoint.model,
            "graded": len(apart),
            "unread": len(self._used) - len(apart),
            "mean_order_difference": round(sum(apart) / len(apart), 4) if apart else None,
            "order_differs_by_more_than_1": sum(d > 1 for d in apart),
        }

    def grade(
        self,
        predictions: Sequence[Prediction],
        path: Path,
        progress: Progress = no_progress,
    ) -> dict[Key, float]:
        """Grades by answer, 1-5. An answer that could not be read gets the lowest; one whose grade could not be read gets none.

        Args:
            path: judgements.jsonl; each judgement is appended as it comes.

        Raises:
            EndpointError: when the endpoint is down.
        """
        questions = {key_of(p): self._question(p) for p in predictions if p.task in RUBRICS and p.status == "ok"}
        known = _read(path)
        missing = {q.material: q for q in questions.values() if q.material not in known}
        with path.open("a", encoding="utf-8") as file:
            for judgement in progress(self._ask_all(list(missing.values())), len(missing), "judge"):
                file.write(judgement.model_dump_json() + "\n")
                file.flush()
                known[judgement.material] = judgement
        self._used = [known[m] for m in dict.fromkeys(q.material for q in questions.values()) if m in known]
        means = {key: known[q.material].mean for key, q in questions.items() if q.material in known}
        failed = {key_of(p): WORST_MATCH for p in predictions if p.task in RUBRICS and p.status == "parse_failed"}
        return failed | {key: mean for key, mean in means.items() if mean is not None}

    def _question(self, prediction: Prediction) -> _Question:
        answer, gold = (_material(prediction.task, side) for side in (prediction.prediction or {}, prediction.gold))
        content = [self._endpoint.model, self._rubrics[prediction.task].sha256, answer, gold]
        digest = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        return _Question(digest, prediction.task, answer, gold)

    def _ask_all(self, questions: Sequence[_Question]) -> Iterator[Judgement]:
        failures = 0
        with ThreadPoolExecutor(self._concurrency) as workers:
            try:
                for outcome in workers.map(self._try, questions):
                    if isinstance(outcome, Judgement):
                        failures = 0
                        yield outcome
                        continue
                    failures += 1
                    logger.warning("%s; the answer is left unscored", outcome)
                    if failures == _GIVE_UP:
                        raise outcome
            finally:
                workers.shutdown(wait=True, cancel_futures=True)

    def _try(self, question: _Question) -> Judgement | EndpointError:
        rubric = self._rubrics[question.task]
        try:
            grade = self._endpoint.grade(rubric, {"a": question.answer, "b": question.gold})
            swapped = self._endpoint.grade(rubric, {"a": question.gold, "b": question.answer})
        except EndpointError as error:
            return error
        return Judgement(material=question.material, task=question.task, grade=grade, swapped=swapped)


def _material(task: TaskName, side: Mapping[str, Any]) -> JsonValue:
    """What the judge sees of an answer or a gold: no probability, reason or intensity, which would tell the two apart."""
    if task is TaskName.ER:
        return str(side["description"])
    return [{key: view[key] for key in ("source", "target", "viewpoint")} for view in side["viewpoints"]]


def _read(path: Path) -> dict[str, Judgement]:
    """Judgements by material; a line that a crash cut is asked again."""
    known: dict[str, Judgement] = {}
    if not path.exists():
        return known
    content = path.read_text(encoding="utf-8", errors="replace")
    if not content.endswith("\n"):
        with path.open("a", encoding="utf-8") as file:
            file.write("\n")
    for line in content.splitlines():
        try:
            judgement = Judgement.model_validate_json(line)
        except ValidationError:
            continue
        known[judgement.material] = judgement
    return known
