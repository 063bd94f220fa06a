// Keeps the arguments of the program.
#include "CProgram.h"

static int count;
static char **arguments;

// The C library passes the arguments of main.
__attribute__((constructor)) static void keep_arguments(int number, char **words) {
    count = number;
    arguments = words;
}

int program_argument_count(void) { return count; }

char **program_arguments(void) { return arguments; }
