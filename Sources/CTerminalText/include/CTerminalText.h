// The width of characters and of windows.
#pragma once
#include <stdbool.h>
#include <wchar.h>

/// Returns the number of columns of a character in the locale of the thread; -1 for a control character.
int terminal_character_width(unsigned int scalar);

/// Reads the window's size in characters; returns false if it is unknown.
bool terminal_window_size(int terminal, int *columns, int *rows);
