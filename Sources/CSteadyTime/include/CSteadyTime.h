// A clock for libavahi that nobody sets; to be linked is all that it takes.
#pragma once
#include <sys/time.h>
