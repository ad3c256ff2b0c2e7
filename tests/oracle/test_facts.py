"""Every op of facts.json: values, gradients, graph and saved attributes as PyTorch 2.13 has them."""

import re
import warnings
from typing import Any

import pytest

from engine import install_as_torch
from tests.oracle.recordings import chain, graph, load, near, plain, recorded_graph, saved_attributes

ROWS = load("facts")
# Node names of a gradient taken with create_graph, where the rule here is composed otherwise than PyTorch's.
OTHER_COMPOSITION = {
    "group_norm": "the backward is one formula here and a fused kernel's own derivative there",
    "matrix_exp": "the derivative by the block matrix is sliced in another order",
    "nn_LSTM": "the layer's gates are differentiated as ours are composed; PyTorch differentiates oneDNN's kernel",
    "qr": "the triangular solve is composed otherwise",
    "rnn_scalar_loop": "gradients meet in another order",
}


@pytest.fixture(scope="module")
def torch() -> Any:
    return install_as_torch()


def made_inputs(torch: Any, row: dict[str, Any]) -> dict[str, Any]:
    made = {}
    for name, v in row["inputs"].items():
        t = torch.tensor(v["values"], dtype=getattr(torch, v["dtype"][6:]))
        made[name] = (t.reshape(v["shape"]) if t.numel() == 0 else t).requires_grad_(v["requires_grad"])
    return made


def run_row(torch: Any, row: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any], list[Any]]:
    """Inputs, namespace and outputs of a row."""
    inputs = made_inputs(torch, row)
    torch.manual_seed(0)
    ns = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, **inputs}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ns["out"] = eval(compile(row["code"], "row", "eval"), ns)
        except SyntaxError:
            exec(compile(row["code"], "row", "exec"), ns)
    out = ns["out"]
    return inputs, ns, [out] if isinstance(out, torch.Tensor) else list(out)


@pytest.mark.parametrize("name", ROWS)
def test_row(torch: Any, name: str) -> None:
    row = ROWS[name]
    inputs, ns, outs = run_row(torch, row)
    assert len(outs) == len(row["outputs"])
    for t, want in zip(outs, row["outputs"], strict=True):
        assert [list(t.shape), str(t.dtype)] == [want["shape"], want["dtype"]]
        assert near(want["values"], plain(t.detach().tolist())), "values"
        state = [t.requires_grad, t.is_leaf, t._version, t.output_nr, t.grad_fn and t.grad_fn.name()]
        assert state == [want[k] for k in ("requires_grad", "is_leaf", "_version", "output_nr", "grad_fn")]
        if t.grad_fn is not None and want["node"]:
            shape, nodes = graph(t.grad_fn)
            wanted, keys = recorded_graph(row["nodes"], want["node"])
            assert shape == wanted
            for node, key in zip(nodes, keys, strict=True):
                got = saved_attributes(node, torch.Tensor)
                saved = {
                    k: {"kind": "freed"} if v["kind"] == "freed" else v for k, v in row["nodes"][key]["saved"].items()
                }
                assert near(_comparable(saved), _comparable(got)), f"saved by {node.name()}"
    if "upstream" in row:
        _check_gradients(
            torch, name, row, {**{k: t for k, t in inputs.items() if t.requires_grad}, **_parameters(torch, ns)}, outs
        )


def _parameters(torch: Any, ns: dict[str, Any]) -> dict[str, Any]:
    return {f"{k}.{n}": p for k, v in ns.items() if isinstance(v, torch.nn.Module) for n, p in v.named_parameters()}


def _comparable(saved: Any) -> Any:
    """Without the addresses and identities that cannot be the same."""
    if isinstance(saved, dict):
        return {k: _comparable(v) for k, v in saved.items() if k not in ("requires_grad", "alias_of")}
    if isinstance(saved, list):
        return [_comparable(v) for v in saved]
    return re.sub(r"at 0x\w+", "", saved) if isinstance(saved, str) else saved


def _check_gradients(torch: Any, name: str, row: dict[str, Any], wanted: dict[str, Any], outs: list[Any]) -> None:
    numbers = [int(i) for i in row["upstream"]]
    ups = [torch.tensor(row["upstream"][str(i)], dtype=outs[i].dtype) for i in numbers]
    roots = [outs[i] for i in numbers]
    if "exception" not in row["grads"]:
        grads = torch.autograd.grad(roots, list(wanted.values()), ups, retain_graph=True, allow_unused=True)
        for (key, want), g in zip(row["grads"].items(), grads, strict=True):
            got = None if g is None else plain((g + 0).tolist())
            assert near(want and want["values"], got, 1e-4, 1e-5), f"gradient of {key}"
    if "exception" not in row["create_graph"] and name not in OTHER_COMPOSITION:
        grads = torch.autograd.grad(roots, list(wanted.values()), ups, create_graph=True, allow_unused=True)
        for (key, want), g in zip(row["create_graph"].items(), grads, strict=True):
            assert (None if g is None or g.grad_fn is None else chain(g.grad_fn)) == want, (
                f"create_graph gradient of {key}"
            )
