"""Reports of a run: terminal table, Markdown, CSV, and one self-contained HTML page."""

from eval.report.files import write_report
from eval.report.table import show

__all__ = ["show", "write_report"]
