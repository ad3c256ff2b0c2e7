"""A softmax over many classes whose rare ones are kept in clusters of their own, each behind a smaller projection."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from engine.nn import functional as F
from engine.nn.functional import VF
from engine.nn.modules.container import ModuleList, Sequential
from engine.nn.modules.linear import Linear
from engine.nn.modules.module import Module


class _ASMoutput(NamedTuple):
    output: Any
    loss: Any


_WRONG_CUTOFFS = (
    "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each value is "
    "between 1 and n_classes-1"
)


class AdaptiveLogSoftmaxWithLoss(Module):
    """Log probabilities of classes sorted by frequency, and their mean loss; at each of `cutoffs` a cluster begins."""

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        cutoffs = list(cutoffs)
        if len(cutoffs) == 0:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        if (
            cutoffs != sorted(set(cutoffs))
            or min(cutoffs) <= 0
            or max(cutoffs) > n_classes - 1
            or any(int(c) != c for c in cutoffs)
        ):
            raise ValueError(_WRONG_CUTOFFS)
        self.in_features, self.n_classes = in_features, n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        made = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **made)
        self.tail = ModuleList()
        for i, (first, end) in enumerate(pairwise(self.cutoffs)):
            width = int(in_features // (div_value ** (i + 1)))
            down = Linear(in_features, width, bias=False, **made)
            self.tail.append(Sequential(down, Linear(width, end - first, bias=False, **made)))

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        self.head.reset_parameters()
        for down, up in self.tail:  # type: ignore[misc]
            down.reset_parameters()
            up.reset_parameters()

    def forward(self, input_: Any, target_: Any) -> _ASMoutput:
        """The log probability of each target, and the mean of their negatives."""
        self._check(input_, target_)
        batched = target_.dim() > 0
        input, target = (input_, target_) if batched else (input_.unsqueeze(0), target_.unsqueeze(0))
        count, used = target.size(0), 0
        output, places = input.new_zeros(count), target.new_empty(count)
        for i, (first, end) in enumerate(pairwise([0, *self.cutoffs])):
            of_cluster = (target >= first) & (target < end)
            rows = of_cluster.nonzero().squeeze()
            if rows.numel() == 0:
                continue
            if i == 0:
                places.index_copy_(0, rows, target[of_cluster])
            else:
                relative = target[of_cluster] - first
                scores = self.tail[i - 1](input.index_select(0, rows))
                places.index_fill_(0, rows, self.shortlist_size + i - 1)
                chosen = F.log_softmax(scores, dim=1).gather(1, relative.unsqueeze(1))
                output.index_copy_(0, rows, chosen.squeeze(1))
            used += rows.numel()
        if used != count:
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{target.min().item()}, {target.max().item()}] were found. "
            )
        of_head = F.log_softmax(self.head(input), dim=1)
        output += of_head.gather(1, places.unsqueeze(1)).squeeze()
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def _check(self, input: Any, target: Any) -> None:
        """Raise RuntimeError for inputs and targets that do not belong to each other."""
        dims = target.dim()
        if dims > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if dims == 1 and input.size(0) != target.size(0):
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        if input.dim() != dims + 1:
            raise RuntimeError(
                f"{dims}D target tensor expects {dims + 1}D input tensors, but found inputs with size {input.size()}"
            )

    def _full(self, input: Any, scores: Any) -> Any:
        """Log probabilities of all classes, from the head's scores."""
        out = input.new_empty((scores.size(0), self.n_classes))
        of_head, short = F.log_softmax(scores, dim=1), self.shortlist_size
        out[:, :short] = of_head[:, :short]
        for i, (first, end) in enumerate(pairwise(self.cutoffs)):
            of_cluster = F.log_softmax(self.tail[i](input), dim=1)
            out[:, first:end] = of_cluster + of_head[:, short + i].unsqueeze(1)
        return out

    def log_prob(self, input: Any) -> Any:
        """Log probabilities of all classes (n, n_classes)."""
        return self._full(input, self.head(input))

    def predict(self, input: Any) -> Any:
        """The likeliest class of each row."""
        scores = self.head(input)
        output = VF.argmax(scores, dim=1)
        elsewhere = output >= self.shortlist_size
        if not bool(elsewhere.any()):
            return output
        if bool(elsewhere.all()):
            return VF.argmax(self._full(input, scores), dim=1)
        full = self._full(input[elsewhere], scores[elsewhere])
        output[elsewhere] = VF.argmax(full, dim=1)
        return output


__all__ = ["AdaptiveLogSoftmaxWithLoss"]
