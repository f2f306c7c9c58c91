"""`rescue-agent doctor`: is everything here that is needed, and how to mend what isn't."""

import importlib.metadata
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import typer


@dataclass(frozen=True)
class Finding:
    """One line of the report. `remedy` says what to do when it is broken."""

    what: str
    says: str
    ok: bool = True
    remedy: str = ""


def doctor() -> None:
    """Check this machine line by line; exit code 1 when something is broken."""
    broken = False
    for check in (_python, _packages, _sqlite, _data_folder, _embedding, _heads, _index, _endpoint):
        for finding in _guarded(check):
            broken |= not finding.ok
            mark = "ok    " if finding.ok else "BROKEN"
            typer.echo(f"{mark} {finding.what}: {finding.says}" + (f" -> {finding.remedy}" if not finding.ok else ""))
    if broken:
        raise typer.Exit(1)


def _guarded(check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """A check that fails is a finding, not the end of the report."""
    try:
        yield from check()
    except Exception as error:  # a broken install can raise anything
        yield Finding(
            check.__name__.strip("_"), str(error).splitlines()[0] if str(error) else type(error).__name__, False, "see the message"
        )


def _python() -> Iterator[Finding]:
    yield Finding("python", sys.version.split()[0], sys.version_info >= (3, 11), "use Python 3.11 or newer")


def _packages() -> Iterator[Finding]:
    from packaging.requirements import Requirement

    for line in importlib.metadata.requires("rescue-agent") or []:
        requirement = Requirement(line)
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            version = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            yield Finding(requirement.name, "not installed", False, "run `make setup`")
            continue
        fits = requirement.specifier.contains(version, prereleases=True)
        yield Finding(requirement.name, f"{version} (floor {requirement.specifier})", fits, "run `make setup`")


def _sqlite() -> Iterator[Finding]:
    fits = sqlite3.sqlite_version_info >= (3, 35)
    yield Finding("sqlite", sqlite3.sqlite_version, fits, "install a Python built with SQLite 3.35 or newer")


def _data_folder() -> Iterator[Finding]:
    from rescue_agent.settings import settings

    folder = settings().private_folder()
    probe = folder / ".doctor"
    probe.write_text("writable", encoding="utf-8")
    probe.unlink()
    mode = folder.stat().st_mode & 0o777
    yield Finding("data folder", f"{folder} (mode {mode:04o})", mode & 0o077 == 0, f"chmod 700 {folder}")


def _embedding() -> Iterator[Finding]:
    from rescue_agent.embedding import default_embedder

    embedder = default_embedder()
    yield Finding("embedding model", f"{embedder.model_id}, {embedder.dimension} dimensions")


def _heads() -> Iterator[Finding]:
    from rescue_agent.embedding import default_embedder
    from rescue_agent.engines.registry import load_heads

    provenance = load_heads(default_embedder()).provenance
    yield Finding("heads", f"format {provenance.format}, trained on {len(provenance.groups)} groups, data {provenance.data_sha256[:12]}")


def _index() -> Iterator[Finding]:
    from rescue_agent.embedding import default_embedder
    from rescue_agent.engines.registry import index_folder
    from rescue_agent.errors import IndexUnusable
    from rescue_agent.memory.episodes import EpisodeMemory

    embedder = default_embedder()
    try:
        card = EpisodeMemory.open(index_folder(), embedder.model_id, embedder.dimension).card
    except IndexUnusable as problem:
        yield Finding("index", re.sub(r"; run .*", "", str(problem)), False, "run `rescue-agent index`")
        return
    days = (time.time() - card.built_at) / 86_400
    yield Finding("index", f"{card.moments} moments, {card.rows} rows, {days:.1f} days old")


def _endpoint() -> Iterator[Finding]:
    from rescue_agent.engines.llm.connect import configured_address
    from rescue_agent.engines.llm.probe import probe
    from rescue_agent.errors import EndpointError, SettingsError
    from rescue_agent.settings import settings

    known = settings()
    if not (known.openai_base_url or known.openai_api_key or known.local_gguf):
        yield Finding("language model", "none set (OPENAI_BASE_URL, RESCUE_LOCAL_GGUF); the embedded engine needs none")
        return
    try:
        address = configured_address()
        where = f"{address.model} at {address.base_url or 'OpenAI'}"
        yield Finding("language model", f"{where}: {probe(address)}")
    except SettingsError as problem:
        yield Finding("language model", str(problem), False, "mend the setting")
    except EndpointError as problem:
        yield Finding("language model", str(problem), False, "start the server, check the address, the key and RESCUE_MODEL")
