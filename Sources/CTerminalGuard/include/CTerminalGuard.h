// Gives the terminal back from a signal handler.
#pragma once
