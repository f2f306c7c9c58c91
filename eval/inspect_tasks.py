"""The six tasks for Inspect AI: `inspect eval eval/inspect_tasks.py@er --model ... -T data=FILE`. Needs the extra [inspect].

Instances, prompts, parsing and scores are those of `rescue-agent score --engine llm`: the solver runs that engine on Inspect's model, so
`inspect view` shows what was asked, and providers, limits and logs are those of Inspect.
"""

from collections.abc import Generator
from pathlib import Path
from typing import Final

import anyio.from_thread
import anyio.to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ResponseSchema,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

from eval.instances import PROTOCOLS, Instance, TaskName
from eval.plan import Plan
from eval.records import Prediction
from eval.scoring import score_one
from eval.tasks import TASKS
from rescue_agent.corpus.rescue import read_episodes
from rescue_agent.corpus.splits import named_episodes
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.engine import LlmEngine
from rescue_agent.engines.llm.protocol import Completion, Finish, Request
from rescue_agent.engines.registry import ALL_TURNS
from rescue_agent.errors import UnparsedReply
from rescue_agent.moment import Mode

_KINDS: Final = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
_FINISH: Final[dict[str, Finish]] = {"max_tokens": "length", "model_length": "length", "content_filter": "content_filter"}


class _InspectModel:
    """Inspect's model as this project's: asked from a worker thread of Inspect's event loop."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def identity(self) -> str:
        """Its name."""
        return str(self._model)

    def ask(self, request: Request) -> Generator[str, None, Completion]:
        """The model's answer, in one piece."""
        messages: list[ChatMessage] = [_KINDS[m.role](content=str(m.content)) for m in request.messages]
        output = anyio.from_thread.run(lambda: self._model.generate(messages, config=_config(request)))
        yield output.completion
        return Completion(output.completion, _FINISH.get(output.stop_reason, "stop"))


def _config(request: Request) -> GenerateConfig:
    schema = ResponseSchema(name=request.purpose, json_schema=JSONSchema.model_validate(request.schema), strict=True)
    return GenerateConfig(max_tokens=request.max_tokens, temperature=request.temperature, response_schema=schema)


@solver
def decide(name: TaskName, instances: dict[str, Instance]) -> Solver:
    """Ask the `llm` engine, on Inspect's model, for the decision of the instance."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        engine, instance = LlmEngine(Asker(_InspectModel(get_model())), ALL_TURNS), instances[str(state.sample_id)]
        try:
            answer = await anyio.to_thread.run_sync(lambda: TASKS[name].ask(engine, instance))
            state.metadata |= {"answer": answer, "status": "ok"}
        except UnparsedReply as problem:
            state.metadata |= {"answer": None, "status": "parse_failed", "problem": str(problem)}
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr(cluster="group")]})
def rescue_scores(name: TaskName, instances: dict[str, Instance], protocol: str) -> Scorer:
    """The scores of the instance; errors are clustered by couple or family. What cannot be read is scored as wrong and counted."""

    async def score(state: TaskState, target: Target) -> Score:
        prediction = Prediction.model_validate(
            {
                "engine": "inspect",
                "task": name,
                "protocol": protocol,
                "instance_id": str(state.sample_id),
                "input_hash": "",
                "gold": instances[str(state.sample_id)].gold,
                "prediction": state.metadata["answer"],
                "status": state.metadata["status"],
            }
        )
        scored = score_one(prediction).scores
        values: dict[str, str | int | float | bool | None] = {key: value for key, value in scored.items() if value is not None}
        values["parse_failed"] = float(prediction.status == "parse_failed")
        return Score(value=values, answer=str(state.metadata["answer"]), explanation=state.metadata.get("problem"))

    return score


def _task(name: TaskName, data: str, protocol: str, limit: int | None) -> Task:
    bundled = named_episodes(data)
    episodes = bundled if bundled is not None else list(read_episodes(Path(data)).episodes)
    plan = Plan(episodes, [name], PROTOCOLS[protocol], Mode.DIALOGUE, 0, limit)
    instances = {instance.instance_id: instance for instance in plan.instances}
    samples = [
        Sample(id=i.instance_id, input=i.moment.model_dump_json(), target=str(i.gold), metadata={"group": i.group, "scenario": i.scenario})
        for i in instances.values()
    ]
    solving, scoring = decide(name, instances), rescue_scores(name, instances, protocol)
    return Task(dataset=MemoryDataset(samples, name=name.value), solver=solving, scorer=scoring, version=TASKS[name].version)


@task
def er(data: str = "open:test", protocol: str = "sound", limit: int | None = None) -> Task:
    """Emotion recognition."""
    return _task(TaskName.ER, data, protocol, limit)


@task
def vp(data: str = "open:test", protocol: str = "sound", limit: int | None = None) -> Task:
    """Viewpoint prediction."""
    return _task(TaskName.VP, data, protocol, limit)


@task
def rpp(data: str = "open:test", protocol: str = "sound", limit: int | None = None) -> Task:
    """Relation pattern prediction."""
    return _task(TaskName.RPP, data, protocol, limit)


@task
def itp(data: str = "open:test", protocol: str = "sound", limit: int | None = None) -> Task:
    """Intervention time prediction."""
    return _task(TaskName.ITP, data, protocol, limit)


@task
def stp(data: str = "open:test", protocol: str = "sound", limit: int | None = None) -> Task:
    """Support target prediction."""
    return _task(TaskName.STP, data, protocol, limit)


@task
def ssp(data: str = "open:test", protocol: str = "sound", limit: int | None = None) -> Task:
    """Support strategy prediction."""
    return _task(TaskName.SSP, data, protocol, limit)
