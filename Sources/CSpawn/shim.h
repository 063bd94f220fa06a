// What the module hands on: the end of inheritance.
#include <spawn.h>

int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

// glibc hides posix_spawn_file_actions_addclosefrom_np(3) from Swift.
static inline int pl_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
