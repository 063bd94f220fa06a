// Starts programs without inherited descriptors and blocked signals.
#pragma once
#include <stddef.h>
#include <stdint.h>

// The process group of a started program: this process's, or one of its own, in a session of its own or in the
// foreground of a terminal before the program runs.
enum pl_place { pl_same_group, pl_foreground, pl_own_session };

// Starts a program, found by PATH unless its name contains a slash, with no signal blocked and no
// descriptors but its first three, which are `files`, or ours where that is null. It does not ignore the signals
// of `standard`, even if this process does: the signal of number n is bit n - 1. `command` and `environment` end
// with null pointers; `terminal` matters in the foreground only. Returns the process id, or the negative number of an error.
int pl_spawn(
    char *const command[], char *const environment[], const int files[],
    uint64_t standard, enum pl_place place, int terminal);

// Opens a file without a name, in memory, that has these bytes and is read from its start; it is closed to
// programs that are started. Returns its descriptor, or the negative number of an error.
int pl_memory_file(const void *bytes, size_t length);
