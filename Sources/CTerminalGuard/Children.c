// Starts programs: a foreground program, which has the terminal for a while, and background
// programs without a terminal.
#define _GNU_SOURCE
#include "Children.h"
#include "CSpawn.h"
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
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
static uint64_t standard;

static uint64_t bit(int number) { return (uint64_t)1 << (number - 1); }

__attribute__((constructor)) static void note_ignored(void) {
    struct sigaction action;
    standard = bit(SIGPIPE);
    for (size_t i = 0; i < sizeof(inherited) / sizeof(inherited[0]); i++)
        if (sigaction(inherited[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            standard |= bit(inherited[i]);
}

int foreground_child_start(int terminal, char *const command[]) {
    int child = pl_spawn(command, environ, NULL, standard, pl_foreground, terminal);
    if (child > 0) running = child;
    // A program that cannot be run is noticed when its process has the terminal.
    else give_terminal(terminal, getpgrp());
    return child;
}

// Handles a child that was stopped at the terminal: stops this program too, so that the shell gets
// the terminal, and continues the child when the shell continues this program.
static void stop_with(int terminal, pid_t child) {
    if (tcgetpgrp(terminal) == child) give_terminal(terminal, getpgrp());
    terminal_guard_stop(false);
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
        if (found > 0 && WIFSTOPPED(status)) stop_with(terminal, child);
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

int background_child_start(char *const command[], const void *input, size_t length) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return -errno;
    int file = length == 0 ? nothing : pl_memory_file(input, length);
    int files[] = {file, nothing, nothing};
    int child = file < 0 ? file : pl_spawn(command, environ, files, standard, pl_own_session, -1);
    if (file >= 0 && file != nothing) close(file);
    close(nothing);
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
