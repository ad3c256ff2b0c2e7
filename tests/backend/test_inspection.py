"""The other forms of a trace: DOT, Mermaid, the transcript, the difference of two, the names of a program."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend import example_store
from backend.inspection import dot, mermaid, transcript
from backend.inspection.diff import diff
from backend.inspection.names import check
from backend.inspection.wire import GraphDiff
from tests.backend.traces import HOSTILE, HOSTILE_PROGRAM, SQUARE, trace_of

# Every line the renderers may write, whatever a program called things.
_DOT_STRING = r'"(?:[^"\\\n]|\\[n\\"])*"'
_DOT_VALUE = rf"(?:{_DOT_STRING}|[a-z]+|\d+)"
_DOT_LIST = rf"\[[a-z]+={_DOT_VALUE}(?:, [a-z]+={_DOT_VALUE})*\]"
_DOT_LINE = re.compile(
    rf"digraph autograd \{{|\s*(?:\}}|label={_DOT_STRING};|subgraph cluster_\d+ \{{|[ton]\d+ {_DOT_LIST};"
    rf"|[ton]\d+ -> [ton]\d+(?: {_DOT_LIST})?;|node {_DOT_LIST}; edge {_DOT_LIST};)"
)
_MERMAID_TEXT = r"(?:[\w .,:×…/+=-]|#\d+;|<br/>)*"
_MERMAID_LINE = re.compile(
    rf"flowchart TB|\s+(?:accTitle: {_MERMAID_TEXT}|classDef \w+ [\w:#,]+|subgraph s\d+ \[\"{_MERMAID_TEXT}\"\]|end"
    rf"|[ton]\d+[\[(]{{1,2}}\"{_MERMAID_TEXT}\"[\])]{{1,2}}:::\w+"
    rf"|[ton]\d+ (?:-->|==>|-\.-)(?:\|\"{_MERMAID_TEXT}\"\|)? [ton]\d+)"
)


def assert_well_formed(text: str, line: re.Pattern[str]) -> None:
    assert text.endswith("\n")
    assert [one for one in text[:-1].split("\n") if not line.fullmatch(one)] == []


def test_a_graph_in_dot_and_in_mermaid() -> None:
    trace = trace_of(SQUARE)
    graph = dot.render(trace)
    assert 't0 [label="x\\nfloat32 scalar\\n3, grad 6"' in graph
    assert '  t0 -> o1 [label="self"];\n  t0 -> o1 [label="other"];\n  o1 -> t1;\n' in graph
    assert graph.count("n0 -> n1 [") == 2
    chart = mermaid.render(trace)
    assert 'n0[["MulBackward0<br/>line 3"]]:::node' in chart
    assert chart.count("n0 ==>") == 2
    assert "o1 -.- n0" in chart


def test_module_calls_are_clusters() -> None:
    code = "import torch\nm = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())\nm(torch.ones(2)).sum()\n"
    trace = trace_of(code)
    graph = dot.render(trace)
    assert graph.count("subgraph cluster_") == 3
    assert graph.count("{") == graph.count("}")
    assert graph.index('label="Sequential (Sequential)"') < graph.index('label="0 (Linear)"')
    assert mermaid.render(trace).count("  end\n") == 2


def test_hostile_names_are_text_and_nothing_else() -> None:
    trace = trace_of(HOSTILE_PROGRAM)
    assert any("<script>" in name for tensor in trace.tensors for name in tensor.names)
    assert any(scope.module == HOSTILE for scope in trace.scopes)
    assert trace.outcome.error is not None
    assert trace.outcome.error.message == HOSTILE
    assert_well_formed(dot.render(trace), _DOT_LINE)
    assert_well_formed(mermaid.render(trace), _MERMAID_LINE)
    assert "\u202e" not in dot.render(trace) + mermaid.render(trace) + transcript.render(trace)
    assert "<script" not in mermaid.render(trace)


@given(st.text())
@settings(max_examples=300)
def test_any_text_can_be_quoted(text: str) -> None:
    assert re.fullmatch(_DOT_STRING, dot.quoted(text))
    assert re.fullmatch(f'"{_MERMAID_TEXT}"', mermaid.quoted(text))


def test_every_example_in_every_form() -> None:
    for example in example_store.load().examples[::7]:
        trace = trace_of(example.code)
        assert_well_formed(dot.render(trace), _DOT_LINE)
        assert_well_formed(mermaid.render(trace), _MERMAID_LINE)
        assert transcript.render(trace).startswith("Outcome: ")


def test_the_transcript_tells_the_backward_pass() -> None:
    assert transcript.render(trace_of(SQUARE)).splitlines() == [
        "Outcome: ok.",
        "2 tensors, 2 operations, 2 backward nodes.",
        "Leaf x, made at line 2, is 3.",
        "",
        "Backward pass 1 of 1: backward() at line 4, from y.",
        "Step 3: MulBackward0 of line 3 receives 1. It sends 3 to AccumulateGrad of x for its self; 3 to "
        "AccumulateGrad of x for its other.",
        "Step 4: MulBackward0 of line 3 frees _saved_other, _saved_self, 4 bytes.",
        "Step 5: x.grad was None; 6 arrives; x.grad is now 6.",
        "",
        "At the end:",
        "x.grad is 6.",
        "y.grad is None: it is not a leaf, and retain_grad() was not called.",
        "",
        "Printed:",
        "tensor(6.)",
    ]


def test_the_transcript_of_what_was_left_out_and_of_what_failed() -> None:
    final = transcript.render(trace_of(SQUARE, steps="final_graph", overrides=[{"name": "x", "value": 2}]))
    assert "The nodes ran in this order: MulBackward0 of line 3, AccumulateGrad of x." in final
    assert "Left out: steps, because of this limit: options.steps is final_graph." in final
    assert "x was given another value, by request." in final
    failed = transcript.render(trace_of("import torch\ntorch.ones(1).backward()\n"))
    assert failed.startswith("Outcome: error at line 2: RuntimeError: element 0 of tensors does not require grad")


# ---- difference ----------------------------------------------------------------------------------
CHAIN = (
    "import torch\n"
    "x = torch.tensor(3.0, requires_grad=True)\n"
    "w = torch.tensor(2.0, requires_grad=True)\n"
    "y = torch.sin(x * w)\n"
    "z = y + x\n"
    "z.backward()\n"
)


def compare(before: str, after: str) -> GraphDiff:
    return diff(trace_of(before, steps="final_graph"), trace_of(after, steps="final_graph"))


def changes(found: GraphDiff) -> list[tuple[str, str, list[str]]]:
    return [(one.before.name, one.after.name, list(one.changed)) for one in found.nodes.changed]


def test_a_program_is_the_same_as_itself() -> None:
    found = compare(CHAIN, CHAIN)
    assert found.same
    assert (found.nodes.unchanged, found.gradients.unchanged) == (5, ["w", "x"])


def test_lines_and_unused_names_make_no_difference() -> None:
    assert compare(CHAIN, "# a word\n\n" + CHAIN.replace("y = torch.sin(x * w)", "p = x * w\ny = torch.sin(p)")).same


def test_another_function_is_a_changed_node_and_other_gradients() -> None:
    found = compare(CHAIN, CHAIN.replace("sin", "cos"))
    assert changes(found) == [("SinBackward0", "CosBackward0", ["name"])]
    assert (found.nodes.added, found.nodes.removed) == ([], [])
    assert [change.name for change in found.gradients.changed] == ["w", "x"]
    before, after = found.gradients.changed[1].before, found.gradients.changed[1].after
    assert before is not None
    assert after is not None
    assert found.gradients.changed[1].max_difference == abs(before.data - after.data)  # type: ignore[operator]


def test_a_node_put_between() -> None:
    found = compare(CHAIN, CHAIN.replace("y + x", "torch.relu(y) + x"))
    assert [node.name for node in found.nodes.added] == ["ReluBackward0"]
    assert found.nodes.removed == []
    assert changes(found) == [("AddBackward0", "AddBackward0", ["inputs"])]


def test_the_same_two_ways_round() -> None:
    other = CHAIN.replace("y + x", "torch.relu(y) + x").replace("w = ", "v = ").replace("* w", "* v")
    there, back = compare(CHAIN, other), compare(other, CHAIN)
    assert [node.name for node in there.nodes.added] == [node.name for node in back.nodes.removed]
    assert [one.name for one in there.gradients.added] == [one.name for one in back.gradients.removed] == ["v"]


def test_constants_shapes_and_hooks() -> None:
    code = "import torch\nx = torch.ones({n}, requires_grad=True)\ny = (x ** {p}).sum()\n{h}\ny.backward()\n"
    plain = code.format(n=3, p=2, h="")
    assert changes(compare(plain, code.format(n=3, p=3, h=""))) == [("PowBackward0", "PowBackward0", ["constants"])]
    assert [one[2] for one in changes(compare(plain, code.format(n=4, p=2, h="")))] == [["shape"], ["shape"]]
    hooked = changes(compare(plain, code.format(n=3, p=2, h="y.register_hook(lambda g: g)")))
    assert hooked == [("SumBackward0", "SumBackward0", ["hooks"])]


def test_a_program_that_fails_is_compared_as_far_as_it_came() -> None:
    found = compare(CHAIN, CHAIN.replace("z.backward()", "z.backwards()"))
    assert not found.same
    assert "status error" in found.notes[0]
    assert [change.after for change in found.gradients.changed] == [None, None]


# ---- names ---------------------------------------------------------------------------------------
def verdicts(code: str) -> dict[str, str]:
    return {use.name: use.verdict for use in check(code)}


def test_names_are_followed_through_imports() -> None:
    code = (
        "import torch.nn as nn, torch\nimport torch.nn.functional as F\nfrom torch import optim as o, tensor\n"
        "m = nn.Linear(1, 1); F.relu(m(tensor([1.0]))); o.SGD(m.parameters())\ntorch.float32.itemsize\n"
    )
    found = verdicts(code)
    assert {"torch.nn.Linear", "torch.nn.functional.relu", "torch.optim.SGD", "torch.tensor"} <= found.keys()
    assert set(found.values()) == {"supported"}


@pytest.mark.parametrize(
    ("code", "name", "verdict", "nearest"),
    [
        ("import torch\ntorch.sigmod", "torch.sigmod", "unknown", "torch.sigmoid"),
        ("import torch.nn as nn\nnn.Liner", "torch.nn.Liner", "unknown", "torch.nn.Linear"),
        ("import pandas.io", "pandas.io", "unknown", None),
        ("import torch\ntorch.ones(1).to_mkldnn()", "torch.Tensor.to_mkldnn", "not_yet", "torch.Tensor.is_mkldnn"),
    ],
)
def test_what_is_missing_is_named_with_the_nearest(code: str, name: str, verdict: str, nearest: str | None) -> None:
    (use,) = [use for use in check(code) if use.verdict != "supported"]
    assert (use.name, use.verdict, use.nearest) == (name, verdict, nearest)


def test_every_example_uses_names_that_are_there() -> None:
    missing = {
        (example.id, use.name)
        for example in example_store.load().examples
        for use in check(example.code)
        if use.verdict == "not_yet"
    }
    assert missing == set()
