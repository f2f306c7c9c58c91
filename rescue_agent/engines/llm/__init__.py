"""Language models behind any OpenAI-compatible server: one small protocol, its wrappers, and the engine."""
