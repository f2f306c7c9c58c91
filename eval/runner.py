"""The predict phase: ask every engine every instance, a line of predictions.jsonl at a time.

Each line is written and flushed as soon as its answer is there. A run that was stopped or killed goes on where it was: what is
answered already, under the same configuration and input, isn't asked again. At the end the file is put in its one order, so that it
is the same, byte for byte, as that of a run without interruption.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from eval.engines import Contender
from eval.instances import Instance, Source, TaskName
from eval.records import Prediction, read_predictions, write_predictions
from eval.tasks import TASKS
from rescue_agent.errors import EndpointError, UnparsedReply

Key = tuple[str, str, str, str, str]
Progress = Callable[[Iterable[Prediction], int, str], Iterable[Prediction]]


def build_instances(sources: Sequence[Source], tasks: Sequence[TaskName]) -> list[Instance]:
    """All instances, task by task, in the order of the data."""
    return [instance for task in tasks for source in sources for instance in TASKS[task].build(source)]


def predict(
    contenders: Sequence[Contender],
    instances: Sequence[Instance],
    path: Path,
    *,
    protocol: str,
    concurrency: int = 1,
    progress: Progress = lambda answers, _total, _what: answers,
) -> list[str]:
    """Answer what `path` doesn't hold yet, and put the file in order. Returns what could not be read in it, by line."""
    known, bad = read_predictions(path)
    answered = {_key(p): p for p in known if p.status != "unscored"}
    _end_last_line(path)
    for contender in contenders:
        missing = [i for i in instances if _wanted(contender, i, protocol) not in answered]
        with closing(_Lines(path)) as lines:
            for answer in progress(_answers(contender, missing, protocol, concurrency), len(missing), contender.name):
                lines.append(answer)
                answered[_key(answer)] = answer
    _put_in_order(path, contenders, instances, answered, protocol)
    return bad


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


def _key(prediction: Prediction) -> Key:
    return prediction.engine, prediction.protocol, prediction.task, prediction.instance_id, prediction.input_hash


def _wanted(contender: Contender, instance: Instance, protocol: str) -> Key:
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
            "input_hash": _wanted(contender, instance, protocol)[-1],
            "gold": instance.gold,
            "prediction": given,
            "status": status,
        }
    )


def _put_in_order(
    path: Path, contenders: Sequence[Contender], instances: Sequence[Instance], answered: dict[Key, Prediction], protocol: str
) -> None:
    """This run's answers in one order, behind those of engines and protocols that this run doesn't have."""
    names = {contender.name for contender in contenders}
    others = [p for p in answered.values() if p.engine not in names or p.protocol != protocol]
    wanted = (_wanted(contender, instance, protocol) for contender in contenders for instance in instances)
    write_predictions(path, [*others, *(answered[key] for key in wanted if key in answered)])
