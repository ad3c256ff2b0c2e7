"""Why a run ended as it did: a code that stays, what fills its words, and the words in English.

A page says it in words of its own, by the code; `frontend/src/i18n/reasons.*.js` has some for every code here.
"""

import re

_GONE = "`{module}` is not available here."
_NO_DOWNLOADS = "There are no files or downloads:"

WORDS = {
    "time": "Stopped after {limit}{running}. Is there an infinite loop?",
    "processor": "Stopped after {limit} of processor time{running}. Is there an infinite loop?",
    "output": "Output cut at {limit}. Print less, or only every hundredth time.",
    "too_large": "The recording of this run is larger than {limit}: its first {kept} steps are shown. "
    "Use fewer iterations or smaller tensors to see all of it.",
    "memory": "{who} needed more memory than the {limit} a run may use. Keep less, or try smaller shapes.",
    "memory_asked": "{who} asked for {asked}; a run may use {limit}. Try a smaller shape.",
    "machine_memory": "Killed{at}: the machine ran out of memory. Try smaller shapes.",
    "system_call": "Stopped{at}: a system call that no program needs here. Nothing else was affected.",
    "stack": "Python crashed{at} (stack overflow?). Nothing else was affected.",
    "signal": "Python crashed{at} ({signal}). Nothing else was affected.",
    "recorder": "The recorder failed{at}. Nothing else was affected.",
    "no_trace": "What came back from the run was not a trace, so it was thrown away. Nothing else was affected.",
    "ended": "The program ended Python itself (exit code {code}), so there is no graph to show. Remove `os._exit`.",
    "files": "{lead}opening files is disabled in this playground.",
    "network": "{lead}the network and other processes are disabled in this playground.",
    "threads": "{lead}threads are disabled in this playground.",
    "module": "{lead}" + _GONE + " You can import torch, numpy, math, and most of Python itself.",
    "module_plots": "{lead}" + _GONE + " Leave the plotting out: the page draws losses, parameters and gradients of "
    "every run by itself.",
    "module_tables": "{lead}" + _GONE + " Write the table as lists or numpy arrays and pass them to torch.tensor.",
    "module_images": "{lead}" + _GONE + f" {_NO_DOWNLOADS} make images with torch.rand, and models of torch.nn layers.",
    "module_sounds": "{lead}" + _GONE + f" {_NO_DOWNLOADS} make signals with torch.sin or torch.randn.",
    "module_texts": "{lead}" + _GONE + f" {_NO_DOWNLOADS} write the text into the program and number its words.",
    "module_data": "{lead}" + _GONE + f" {_NO_DOWNLOADS} make the data with torch.randn, or write it into the program.",
    "module_sklearn": "{lead}" + _GONE + " Make the data with torch.randn or numpy.random, and the model of torch.nn "
    "layers.",
    "module_scipy": "{lead}" + _GONE + " numpy and torch.linalg have most of what teaching programs take from it.",
    "module_progress": "{lead}" + _GONE + " Loop over range(...) itself; the page shows how far a run is.",
    "module_pictures": "{lead}" + _GONE + " There are no files: make images as tensors with torch.rand.",
    "module_models": "{lead}" + _GONE + " There are no downloads: build the model of torch.nn layers, such as "
    "nn.TransformerEncoder.",
}
"""The words of each code. `running`, `at`, `who` and `lead` name the line, where it is known."""

_INSTEAD = {
    "matplotlib": "module_plots", "seaborn": "module_plots", "plotly": "module_plots", "pandas": "module_tables",
    "torchvision": "module_images", "torchaudio": "module_sounds", "torchtext": "module_texts",
    "datasets": "module_data", "sklearn": "module_sklearn", "scipy": "module_scipy", "tqdm": "module_progress",
    "PIL": "module_pictures", "transformers": "module_models",
}  # fmt: skip
"""What is said of a library that teaching programs import."""


def told(code: str, line: int | None = None, /, **values: str) -> dict:
    """The part of an outcome that says why, by code and in words. `values` fill the words; strings all."""
    places = {
        "running": f", still running line {line}" if line else "",
        "at": f" at line {line}" if line else "",
        "who": f"Line {line}" if line else "The program",
        "lead": f"Line {line}: " if line else "",
    }
    return {"message": WORDS[code].format(**places, **values), "reason": code, "reason_values": values}


def of_error(kind: str | None, message: str, line: int | None) -> dict:
    """What there is to say of an error that comes from the sandbox rather than from the program; else nothing."""
    if kind == "ModuleNotFoundError" and (name := re.search(r"No module named '([^']+)'", message)):
        return told(_INSTEAD.get(name[1].partition(".")[0], "module"), line, module=name[1])
    if kind == "PermissionError":
        return told("files" if re.search(r": '|: b'", message) else "network", line)
    if kind == "RuntimeError" and "start new thread" in message:
        return told("threads", line)
    return {}
