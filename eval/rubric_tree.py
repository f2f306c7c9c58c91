"""Decision-tree rubrics in the open format of VERA-MH (tab-separated: Question ID, Dimension, Severity, Question, Examples, Answer, GOTO).

A judge walks the tree for one transcript: each question has its answers, and each answer says where to go on (nothing: to the next
question; END: nowhere). A question with a severity that is answered "Yes" is a finding of that severity in its dimension.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, Field, JsonValue

from rescue_agent.engines.llm.answers import strict_schema
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.errors import InputError, UnparsedReply
from rescue_agent.prompts import load_prompt
from rescue_agent.schema import Episode, Row

Severity = Literal["", "red", "yellow"]
_COLUMNS: Final = ("Question ID", "Dimension", "Severity", "Question", "Examples", "Answer", "GOTO")
_PLAIN_ANSWERS: Final = (("Yes", ""), ("No", ""), ("Not Relevant", ""))
_SEVERITIES: Final[dict[str, Severity]] = {"": "", "red": "red", "yellow": "yellow", "yelow": "yellow"}
END: Final = "END"


@dataclass(frozen=True)
class Question:
    """A node: `answers` are (text, where to go on)."""

    number: str
    dimension: str
    severity: Severity
    text: str
    examples: str
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Finding:
    """A question that was answered in a way that counts, or could not be answered (`severity` "unread")."""

    number: str
    dimension: str
    severity: str
    reason: str


@dataclass(frozen=True)
class Walk:
    """What a judge found in one transcript: the dimensions that it came through, and the findings."""

    sample_id: str
    dimensions: tuple[str, ...]
    findings: tuple[Finding, ...] = field(default_factory=tuple)


class _Rating(BaseModel):
    reason: str = ""
    answer: Annotated[int, Field(ge=0)]


def read_tree(path: Path) -> tuple[Question, ...]:
    """The questions of a rubric file, in order.

    Raises:
        InputError: naming the line, for missing columns, an answer without a question, an unknown severity, or a GOTO that leads nowhere.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, delimiter="\t")
            if missing := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
                raise InputError.at(f"{path}:1", f"no column {missing[0]!r}", f"the columns are {', '.join(_COLUMNS)}")
            rows = [(reader.line_num, {name: (row[name] or "").strip() for name in _COLUMNS}) for row in reader]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.at(str(path), f"cannot be read ({error})", "check the path") from None
    return _questions(path, rows)


def _questions(path: Path, rows: Sequence[tuple[int, dict[str, str]]]) -> tuple[Question, ...]:
    starts = [i for i, (_, row) in enumerate(rows) if row["Question ID"]]
    if not starts or starts[0] != 0:
        raise InputError.at(f"{path}:2", "no question to begin with", "the first row needs a Question ID")
    ids = {rows[i][1]["Question ID"] for i in starts}
    questions = []
    for start, stop in zip(starts, [*starts[1:], len(rows)], strict=True):
        line, head = rows[start]
        if head["Severity"].lower() not in _SEVERITIES:
            raise InputError.at(f"{path}:{line}", f"severity {head['Severity']!r}", "known are Red and Yellow")
        answers = tuple((row["Answer"], row["GOTO"]) for _, row in rows[start:stop] if row["Answer"])
        for goto in (goto for _, goto in answers or ((None, head["GOTO"]),) if goto and goto != END):
            if goto not in ids:
                raise InputError.at(f"{path}:{line}", f"GOTO {goto!r} leads to no question", "mend the id")
        questions.append(
            Question(
                head["Question ID"],
                head["Dimension"],
                _SEVERITIES[head["Severity"].lower()],
                head["Question"],
                head["Examples"],
                answers or tuple((text, head["GOTO"]) for text, _ in _PLAIN_ANSWERS),
            )
        )
    return tuple(questions)


def walk(tree: Sequence[Question], episode: Episode, judge: Asker) -> Walk:
    """Let `judge` walk the tree over the transcript of `episode`. A question that cannot be read is noted, and the next one is asked.

    Raises:
        EndpointError: when the judge doesn't answer.
    """
    place = {question.number: i for i, question in enumerate(tree)}
    dimensions: dict[str, None] = {}
    findings: list[Finding] = []
    at, asked = 0, 0
    while at < len(tree) and asked <= len(tree):
        question, asked = tree[at], asked + 1
        dimensions[question.dimension] = None
        try:
            rating = _rate(question, episode, judge)
        except UnparsedReply as problem:
            findings.append(Finding(question.number, question.dimension, "unread", str(problem)))
            at += 1
            continue
        answer, goto = question.answers[rating.answer]
        if question.severity and answer.lower().startswith("yes"):
            findings.append(Finding(question.number, question.dimension, question.severity, rating.reason))
        at = len(tree) if goto == END else place[goto] if goto else at + 1
    return Walk(episode.sample_id, tuple(dimensions), tuple(findings))


def _rate(question: Question, episode: Episode, judge: Asker) -> _Rating:
    turns: list[JsonValue] = [
        {"n": row.row_index, "from": "SUPPORTER" if row.by_supporter else row.primary_speaker, "said": row.dialogue_cleaned}
        for row in episode.rows
    ]
    answers: list[JsonValue] = [text for text, _ in question.answers]
    shown: dict[str, JsonValue] = {"question": question.text, "examples": question.examples, "answers": answers, "transcript": turns}
    prompt = load_prompt("rubric_question")

    def known(rating: _Rating) -> _Rating:
        if rating.answer >= len(question.answers):
            raise ValueError(f"answer must be 0 to {len(question.answers) - 1}")
        return rating

    return judge.answer(prompt.name, prompt.text, shown, _Rating, strict_schema(_Rating), check=known)


# Controls ---------------------------------------------------------------------------------------------------------------

_CONTROLS: Final = (
    ("Does anybody in the conversation mention a bicycle?", "My bicycle has a flat tyre again.", 0),
    ("Does anybody in the conversation mention a bicycle?", "The soup needs salt.", 1),
    ("Is anybody in the conversation asking a question?", "The soup needs salt.", 1),
    ("Is anybody in the conversation asking a question?", "Where did you put the salt?", 0),
)


def judge_is_usable(judge: Asker) -> bool:
    """Whether the judge answers four plain control questions rightly. A scripted or broken judge doesn't, and then no score is printed."""
    for text, said, right in _CONTROLS:
        row = Row(row_index=1, primary_speaker="A", target=("B",), dialogue_cleaned=said)
        episode = Episode(sample_id="control/1", scenario="couple", participants=("A", "B"), rows=(row,))
        question = Question("control", "", "", text, "", (("Yes", ""), ("No", "")))
        try:
            if _rate(question, episode, judge).answer != right:
                return False
        except UnparsedReply:
            return False
    return True


def table(walks: Sequence[Walk]) -> list[tuple[str, int, int, int, int, int]]:
    """Dimension -> transcripts that came to it, with a red finding, with a yellow one and no red, with neither, with a question unread."""
    rows = []
    for dimension in dict.fromkeys(d for w in walks for d in w.dimensions):
        marks = [{f.severity for f in w.findings if f.dimension == dimension} for w in walks if dimension in w.dimensions]
        red, yellow, unread = ("red" in m for m in marks), ("yellow" in m and "red" not in m for m in marks), ("unread" in m for m in marks)
        clear = sum(not m for m in marks)
        rows.append((dimension, len(marks), sum(red), sum(yellow), clear, sum(unread)))
    return rows
