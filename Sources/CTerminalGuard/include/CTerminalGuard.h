// Gives the terminal back from wherever the process ends, and turns signals into bytes in a pipe.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "Children.h"
#include "DisplayWidth.h"

/// Remembers the modes of `terminal`, catches the signals, and makes the pipe.
///
/// Every signal that the program should hear of (interrupt, terminate, hang-up, window size, stop,
/// continue) becomes one byte, its number, in the pipe. A signal that was ignored, or that somebody looks after already, is left alone.
/// Returns the pipe's reading end, or -1 with `errno` set: EIO in the background. One guard at a time.
int terminal_guard_open(int terminal);

/// Puts a byte into the pipe, as a signal of that number would.
void terminal_guard_post(unsigned char byte);

/// Writes all bytes, unless the file fails.
void terminal_guard_write(int file, const char *bytes, size_t length);

/// From now on a crash or an exit writes `sequence` to the terminal and puts its modes back.
/// A sequence longer than 511 bytes is not taken: returns false.
bool terminal_guard_arm(const char *sequence, size_t length);

/// The terminal has been given back in the ordinary way: nothing is left to do at the end.
void terminal_guard_disarm(void);

/// Whether the terminal is this process's to write on, and not a shell's in front of it.
bool terminal_guard_is_foreground(void);

/// Gives the calling thread a stack for the crash that has used its own up.
void terminal_guard_protect_thread(void);

/// Stops the process as SIGTSTP does by default; returns when it is continued, or at once when it
/// has been told to end (SIGTERM, SIGHUP).
void terminal_guard_stop(void);

/// Puts the signals' former actions back and closes the pipe's writing end.
void terminal_guard_close(void);

/// Sends what is written to standard error into memory, at most `limit` bytes.
/// Returns false, and changes nothing, where that cannot be had or standard error is no terminal.
bool terminal_guard_hold_errors(size_t limit);

/// Makes room again when more than half of the limit is used: what came first is forgotten.
void terminal_guard_trim_errors(void);

/// Standard error goes where it went before, and what was held is written there.
void terminal_guard_release_errors(void);

/// The window's size in characters; false where it is not known.
bool terminal_guard_window_size(int terminal, int *columns, int *rows);
