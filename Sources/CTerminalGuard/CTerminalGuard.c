// The work of signal handlers, limited to calls that are safe in them.
#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { SEQUENCE_SIZE = 511, STACK_SIZE = 32 * 1024 };

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT};
static const int fatal[] = {SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGQUIT};
#define COUNT(array) (sizeof(array) / sizeof(array[0]))

static struct sigaction forwarded_before[COUNT(forwarded)];
static struct sigaction fatal_before[COUNT(fatal)];
static struct termios modes;
static char sequence[SEQUENCE_SIZE];
static size_t sequence_length;
static int tty = -1;
static int pipe_end = -1;
// Handlers and threads read and write this, so it is atomic.
static atomic_bool armed;
// Posted by each signal that ends the program.
static sem_t endings;

// Standard error while it is held: the memory, its former descriptor, the limit, and whether output
// was dropped.
static atomic_bool holding;
static int held = -1, errors = -1;
static size_t held_limit;
static bool forgot_some;

void terminal_guard_write(int file, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t count = write(file, bytes, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        bytes += count;
        length -= (size_t)count;
    }
}

bool terminal_guard_is_foreground(void) { return tcgetpgrp(tty) == getpgrp(); }

// A background process must leave the terminal alone, because the shell uses it then.
static void give_back(void) {
    if (!atomic_exchange(&armed, false)) return;
    if (!terminal_guard_is_foreground()) return;
    terminal_guard_write(tty, sequence, sequence_length);
    tcsetattr(tty, TCSANOW, &modes);
}

static void show_held(void) {
    static const char note[] = "(earlier messages left out)\n";
    off_t end = lseek(held, 0, SEEK_CUR);
    char buffer[1024];
    if (forgot_some) terminal_guard_write(errors, note, sizeof(note) - 1);
    for (off_t at = 0; at < end;) {
        size_t wanted = (size_t)(end - at) < sizeof(buffer) ? (size_t)(end - at) : sizeof(buffer);
        ssize_t count = pread(held, buffer, wanted, at);
        if (count <= 0) return;
        terminal_guard_write(errors, buffer, (size_t)count);
        at += count;
    }
}

void terminal_guard_release_errors(void) {
    if (!atomic_exchange(&holding, false)) return;
    dup2(errors, STDERR_FILENO);
    show_held();
    close(errors);
    close(held);
}

static void at_exit(void) {
    give_back();
    terminal_guard_release_errors();
}

// Passes the crash on to the former handler; the default action ends the process.
static void crash(int number, siginfo_t *info, void *context) {
    (void)context;
    give_back();
    terminal_guard_release_errors();
    for (size_t i = 0; i < COUNT(fatal); i++)
        if (fatal[i] == number) sigaction(number, &fatal_before[i], NULL);
    // A fault repeats when the handler returns; a signal that was sent must be sent again.
    if (info->si_code <= 0 || number == SIGQUIT) raise(number);
}

// The pipe does not block: when it is full, the program has signals to handle already.
void terminal_guard_post(unsigned char byte) {
    terminal_guard_write(pipe_end, (const char *)&byte, 1);
}

static void forward(int number) {
    int saved = errno;
    if (number == SIGTERM || number == SIGHUP) sem_post(&endings);
    terminal_guard_post((unsigned char)number);
    errno = saved;
}

// Catches a signal if it has no handler, or in any case if `all`. A signal that was ignored, as
// under nohup, stays ignored.
static void catch(int number, struct sigaction action, struct sigaction *before, bool all) {
    sigemptyset(&action.sa_mask);
    sigaction(number, NULL, before);
    bool is_free = before->sa_handler == SIG_DFL || (all && before->sa_handler != SIG_IGN);
    if (is_free) sigaction(number, &action, NULL);
}

static pthread_key_t stack_key;

static void free_stack(void *stack) {
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    free(stack);
}

static void make_stack_key(void) { pthread_key_create(&stack_key, free_stack); }

