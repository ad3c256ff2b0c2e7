"""Commands beside serving: each takes its arguments and returns the exit status."""
