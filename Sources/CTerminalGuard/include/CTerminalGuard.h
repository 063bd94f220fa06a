// Restores the terminal wherever the process ends, and turns signals into bytes in a pipe.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "Children.h"

/// Remembers the modes of `terminal`, catches the signals, and makes the pipe.
///
/// Every signal that the program handles (interrupt, terminate, hang-up, window size, stop, continue) becomes one byte,
/// its number, in the pipe. A signal that is ignored or has a handler already is left alone. Returns the pipe's reading
/// end, or -1 with `errno` set: EIO in the background. One guard at a time.
int terminal_guard_open(int terminal);

/// Puts a byte into the pipe, as a signal of that number would.
void terminal_guard_post(unsigned char byte);

/// Writes all bytes, unless the file fails.
void terminal_guard_write(int file, const char *bytes, size_t length);

/// Prepares the end of the process: a crash or an exit writes `sequence` to the terminal and
/// restores its modes. Returns false if the sequence is longer than 511 bytes.
bool terminal_guard_arm(const char *sequence, size_t length);

/// Cancels terminal_guard_arm, because the terminal has been restored.
void terminal_guard_disarm(void);

/// Whether this process is in the foreground of the terminal and may write to it.
bool terminal_guard_is_foreground(void);

/// Gives the calling thread a stack for the handler of a stack overflow.
void terminal_guard_protect_thread(void);

/// Stops the process as SIGTSTP does by default, and returns when it is continued. Returns at once
/// after SIGTERM or SIGHUP, and in the foreground with `only_in_background`, which first waits for
/// such a signal for a fifth of a second.
void terminal_guard_stop(bool only_in_background);

/// Restores the signals' former actions and closes the pipe's writing end.
void terminal_guard_close(void);

/// Redirects standard error into memory, at most `limit` bytes. Returns false and changes nothing
/// if that fails or if standard error is no terminal.
bool terminal_guard_hold_errors(size_t limit);

/// Drops the oldest held output if more than half of the limit is used.
void terminal_guard_trim_errors(void);

/// Restores standard error and writes the held output to it.
void terminal_guard_release_errors(void);
