"""What a results.json says of its run: versions, git, seeds, data, prompts, timings, tokens."""

import platform
import subprocess
import time
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from eval.engines import prompt_hashes
from eval.judge import Judge
from eval.plan import Plan
from eval.runner import Predicted
from eval.tasks import TASKS

_PACKAGES: Final = ("rescue-agent", "sentence-transformers", "torch", "scikit-learn", "chromadb", "langgraph", "numpy")


def about(
    plans: Sequence[Plan], judge: Judge | None, *, answers: int, asked: Sequence[Predicted], scoring_seconds: float
) -> dict[str, JsonValue]:
    """The `run` of results.json. Plans differ in their protocol only."""
    plan = plans[0]
    usage: dict[str, JsonValue] = {t.engine: asdict(t.usage) for p in asked for t in p.timings if t.usage}
    return {
        "date": time.strftime("%Y-%m-%d"),
        "versions": {**{name: version(name) for name in _PACKAGES}, "python": platform.python_version()},
        "tasks": {task: TASKS[task].version for task in plan.tasks},
        "instances": {p.protocol.name: {task: sum(i.task == task for i in p.instances) for task in p.tasks} for p in plans},
        "git": _git_hash(),
        "seed": plan.seed,
        "data_sha256": sha256("\n".join(e.model_dump_json() for e in plan.episodes).encode()).hexdigest(),
        "samples": len(plan.episodes),
        "groups": len(set(plan.groups.values())),
        "group_of": dict(plan.groups),
        "protocol": "+".join(p.protocol.name for p in plans),
        "mode": plan.mode.value,
        "limit": plan.limit,
        "prompts": {**(prompt_hashes() if usage else {}), **(judge.prompt_hashes if judge else {})},
        "judge": judge.about() if judge else None,
        "tokens": {**usage, **({"judge": dict(judge.tokens)} if judge else {})},
        "answers": answers,
        "timings": {
            "predict": [
                {"engine": t.engine, "protocol": p.protocol, "asked": t.asked, "seconds": round(t.seconds, 2)}
                for p in asked
                for t in p.timings
            ],
            "scoring_seconds": round(scoring_seconds, 1),
        },
    }


def _git_hash() -> str | None:
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=5).stdout.strip()  # noqa: S603 (fixed command)
    except (OSError, subprocess.SubprocessError):
        return None
