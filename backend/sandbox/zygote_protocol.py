"""What the API and the zygote say to each other, one packet a message.

From the API: FORK, RETIRE, which asks it to end when its children have. From the zygote, as JSON:
{"ready": {…}} once, {"child": pid} with the descriptors [program, output, reply, pidfd], and
{"exit": [pid, code, cpu seconds, peak bytes]}.
"""

FORK = b"F"
RETIRE = b"R"
MESSAGE_BYTES = 4096
