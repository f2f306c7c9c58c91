"""Transcripts of a replay: in the terminal, as Markdown, and as one self-contained HTML page."""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from rescue_agent.decisions import EmotionEstimate, Ranking, ViewpointEstimate
from rescue_agent.files import replacing
from rescue_agent.schema import Episode
from rescue_agent.taxonomy import SUPPORTER

_LEGEND: Final = "<p>Rows with a coloured edge: the agent and the human supporter differ on whether to speak.</p>"


@dataclass(frozen=True)
class Decided:
    """A decision as a reader sees it, beside what the human supporter did."""

    emotion: EmotionEstimate
    viewpoints: tuple[ViewpointEstimate, ...]
    pattern: tuple[str, float]
    speak: tuple[bool, float]
    target: Ranking
    strategy: Ranking
    reply: str | None
    safety: str
    human_spoke: bool
    human_move: str

    @property
    def agrees(self) -> bool:
        """Whether agent and human both spoke, or both held."""
        return self.speak[0] == self.human_spoke


@dataclass(frozen=True)
class Line:
    """One line of a transcript: what was said, and what was decided after it (participants' rows only)."""

    number: int
    speaker: str
    addressee: str
    text: str
    decided: Decided | None = None


def reader_name(name: str) -> str:
    """How a person reads a speaker or target: the supporter's role label is for files only."""
    return "Supporter" if name == SUPPORTER else name


def lines_of(episode: Episode, decided: Sequence[tuple[int, Decided]], with_supporter: bool) -> Iterator[Line]:
    """The lines of an episode; the human supporter's are left out where the agent spoke instead."""
    by_row = dict(decided)
    for row in episode.rows:
        if with_supporter or not row.by_supporter:
            to = ", ".join(map(reader_name, row.target))
            yield Line(row.row_index, reader_name(row.primary_speaker), to, row.dialogue_cleaned, by_row.get(row.row_index))


def summary(decided: Decided) -> Iterator[tuple[str, str]]:
    """(heading, text) of everything that was decided."""
    emotion = decided.emotion
    yield "feels", f"{emotion.description}, {emotion.intensity:.0f} of 10"
    for view in decided.viewpoints:
        attitude = f" ({view.attitude})" if view.attitude else ""
        yield f"sees {view.target}", f"{view.viewpoint}{attitude}"
    yield "pattern", f"{decided.pattern[0]} {decided.pattern[1]:.0%}"
    speak, probability = decided.speak
    yield ("speaks" if speak else "holds"), f"p(speak) {probability:.2f}; {_top(decided.strategy)} to {_top(decided.target)}"
    if decided.reply:
        yield "says", decided.reply
    if decided.safety != "none":
        yield "safety", decided.safety
    if decided.human_move:
        yield "human", decided.human_move


def _top(ranking: Ranking) -> str:
    label, probability = ranking.ranking[0]
    return f"{label} {probability:.0%}"


def to_markdown(title: str, lines: Sequence[Line], notes: Sequence[str] = ()) -> str:
    """The transcript as Markdown, with `notes` at its end; what people said is escaped, so that it stays text."""
    parts = [f"# {plain_markdown(title)}", ""]
    for line in lines:
        parts.append(f"**{line.number} · {plain_markdown(line.speaker)}** → {plain_markdown(line.addressee)}: {plain_markdown(line.text)}")
        if line.decided:
            parts += [f"> *{heading}*: {plain_markdown(text)}  " for heading, text in summary(line.decided)]
        parts.append("")
    return "\n".join([*parts, *(f"- {plain_markdown(note)}" for note in notes), ""])


def plain_markdown(text: str) -> str:
    """`text` so that Markdown shows it as it is, on one line."""
    one_line = " ".join(text.splitlines())  # a carriage return or U+2028 begins a new line, too
    return re.sub(r"([\\`*_{}\[\]()#+|>~!-])", r"\\\1", html.escape(one_line, quote=False))


def to_html(title: str, lines: Sequence[Line], notes: Sequence[str] = ()) -> str:
    """The transcript as one HTML page without anything from elsewhere; every text is escaped."""
    template = Template(files(__package__).joinpath("transcript.html").read_text(encoding="utf-8"))
    speakers = list(dict.fromkeys(line.speaker for line in lines))
    body = [_html_line(line, speakers.index(line.speaker)) for line in lines]
    listed = "".join(f"<li>{html.escape(note)}</li>" for note in notes)
    compared = any(line.decided and line.decided.human_move for line in lines)
    return template.substitute(
        title=html.escape(title), legend=_LEGEND if compared else "", body="\n".join([*body, f"<ul>{listed}</ul>" if listed else ""])
    )


def _html_line(line: Line, colour: int) -> str:
    differs = " differs" if line.decided and line.decided.human_move and not line.decided.agrees else ""
    said = (
        f'<p><span class="number">{line.number}</span> <strong class="c{colour % 8}">{html.escape(line.speaker)}</strong>'
        f" <span>to {html.escape(line.addressee)}</span></p><p>{html.escape(line.text)}</p>"
    )
    decided = "".join(f"<dt>{html.escape(h)}</dt><dd>{html.escape(t)}</dd>" for h, t in summary(line.decided)) if line.decided else ""
    return f'<article class="row{differs}">{said}{f"<dl>{decided}</dl>" if decided else ""}</article>'


def show(title: str, lines: Sequence[Line], notes: Sequence[str] = ()) -> None:
    """Print the transcript: coloured on a terminal, plain in a pipe."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    console.print(Text(title, style="bold"))
    for line in lines:
        console.print(Text.assemble((f"{line.number:>3} {line.speaker}", "bold cyan"), (f" > {line.addressee}: ", "dim"), line.text))
        if line.decided:
            for heading, text in summary(line.decided):
                console.print(Text.assemble((f"      {heading:<12} ", "green" if line.decided.agrees else "yellow"), text))
    for note in notes:
        console.print(Text(note, style="dim"))
    console.print()


def save(folder: Path, title: str, lines: Sequence[Line], notes: Sequence[str] = ()) -> list[Path]:
    """Write `title`.md and `title`.html into `folder`, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^\w.-]+", "_", title).strip("._") or "transcript"
    paths = [folder / f"{stem}.md", folder / f"{stem}.html"]
    for path, text in zip(paths, (to_markdown(title, lines, notes), to_html(title, lines, notes)), strict=True):
        with replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return paths
