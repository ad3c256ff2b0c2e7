"""Cuts a trace that is too large for a reply at a step: a moment of the run, up to which everything is whole.

What comes into being at a step refers to what came before it, so the first steps are a trace of their own.
"""

from backend.sandbox import verdict
from backend.settings import Limits

# Of each table, the field that says at which step an entry came into being.
_BORN = {
    "steps": "index",
    "tensors": "created_step",
    "ops": "step",
    "backwards": "start_step",
    "scopes": "first_step",
    "memory": "step",
}


def length(trace: dict) -> int:
    """How many steps a trace has. Where its timeline was left out, up to the last one that made something."""
    return 1 + max((entry[born] for table, born in _BORN.items() for entry in trace[table]), default=-1)


def keep_steps(trace: dict, kept: int, limits: Limits) -> None:
    """Reduce a trace, in place, to its first `kept` steps; what was printed stays whole."""
    total = length(trace)
    timeline = bool(trace["steps"])
    for table, born in _BORN.items():
        trace[table] = [entry for entry in trace[table] if entry[born] < kept]
    trace["nodes"] = _nodes_of(trace, kept)
    for tensor in trace["tensors"]:
        tensor["values"] = [moment for moment in tensor["values"] if moment["step"] < kept]
        tensor["grads"] = [moment for moment in tensor["grads"] if moment["step"] < kept]
    _forget_later(trace, kept, timeline)
    for series in trace["series"]:
        series["points"] = [point for point in series["points"] if point["step"] < kept]
    for override in trace["overrides"]:
        if (override["step"] or 0) >= kept:
            override.update(tensor=None, step=None)
    for entry in trace["console"]:
        entry["step"] = min(entry["step"], max(kept - 1, 0))
    if trace["outcome"]["status"] in ("ok", "too_large"):  # another ending says more
        trace["outcome"].update(status="too_large", **verdict.too_much_recorded(limits, kept))
    limit = f"{verdict.size_in_words(limits.reply_bytes)} for a reply"
    trace["truncated"].append({"what": "steps", "limit": limit, "kept": kept, "total": total})


def _nodes_of(trace: dict, kept: int) -> list[dict]:
    """The nodes that were there, those of the last op included, and the leaves' nodes that they lead to."""
    there = {op["grad_fn"] for op in trace["ops"]}
    there |= {node["id"] for node in trace["nodes"] if node["created_step"] < kept}
    there |= {edge[0] for node in trace["nodes"] if node["id"] in there for edge in node["next_functions"] or ()}
    return [node for node in trace["nodes"] if node["id"] in there]


def _forget_later(trace: dict, kept: int, timeline: bool) -> None:
    """Nothing may name a step that is no longer there."""
    for node in trace["nodes"]:
        for saved in node["saved"]:
            saved["released_step"] = _within(saved["released_step"], kept)
    for scope in trace["scopes"]:
        scope["last_step"] = _within(scope["last_step"], kept)
    if timeline:
        ran = {step["node"] for step in trace["steps"] if step["kind"] in ("node_apply", "accumulate")}
    else:
        ran = {node["id"] for node in trace["nodes"]}
    for backward in trace["backwards"]:
        backward["end_step"] = _within(backward["end_step"], kept)
        backward["order"] = [node for node in backward["order"] if node in ran]


def _within(step: int | None, kept: int) -> int | None:
    return step if step is not None and step < kept else None
