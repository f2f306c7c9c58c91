"""Errors to browse: what the engine saw, what was true, what it answered, and why."""

import html
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from eval.instances import Instance, TaskName
from eval.records import Prediction

SHOWN: Final = 40
"""Errors a page shows of an engine and task, the worst first; predictions.jsonl has them all."""
_ROWS: Final = 4


def errors(answers: Sequence[Prediction]) -> list[Prediction]:
    """The answers that are wrong or unread, the worst first."""
    badness = {p.instance_id: _badness(p) for p in answers if p.status != "unscored"}
    wrong = [p for p in answers if badness.get(p.instance_id, 0) > 0]
    return sorted(wrong, key=lambda p: -badness[p.instance_id])


def _badness(p: Prediction) -> float:
    """How wrong an answer is, 0 for a right one. ER counts as wrong from 2 points of intensity on, VP when a pair is missed or made up."""
    if p.prediction is None:
        return 10.0
    scores = {name: value for name, value in p.scores.items() if value is not None}
    if p.task is TaskName.ER:
        return max(0.0, 5 - scores.get("intensity_match", 5.0) - 1)
    if p.task is TaskName.VP:
        return scores.get("answered_pairs", 0.0) + scores.get("true_pairs", 0.0) - 2 * scores.get("right_pairs", 0.0)
    if p.task is TaskName.ITP:
        return 1 - scores.get("right", 1.0)
    return 1 - scores.get("mrr_at_3", 1.0)


def error_block(p: Prediction, instance: Instance | None) -> str:
    """One error as HTML; every text is escaped."""
    reason = html.escape(str((p.prediction or {}).get("reason", "")))
    return (
        f"<article><code>{html.escape(p.instance_id)}</code>{_input(instance) if instance else ''}"
        f"<p><b>gold</b> {html.escape(_short(p.gold))}<br><b>answer</b> {html.escape(_short(p.prediction) if p.prediction else p.status)}"
        f"{f'<br><i>{reason}</i>' if reason else ''}</p></article>"
    )


def _input(instance: Instance) -> str:
    seen = instance.moment.utterances
    earlier = f"<li>({len(seen) - _ROWS} earlier rows)</li>" if len(seen) > _ROWS else ""
    rows = "".join(f"<li><b>{html.escape(_role(u.speaker))}</b> {html.escape(u.text)}</li>" for u in seen[-_ROWS:])
    target = f"<li>(a move for {html.escape(instance.target)})</li>" if instance.target else ""
    return f"<ol>{earlier}{rows}{target}</ol>"


def _role(speaker: str) -> str:
    """The role label of the files is for files; a person reads "supporter"."""
    return "supporter" if speaker == "Therapist" else speaker


def _short(side: Mapping[str, Any]) -> str:
    """An answer or a gold in a line."""
    if "ranking" in side:
        ranked = cast(list[list[Any]], side["ranking"])[:3]
        return ", ".join(label if p is None else f"{label} {p:.2f}" for label, p in ranked)
    if "viewpoints" in side:
        return (
            "; ".join(f"{v['source']} of {v['target']}: {v['viewpoint']}" for v in cast(list[dict[str, str]], side["viewpoints"])) or "none"
        )
    if "speak" in side:
        chance = side.get("probability")
        return ("speak" if side["speak"] else "hold") + (f" (speak {chance:.2f})" if chance is not None else "")
    if "description" in side:
        return f"{side['description']} ({side['intensity']:g})"
    return str(side["label"])
