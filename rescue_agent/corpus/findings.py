"""What a check of a corpus finds: one record a fault, with where it stands and what to do."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True)
class Finding:
    """One fault. `kind` names the rule; `sample_id` and `row` are None where it concerns the file or several samples."""

    severity: Severity
    kind: str
    problem: str
    remedy: str
    file: str = ""
    sample_id: str | None = None
    row: int | None = None

    @property
    def place(self) -> str:
        """`FILE SAMPLE row N`, as far as known."""
        return " ".join(filter(None, (self.file, self.sample_id, f"row {self.row}" if self.row is not None else "")))


Fault = tuple[Severity, str, str, str]
"""(severity, kind, problem, remedy): a finding before its place is known."""


def placed(faults: Iterator[Fault], file: str, sample_id: str, row: int | None = None) -> Iterator[Finding]:
    """The findings of `faults`, all at one place."""
    return (Finding(*fault, file=file, sample_id=sample_id, row=row) for fault in faults)
