// Keeps the arguments of the program, and silences libraries.
#define _GNU_SOURCE
#include "CProgram.h"

#include <stdio.h>

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
