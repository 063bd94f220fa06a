// The number of columns of a character, which Swift's Glibc module leaves out.
#pragma once
#include <wchar.h>

// Declared for _XOPEN_SOURCE alone.
extern int wcwidth(wchar_t character);

/// Returns the number of columns of a character in the locale of the thread; -1 for a control character.
static inline int terminal_character_width(unsigned int scalar) { return wcwidth((wchar_t)scalar); }
