"""The catalogue of operators: complete, current, and its examples run."""

import contextlib
import io

import pytest

from engine import install_as_torch
from engine.catalogue import Row, rows
from engine.op import Op
from engine.records import all_records
from scripts.make_catalogue import TARGET, catalogue, formula

install_as_torch()


def test_generated_page_is_current() -> None:
    assert TARGET.read_text(encoding="utf-8") == catalogue()


def test_every_record_has_its_row() -> None:
    assert sorted(row.name for row in rows()) == sorted(record.name for record in all_records())


def test_a_node_has_formulas() -> None:
    for row in rows():
        assert bool(row.backward) == bool(row.grad_fn), row.name


def test_an_operator_with_samples_has_an_example() -> None:
    public = [r for r in all_records() if isinstance(r, Op) and r.where and r.samples is not None]
    examples = {row.name for row in rows() if row.example}
    assert {r.name for r in public} == examples


@pytest.mark.parametrize("row", [row for row in rows() if row.example], ids=lambda row: row.name)
def test_example_runs(row: Row) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(row.example, {})
    assert "tensor(" in printed.getvalue()


def test_what_a_product_says() -> None:
    row = next(row for row in rows() if row.name == "mul.Tensor")
    assert (row.grad_fn, row.saved, row.has_inplace) == ("MulBackward0", ("other", "self"), True)
    assert row.found_at == ("torch.mul", "torch.Tensor.mul")
    assert set(row.backward) == {"self", "other"}


def test_slots_become_names() -> None:
    assert formula(r"[[grad_output]] \cdot x") == r"\mathrm{grad\_output} \cdot x"
