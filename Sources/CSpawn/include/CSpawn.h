// The resources that a started program inherits, where Swift's Glibc has no interface to them.
#pragma once

// Has the program be given no descriptor from `first` on; `actions` is what posix_spawn(3) is told,
// a `posix_spawn_file_actions_t *`. Returns 0, or the number of an error.
int pl_spawn_close_from(void *actions, int first);

// An empty file without a name, in memory, closed to programs that are started; its descriptor, or
// -1 with errno.
int pl_memory_file(void);
