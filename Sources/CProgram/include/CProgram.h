// What the command needs of the C library before anything else: its arguments.
#pragma once

// Returns the number of arguments, including the program's name. Swift reads them in /proc, which may not be there.
int program_argument_count(void);

// Returns the arguments, each ended by a NUL.
char **program_arguments(void);
