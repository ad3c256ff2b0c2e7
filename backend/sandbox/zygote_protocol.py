"""What the API and the zygote say to each other, one packet a message.

From the API: FORK; REAP, when a child has ended; RETIRE, which asks the zygote to end when its children have.
To the API, as JSON: {"ready": {…}} once; from each child {"child": pid} with the descriptors [program, output, reply,
pidfd]; after FORK or REAP, for each child that has ended since, {"exit": [pid, code, cpu seconds, peak bytes]}.
"""

FORK = b"F"
REAP = b"W"
RETIRE = b"R"
MESSAGE_BYTES = 4096