void terminal_guard_protect_thread(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static _Thread_local bool is_protected;
    stack_t current, mine = {.ss_size = STACK_SIZE};
    if (is_protected) return;
    is_protected = true;
    if (sigaltstack(NULL, &current) != 0 || (current.ss_flags & SS_DISABLE) == 0) return;
    pthread_once(&once, make_stack_key);
    mine.ss_sp = malloc(STACK_SIZE);
    if (mine.ss_sp == NULL) return;
    if (sigaltstack(&mine, NULL) != 0 || pthread_setspecific(stack_key, mine.ss_sp) != 0)
        free_stack(mine.ss_sp);
}

int terminal_guard_open(int terminal) {
    static bool registered;
    int ends[2];
    // In the background this stops the process: the shell's line editor has set the modes then.
    while (tcdrain(terminal) != 0 && errno == EINTR) continue;
    // The system stops neither an orphaned process group nor a process that ignores SIGTTOU.
    pid_t foreground = tcgetpgrp(terminal);
    if (foreground >= 0 && foreground != getpgrp()) {
        errno = EIO;
        return -1;
    }
    if (tcgetattr(terminal, &modes) != 0) return -1;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    tty = terminal;
    pipe_end = ends[1];
    if (!registered) {
        sem_init(&endings, 0, 0);
        registered = atexit(at_exit) == 0;
    }

    struct sigaction crashes = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction forwards = {.sa_handler = forward, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < COUNT(fatal); i++) catch(fatal[i], crashes, &fatal_before[i], true);
    for (size_t i = 0; i < COUNT(forwarded); i++)
        catch(forwarded[i], forwards, &forwarded_before[i], false);
    return ends[0];
}

bool terminal_guard_arm(const char *bytes, size_t length) {
    if (length > SEQUENCE_SIZE) return false;
    memcpy(sequence, bytes, length);
    sequence_length = length;
    armed = true;
    return true;
}

void terminal_guard_disarm(void) { armed = false; }

// Whether a signal has come that ends the program, or comes within a number of milliseconds.
static bool is_ending(long limit) {
    sigset_t pending;
    sigpending(&pending);
    if (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGHUP) == 1) return true;
    struct timespec end;
    int result;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += limit * 1000000;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    while ((result = sem_clockwait(&endings, CLOCK_MONOTONIC, &end)) != 0 && errno == EINTR) continue;
    if (result == 0) sem_post(&endings);
    return result == 0;
}

void terminal_guard_stop(bool only_in_background) {
    struct sigaction ours, standard = {.sa_handler = SIG_DFL};
    sigset_t stop, before;
    sigemptyset(&standard.sa_mask);
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigaction(SIGTSTP, &standard, &ours);
    // Threads of a pool block signals; this signal must be delivered before `raise` returns.
    pthread_sigmask(SIG_UNBLOCK, &stop, &before);
    // `kill %1` of a shell sends SIGTERM and continues the stopped process. Another thread handles the signal, and may
    // be later than this one.
    bool ends = is_ending(only_in_background ? 200 : 0);
    // The shell may bring the process to the foreground at any time, so this is the last thing before the stop.
    if (!ends && !(only_in_background && terminal_guard_is_foreground())) raise(SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sigaction(SIGTSTP, &ours, NULL);
}

void terminal_guard_close(void) {
    if (pipe_end < 0) return;
    for (size_t i = 0; i < COUNT(forwarded); i++)
        sigaction(forwarded[i], &forwarded_before[i], NULL);
    for (size_t i = 0; i < COUNT(fatal); i++) sigaction(fatal[i], &fatal_before[i], NULL);
    close(pipe_end);
    pipe_end = -1;
    tty = -1;
}

bool terminal_guard_hold_errors(size_t limit) {
    if (holding || !isatty(STDERR_FILENO)) return false;
    held = memfd_create("standard-error", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (held < 0) return false;
    errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (errors < 0 || ftruncate(held, (off_t)limit) != 0
        || fcntl(held, F_ADD_SEALS, F_SEAL_GROW) != 0 || dup2(held, STDERR_FILENO) < 0) {
        if (errors >= 0) close(errors);
        close(held);
        return false;
    }
    held_limit = limit;
    forgot_some = false;
    holding = true;
    return true;
}

void terminal_guard_trim_errors(void) {
    if (!holding || lseek(held, 0, SEEK_CUR) <= (off_t)(held_limit / 2)) return;
    lseek(held, 0, SEEK_SET);
    forgot_some = true;
}
