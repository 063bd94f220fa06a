// ncursesw, with the wide-character calls that it hides unless asked for, and what Swift cannot see.
#define NCURSES_WIDECHAR 1
#if !__has_include(<curses.h>)
#error "ncursesw is missing; install it: apt-get install libncurses-dev"
#else
#include <curses.h>
#include <stdio.h>
#include <term.h>
#include <wchar.h>

// Macros with casts in them are not imported: the same values under names of their own.
static const attr_t CURSES_BOLD = A_BOLD;
static const attr_t CURSES_DIM = A_DIM;
static const attr_t CURSES_REVERSE = A_REVERSE;
static const attr_t CURSES_UNDERLINE = A_UNDERLINE;

// Globals are not safe to name in Swift 6: functions in their place.
static inline WINDOW *curses_screen(void) { return stdscr; }
static inline int curses_colors(void) { return COLORS; }
static inline SCREEN *curses_open(FILE *terminal) {
    return newterm(NULL, terminal ? terminal : stdout, terminal ? terminal : stdin);
}
#endif
