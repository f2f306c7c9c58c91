"""The turn graph: what the supporter does with one thing that was said.

hear -> guard -> [crisis] | recall -> perceive (ER, VP) -> relate (RPP) -> decide_when (ITP) -> hold | decide_whom (STP) ->
decide_how (SSP) -> speak -> check -> [approve]. Every decision is a method of the engine, the same one that scoring calls.
"""

import os
from typing import Literal

# read when langgraph is first imported: only types that the state declares may come out of a checkpoint
os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from graphs.state import SupportContext, SupportInput, SupportState, Update, Verdict
from rescue_agent.decisions import ReplyPlan
from rescue_agent.engines.embedded.composer import compose
from rescue_agent.engines.holding import HoldingEngine
from rescue_agent.errors import InputError
from rescue_agent.moment import Moment
from rescue_agent.safety.policy import respond
from rescue_agent.safety.reply_check import mended, whole_sentences
from rescue_agent.safety.screen import screen
from rescue_agent.settings import settings

Services = Runtime[SupportContext]


def moment_of(state: SupportState) -> Moment:
    """What the engine may see of a turn: the window, and what was just said."""
    return Moment(
        scenario=state["scenario"],
        participants=tuple(state["participants"]),
        mode=state["mode"],
        context=tuple(state["window"]),
        current=state["turn"],
        prior=state["prior"],
    )


def hear(state: SupportState) -> Update:
    """Take the turn in. Who speaks is set by the room, never read out of the text."""
    speaker = state["turn"].speaker
    if speaker not in state["participants"]:
        raise InputError(f"{speaker!r} is not in this room; participants are {', '.join(state['participants'])}")
    return {}


def guard(state: SupportState) -> Update:
    """Screen the turn by rules, outside any model."""
    return {"screening": screen(state["turn"].text)}


def route_guard(state: SupportState) -> Literal["crisis", "recall"]:
    """Leave the joint work when somebody may be in danger, or while it is paused."""
    return "crisis" if respond(state["screening"], paused=state["paused"]) else "recall"


def crisis(state: SupportState) -> Update:
    """Say the scripted words for what was found; no model takes part."""
    response = respond(state["screening"], paused=state["paused"])
    return {"reply": response.text, "pauses": response.pauses} if response else {}


def recall(state: SupportState, runtime: Services) -> Update:
    """Bring similar moments to mind."""
    return {"recalled": list(runtime.context.engine.recall(moment_of(state)))}


def perceive(state: SupportState, runtime: Services) -> Update:
    """ER and VP: what the speaker feels, and thinks of the others."""
    engine, moment = runtime.context.engine, moment_of(state)
    return {"emotion": engine.recognise_emotion(moment), "viewpoints": list(engine.predict_viewpoints(moment))}


def relate(state: SupportState, runtime: Services) -> Update:
    """RPP: what is going on between them."""
    engine, moment = runtime.context.engine, moment_of(state)
    return {"pattern": engine.predict_pattern(moment), "relation": engine.follow_relation(moment)}


def decide_when(state: SupportState, runtime: Services) -> Update:
    """ITP: speak now, or keep listening."""
    return {"intervention": runtime.context.engine.decide_intervention(moment_of(state))}


def route_intervention(state: SupportState) -> Literal["hold", "decide_whom"]:
    """Holding is a decision with a reason, not an absence."""
    return "decide_whom" if state["intervention"].speak else "hold"


def hold(state: SupportState, runtime: Services) -> Update:
    """Keep listening; what would have been said to whom is logged."""
    would: SupportState = {**state, **decide_whom(state, runtime)}
    return {"target": would["target"], **decide_how(would, runtime), "reply": ""}


def decide_whom(state: SupportState, runtime: Services) -> Update:
    """STP: whom to address."""
    moment = moment_of(state)
    return {"target": runtime.context.engine.rank_targets(moment, moment.candidates)}


def decide_how(state: SupportState, runtime: Services) -> Update:
    """SSP: with which move."""
    return {"strategy": runtime.context.engine.rank_strategies(moment_of(state), state["target"].best)}


def plan_of(state: SupportState) -> ReplyPlan:
    """What the reply is to carry out."""
    return ReplyPlan(
        target=state["target"].best,
        strategy=state["strategy"].best,
        pattern=state["pattern"].best,
        emotions=(state["emotion"],),
        viewpoints=tuple(state["viewpoints"]),
        recalled=tuple(state["recalled"]),
        recent_replies=tuple(state["recent_replies"]),
        length=settings().reply_length,
    )


def speak(state: SupportState, runtime: Services) -> Update:
    """Write the reply. Its whole sentences are streamed as they come, each once it and all before it have passed the check; when
    somebody stops the supporter, nothing is said.
    """
    draft, shown = "", ""
    for piece in runtime.context.engine.write_reply(moment_of(state), plan_of(state)):
        if runtime.context.stopped():
            return {"reply": ""}
        draft += piece
        ready = whole_sentences(draft)
        if ready != shown and mended(ready, state["participants"], moment_of(state).utterances) == ready:
            shown = ready
            runtime.stream_writer({"said": shown})
    return {"draft": draft}


def route_speech(state: SupportState) -> Literal["check", "__end__"]:
    """Nothing is checked of a reply that was stopped."""
    return "check" if "draft" in state else "__end__"


def check(state: SupportState) -> Update:
    """Look at the draft before it leaves: what can be cut is cut; one that still breaks a rule gives way to the composer's."""
    reply = mended(state["draft"], state["participants"], moment_of(state).utterances)
    return {"reply": reply if reply is not None else "".join(compose(moment_of(state), plan_of(state)))}


def route_approval(state: SupportState) -> Literal["approve", "__end__"]:
    """Where a human facilitates, nothing but the scripted crisis words is said without them."""
    return "approve" if state["facilitated"] else "__end__"


def approve(state: SupportState) -> Update:
    """Wait for the facilitator's verdict: the run stops here, and goes on with it."""
    verdict = Verdict.model_validate(interrupt({"proposed": state["reply"]}))
    return {"verdict": verdict, "proposed": state["reply"], "reply": verdict.text}


def observe(state: SupportState, context: SupportContext) -> SupportState:
    """All six decisions without saying anything: what a replay shows of a turn that the guard took out of joint work.

    A language model is neither waited for nor shown such a turn: nothing is claimed then.
    """
    runtime = Runtime(context=context if context.engine.deterministic else SupportContext(engine=HoldingEngine()))
    for node in (recall, perceive, relate, decide_when, decide_whom, decide_how):
        state = {**state, **node(state, runtime)}
    return state


builder = StateGraph(SupportState, context_schema=SupportContext, input_schema=SupportInput)
for node in (hear, guard, crisis, recall, perceive, relate, decide_when, hold, decide_whom, decide_how, speak, check, approve):
    builder.add_node(node)
builder.add_edge(START, "hear")
builder.add_edge("hear", "guard")
builder.add_conditional_edges("guard", route_guard)
builder.add_edge("crisis", END)
builder.add_edge("recall", "perceive")
builder.add_edge("perceive", "relate")
builder.add_edge("relate", "decide_when")
builder.add_conditional_edges("decide_when", route_intervention)
builder.add_conditional_edges("hold", route_approval)
builder.add_edge("decide_whom", "decide_how")
builder.add_edge("decide_how", "speak")
builder.add_conditional_edges("speak", route_speech)
builder.add_conditional_edges("check", route_approval)
builder.add_edge("approve", END)

graph = builder.compile(name="support")
