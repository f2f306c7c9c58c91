"""A real OpenAI-compatible HTTP server on loopback whose replies a test writes down beforehand."""

import json
import threading
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse


class Script:
    """Replies in order; the last one again and again. A reply is text, a status code, or a whole response. `asked` holds the requests."""

    def __init__(self, *replies):
        self.replies, self.asked = list(replies), []

    def next(self):
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


CUT = "<the connection breaks here>"


async def streamed(text):
    """`text` as server-sent events, a few characters each; breaks off at CUT."""
    said, _, rest = text.partition(CUT)
    for start in range(0, len(said), 7):
        yield event({"content": said[start : start + 7]})
    if CUT in text:
        raise ConnectionResetError(rest)
    yield event({}, "stop", {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15})
    yield "data: [DONE]\n\n"


def event(delta, finish=None, usage=None):
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return (
        "data: "
        + json.dumps({"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": choices, "usage": usage})
        + "\n\n"
    )


def completion(content, finish="stop", **message):
    """A whole chat completion as a server sends it."""
    choices = [{"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}]
    return JSONResponse({"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": choices})


def application(script):
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def complete(request: Request):
        body = await request.json()
        script.asked.append(body)
        reply = script.next()
        reply = reply(body) if callable(reply) and not isinstance(reply, Response) else reply
        if isinstance(reply, int):
            return JSONResponse({"error": {"message": f"scripted {reply}"}}, status_code=reply)
        if isinstance(reply, Response):
            return reply
        if body.get("stream"):
            return StreamingResponse(streamed(reply), media_type="text/event-stream")
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
