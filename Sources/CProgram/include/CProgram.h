// What Swift does not show of the C library: the arguments, silent libraries, plain crashes, and files in memory.
#pragma once

// Returns the number of arguments, including the program's name. Swift reads them in /proc, which may not be there.
int program_argument_count(void);

// Returns the arguments, each ended by a NUL.
char **program_arguments(void);

// Discards what libraries write to the stream `stderr`, such as libavahi's warnings of messages that came too late.
// What is written to the descriptor of standard error is kept.
void silence_libraries(void);

// Lets a crash end the program at once. The Swift runtime would start a backtracer, which it looks for beside the program
// too, where others may have put one.
void remove_crash_handlers(void);

// Returns the descriptor of a new file that is only in memory, and closed when another program is started; -1 with
// errno if there is none.
int open_memory_file(const char *name);
