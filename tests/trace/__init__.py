"""The recorder: what a Trace says of a program."""
