"""The page on a free port of this computer, and its events over raw HTTP, as anybody can send them."""

import json
import secrets
import threading
from contextlib import contextmanager

import httpx
import uvicorn

from app import build_app


@contextmanager
def served_page(engine, **options):
    """Serve the page; yields its address."""
    server = uvicorn.Server(uvicorn.Config(build_app(engine, **options), host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.05)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)


class Stranger:
    """Presses buttons with data of its own making, as no browser would."""

    def __init__(self, url):
        self.url, self.session = url, secrets.token_hex(5)
        self.config = httpx.get(f"{url}/config").json()

    def press(self, button, *data):
        """What the server says to it, message by message."""
        pressed = next(part["id"] for part in self.config["components"] if part["props"].get("value") == button)
        event = next(e for e in self.config["dependencies"] if [pressed, "click"] in e["targets"])
        asked = {"data": list(data), "fn_index": event["id"], "session_hash": self.session, "trigger_id": pressed}
        answer = httpx.post(f"{self.url}/gradio_api/queue/join", json=asked)
        return list(self._messages()) if answer.status_code == 200 else [{"msg": str(answer.status_code)}]

    def _messages(self):
        params = {"session_hash": self.session}
        with httpx.stream("GET", f"{self.url}/gradio_api/queue/data", params=params, timeout=30) as stream:
            for line in stream.iter_lines():
                if line.startswith("data:"):
                    message = json.loads(line.removeprefix("data:"))
                    yield message
                    if message["msg"] in ("process_completed", "unexpected_error"):
                        return
