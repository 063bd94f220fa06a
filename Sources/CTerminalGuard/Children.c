// Starts programs: a foreground program, which has the terminal for a while, and background
// programs without a terminal.
#define _GNU_SOURCE
#include "Children.h"
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int running;

// SIGTTOU is blocked, because it would stop a process that calls this in the background.
static void give_terminal(int terminal, pid_t group) {
    sigset_t output, before;
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &output, &before);
    tcsetpgrp(terminal, group);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// Signals that a child ignores if they were ignored when this program started, such as SIGHUP under
// nohup. Signals that this program ignores for itself have their default action in the child.
static const int inherited[] = {SIGHUP, SIGINT, SIGTERM};
static sigset_t standard;

__attribute__((constructor)) static void note_ignored(void) {
    struct sigaction action;
    sigemptyset(&standard);
    sigaddset(&standard, SIGPIPE);
    for (size_t i = 0; i < sizeof(inherited) / sizeof(inherited[0]); i++)
        if (sigaction(inherited[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&standard, inherited[i]);
}

// Starts a child with no signal blocked, whatever this thread blocks, and with standard input, output
// and error only.
static int start(
    short flags, posix_spawn_file_actions_t *files, char *const command[]) {
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t child;
    sigemptyset(&none);
    if (posix_spawn_file_actions_addclosefrom_np(files, STDERR_FILENO + 1) != 0
        || posix_spawnattr_init(&attributes) != 0)
        return -ENOMEM;
    flags |= POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    posix_spawnattr_setflags(&attributes, flags);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &standard);
    int error = posix_spawnp(&child, command[0], files, &attributes, command, environ);
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? child : -error;
}

int foreground_child_start(int terminal, char *const command[]) {
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files) != 0) return -ENOMEM;
    int child = start(POSIX_SPAWN_SETPGROUP, &files, command);
    posix_spawn_file_actions_destroy(&files);
    if (child < 0) return child;
    running = child;
    give_terminal(terminal, child);
    return child;
}

// Handles a child that was stopped at the terminal: stops this program too, so that the shell gets
// the terminal, and continues the child when the shell continues this program.
static void stop_with(int terminal, pid_t child, int number) {
    pid_t front = tcgetpgrp(terminal);
    // The child asked for the terminal before it was given to it.
    bool is_early = (number == SIGTTIN || number == SIGTTOU)
        && (front == getpgrp() || front == child);
    if (!is_early) {
        if (front == child) give_terminal(terminal, getpgrp());
        terminal_guard_stop();
    }
    if (tcgetpgrp(terminal) == getpgrp()) give_terminal(terminal, child);
    kill(-child, SIGCONT);
}

static int interrupts[2] = {-1, -1};

static void note_interrupt(int number) {
    (void)number;
    int saved = errno;
    ssize_t count = write(interrupts[1], "", 1);
    (void)count;
    errno = saved;
}

// Waits for a line or an interrupt; returns whether a line can be read.
static bool has_line(int terminal) {
    struct pollfd files[] = {{terminal, POLLIN, 0}, {interrupts[0], POLLIN, 0}};
    while (poll(files, 2, -1) < 0)
        if (errno != EINTR) return false;
    return files[1].revents == 0;
}

// Waits for Enter or Ctrl-C, which does not end the program.
static void wait_for_enter(int terminal, int status) {
    char line[80], byte;
    int length = snprintf(line, sizeof(line), "(status %d; Enter goes back) ", status);
    if (write(terminal, line, (size_t)length) != length) return;
    // Never closed, as a handler may still be about to write.
    if (interrupts[0] < 0 && pipe2(interrupts, O_CLOEXEC | O_NONBLOCK) != 0) return;
    while (read(interrupts[0], line, sizeof(line)) > 0) continue;
    struct sigaction noting = {.sa_handler = note_interrupt, .sa_flags = SA_RESTART}, before;
    sigaction(SIGINT, &noting, &before);
    if (before.sa_handler == SIG_IGN) sigaction(SIGINT, &before, NULL);
    while (has_line(terminal) && read(terminal, &byte, 1) == 1)
        if (byte == '\n' || byte == '\r') break;
    sigaction(SIGINT, &before, NULL);
}

static int in_one_number(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int foreground_child_wait(
    int terminal, int child, bool waits_after_success, bool waits_after_failure
) {
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
    int result = in_one_number(status);
    bool waits = result == 0 ? waits_after_success : waits_after_failure;
    if (waits && terminal_guard_is_foreground())
        wait_for_enter(terminal, result);
    return result;
}

// Returns the reading end of a pipe that holds all of `input` and then ends, or the negative errno.
static int filled_pipe(const void *input, size_t length) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return -errno;
    // If the pipe cannot be enlarged, it may still be large enough.
    fcntl(ends[1], F_SETPIPE_SZ, (int)length);
    ssize_t count = write(ends[1], input, length);
    close(ends[1]);
    if (count == (ssize_t)length) {
        fcntl(ends[0], F_SETFL, 0);
        return ends[0];
    }
    close(ends[0]);
    return -ENOBUFS;
}

int background_child_start(char *const command[], const void *input, size_t length) {
    posix_spawn_file_actions_t files;
    if (posix_spawn_file_actions_init(&files) != 0) return -ENOMEM;
    int pipe = length == 0 ? -1 : filled_pipe(input, length);
    int error = length > 0 && pipe < 0 ? -pipe : 0;
    if (error == 0) error = posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_RDWR, 0);
    if (error == 0) error = posix_spawn_file_actions_adddup2(&files, 1, STDERR_FILENO);
    if (error == 0) error = posix_spawn_file_actions_adddup2(&files, pipe < 0 ? 1 : pipe, 0);
    int child = error == 0 ? start(POSIX_SPAWN_SETSID, &files, command) : -error;
    posix_spawn_file_actions_destroy(&files);
    if (pipe >= 0) close(pipe);
    return child;
}

int background_child_wait(int child) {
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return 127;
    return in_one_number(status);
}

void foreground_child_hang_up(void) {
    pid_t child = atomic_load(&running);
    if (child <= 0) return;
    kill(-child, SIGHUP);
    kill(-child, SIGCONT);
}
