// A program that has the terminal for a while, as a shell would give it to one.
#define _GNU_SOURCE
#include "ForegroundChild.h"
#include "CTerminalGuard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int running;

// Without the signal blocked, whoever is not in front would be stopped for this.
static void give_terminal(int terminal, pid_t group) {
    sigset_t output, before;
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &output, &before);
    tcsetpgrp(terminal, group);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int foreground_child_start(int terminal, char *const command[]) {
    posix_spawnattr_t attributes;
    sigset_t none, standard;
    pid_t child;
    sigemptyset(&none);
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    if (posix_spawnattr_init(&attributes) != 0) return -ENOMEM;
    posix_spawnattr_setflags(
        &attributes,
        POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &standard);
    int error = posix_spawnp(&child, command[0], NULL, &attributes, command, environ);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) return -error;
    running = child;
    give_terminal(terminal, child);
    return child;
}

// Someone at the terminal has stopped the child: then the shell gets the terminal, until it lets
// both of us go on.
static void stop_with(int terminal, pid_t child, int number) {
    pid_t front = tcgetpgrp(terminal);
    // It asked for the terminal before we had given it away.
    bool is_early = (number == SIGTTIN || number == SIGTTOU)
        && (front == getpgrp() || front == child);
    if (!is_early) {
        if (front == child) give_terminal(terminal, getpgrp());
        terminal_guard_stop();
    }
    if (tcgetpgrp(terminal) == getpgrp()) give_terminal(terminal, child);
    kill(-child, SIGCONT);
}

static void wait_for_enter(int terminal, int status) {
    char line[80], byte;
    int length = snprintf(line, sizeof(line), "(status %d; Enter goes back) ", status);
    if (write(terminal, line, (size_t)length) != length) return;
    while (read(terminal, &byte, 1) == 1)
        if (byte == '\n' || byte == '\r') return;
}

int foreground_child_wait(int terminal, int child, bool waits_after_failure) {
    int status;
    while (true) {
        pid_t found = waitpid(child, &status, WUNTRACED);
        if (found < 0 && errno == EINTR) continue;
        if (found < 0) status = 127 << 8;
        if (found > 0 && WIFSTOPPED(status)) stop_with(terminal, child, WSTOPSIG(status));
        else break;
    }
    running = 0;
    if (tcgetpgrp(terminal) == child) give_terminal(terminal, getpgrp());
    int result = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (waits_after_failure && result != 0 && terminal_guard_is_foreground())
        wait_for_enter(terminal, result);
    return result;
}

void foreground_child_hang_up(void) {
    pid_t child = atomic_load(&running);
    if (child <= 0) return;
    kill(-child, SIGHUP);
    kill(-child, SIGCONT);
}
