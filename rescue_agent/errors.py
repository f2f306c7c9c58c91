"""The error tree. A message says what was wrong, where, and what to do; the doors print it as one line."""


class RescueError(Exception):
    """Base of every error that a user can meet. `exit_code` is what the command line returns."""

    exit_code = 1


class InputError(RescueError):
    """A file, a line or an argument from outside cannot be used."""

    exit_code = 2

    @classmethod
    def at(cls, place: str, problem: str, remedy: str = "") -> "InputError":
        """Build the one-line message `place: problem; remedy`. `place` is `file:line` or `file:line:column`."""
        return cls(f"{place}: {problem}" + (f"; {remedy}" if remedy else ""))


class SettingsError(InputError):
    """A setting has a value that cannot work."""


class IndexUnusable(RescueError):
    """The index of episodes is missing or broken."""


class IndexMismatch(IndexUnusable):
    """The index of episodes was made with another embedding model: only the user can say which one is meant."""


class HeadsError(RescueError):
    """The trained heads are missing, or their format or embedding model does not fit."""


class EndpointError(RescueError):
    """A language-model endpoint failed for good: unreachable, refused, or over budget."""


class EndpointBusy(EndpointError):
    """An endpoint failed in a way that may pass. `retry_after` is how many seconds it asks to wait, if it says."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BudgetSpent(EndpointError):
    """The calls, tokens or money that the user allowed are spent."""


class RoomError(RescueError):
    """A room refused an operation: unknown room or person, a name in use, an oversized turn."""


class UnparsedReply(RescueError):
    """A model answered, and no answer could be read from it, even after asking again."""
