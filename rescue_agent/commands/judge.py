"""`rescue-agent judge`: replies, compared blind and checked automatically."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from eval.metrics.additive import Interval
    from rescue_agent.schema import Episode

app = typer.Typer(help="Replies: a blind comparison of two writers, and an automatic check.", no_args_is_help=True)
Data = Annotated[str, typer.Option(help="A RESCUE file, or open:test, open:dev of the bundled corpus.")]


@app.command("replies")
def replies(
    first: Annotated[str, typer.Argument(help="An engine, or `human`: what the supporter of the data said.")],
    second: Annotated[str, typer.Argument(help="The other one.")],
    data: Data = "open:test",
    limit: Annotated[int, typer.Option(help="At most so many moments, spread over the data.", min=1)] = 30,
    judge_model: Annotated[
        str | None, typer.Option(help="A model at OPENAI_BASE_URL as judge; a person at this terminal without it.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="A JSONL file for the single verdicts.")] = None,
) -> None:
    """Compare two writers blind on the same moments, every pair in both orders."""
    from dataclasses import asdict
    from json import dumps

    from eval.replies.comparing import compare, endpoint_judge, outcome, person_judge
    from eval.replies.material import asked, writer
    from rescue_agent.commands.progress import bar
    from rescue_agent.engines.llm.connect import configured_address, connect

    episodes = _episodes(data)
    moments = asked(episodes, limit)
    judge = endpoint_judge(connect(configured_address(judge_model))) if judge_model else person_judge(typer.echo, lambda: input("> "))
    shown = bar(moments, len(moments), "judging") if judge_model else moments
    pairs = compare(shown, writer(first, episodes), writer(second, episodes), judge)
    if out:
        out.write_text("".join(dumps(asdict(pair)) + "\n" for pair in pairs), encoding="utf-8")
    found = outcome(pairs)
    typer.echo(f"{first} against {second}, judged by {judge_model or 'a person'}: share of points {_share(found.share)} (0.5 is level)")
    typer.echo(f"n {found.n}, ties {found.ties}, order decided {found.inconsistent} (counted as ties), unread {found.unread}")


@app.command("check")
def check(
    engine: Annotated[str, typer.Option(help="Engines, with commas; `human` is what the supporter of the data said.")] = "embedded,human",
    data: Data = "open:test",
    limit: Annotated[int | None, typer.Option(help="At most so many moments, spread over the data.", min=1)] = None,
) -> None:
    """Check replies automatically: names, target, move (by a trained recogniser), repetition, length, advice, rules."""
    from eval.replies.checks import check_all
    from eval.replies.material import asked, writer
    from eval.replies.recogniser import fit_recogniser
    from rescue_agent.corpus.splits import bundled_episodes
    from rescue_agent.embedding import default_embedder

    episodes, learned = _episodes(data), bundled_episodes("train")
    moments, names = asked(episodes, limit), [name.strip() for name in engine.split(",") if name.strip()]
    strangers = sorted({name for episode in learned for name in episode.participants})
    recogniser = fit_recogniser(learned, default_embedder())
    results = {name: check_all(moments, writer(name, episodes), recogniser, strangers) for name in names}
    typer.echo(_table(names, results, len(moments)))


def _table(names: Sequence[str], results: "Mapping[str, Mapping[str, Interval]]", n: int) -> str:
    head = [f"| check (n {n}) | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    rows = [f"| {check} | {' | '.join(_share(results[name][check]) for name in names)} |" for check in results[names[0]]]
    return "\n".join([*head, *rows])


def _share(found: "Interval") -> str:
    if found.value is None:
        return "-"
    spread = "" if found.low is None else f" [{found.low:.3f}, {found.high:.3f}]"
    return f"{found.value:.3f}{spread}"


def _episodes(data: str) -> "list[Episode]":
    from rescue_agent.commands.progress import read_all
    from rescue_agent.corpus.splits import named_episodes

    bundled = named_episodes(data)
    return bundled if bundled is not None else read_all([Path(data)])
