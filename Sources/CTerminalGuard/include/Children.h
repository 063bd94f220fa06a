// Starts programs: a foreground program, which has the terminal for a while, and background
// programs without a terminal.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Starts a program, found by PATH, in a process group of its own, and puts it in front on
/// `terminal`: interrupts from there go to it. `command` ends with a null pointer.
/// Returns its process id, or the negative `errno`. One child at a time.
int foreground_child_start(int terminal, char *const command[]);

/// Waits for the end of the child and takes the terminal back. When the child is stopped, this
/// program stops too. Then waits for Enter or an interrupt, if `waits_after_success` (status 0) or
/// `waits_after_failure` (any other status) is set. Returns the status, or 128 and the number of
/// the signal that ended the child.
int foreground_child_wait(
    int terminal, int child, bool waits_after_success, bool waits_after_failure);

/// Starts a program, found by PATH, that has no terminal, reads `input` and nothing else, and whose
/// output goes nowhere. Returns its process id, or the negative `errno`.
int background_child_start(char *const command[], const void *input, size_t length);

/// Waits for the end of a background child. Returns its status, or 128 and the number of the signal
/// that ended it.
int background_child_wait(int child);

/// Sends the foreground child, if there is one, the signal that the terminal is gone.
void foreground_child_hang_up(void);
