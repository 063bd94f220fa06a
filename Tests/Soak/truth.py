"""What the network did, from the log of load.py, against what the list told of it."""

import bisect
import collections
import datetime

EARLY, LATE = 0.1, 6.0  # seconds, from what happened to what is told; Avahi waits for one second


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def read(path):
    """The log's lines: (time, +1 or -1, name)."""
    with open(path) as file:
        for line in file:
            time, sign, name, _ = line.split()
            yield float(time), 1 if sign == "+" else -1, name


def compare(path, comings, windows):
    """Holds what was told within windows of calm against what happened in them.

    Returns how many things happened, and the times of those that nobody was told of, of those
    that were told twice, and of what was told and had not happened; then the delays of the rest.
    """
    told = collections.defaultdict(list)
    for time, sign, name in comings:
        told[sign, name].append(seconds(time))
    happened, lost, doubled, delays = 0, [], [], {1: [], -1: []}
    truth = collections.defaultdict(list)
    for time, sign, name in read(path):
        truth[sign, name].append(time)
        if not any(begin <= time and time + LATE <= end for begin, end in windows):
            continue
        happened += 1
        times = told[sign, name]
        found = times[bisect.bisect_left(times, time - EARLY):bisect.bisect_right(times, time + LATE)]
        if not found:
            lost.append(time)
            continue
        if len(found) > 1:
            doubled.append(time)
        delays[sign].append(found[0] - time)
    return happened, lost, doubled, invented(told, truth, windows), delays


def invented(told, truth, windows):
    """When something was told within windows that had not happened before."""
    found = []
    for key, times in told.items():
        for time in times:
            if any(begin + LATE <= time <= end for begin, end in windows):
                place = bisect.bisect_right(truth[key], time + EARLY)
                if place == 0 or truth[key][place - 1] < time - LATE:
                    found.append(time)
    return found
