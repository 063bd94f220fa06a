// Remembers the command line before `main`, which in a Swift program does not pass it on.
#include "CArguments.h"

static int count;
static char *const *words;

// glibc calls what is in this section with the arguments of `main`.
static void remember(int argument_count, char *const *arguments) {
    count = argument_count;
    words = arguments;
}

__attribute__((section(".init_array"), used))
static void (*at_start)(int, char *const *) = remember;

int process_argument_count(void) { return count; }

const char *process_argument(int number) { return words[number]; }
