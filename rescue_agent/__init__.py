"""rescue-agent: relation-aware, multi-party emotional support, and RESCUE-BENCH scoring with the same six decisions."""

__version__ = "0.1.0"
