// ncursesw, with the wide-character calls that it hides unless asked for, and what Swift cannot see.
#define NCURSES_WIDECHAR 1
#if !__has_include(<curses.h>)
#error "ncursesw is missing; install it: apt-get install libncurses-dev"
#else
#include <curses.h>
#include <fcntl.h>
#include <stdio.h>
#include <term.h>
#include <unistd.h>
#include <wchar.h>

// Macros with casts in them are not imported: the same values under names of their own.
static const attr_t CURSES_BOLD = A_BOLD;
static const attr_t CURSES_DIM = A_DIM;
static const attr_t CURSES_REVERSE = A_REVERSE;
static const attr_t CURSES_UNDERLINE = A_UNDERLINE;

// Globals are not safe to name in Swift 6: functions in their place.
static inline WINDOW *curses_screen(void) { return stdscr; }
static inline int curses_colors(void) { return COLORS; }
static inline SCREEN *curses_open(const char *type, FILE *terminal) {
    return newterm(type, terminal ? terminal : stdout, terminal ? terminal : stdin);
}

// Starts curses for input, and drops what it sends at its start, which would leave the main screen.
static inline SCREEN *curses_open_inline(const char *type, FILE *terminal) {
    SCREEN *screen = curses_open(type, terminal);
    int file = fileno(terminal ? terminal : stdout), flags = fcntl(file, F_GETFD);
    int kept = fcntl(file, F_DUPFD_CLOEXEC, 3), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (screen && kept >= 0 && nowhere >= 0 && dup2(nowhere, file) >= 0) {
        keypad(stdscr, TRUE);
        dup2(kept, file);
        fcntl(file, F_SETFD, flags);
    }
    if (kept >= 0) close(kept);
    if (nowhere >= 0) close(nowhere);
    return screen;
}
#endif
