"""torch.autograd: running the backward pass, and everything that acts on the graph."""

from engine.anomaly import detect_anomaly, set_detect_anomaly
from engine.autograd import anomaly_mode, forward_ad, function, functional, grad_mode, graph, profiler, variable
from engine.autograd.calls import backward, grad
from engine.autograd.function import Function
from engine.autograd.gradcheck import gradcheck, gradgradcheck
from engine.autograd.variable import Variable
from engine.modes import (
    enable_grad,
    inference_mode,
    is_multithreading_enabled,
    is_view_replay_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)

__all__ = [
    "Function", "Variable", "anomaly_mode", "backward", "detect_anomaly", "enable_grad",
    "forward_ad", "function", "functional", "grad", "grad_mode", "gradcheck", "gradgradcheck", "graph",
    "inference_mode", "is_multithreading_enabled", "is_view_replay_enabled", "no_grad", "profiler",
    "set_detect_anomaly", "set_grad_enabled", "set_multithreading_enabled", "variable",
]  # fmt: skip
