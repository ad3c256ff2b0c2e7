"""What the sandbox has to say, the page says too: in both languages, with the same numbers and names in it."""

import re
from pathlib import Path
from string import Formatter

import pytest

from backend.sandbox.reasons import WORDS, of_error, told

TEXTS = Path(__file__).parents[1] / "frontend" / "src" / "i18n"
PLACES = {"running", "at", "who", "lead"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_has_words_for_every_code(language: str) -> None:
    source = (TEXTS / f"reasons.{language}.js").read_text(encoding="utf-8")
    texts = dict(re.findall(r'^  "reason\.(\w+)": "(.*)",$', source, re.MULTILINE))
    assert texts.keys() == WORDS.keys()
    for code, words in WORDS.items():
        filled = {name for _, name, _, _ in Formatter().parse(words) if name} - PLACES
        assert set(re.findall(r"\{(\w+)\}", texts[code])) == filled, code


def test_a_library_that_is_not_here_comes_with_what_there_is_instead() -> None:
    said = of_error("ModuleNotFoundError", "No module named 'matplotlib.pyplot'", 2)
    assert (said["reason"], said["reason_values"]) == ("module_plots", {"module": "matplotlib.pyplot"})
    assert said["message"].startswith("Line 2: `matplotlib.pyplot` is not available here. Leave the plotting out")
    assert of_error("ModuleNotFoundError", "No module named 'nothing'", None)["reason"] == "module"


def test_an_error_of_the_programs_own_has_no_reason() -> None:
    assert of_error("ValueError", "x", 3) == {}


def test_the_line_is_left_out_where_it_is_not_known() -> None:
    assert told("machine_memory")["message"] == "Killed: the machine ran out of memory. Try smaller shapes."
    assert told("machine_memory", 4)["message"].startswith("Killed at line 4: ")
