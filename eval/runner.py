"""The predict phase: ask every engine every instance, a line of predictions.jsonl at a time.

Each line is written and flushed as soon as its answer is there. A run that was stopped or killed goes on where it was: what is
answered already, under the same configuration and input, isn't asked again. At the end the file is put in its one order, so that it
is the same, byte for byte, as that of a run without interruption.
"""

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from eval.engines import Contender
from eval.instances import Instance, ProtocolName, Source, TaskName
from eval.records import Prediction, read_predictions, write_predictions
from eval.tasks import TASKS
from rescue_agent.engines.llm.protocol import Usage
from rescue_agent.errors import EndpointError, UnparsedReply

T = TypeVar("T")
Key = tuple[str, str, str, str, str]


class Progress(Protocol):
    """Shows how far a run is: gets items, how many will come and what they are, and yields them on."""

    def __call__(self, items: Iterable[T], total: int, what: str, /) -> Iterable[T]:
        """Yield `items`."""
        ...


def no_progress(items: Iterable[T], _total: int, _what: str) -> Iterable[T]:
    """`items`, and nothing shown."""
    return items


def build_instances(sources: Sequence[Source], tasks: Sequence[TaskName]) -> list[Instance]:
    """All instances, task by task, in the order of the data."""
    return [instance for task in tasks for source in sources for instance in TASKS[task].build(source)]


@dataclass(frozen=True)
class Timing:
    """How many questions an engine was asked in this process, how long that took, and what its language model was asked so far."""

    engine: str
    asked: int
    seconds: float
    usage: Usage | None = None


@dataclass(frozen=True)
class Predicted:
    """What a predict phase did. `unread`: lines of earlier answers that could not be read, `FILE:LINE: why`."""

    protocol: ProtocolName
    unread: tuple[str, ...]
    timings: tuple[Timing, ...]


def predict(
    contenders: Sequence[Contender],
    instances: Sequence[Instance],
    path: Path,
    *,
    protocol: ProtocolName,
    concurrency: int = 1,
    progress: Progress = no_progress,
) -> Predicted:
    """Answer what `path` doesn't hold yet, and put the file in order."""
    known, bad = read_predictions(path)
    answered = {key_of(p): p for p in known if p.status != "unscored"}
    _end_last_line(path)
    timings: list[Timing] = []
    for contender in contenders:
        started = time.monotonic()
        missing = [i for i in instances if wanted_key(contender, i, protocol) not in answered]
        # the longest first: an engine that embeds rows then gets a whole sample at once, for all cores
        missing.sort(key=lambda i: -len(i.moment.utterances))
        with closing(_Lines(path)) as lines:
            for answer in progress(_answers(contender, missing, protocol, concurrency), len(missing), contender.name):
                lines.append(answer)
                answered[key_of(answer)] = answer
        usage = contender.ledger.total() if contender.ledger else None
        timings.append(Timing(contender.name, len(missing), time.monotonic() - started, usage))
    _put_in_order(path, contenders, instances, answered, protocol)
    return Predicted(protocol, tuple(bad), tuple(timings))


class _Lines:
    """Appends to a file, a flushed line at a time."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", encoding="utf-8")

    def append(self, answer: Prediction) -> None:
        self._file.write(answer.model_dump_json() + "\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _end_last_line(path: Path) -> None:
    """End a last line that a crash cut, so that the next answer doesn't run on from it."""
    if path.exists() and (content := path.read_bytes()) and not content.endswith(b"\n"):
        with path.open("ab") as file:
            file.write(b"\n")


def key_of(prediction: Prediction) -> Key:
    """What an answer is an answer to: engine, protocol, task, instance, and the hash of configuration and input."""
    return prediction.engine, prediction.protocol, prediction.task, prediction.instance_id, prediction.input_hash


def wanted_key(contender: Contender, instance: Instance, protocol: str) -> Key:
    """The key of the answer that `contender`, as it is configured now, gives to `instance`."""
    configuration = f"{contender.configuration} v{TASKS[instance.task].version}"
    return contender.name, protocol, instance.task, instance.instance_id, instance.input_hash(configuration)


def _answers(contender: Contender, instances: Sequence[Instance], protocol: str, concurrency: int) -> Iterator[Prediction]:
    if concurrency <= 1:
        yield from (answer(contender, instance, protocol) for instance in instances)
        return
    stopped = threading.Event()
    with ThreadPoolExecutor(concurrency) as workers:
        try:
            yield from workers.map(lambda instance: answer(contender, instance, protocol, stopped), instances)
        finally:
            stopped.set()
            workers.shutdown(wait=True, cancel_futures=True)


def answer(contender: Contender, instance: Instance, protocol: str, stopped: threading.Event | None = None) -> Prediction:
    """Ask one question, alone. What cannot be read is counted as such, what got no answer is left unscored; neither becomes a default."""
    given, status = None, "unscored"
    if stopped is None or not stopped.is_set():
        try:
            given, status = TASKS[instance.task].ask(contender.for_group(instance.group), instance), "ok"
        except UnparsedReply:
            status = "parse_failed"
        except EndpointError:
            status = "unscored"
    return Prediction.model_validate(
        {
            "engine": contender.name,
            "task": instance.task,
            "protocol": protocol,
            "instance_id": instance.instance_id,
            "input_hash": wanted_key(contender, instance, protocol)[-1],
            "gold": instance.gold,
            "prediction": given,
            "status": status,
        }
    )


def _put_in_order(
    path: Path, contenders: Sequence[Contender], instances: Sequence[Instance], answered: dict[Key, Prediction], protocol: str
) -> None:
    """This run's answers in one order, behind all others that none of them replaces (other engines, protocols, tasks, samples)."""
    wanted = [wanted_key(contender, instance, protocol) for contender in contenders for instance in instances]
    replaced = {key[:-1] for key in wanted}
    others = [p for key, p in answered.items() if key[:-1] not in replaced]
    write_predictions(path, [*others, *(answered[key] for key in wanted if key in answered)])
