"""torch.func: derivatives as functions of functions."""

from engine.func.batch_norm_replacement import replace_all_batch_norm_modules_
from engine.func.functional_call import functional_call, stack_module_state
from engine.func.functionalization import functionalize
from engine.func.jacobians import hessian, jacfwd, jacrev, jvp, linearize
from engine.func.transforms import grad, grad_and_value, vjp
from engine.func.vmap import vmap

__all__ = [
    "functional_call", "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp", "linearize",
    "replace_all_batch_norm_modules_", "stack_module_state", "vjp", "vmap",
]  # fmt: skip
