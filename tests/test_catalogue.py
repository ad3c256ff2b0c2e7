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


def test_every_operator_a_program_can_call_has_an_example_and_a_formula() -> None:
    public = {r.name for r in all_records() if isinstance(r, Op) and r.where}
    assert {row.name for row in rows() if row.example} == public
    assert not {row.name for row in rows() if row.name in public and not row.forward}


def test_a_rule_of_several_inputs_has_a_formula_for_each() -> None:
    for op in (r for r in all_records() if isinstance(r, Op)):
        for names, grad in op.grads.items():
            inputs = [n.strip() for n in names.split(",")]
            if len(inputs) > 1:
                assert isinstance(grad.latex, dict), f"{op.name}: one formula for {names}"
                assert sorted(grad.latex) == sorted(inputs)
                assert len(set(grad.latex.values())) == len(inputs), f"{op.name}: the same formula twice"


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
