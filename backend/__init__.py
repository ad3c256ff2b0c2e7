"""The web service: FastAPI app, sandbox, wire schema."""
