"""vmap's machinery: tensors that stand for a batch, and a rule per kind of operator that runs it on the whole batch."""
