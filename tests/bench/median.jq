# Of an array of numbers.
def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
