// Starts programs without inherited descriptors and blocked signals.
#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <unistd.h>

// Returns 0, or the number of the error.
static int set_attributes(
    posix_spawnattr_t *attributes, uint64_t standard, enum pl_place place) {
    sigset_t none, signals;
    sigemptyset(&none);
    sigemptyset(&signals);
    // It fails for the two signals that the C library uses itself.
    for (int number = 1; number <= 64; number++)
        if (standard >> (number - 1) & 1) sigaddset(&signals, number);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &signals);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (place == pl_foreground) flags |= POSIX_SPAWN_SETPGROUP;
    if (place == pl_own_session) flags |= POSIX_SPAWN_SETSID;
    return error == 0 ? posix_spawnattr_setflags(attributes, flags) : error;
}

int pl_spawn(
    char *const command[], char *const environment[], const int files[],
    uint64_t standard, enum pl_place place, int terminal) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child = -1;
    if (posix_spawn_file_actions_init(&actions) != 0) return -ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return -ENOMEM;
    }
    int error = set_attributes(&attributes, standard, place);
    if (error == 0 && place == pl_foreground)
        error = posix_spawn_file_actions_addtcsetpgrp_np(&actions, terminal);
    for (int file = 0; error == 0 && files && file <= STDERR_FILENO; file++)
        error = posix_spawn_file_actions_adddup2(&actions, files[file], file);
    if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (error == 0)
        error = posix_spawnp(&child, command[0], &actions, &attributes, command, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0 ? child : -error;
}

int pl_memory_file(const void *bytes, size_t length) {
    int file = memfd_create("peerlist", MFD_CLOEXEC);
    if (file < 0) return -errno;
    for (size_t done = 0; done < length;) {
        ssize_t count = pwrite(file, (const char *)bytes + done, length - done, (off_t)done);
        if (count < 0 && errno != EINTR) {
            int error = errno;
            close(file);
            return -error;
        }
        if (count > 0) done += (size_t)count;
    }
    return file;
}
