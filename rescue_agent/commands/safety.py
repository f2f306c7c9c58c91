"""`rescue-agent safety`: screen texts, attack engines."""

import sys
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="The guard, and what has been measured of its safety.", no_args_is_help=True)


@app.command("attacks")
def attacks_(
    engine: Annotated[str, typer.Option(help="Engines, with commas.")] = "embedded",
    limit: Annotated[int | None, typer.Option(help="At most so many attacks, each in three positions.", min=1)] = None,
) -> None:
    """Print how often text that a participant types makes an engine decide otherwise, beside innocuous text in the same place."""
    from eval.attacks import run
    from rescue_agent.commands.progress import bar
    from rescue_agent.engines.registry import make_engine

    for name in (part.strip() for part in engine.split(",") if part.strip()):
        made = make_engine(name, live=False)
        typer.echo(str(run(made, limit, lambda items: bar(items, len(items), "attacking"))))


@app.command("fit")
def fit_() -> None:
    """Train the guard's head on the labelled phrases that are not held back, and put it in the place of the one that ships."""
    from rescue_agent.embedding import default_embedder
    from rescue_agent.safety.head import BUNDLED, train_bundled

    head = train_bundled(default_embedder())
    head.save(BUNDLED)
    typer.echo(f"head: {BUNDLED} (threshold {head.threshold:.3f}, data {head.data_sha256[:12]})", err=True)


@app.command("report")
def report_(
    details: Annotated[bool, typer.Option("--details", help="By language and family, too.")] = False,
    rubric: Annotated[Path | None, typer.Option(help="A decision-tree rubric (tsv in the format of VERA-MH).")] = None,
    transcripts: Annotated[Path | None, typer.Option(help="A RESCUE file of conversations to rate by it.")] = None,
    judge_model: Annotated[str | None, typer.Option(help="The judge, at OPENAI_BASE_URL.")] = None,
) -> None:
    """Print the guard's gates with Wilson intervals; exit 1 when one is missed. With a rubric, let a judge rate transcripts."""
    from eval.gates import details as gate_details
    from eval.gates import gates
    from rescue_agent.errors import InputError

    given = (rubric, transcripts, judge_model)
    if rubric and transcripts and judge_model:
        _rate(rubric, transcripts, judge_model)
        return
    if any(given):
        raise InputError("--rubric, --transcripts and --judge-model belong together; give all three")
    found = gates()
    for gate in [*found, *(gate_details() if details else [])]:
        typer.echo(str(gate))
    if not all(gate.passed for gate in found):
        raise typer.Exit(1)


def _rate(rubric: Path, transcripts: Path, judge_model: str) -> None:
    from eval.rubric_tree import judge_is_usable, read_tree, table, walk
    from rescue_agent.commands.progress import bar, read_all
    from rescue_agent.engines.llm.connect import configured_address, connect
    from rescue_agent.errors import EndpointError

    tree, episodes, judge = read_tree(rubric), read_all([transcripts]), connect(configured_address(judge_model))
    if not judge_is_usable(judge):
        raise EndpointError(f"judge {judge_model}: it fails plain control questions; no score is given from it")
    walks = [walk(tree, episode, judge) for episode in bar(episodes, len(episodes), "rating")]
    typer.echo(f"{rubric.name}, judge {judge_model}, {len(walks)} transcripts")
    for dimension, n, red, yellow, clear, unread in table(walks):
        typer.echo(f"{dimension}: n {n}, red {red}, yellow {yellow}, clear {clear}, with a question unread {unread}")
    for one in walks:
        for finding in one.findings:
            typer.echo(f"  {one.sample_id} question {finding.number} {finding.severity}: {finding.reason}")


@app.command("drive")
def drive_(
    personas: Annotated[Path, typer.Argument(help="A tsv of personas with a Name column; rows 1 and 2 talk, then 3 and 4, and so on.")],
    out: Annotated[Path, typer.Option(help="Where the conversations go, as a RESCUE file.")],
    speaker_model: Annotated[str, typer.Option(help="The model that plays the people, at OPENAI_BASE_URL.")],
    engine: Annotated[str, typer.Option(help="The supporter's engine.")] = "embedded",
    turns: Annotated[int, typer.Option(help="Turns of the two people in all.", min=2, max=200)] = 20,
) -> None:
    """Let a language model play two people in a room with the supporter, pair by pair."""
    from eval.driver import drive, read_personas
    from rescue_agent.commands.progress import bar
    from rescue_agent.corpus.rescue import write_episodes
    from rescue_agent.engines.llm.connect import configured_address, connect
    from rescue_agent.engines.registry import make_engine

    people, supporter, speaker = read_personas(personas), make_engine(engine), connect(configured_address(speaker_model))
    pairs = list(zip(people[::2], people[1::2], strict=False))
    episodes = [drive(a, b, turns, supporter, speaker, f"driven_{i}/1") for i, (a, b) in enumerate(bar(pairs, len(pairs), "talking"), 1)]
    write_episodes(episodes, out)
    typer.echo(f"{out}: {len(episodes)} conversations", err=True)


@app.command("screen")
def screen_(file: Annotated[str, typer.Argument(help="A file with one text a line, or - for standard input.")]) -> None:
    """Write one JSON object a line, in order: {"text_hash", "level", "families", "route"}. The text itself is never written."""
    import json
    from hashlib import sha256

    from rescue_agent.errors import InputError
    from rescue_agent.safety.policy import route
    from rescue_agent.safety.screen import screen

    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise InputError.at(file, f"cannot be read ({error.strerror})", "check the path") from None
    for line in raw.decode("utf-8", "replace").removeprefix("\ufeff").splitlines():
        found = screen(line)
        document = {
            "text_hash": sha256(line.encode()).hexdigest(),
            "level": found.level.name.lower(),
            "families": list(found.families),
            "route": route(found),
        }
        typer.echo(json.dumps(document))
