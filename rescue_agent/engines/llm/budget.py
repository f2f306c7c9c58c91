"""Budgets: calls, tokens and money, counted over the process; when one is spent, the next question is refused."""

import json
import threading
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from rescue_agent.engines.llm.protocol import ChatModel, Completion, Ledger, Request, Usage
from rescue_agent.errors import BudgetSpent, SettingsError

Prices = Mapping[str, tuple[float, float]]
"""Model -> US dollars for a million tokens, in and out."""


@dataclass(frozen=True)
class Allowance:
    """What may be spent; 0 for no limit."""

    calls: int = 0
    tokens: int = 0
    money: float = 0.0


def read_prices(path: Path | None) -> Prices:
    """The price table at `path`, or the one that ships.

    Raises:
        SettingsError: when it cannot be read.
    """
    source = path or files(__package__).joinpath("prices.json")
    try:
        models = json.loads(source.read_text(encoding="utf-8"))["models"]
        return {name: (float(price["input"]), float(price["output"])) for name, price in models.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SettingsError(f'RESCUE_PRICES={path}: {error!r}; it takes {{"models": {{NAME: {{"input": $, "output": $}}}}}}') from None


class Budget:
    """A model around `inner` that counts what it costs, and stops when the allowance is spent.

    Raises:
        SettingsError: when money is to be counted for a model whose price isn't known.
    """

    def __init__(self, inner: ChatModel, model: str, ledger: Ledger, allowance: Allowance, prices: Prices) -> None:
        if allowance.money and model not in prices:
            raise SettingsError(f"RESCUE_MAX_MONEY: no price is known for {model!r}; add it to a table and set RESCUE_PRICES")
        self._inner, self._ledger, self._allowance = inner, ledger, allowance
        self._price = prices.get(model, (0.0, 0.0))
        self._lock = threading.Lock()

    @property
    def identity(self) -> str:
        """That of the model inside."""
        return self._inner.identity

    def ask(self, request: Request) -> Generator[str, None, Completion]:
        """The model's answer.

        Raises:
            BudgetSpent: when the allowance is spent.
        """
        with self._lock:
            self._refuse_if_spent(self._ledger.total())
            self._ledger.of(request.purpose).calls += 1
        completion = yield from self._inner.ask(request)
        with self._lock:
            entry = self._ledger.of(request.purpose)
            entry.input_tokens += completion.input_tokens
            entry.output_tokens += completion.output_tokens
        return completion

    def money(self, usage: Usage) -> float:
        """US dollars that `usage` cost; 0 where the price isn't known."""
        return (usage.input_tokens * self._price[0] + usage.output_tokens * self._price[1]) / 1e6

    def _refuse_if_spent(self, usage: Usage) -> None:
        spent = {
            "calls": (usage.calls, self._allowance.calls),
            "tokens": (usage.input_tokens + usage.output_tokens, self._allowance.tokens),
            "money": (self.money(usage), self._allowance.money),
        }
        for what, (used, allowed) in spent.items():
            if allowed and used >= allowed:
                raise BudgetSpent(f"{self.identity}: the budget of {allowed:g} {what} is spent; raise RESCUE_MAX_{what.upper()} to go on")
