"""The examples menu: complete in both languages, and every program does what PyTorch was recorded to do with it.

tests/oracle/examples.json holds what PyTorch printed, raised and warned of; scripts/record_examples.py records it.
"""

import json
import re
from pathlib import Path

import pytest

from backend import example_store
from backend.schemas import Example, Trace
from engine.trace import trace_program

ROOT = Path(__file__).parents[2]
RECORDED = json.loads((ROOT / "tests" / "oracle" / "examples.json").read_text(encoding="utf-8"))["programs"]
LISTED = example_store.load()
CHINESE = re.compile(r"[\u4e00-\u9fff]")
# Programs are read beside their graph: few lines, and little to scroll sideways.
MOST_LINES, MOST_COLUMNS = 30, 72


def by_id(example: Example) -> str:
    return example.id


@pytest.mark.parametrize("example", LISTED.examples, ids=by_id)
def test_an_example_does_what_pytorch_does(example: Example) -> None:
    trace = Trace.model_validate_json(json.dumps(trace_program(example.code)))
    error = trace.outcome.error
    warned = [step.text or "" for step in trace.steps if step.kind == "warning"]
    assert {
        "stdout": "".join(entry.text for entry in trace.console if entry.stream == "stdout"),
        "error": error and {"type": error.type, "message": error.message},
        "warnings": [text.partition("\n")[0] for text in warned],
    } == RECORDED[example.id]


@pytest.mark.parametrize("example", LISTED.examples, ids=by_id)
def test_an_example_has_something_to_show(example: Example) -> None:
    trace = trace_program(example.code)
    assert trace["tensors"]
    assert trace["console"]
    assert not trace["truncated"]
    if error := trace["outcome"]["error"]:
        assert error["explanation"], "the page has no explanation of this error"


@pytest.mark.parametrize("example", LISTED.examples, ids=by_id)
def test_an_example_is_described_in_both_languages(example: Example) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", example.id)
    for texts in (example.title, example.summary):
        assert set(texts) == {"en", "zh"}
        assert not CHINESE.search(texts["en"])
    assert CHINESE.search(example.summary["zh"])
    assert example.summary["en"].endswith(".")
    assert example.summary["zh"].endswith("。")


@pytest.mark.parametrize("example", LISTED.examples, ids=by_id)
def test_an_example_is_short(example: Example) -> None:
    lines = example.code.splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= MOST_COLUMNS
    assert lines == [line.rstrip() for line in lines]


def test_chapters_are_named_in_both_languages_and_stand_together() -> None:
    in_order = [example.chapter for example in LISTED.examples]
    assert list(dict.fromkeys(in_order)) == list(LISTED.chapters)
    assert in_order == sorted(in_order, key=list(LISTED.chapters).index)
    for titles in LISTED.chapters.values():
        assert set(titles) == {"en", "zh"}
    for language in ("en", "zh"):
        titles = [titles[language] for titles in LISTED.chapters.values()]
        titles += [example.title[language] for example in LISTED.examples]
        assert len(set(titles)) == len(titles)


def test_what_is_recorded_is_what_is_listed() -> None:
    assert set(RECORDED) == {example.id for example in LISTED.examples}


def test_the_first_example_is_the_simple_one() -> None:
    first = LISTED.examples[0]
    assert "y = w * x + b\nloss = y ** 2\nloss.backward()\n" in first.code
    trace = trace_program(first.code)
    assert [node["name"] for node in trace["nodes"] if node["op"] is not None] == [
        "MulBackward0",
        "AddBackward0",
        "PowBackward0",
    ]
