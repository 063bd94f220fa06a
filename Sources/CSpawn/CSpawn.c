// The resources that a started program inherits.
#define _GNU_SOURCE
#include "CSpawn.h"

#include <spawn.h>
#include <sys/mman.h>

int pl_spawn_close_from(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int pl_memory_file(void) { return memfd_create("peerlist", MFD_CLOEXEC); }
