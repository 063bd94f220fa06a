// Shifts the wall clock of programs that preload it, and the clock that counts the time asleep. Timers are unaffected.
//
// The file LAB_CLOCK has both offsets in seconds, in 16 bytes each; changing it sets the clocks of all programs.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const char *file = NULL;

// Opened once, since some programs forbid themselves to open files later.
__attribute__((constructor)) static void open_file(void) {
    const char *path = getenv("LAB_CLOCK");
    const int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (descriptor < 0) return;
    void *memory = mmap(NULL, 32, PROT_READ, MAP_SHARED, descriptor, 0);
    if (memory != MAP_FAILED) file = memory;
    close(descriptor);
}

int clock_gettime(clockid_t clock, struct timespec *value) {
    const long status = syscall(SYS_clock_gettime, clock, value);
    if (status == 0 && file && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        value->tv_sec += atol(file);
    if (status == 0 && file && (clock == CLOCK_BOOTTIME || clock == CLOCK_BOOTTIME_ALARM))
        value->tv_sec += atol(file + 16);
    return (int)status;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    value->tv_sec = now.tv_sec;
    value->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *value) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (value) *value = now.tv_sec;
    return now.tv_sec;
}
