"""A Trace in other forms: DOT, Mermaid, a transcript, the difference of two. Pure functions of their arguments."""
