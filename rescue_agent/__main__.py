"""`python -m rescue_agent` is `rescue-agent`."""

from rescue_agent.cli import main

main()
