"""The built page, with the caching its file names allow."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

_HASHED_FOLDER = "assets"
_FOREVER = "public, max-age=31536000, immutable"
_ASK_EACH_TIME = "no-cache"

NOT_BUILT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Autograd Playground</title>
<h1>The page is not built yet</h1>
<p>The service is running, but there is no page in <code>frontend/dist</code>. Build it with <code>make page</code>,
or start everything with <code>make run</code>; then reload.</p>
<p lang="zh">服务已在运行，但 <code>frontend/dist</code> 里还没有页面。请执行 <code>make page</code> 构建，
或用 <code>make run</code> 启动全部，然后刷新。</p>
</html>
"""


class Page(StaticFiles):
    """Serves a folder. Vite puts a hash into the names under `assets`, so those never change."""

    def __init__(self, folder: str) -> None:
        super().__init__(directory=folder, html=True, check_dir=False)
        self._index = Path(folder) / "index.html"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._index.is_file():
            await super().__call__(scope, receive, send)
        elif scope["path"] == "/":
            await HTMLResponse(NOT_BUILT, 503, {"Cache-Control": "no-store"})(scope, receive, send)
        else:
            raise HTTPException(404)

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        hashed = Path(path).parts[:1] == (_HASHED_FOLDER,) and response.status_code < 400
        response.headers["Cache-Control"] = _FOREVER if hashed else _ASK_EACH_TIME
        return response
