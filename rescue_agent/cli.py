"""The command line: `rescue-agent`. Each command stands in its own module; this file only puts them together."""

import logging
import sys
from typing import Annotated

import typer

from rescue_agent import __version__
from rescue_agent.commands import chat, corpus, doctor, fit, fit_hybrid, import_, index, judge, replay, report, safety, score, study
from rescue_agent.errors import RescueError

app = typer.Typer(
    help="Relation-aware, multi-party emotional support, and RESCUE-BENCH scoring with the same six decisions.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("chat")(chat.chat)
app.command("replay")(replay.replay)
app.command("score")(score.score)
app.command("report")(report.report)
app.command("index")(index.index)
app.command("fit")(fit.fit)
app.command("fit-hybrid")(fit_hybrid.fit_hybrid)
app.command("import")(import_.import_)
app.command("study")(study.study)
app.command("doctor")(doctor.doctor)
app.add_typer(corpus.app, name="corpus")
app.add_typer(judge.app, name="judge")
app.add_typer(safety.app, name="safety")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rescue-agent {__version__}")
        raise typer.Exit


@app.callback()
def root(
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log what happens to standard error.")] = False,
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")] = False,
) -> None:
    """Set up logging; every command comes after it."""
    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(level=level, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")


def main() -> None:
    """Run the command line. A known error is one line on standard error and its exit code; never a traceback."""
    try:
        app()
    except RescueError as error:
        sys.stderr.write(f"rescue-agent: {error}\n")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.stderr.write("rescue-agent: stopped\n")
        sys.exit(130)
