"""How much a Trace holds. What is beyond is left out and said so in `truncated`."""

MAX_STEPS = 5_000
FULL_ELEMENTS = 64  # a value of at most so many elements is sent whole
FULL_FINAL_ELEMENTS = 256  # for what a tensor holds at the end
TEXT_ELEMENTS = 64  # up to here with its printed text
PREVIEW_ELEMENTS = 8
HISTOGRAM_BINS = 24
HELD_BYTES = 96 * 2**20  # of arrays kept as they are until the document is built; beyond, only a summary is
RICH_RESULTS = 100  # so many tensors and first gradients carry a histogram of what they held when they were made,
RICH_FINAL = 100  # and so many of what is there at the end and has none yet
TEXT_CHARACTERS = 2_000
QUEUE_NODES = 12
MAX_SERIES_POINTS = 20_000
SLICE_ELEMENTS = 65_536  # of one tensor, on demand
EXACT_INTEGER = 2**53
