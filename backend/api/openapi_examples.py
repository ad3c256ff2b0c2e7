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
