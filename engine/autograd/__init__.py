"""torch.autograd: running the backward pass, and everything that acts on the graph."""
