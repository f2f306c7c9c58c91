"""`rescue-agent score`: the six tasks of RESCUE-BENCH for any engine."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from rescue_agent.commands.caching import CacheOnly, NoCache, use_cache
from rescue_agent.moment import Mode

if TYPE_CHECKING:
    from eval.engines import Contender
    from eval.instances import TaskName
    from rescue_agent.schema import Episode

_TASKS = "er,vp,rpp,itp,stp,ssp"


def score(
    data: Annotated[str, typer.Option(help="A RESCUE file, or open:test, open:dev, open:train, open:all of the bundled corpus.")],
    out: Annotated[
        Path, typer.Option(help="Folder for predictions.jsonl, results.json and the report; a run that was stopped goes on there.")
    ],
    engine: Annotated[str, typer.Option(help="Engines, with commas.")] = "embedded,majority,random,nearest",
    task: Annotated[str, typer.Option(help="Tasks, with commas.")] = _TASKS,
    task_set: Annotated[
        Literal["esconv", "meld", "mpdd"] | None,
        typer.Option(help="A neighbour's task instead, supervised; --data is the folder of its release. Only --out applies beside."),
    ] = None,
    protocol: Annotated[
        Literal["sound", "paper", "both"], typer.Option(help="How instances are built; docs/benchmark.md has the differences.")
    ] = "sound",
    mode: Annotated[Mode, typer.Option(help="Which cues an engine sees beside the words.")] = Mode.DIALOGUE,
    sample: Annotated[str | None, typer.Option(help="Only the sample of this id.")] = None,
    limit: Annotated[int | None, typer.Option(help="At most so many instances a task, spread over the data.", min=1)] = None,
    fit_on: Annotated[Path | None, typer.Option(help="Fit the engines on this RESCUE file first (scores are supervised then).")] = None,
    cv: Annotated[
        Literal["groups"] | None, typer.Option(help="groups: fit on the other couples and families, in folds (supervised).")
    ] = None,
    predictions: Annotated[Path | None, typer.Option(help="Score another system's answers (JSONL of instance_id and answer), too.")] = None,
    predict_only: Annotated[bool, typer.Option("--predict-only", help="Answer, don't score.")] = False,
    score_only: Annotated[bool, typer.Option("--score-only", help="Score the answers that are in --out.")] = False,
    judge_model: Annotated[
        str | None, typer.Option(help="Grade ER and VP with this model at OPENAI_BASE_URL (any OpenAI-compatible server).")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the intervals and of the random engine.")] = 0,
    concurrency: Annotated[int, typer.Option(help="Questions under way at once.", min=1, max=64)] = 1,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad line of the data.")] = False,
    no_cache: NoCache = False,
    cache_only: CacheOnly = False,
) -> None:
    """Score engines on the six tasks, beside the baselines, with 95 % intervals over couples and families."""
    if task_set:
        _score_task_set(task_set, Path(data), out)
        return
    from eval.fairness import swaps_of
    from eval.instances import PROTOCOLS
    from eval.judge import Judge
    from eval.judge_endpoint import JudgeEndpoint
    from eval.plan import Plan
    from eval.report import show, write_report
    from eval.run import add_outside, answer, entrant
    from eval.run import score as score_run
    from rescue_agent.commands.progress import bar
    from rescue_agent.errors import InputError

    if predict_only and score_only:
        raise InputError("--predict-only and --score-only exclude each other; give one of them")
    use_cache(no_cache, cache_only)
    judge = Judge(JudgeEndpoint(judge_model), concurrency) if judge_model else None
    episodes = [e for e in _episodes(data, strict) if sample in (None, e.sample_id)]
    if not episodes:
        raise InputError(f"--data {data}: no sample {sample!r} in it")
    names = ["sound", "paper"] if protocol == "both" else [protocol]
    plans = [Plan(episodes, _tasks(task), PROTOCOLS[name], mode, seed, limit) for name in names]
    contenders = _contenders([name.strip() for name in engine.split(",") if name.strip()], episodes, fit_on, cv, seed)
    asked = [] if score_only else [answer(plan, contenders, out, concurrency=concurrency, progress=bar) for plan in plans]
    for line in (line for done in asked for line in done.unread):
        typer.echo(line, err=True)
    entries = [(p, [*(entrant(p, c) for c in contenders), *([add_outside(p, predictions, out)] if predictions else [])]) for p in plans]
    if predict_only:
        typer.echo(f"{out / 'predictions.jsonl'}: answered; score them with --score-only", err=True)
        return
    swaps = {} if score_only else swaps_of(plans[0], contenders)
    results = score_run(entries, out, judge=judge, asked=asked, swaps=swaps, progress=bar)
    for path in write_report(out, results, plans):
        typer.echo(f"wrote {path}", err=True)
    show(results)


def _score_task_set(name: str, data: Path, out: Path) -> None:
    from eval.task_sets.report import table, write
    from eval.task_sets.scoring import run
    from eval.task_sets.sets import TASK_SETS
    from rescue_agent.embedding import default_embedder

    result = run(TASK_SETS[name], data, default_embedder())
    typer.echo(f"wrote {write(result, out)}", err=True)
    typer.echo(table(result))


def _episodes(data: str, strict: bool) -> "list[Episode]":
    from rescue_agent.commands.progress import read_all
    from rescue_agent.corpus.splits import named_episodes

    bundled = named_episodes(data)
    return bundled if bundled is not None else read_all([Path(data)], strict)


def _tasks(names: str) -> "list[TaskName]":
    from eval.instances import TaskName
    from rescue_agent.errors import InputError

    try:
        return list(dict.fromkeys(TaskName(name.strip()) for name in names.split(",") if name.strip()))
    except ValueError:
        raise InputError(f"--task {names}: known are {_TASKS}") from None


def _contenders(names: list[str], episodes: "list[Episode]", fit_on: Path | None, cv: str | None, seed: int) -> "list[Contender]":
    from eval.engines import cross_validated, fitted_on, shipped
    from rescue_agent.commands.progress import read_all
    from rescue_agent.corpus.groups import group_of
    from rescue_agent.errors import InputError

    if fit_on and cv:
        raise InputError("--fit-on and --cv exclude each other; give one of them")
    if fit_on:
        training = read_all([fit_on])
        return [fitted_on(name, training, episodes, seed) for name in names]
    if cv:
        return [cross_validated(name, episodes, group_of(episodes), seed) for name in names]
    return [shipped(name, episodes, seed) for name in names]
