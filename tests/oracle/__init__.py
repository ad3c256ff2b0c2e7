"""The engine against recordings of PyTorch 2.13."""
