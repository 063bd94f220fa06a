// What the C library knows of characters and terminals, which Swift's Glibc module leaves out.
#include "CTerminalText.h"

#include <sys/ioctl.h>

// Declared for _XOPEN_SOURCE alone.
extern int wcwidth(wchar_t character);

int terminal_character_width(unsigned int scalar) { return wcwidth((wchar_t)scalar); }

bool terminal_window_size(int terminal, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(terminal, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return false;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return true;
}
