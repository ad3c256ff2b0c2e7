"""Programs the tests run, with what PyTorch makes of them beside them."""

# PyTorch gives x.grad 42, w.grad 28 and b.grad 14.
NEURON = """import torch

x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)

y = w * x + b
loss = y ** 2
loss.backward()
print(x.grad, w.grad, b.grad)
"""

TWICE = """import torch

x = torch.tensor(3.0, requires_grad=True)
y = x * x
y.backward()
y.backward()
"""

# x.grad is 6 after the first loss and 6 + 12 = 18 after the second.
ACCUMULATE = """import torch

x = torch.tensor(3.0, requires_grad=True)
(x * x).backward()
print(x.grad)
(2 * x * x).backward()
print(x.grad)
"""

# The gradient of b is summed back to b's shape: b.grad is [2, 2, 2].
BROADCAST = """import torch

x = torch.ones(2, 3, requires_grad=True)
b = torch.zeros(3, requires_grad=True)
y = x + b
y.sum().backward()
print(b.grad)
"""

NOT_A_NUMBER = """import torch

x = torch.tensor([-1.0, 0.0, 4.0], requires_grad=True)
y = torch.log(x)
y.sum().backward()
print(y)
print(x.grad)
"""

FOREVER = """import torch

x = torch.tensor(1.0, requires_grad=True)
y = x * 2
while True:
    pass
"""

MARKUP = """import torch

print("<script>document.title = 'taken'</script><b>bold</b>")
x = torch.tensor(1.0, requires_grad=True)
(x * 2).backward()
"""

# PyTorch prints the losses 4.7567, 4.3554 and 4.0926.
TRAINING = """import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(16, 4)
target = x.sum(dim=1, keepdim=True)

for step in range(3):
    loss = nn.functional.mse_loss(model(x), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{step} {loss.item():.4f}")
"""

# PyTorch: the losses are 11.5, 4.2, 2.06 and 1.068; a is 0, 1.4, 2, 2.32 and c is 0, -0.2, -0.6, -0.96.
DESCENT = """import torch

t = torch.tensor([-1.0, 0.0, 1.0, 2.0])
target = 3 * t - 2
a = torch.zeros(1, requires_grad=True)
c = torch.zeros(1, requires_grad=True)

for turn in range(4):
    loss = (a * t + c - target).square().mean()
    loss.backward()
    with torch.no_grad():
        a -= 0.2 * a.grad
        c -= 0.2 * c.grad
    a.grad = c.grad = None
"""

# PyTorch: log of [1, -1, 0] is [0, nan, -inf].
LOGARITHM = """import torch
x = torch.tensor([1.0, -1.0, 0.0], requires_grad=True)
y = torch.log(x)
z = (y * x).sum()
z.backward()
"""

# PyTorch: w.grad is 2 w, with 1 more in the columns 1 and 2; the gradient that reaches h is 2 h.
VIEWS = """import torch
w = torch.linspace(-3, 3, 56).reshape(8, 7).requires_grad_()
v = w.t()[1:3]
h = w * 1
loss = (h * h).sum() + v.sum()
loss.backward()
"""

TOWER = """import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(4, 4)

    def forward(self, x):
        return x + torch.relu(self.up(x))


model = nn.Sequential(nn.Linear(4, 4), *[Block() for _ in range(12)], nn.Linear(4, 1))
model(torch.ones(2, 4)).sum().backward()
"""

# PyTorch: x.grad is 6 after the first call and 12 after the second.
TWO_CALLS = """import torch
x = torch.tensor(3.0, requires_grad=True)
y = x * x
y.backward(retain_graph=True)
y.backward()
"""

# Every kind of step but an error.
ALL_KINDS = """import warnings

import torch

w = torch.tensor(2.0, requires_grad=True)
one = torch.tensor(1.0)
optimizer = torch.optim.SGD([w], lr=0.5)
w.register_hook(lambda g: g * 2)
for turn in range(2):
    optimizer.zero_grad()
    h = w * 3
    h.mul_(2)
    (h * one).backward()
    optimizer.step()
with torch.no_grad():
    print("w is", w.item())
warnings.warn("careful")
"""

MODULES = """import torch
from torch import nn

model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
y = model(torch.ones(1, 2))
y.sum().backward()
"""
