// Tells libavahi the time, in place of the C library's function of the same name.
//
// libavahi plans everything by the time of day. Were that set forward by an hour, all that it knows
// would expire at once, and were it set back, it would do nothing for an hour. This clock goes on
// evenly, also while the machine is suspended, and says no time of day. In Swift it would be hidden
// from the libraries.
#include "CSteadyTime.h"
#include <time.h>

// libavahi takes nought for no time at all, so the machine's start is not that.
static const time_t start = 1000000000;

int gettimeofday(struct timeval *restrict value, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
    value->tv_sec = start + now.tv_sec;
    value->tv_usec = now.tv_nsec / 1000;
    return 0;
}
