"""What can go wrong with the database."""


class StoreUnavailable(RuntimeError):
    """The database cannot do what was asked; nothing was stored. `is_full`: for want of space."""

    def __init__(self, message: str, *, is_full: bool = False) -> None:
        super().__init__(message)
        self.is_full = is_full
