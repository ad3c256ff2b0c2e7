"""How much a Trace holds. What is beyond is left out and said so in `truncated`."""

MAX_STEPS = 5_000
FULL_ELEMENTS = 64  # a value of at most so many elements is sent whole
FULL_FINAL_ELEMENTS = 1_024  # for what a tensor holds at the end
PREVIEW_ELEMENTS = 16
HISTOGRAM_BINS = 24
HELD_BYTES = 96 * 2**20  # arrays kept as they are until the document is built; beyond, only their summary is
RICH_VALUES = 1_500  # so many values carry statistics and a histogram; later ones statistics only
TEXT_CHARACTERS = 2_000
QUEUE_NODES = 12
MAX_SERIES_POINTS = 20_000
SLICE_ELEMENTS = 65_536  # of one tensor, on demand
EXACT_INTEGER = 2**53
