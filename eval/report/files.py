"""Write the report of a run beside its results."""

from collections.abc import Sequence
from pathlib import Path

from eval.plan import Plan
from eval.records import Results, read_predictions
from eval.report.page import to_html
from eval.report.table import labels_csv, to_csv, to_markdown
from rescue_agent.files import replacing


def write_report(out: Path, results: Results, plans: Sequence[Plan] = ()) -> list[Path]:
    """report.md, report.csv, labels.csv and report.html in `out`; predictions.jsonl there has the answers.

    Args:
        plans: what was asked, shown as the input beside an error.
    """
    scored = {(r.engine, r.protocol, r.task) for r in results.results}
    known, _ = read_predictions(out / "predictions.jsonl")
    mine = [p for p in known if p.scores and (p.engine, p.protocol, p.task) in scored]
    texts = {
        "report.md": to_markdown(results),
        "report.csv": to_csv(results),
        "labels.csv": labels_csv(mine),
        "report.html": to_html(results, mine, {plan.protocol.name: {i.instance_id: i for i in plan.instances} for plan in plans}),
    }
    for name, text in texts.items():
        with replacing(out / name) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return [out / name for name in texts]
