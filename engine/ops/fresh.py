"""In-place steps that composite functions take on a result nobody else has seen: same node names, no view to track."""

from engine.op import Grad, Op
from engine.ops.views import UNSQUEEZE

SQUEEZE_FRESH = Op(
    "_squeeze_fresh(Tensor self, int dim) -> Tensor",
    lambda self, dim: (
        self.reshape(self.shape[:dim] + self.shape[dim % self.ndim + 1 :]) if self.shape[dim] == 1 else self
    ),
    "SqueezeBackward4",
    {
        "self": Grad(
            lambda grad, self_sym_sizes, dim: UNSQUEEZE(grad, dim) if self_sym_sizes[dim] == 1 else grad,
            r"\operatorname{unsqueeze}([[grad]], [[dim]])",
        )
    },
    r"\operatorname{squeeze}([[self]], [[dim]])",
    where=(),
    samples=lambda rng: [{"self": rng.normal(size=(1, 3)), "dim": 0}, {"self": rng.normal(size=(3, 1)), "dim": -1}],
)
