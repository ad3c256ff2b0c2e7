"""A snippet's id follows from what it holds, so that storing it twice gives one link."""

import base64
import hashlib
import json
import re

_LENGTHS = (11, 22, 43)
PATTERN = re.compile(r"[A-Za-z0-9_-]{11,43}")


def candidates(code: str, seed: int) -> list[str]:
    """The ids this program may have, shortest first; a longer one only if another program has the shorter."""
    content = json.dumps([code, seed], ensure_ascii=True).encode()
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return [digest[:length] for length in _LENGTHS]
