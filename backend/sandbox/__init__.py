"""Runs a stranger's program and comes back with what happened.

    pool      keeps locked children waiting, hands one to each run, limits how many run at once
    zygote    the separate program that has the engine loaded and forks the children
    child     one run: lock, read the program, trace it, reply
    lock      what a child gives up, with `seccomp` and `landlock`
    runner    the API's side of one run: deliver, read with caps, kill
    verdict   how a run ended, in words
    selftest  what a locked child tries, and must be refused
    reduced   a plain subprocess instead, where the kernel offers no sandbox

`zygote`, `child` and what they import stay free of pydantic and FastAPI: all they load, every child carries.
"""
