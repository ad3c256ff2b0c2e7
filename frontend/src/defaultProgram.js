/** What the editor holds when the examples cannot be loaded: the first of them. */
export const DEFAULT_PROGRAM = `import torch

x = torch.tensor(1.5, requires_grad=True)
w = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)

y = w * x + b
loss = y ** 2
loss.backward()

print("dloss/dx:", x.grad)
print("dloss/dw:", w.grad)
print("dloss/db:", b.grad)
`;
