"""What the page says is checked against PyTorch is what the tests compare."""

from scripts.make_checked_nodes import TARGET, names, source
from tests.oracle.recordings import load
from tests.oracle.test_facts import ROWS


def test_the_generated_file_is_current() -> None:
    assert TARGET.read_text(encoding="utf-8") == source()


def test_every_name_is_in_a_row_whose_gradients_are_compared() -> None:
    assert load("facts") == ROWS
    compared = [row for row in ROWS.values() if row.get("upstream") and any(row["grads"].values())]
    reached = {node["name"] for row in compared for node in row["nodes"].values()}
    assert set(names()) <= reached
    assert {"MulBackward0", "AddmmBackward0", "NativeLayerNormBackward0"} <= set(names())
