// Functions of newer glibc, for the libraries in the programs, which then run with glibc 2.35.
#include "COlderGlibc.h"
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>

// In glibc since 2.36; expat takes the salt of its tables from it.
void arc4random_buf(void *buffer, size_t size) {
    for (char *next = buffer; size > 0;) {
        ssize_t count = getrandom(next, size, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) abort();
        next += count;
        size -= (size_t)count;
    }
}
