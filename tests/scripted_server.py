"""A real OpenAI-compatible HTTP server on loopback whose replies a test writes down beforehand."""

import json
import threading
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response


class Script:
    """Replies in order; the last one again and again. A reply is text, a status code, or a whole response. `asked` holds the requests."""

    def __init__(self, *replies):
        self.replies, self.asked = list(replies), []

    def next(self):
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def application(script):
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def complete(request: Request):
        body = await request.json()
        script.asked.append(body)
        reply = script.next()
        reply = reply(body) if callable(reply) else reply
        if isinstance(reply, int):
            return JSONResponse({"error": {"message": f"scripted {reply}"}}, status_code=reply)
        if isinstance(reply, Response):
            return reply
        message = {"role": "assistant", "content": reply}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        return {"id": "x", "object": "chat.completion", "created": 0, "model": body["model"], "choices": choices, "usage": usage}

    return app


@contextmanager
def serving(script):
    """Serve `script`; yields the base URL."""
    server = uvicorn.Server(uvicorn.Config(application(script), host="127.0.0.1", port=0, log_level="error"))
    ready = threading.Event()
    startup = server.startup

    async def announce(*arguments, **more):
        await startup(*arguments, **more)
        ready.set()

    server.startup = announce
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert ready.wait(20)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.should_exit = True
        thread.join(20)


def material_of(body):
    """The JSON that a question was about."""
    return json.loads(body["messages"][1]["content"])
