"""One row of a replay as HTML: what was said, and the agent's decisions beside what the human supporter did."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from rescue_agent.decisions import Ranking
from rescue_agent.page.tab_strings import Language, say
from rescue_agent.page.transcript import Decided, reader_name
from rescue_agent.schema import Episode, Row

_EARLIER: Final = 3
_SHOWN: Final = 3
_NONE: Final = "–"


@dataclass(frozen=True)
class Human:
    """What the human supporter did after a row; `pattern` and `emotion` are the annotators'."""

    spoke: bool
    target: str | None = None
    strategy: str | None = None
    words: str | None = None
    pattern: str | None = None
    emotion: tuple[str, float | None] | None = None


@dataclass(frozen=True)
class Shown:
    """A decision with why the agent speaks or holds, the human's, and in what they differ ("when", "whom", "how")."""

    engine: str
    decided: Decided
    reason: str
    human: Human
    differences: tuple[str, ...]


def step(episode: Episode, position: int, shown: Shown | None, marks: Sequence[bool | None], language: Language) -> str:
    """The row at `position`.

    Args:
        shown: the decision after it; None where the human supporter speaks.
        marks: for each row, whether agent and human differ there; None where nothing was decided (yet).
    """
    row = episode.rows[position]
    beside = _beside(row, shown, language) if shown else f'<p class="verdict">{escape(say("replay.supporter_row", language))}</p>'
    return (
        f'<section class="replay" aria-label="{escape(say("replay.region", language))}">'
        f"{_heading(episode, position, language)}{_strip(episode, position, marks, language)}"
        f'<div class="talk">{"".join(_said(r, r is row, language) for r in episode.rows[max(0, position - _EARLIER) : position + 1])}</div>'
        f"{beside}</section>"
    )


def _heading(episode: Episode, position: int, language: Language) -> str:
    count = say("replay.row", language, number=position + 1, total=len(episode.rows))
    about = f"{episode.sample_id}, {episode.scenario}"
    return f'<header><strong role="status">{escape(count)}</strong><span>{escape(about)}</span></header>'


def _strip(episode: Episode, position: int, marks: Sequence[bool | None], language: Language) -> str:
    """A cell a row: where we are, where the human supporter speaks, and where the two differ."""
    seen = [mark for mark in marks if mark is not None]
    said = say("replay.strip", language, seen=len(seen), differing=sum(seen))
    cells = "".join(
        f'<i class="{_cell(row, mark)}{" now" if i == position else ""}"></i>'
        for i, (row, mark) in enumerate(zip(episode.rows, marks, strict=True))
    )
    return f'<div class="strip" role="img" aria-label="{escape(said)}">{cells}</div>'


def _cell(row: Row, differs: bool | None) -> str:
    if row.by_supporter:
        return "supporter"
    return "open" if differs is None else "differs" if differs else "agrees"


def _said(row: Row, now: bool, language: Language) -> str:
    to = ", ".join(map(reader_name, row.target))
    addressee = f" <span>{escape(say('replay.to', language, name=to))}</span>" if to else ""
    kind = f"said{' supporter' if row.by_supporter else ''}{' now' if now else ''}"
    return f'<div class="{kind}"><b>{escape(reader_name(row.primary_speaker))}</b>{addressee}<p>{escape(row.dialogue_cleaned)}</p></div>'


def _beside(row: Row, shown: Shown, language: Language) -> str:
    what = ", ".join(say(f"replay.{kind}", language) for kind in shown.differences)
    verdict = say("replay.differ", language, what=what) if what else say("replay.agree", language)
    heads = (say("replay.decision", language), say("replay.agent", language, engine=shown.engine), say("replay.human", language))
    head = "".join(f'<th scope="col" role="columnheader">{escape(text)}</th>' for text in heads)
    body = "".join(
        f'<tr role="row"{" class=differs" if differs else ""}><th scope="row" role="rowheader">{escape(name)}</th>'
        f'<td role="cell">{agent}</td><td role="cell">{human}</td></tr>'
        for name, agent, human, differs in _rows(row, shown, language)
    )
    return (
        f'<p class="verdict {"differs" if what else "agrees"}">{escape(verdict)}</p>'
        f'<table class="beside" role="table"><thead><tr role="row">{head}</tr></thead><tbody>{body}</tbody></table>{_why(shown, language)}'
    )


def _rows(row: Row, shown: Shown, language: Language) -> Iterator[tuple[str, str, str, bool]]:
    """(heading, agent as HTML, human as HTML, whether they differ)."""
    agent, human, differ = shown.decided, shown.human, shown.differences
    speaks = say("replay.speaks" if agent.speak[0] else "replay.holds", language)
    spoke = say("replay.spoke" if human.spoke else "replay.held", language)
    would = "" if agent.speak[0] else f" <small>{escape(say('replay.would', language))}</small>"
    yield say("replay.intervention", language), f"{escape(speaks)}{_meter('p(speak)', agent.speak[1])}", escape(spoke), "when" in differ
    yield say("replay.target", language), would + _bars(agent.target), escape(human.target or _NONE), "whom" in differ
    yield say("replay.strategy", language), would + _bars(agent.strategy), escape(human.strategy or _NONE), "how" in differ
    yield say("replay.pattern", language), _meter(*agent.pattern), escape(human.pattern or _NONE), False
    felt = _feeling(agent.emotion.description, agent.emotion.intensity, language)
    annotated = _feeling(*human.emotion, language) if human.emotion else _NONE
    yield say("replay.emotion", language, name=row.primary_speaker), escape(felt), escape(annotated), False
    yield say("replay.words", language), escape(agent.reply or _NONE), escape(human.words or _NONE), False


def _feeling(words: str, intensity: float | None, language: Language) -> str:
    return words if intensity is None else say("replay.of_ten", language, words=words, intensity=f"{intensity:.0f}")


def _bars(ranking: Ranking) -> str:
    return "".join(_meter(label, p) for label, p in ranking.ranking[:_SHOWN])


def _meter(label: str, p: float) -> str:
    name = escape(label)
    meter = f'<meter min="0" max="1" value="{p:.3f}" aria-label="{name}"></meter>'
    return f'<span class="share"><span>{name}</span>{meter}<span>{p:.0%}</span></span>'


def _why(shown: Shown, language: Language) -> str:
    """Reasons, viewpoints and what the guard found, folded away."""
    agent = shown.decided
    facts = [
        (say("replay.intervention", language), shown.reason),
        (say("replay.target", language), agent.target.reason),
        (say("replay.strategy", language), agent.strategy.reason),
        (say("replay.emotion", language, name=agent.emotion.person), agent.emotion.reason),
        *(
            (f"{view.source} → {view.target}", f"{view.viewpoint}{f' ({view.attitude})' if view.attitude else ''}")
            for view in agent.viewpoints
        ),
        (say("replay.safety", language), "" if agent.safety == "none" else agent.safety),
    ]
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts if text)
    return f"<details><summary>{escape(say('replay.why', language))}</summary><dl>{listed}</dl></details>"
