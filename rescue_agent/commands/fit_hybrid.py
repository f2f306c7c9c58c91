"""`rescue-agent fit-hybrid`: weigh a language model against the heads."""

from pathlib import Path
from typing import Annotated

import typer

from rescue_agent.commands.caching import CacheOnly, NoCache, use_cache


def fit_hybrid(
    data: Annotated[Path | None, typer.Option(help="A RESCUE file that the heads did not learn from; else the dev split.")] = None,
    limit: Annotated[int, typer.Option(help="At most so many questions a decision.", min=1)] = 40,
    no_cache: NoCache = False,
    cache_only: CacheOnly = False,
) -> None:
    """Fit the weights of the hybrid engine's pool with the model at hand, and keep them for it."""
    from eval.pool_fitting import fit_pool, weights_of
    from rescue_agent.commands.progress import bar, read_all
    from rescue_agent.corpus.splits import bundled_episodes
    from rescue_agent.engines.hybrid import HybridEngine
    from rescue_agent.engines.pool_weights import save_weights, weights_file
    from rescue_agent.engines.registry import make_engine

    use_cache(no_cache, cache_only)
    engine = make_engine("hybrid", live=False)
    assert isinstance(engine, HybridEngine)  # noqa: S101  (what the registry makes of this name)
    fitted = fit_pool(engine, read_all([data]) if data else bundled_episodes("dev"), limit, progress=bar)
    save_weights(engine.asker.model.identity, weights_of(fitted))
    for one in fitted:
        typer.echo(
            f"{one.decision}: model's weight {one.weight:.2f}, log loss {one.loss:.3f} (heads alone {one.heads_alone:.3f}, "
            f"model alone {one.model_alone:.3f}), n {one.n}, unread {one.parse_failed}"
        )
    typer.echo(f"kept for {engine.asker.model.identity} in {weights_file()}", err=True)
