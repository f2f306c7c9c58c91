"""Verdicts as a Markdown table."""

from collections.abc import Sequence

from eval.study.judging import Verdict

_HEAD = ("decision", "variant", "n", "accuracy, out of fold", "macro-F1", "n dev", "accuracy dev", "macro-F1 dev")


def table(verdicts: Sequence[Verdict]) -> str:
    """The table, a line a variant."""
    lines = [_line(_HEAD), _line(["---"] * len(_HEAD))]
    return "\n".join([*lines, *(_line(_cells(verdict)) for verdict in verdicts)])


def _cells(verdict: Verdict) -> list[str]:
    right = verdict.accuracy
    spread = f" [{right.low:.3f}, {right.high:.3f}]" if right.low is not None and right.high is not None else ""
    return [
        verdict.decision,
        verdict.variant,
        str(verdict.n),
        f"{right.value:.3f}{spread}",
        f"{verdict.macro_f1:.3f}",
        str(verdict.dev_n),
        f"{verdict.dev_accuracy:.3f}",
        f"{verdict.dev_macro_f1:.3f}",
    ]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
