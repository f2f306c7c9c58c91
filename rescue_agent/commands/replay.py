"""`rescue-agent replay`: run the supporter over written episodes."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from rescue_agent.commands.caching import CacheOnly, NoCache, use_cache
from rescue_agent.moment import Mode


def replay(
    file: Annotated[Path, typer.Argument(help="A RESCUE file (JSONL, folder) or a screenplay.")],
    sample: Annotated[str | None, typer.Option(help="Only the sample of this id.")] = None,
    engine: Annotated[str | None, typer.Option(help="embedded, llm, hybrid, majority, random, nearest; default by RESCUE_ENGINE.")] = None,
    mode: Annotated[Mode, typer.Option(help="Which cues the engine sees beside the words.")] = Mode.DIALOGUE,
    follow: Annotated[
        Literal["script", "agent"],
        typer.Option(help="script: the human supporter's rows stay, the agent decides beside them; agent: it speaks instead."),
    ] = "script",
    out: Annotated[Path | None, typer.Option(help="Folder for a Markdown and an HTML transcript of each sample.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a decision on standard output, nothing else.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first bad line of the file.")] = False,
    no_cache: NoCache = False,
    cache_only: CacheOnly = False,
) -> None:
    """Replay episodes: after every participant's row, what the supporter reads and decides, beside what the human one did."""
    from graphs.fairness import session_notes
    from graphs.record import as_decided
    from graphs.replay import replay as run_replay
    from rescue_agent.commands.progress import bar, read_all
    from rescue_agent.engines.registry import ledger_of, make_engine
    from rescue_agent.errors import InputError
    from rescue_agent.page import transcript
    from rescue_agent.settings import settings

    episodes = [e for e in read_all([file], strict) if sample in (None, e.sample_id)]
    if not episodes:
        raise InputError(f"{file}: no sample {sample!r} in it")
    use_cache(no_cache, cache_only)
    chosen = make_engine(engine or settings().engine)
    for episode in bar(episodes, len(episodes), "replaying"):
        records = []
        for record in run_replay(episode, chosen, follow=follow, mode=mode):
            records.append(record)
            if json:
                typer.echo(record.model_dump_json())
        lines = list(transcript.lines_of(episode, [(r.row_index, as_decided(r)) for r in records], with_supporter=follow == "script"))
        notes = [] if json and not out else list(session_notes(episode, records, chosen, mode, follows_script=follow == "script"))
        if not json:
            transcript.show(episode.sample_id, lines, notes)
        for path in transcript.save(out, episode.sample_id, lines, notes) if out else ():
            typer.echo(f"wrote {path}", err=True)
    if ledger := ledger_of(chosen):
        used = ledger.total()
        typer.echo(
            f"language model: {used.calls} calls and {used.cached} kept answers, {used.input_tokens} tokens in, {used.output_tokens} out, "
            f"{used.repaired} asked again, {used.unparsed} unread",
            err=True,
        )
