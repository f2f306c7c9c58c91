"""Write the report of a run beside its results."""

from pathlib import Path

from eval.records import Results, read_predictions
from eval.report.page import to_html
from eval.report.table import to_csv, to_markdown
from rescue_agent.files import replacing


def write_report(out: Path, results: Results) -> list[Path]:
    """report.md, report.csv and report.html in `out`; the page reads predictions.jsonl there for its plots and errors."""
    predictions, _ = read_predictions(out / "predictions.jsonl")
    texts = {"report.md": to_markdown(results), "report.csv": to_csv(results), "report.html": to_html(results, predictions)}
    for name, text in texts.items():
        with replacing(out / name) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return [out / name for name in texts]
