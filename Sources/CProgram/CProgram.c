// Keeps the arguments of the program, silences libraries, undoes what the Swift runtime does at a crash, and opens files
// in memory.
#define _GNU_SOURCE
#include "CProgram.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>

static int count;
static char **arguments;

// The C library passes the arguments of main.
__attribute__((constructor)) static void keep_arguments(int number, char **words) {
    count = number;
    arguments = words;
}

int program_argument_count(void) { return count; }

char **program_arguments(void) { return arguments; }

void silence_libraries(void) {
    // A stream without a function that writes, which needs no descriptor.
    FILE *silent = fopencookie(NULL, "w", (cookie_io_functions_t){.write = NULL});
    if (silent) stderr = silent;
}

void remove_crash_handlers(void) {
    static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        struct sigaction before;
        sigaction(crashes[i], NULL, &before);
        if (before.sa_handler != SIG_IGN) signal(crashes[i], SIG_DFL);
    }
}

int open_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }
