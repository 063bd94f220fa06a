// The words of the command line, as the C library hands them to whoever is there at the start.
#pragma once

/// How many words the command line has, with the program's name.
int process_argument_count(void);

/// A word of the command line; the first one, 0, is the program's name.
const char *process_argument(int number);
