/** What the editor holds when the examples cannot be loaded. */
export const DEFAULT_PROGRAM = `import torch

x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)

y = w * x + b
loss = y ** 2
loss.backward()
print(x.grad, w.grad, b.grad)
`;
