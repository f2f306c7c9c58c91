"""A bound on a whole HTTP exchange. httpx's timeouts bound each silence: a server that trickles could hold on for ever."""

import time
from collections.abc import Iterator
from typing import cast

import httpx

_ENDS = "rescue_agent.ends"


def bounded_client(timeout: float) -> httpx.Client:
    """A client that gives an exchange up `timeout` seconds (or the request's own read timeout) after it began, body included."""
    return httpx.Client(timeout=timeout, event_hooks={"request": [_begin], "response": [_bound]})


def _begin(request: httpx.Request) -> None:
    seconds = request.extensions.get("timeout", {}).get("read")
    if seconds is not None:
        request.extensions[_ENDS] = time.monotonic() + seconds


def _bound(response: httpx.Response) -> None:
    ends = response.request.extensions.get(_ENDS)
    if ends is not None:
        response.stream = _Bounded(cast(httpx.SyncByteStream, response.stream), response.request, ends)


class _Bounded(httpx.SyncByteStream):
    def __init__(self, inner: httpx.SyncByteStream, request: httpx.Request, ends: float) -> None:
        self._inner, self._request, self._ends = inner, request, ends

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._inner:
            if time.monotonic() > self._ends:
                raise httpx.ReadTimeout("the answer took too long", request=self._request)
            yield chunk

    def close(self) -> None:
        self._inner.close()
