// ncursesw, with the wide-character calls that it hides unless asked for.
#define NCURSES_WIDECHAR 1
#if !__has_include(<curses.h>)
#error "ncursesw is missing; install it: apt-get install libncurses-dev"
#else
#include <curses.h>
#include <term.h>
#endif
