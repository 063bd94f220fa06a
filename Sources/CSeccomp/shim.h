// libseccomp, and the calls by which a process binds itself that Swift's Glibc leaves out.
#if !__has_include(<seccomp.h>)
#error "libseccomp is missing; install it: apt-get install libseccomp-dev"
#else
// First, so that glibc's own types stay Glibc's and are not taken for this module's.
#pragma clang module import SwiftGlibc
#include <seccomp.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

// prctl(2) takes a variable number of arguments, which Swift cannot call.
static inline int pl_forbid_new_privileges(void) {
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static inline int pl_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static inline int pl_signal_on_parents_death(int number) {
    return prctl(PR_SET_PDEATHSIG, number, 0, 0, 0);
}

// glibc has no function for capset(2).
static inline int pl_drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}, {0, 0, 0}};
    return (int)syscall(SYS_capset, &header, none);
}

// glibc hides close_range(2) from Swift.
static inline int pl_close_from(unsigned first) {
    return (int)syscall(SYS_close_range, first, ~0U, 0);
}

// The resources are macros or members of an enumeration, some of which Swift cannot see.
static const int pl_core = RLIMIT_CORE;
static const int pl_file_size = RLIMIT_FSIZE;
static const int pl_processes = RLIMIT_NPROC;
static const int pl_files = RLIMIT_NOFILE;

// A lower limit stays as it is.
static inline int pl_limit(int resource, unsigned long most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -1;
    if (limit.rlim_max > most) limit.rlim_max = most;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit);
}

// Limits the memory for data, unless so much is reserved already that none could be had any more.
static inline int pl_limit_data(unsigned long most) {
    struct rlimit before;
    if (getrlimit(RLIMIT_DATA, &before) != 0) return -1;
    if (before.rlim_max <= most) return pl_limit(RLIMIT_DATA, most);
    struct rlimit limit = {most, before.rlim_max};
    if (setrlimit(RLIMIT_DATA, &limit) != 0) return -1;
    const size_t little = 1 << 20;
    void *memory = mmap(0, little, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        setrlimit(RLIMIT_DATA, &before);
        return -1;
    }
    munmap(memory, little);
    return pl_limit(RLIMIT_DATA, most);
}
#endif
