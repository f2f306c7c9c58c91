"""The study behind the embedded engine (docs/engine.md): one question a step, answered on the open corpus and nowhere else."""
