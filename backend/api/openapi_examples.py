"""Examples in the OpenAPI document: requests to send as they are. The service adds its own reply to the first."""

REQUESTS = {
    "square": {
        "summary": "The gradient of x * x",
        "value": {
            "code": "import torch\n\nx = torch.tensor(3.0, requires_grad=True)\n(x * x).backward()\nprint(x.grad)\n",
            "seed": 0,
        },
    },
    "forgotten": {
        "summary": "A program that fails: its trace up to there is kept",
        "value": {"code": "import torch\n\nx = torch.tensor(3.0)\n(x * x).backward()\n", "seed": 0},
    },
}

_CHAIN = "import torch\n\nx = torch.arange(6.0).reshape(2, 3).requires_grad_()\ny = (x**2).sum()\ny.backward()\n"

REQUESTS["what_if"] = {
    "summary": "The same program with another x, without its saved tensors, up to the backward pass",
    "value": {
        "code": REQUESTS["square"]["value"]["code"],
        "seed": 0,
        "options": {"saved": False, "overrides": [{"name": "x", "value": 5.0}], "until": {"line": 5}},
    },
}

TENSOR_REQUESTS = {
    "gradient": {
        "summary": "The last column of a gradient",
        "value": {"code": _CHAIN, "tensor": "x", "of": "grad", "index": ":, -1"},
    }
}

DIFF_REQUESTS = {
    "function": {
        "summary": "Another function, and what that does to the gradient",
        "value": {"before": {"code": _CHAIN}, "after": {"code": _CHAIN.replace("x**2", "torch.exp(x)")}},
    }
}


def body_of(model: type, examples: dict) -> dict:
    """What OpenAPI says of a body that the handler reads by itself."""
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"required": True, "content": {"application/json": {"schema": schema, "examples": examples}}}
